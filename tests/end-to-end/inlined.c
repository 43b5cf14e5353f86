/* SPDX-License-Identifier: MIT */
/* A kernel at -O2 that fails at its fourth store, for clients that walk through functions which are inlined, and inlined into each other. */
#include "tests/kernels/device.h"

DEVICE_INLINE u32 mixed(u32 value)
{
	value ^= value >> 3; /* folds */
	value *= 0x9e3779b1; /* spreads */
	return value ^ value >> 7;
}

DEVICE_INLINE u32 mixed_twice(u32 value)
{
	u32 once = mixed(value); /* once */

	return mixed(once + 1); /* twice */
}

KERNEL void inlined(GLOBAL u32 *out, u32 count, u32 stride)
{
	u32 i = local_id_x();
	u32 total = i;

#pragma clang loop unroll(disable)
	for (u32 k = 0; k < count; k++) {
		total = mixed_twice(total);  /* called */
		out[i + k * stride] = total; /* fails */
	}
}
