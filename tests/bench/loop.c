/* SPDX-License-Identifier: MIT */
#include "tests/kernels/device.h"

/* Some instructions of each kind, and one store at the end; nothing that a launch has to provide but the two arguments. */
KERNEL void loop(GLOBAL u32 *out, u32 rounds)
{
	u32 i = group_id_x() * 64 + local_id_x();
	u32 value = i;
	float sum = (float)i;

	for (u32 round = 0; round < rounds; round++) {
		value = (value ^ value >> 7) * 1664525 + 1013904223;
		sum = sum * 0.5f + (float)(value & 0xffff);
	}
	out[i] = value ^ (u32)sum;
}
