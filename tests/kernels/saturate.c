/* SPDX-License-Identifier: MIT */
/* Sums that stop at their limits, values held between two others, differences without sign. */
#include "device.h"

KERNEL void saturate(GLOBAL const i32 *in, GLOBAL i32 *out)
{
	u32 i = global_id_x();
	i32 x = in[i], y = in[i ^ 9], low = -1000000, high = 2000000, sum;
	u32 a = (u32)x, b = (u32)y, unsigned_sum = a + b;
	float f = (float)x * 1e-9f;

	if (__builtin_add_overflow(x, y, &sum))
		sum = x < 0 ? -2147483647 - 1 : 2147483647;
	out[i * 6] = sum;
	out[i * 6 + 1] = (i32)(unsigned_sum < a ? ~0u : unsigned_sum);
	out[i * 6 + 2] = x < low ? low : x > high ? high : x;
	out[i * 6 + 3] = (i32)(a > b ? a - b : 0);
	out[i * 6 + 4] = (i32)(1e6f * (f < 0.0f ? 0.0f : f > 1.0f ? 1.0f : f));
	out[i * 6 + 5] = (x > y ? x : y) / 3 - (x < y ? x : y) / 7 + (x >> 31 | 1);
}

HOST_KERNEL(saturate, "pp", POINTER(0), POINTER(1));
