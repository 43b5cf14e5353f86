/* SPDX-License-Identifier: MIT */
#include "device.h"

/*
 * How many steps each number takes to reach 1 by halving even numbers and taking odd ones times
 * three plus one; `limit` at most. Each lane leaves the loop at its own time and takes its own
 * branch in it.
 */
KERNEL void divergent(GLOBAL const u32 *numbers, GLOBAL u32 *steps, u32 n, u32 limit)
{
	u32 i = global_id_x();

	if (i >= n)
		return;

	u32 value = numbers[i];
	u32 count = 0;

	while (value > 1 && count < limit) {
		if (value & 1)
			value = 3 * value + 1;
		else
			value >>= 1;
		count++;
	}
	steps[i] = count;
}
HOST_KERNEL(divergent, "ppII", POINTER(0), POINTER(1), U32(2), U32(3));
