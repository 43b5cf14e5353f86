/* SPDX-License-Identifier: MIT */
/* The same on global memory, signed ones too, and numbers given out to all work-items. */
#include "device.h"

KERNEL void atomics_global(GLOBAL u32 *words, GLOBAL u64 *pairs, GLOBAL u32 *seen)
{
	u32 i = global_id_x(), value = i * 2654435761u, expected = 0, place, before;
	GLOBAL i32 *numbers = (GLOBAL i32 *)words;
	u64 large = (u64)value * value;

	ATOMIC_GLOBAL(add, &words[0], value);
	ATOMIC_GLOBAL(sub, &words[1], value);
	ATOMIC_GLOBAL(and, &words[2], value | 0xffff);
	ATOMIC_GLOBAL(or, &words[3], value & 0x01010101);
	ATOMIC_GLOBAL(xor, &words[4], value);
	ATOMIC_GLOBAL(min, &words[5], value);
	ATOMIC_GLOBAL(max, &words[6], value);
	ATOMIC_GLOBAL(min, &numbers[7], (i32)value);
	ATOMIC_GLOBAL(max, &numbers[8], (i32)value);
	ATOMIC_GLOBAL(add, &pairs[0], large);
	ATOMIC_GLOBAL(sub, &pairs[1], large);
	ATOMIC_GLOBAL(and, &pairs[2], large | 0xffff);
	ATOMIC_GLOBAL(or, &pairs[3], large & 0x0101010101010101);
	ATOMIC_GLOBAL(xor, &pairs[4], large);
	ATOMIC_GLOBAL(min, &pairs[5], large);
	ATOMIC_GLOBAL(max, &pairs[6], large);
	while (!atomic_replace_global(&words[9], &expected, expected + value))
		;
	/* Each gets a number that no other has; all of them together are the same always. */
	place = atomic_add_global(&words[10], 1);
	ATOMIC_GLOBAL(or, &seen[place / 32], 1u << place % 32);
	/* And what one leaves behind another one takes: nothing is lost. */
	before = atomic_swap_global(&words[11], value);
	ATOMIC_GLOBAL(xor, &words[12], before);
}

HOST_KERNEL(atomics_global, "ppp", POINTER(0), POINTER(1), POINTER(2));

KERNEL void atomics_settle(GLOBAL u32 *words)
{
	/* The last of the swapped values is still where it was put. */
	if (global_id_x() == 0) {
		words[12] ^= words[11];
		words[11] = 0;
	}
}

HOST_KERNEL(atomics_settle, "p", POINTER(0));
