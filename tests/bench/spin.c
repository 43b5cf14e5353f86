/* SPDX-License-Identifier: MIT */
#include "tests/kernels/device.h"

/* Every wave stops for the debugger, and then has instructions enough to step through. */
KERNEL void spin(GLOBAL u32 *data, u32 rounds)
{
	u32 i = global_id_x();
	u32 value = i;

	trap_debug();
	for (u32 round = 0; round < rounds; round++)
		value = value * 1664525 + 1013904223;
	data[i] = value;
}
