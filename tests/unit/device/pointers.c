/* SPDX-License-Identifier: MIT */
/*
 * A code object with relocations: pointers to data that stays in the object, pointers by symbol
 * (whose visibility lets a linker replace them), and a weak symbol that nobody defines. And a
 * kernel that writes wherever it is told to.
 */
#include "tests/kernels/device.h"

__attribute__((visibility("default"))) GLOBAL u32 shared[4] = {10, 20, 30, 40};
static GLOBAL u32 own[2] = {1, 2};
static GLOBAL u32 *GLOBAL pointers[3] = {&own[1], &shared[2], &own[0]};
extern GLOBAL u32 absent __attribute__((weak, visibility("default")));

KERNEL void pointers_kernel(GLOBAL u32 *out, GLOBAL u64 *addresses, u32 step)
{
	u32 i = global_id_x();

	for (u32 p = i; p < 3; p += step) {
		out[p] = *pointers[p];
		addresses[p] = (u64)pointers[p];
	}
	if (i == 0)
		addresses[3] = (u64)&absent;
	shared[i & 3] += i;
	pointers[2] = &shared[0];
}

KERNEL void write_anywhere(GLOBAL const u64 *address, u32 value)
{
	*(volatile u32 *)*address = value;
}
