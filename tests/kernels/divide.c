/* SPDX-License-Identifier: MIT */
#include "device.h"

/*
 * Division, square root and conversion, in both precisions and for integers. Results are packed as
 * seven 8-byte words for each work-item.
 */
KERNEL void divide(GLOBAL const float *a, GLOBAL const float *b, GLOBAL u64 *out)
{
	u32 i = global_id_x();
	float x = a[i];
	float y = b[i];
	union {
		float f[2];
		double d;
		u64 u;
	} word;

	word.f[0] = x / y;
	word.f[1] = __builtin_sqrtf(x);
	out[7 * i] = word.u;
	word.d = (double)x / (double)y;
	out[7 * i + 1] = word.u;
	word.d = __builtin_sqrt((double)y);
	out[7 * i + 2] = word.u;
	out[7 * i + 3] = (u64)(i64)((double)x * 1000.0);
	word.f[0] = (float)((i32)i - 17);
	word.f[1] = (float)((u64)i << 33);
	out[7 * i + 4] = word.u;
	out[7 * i + 5] = (u64)i * 0x123456789abcdefull / (i + 3);
	out[7 * i + 6] = (u64)(u32)(((i32)i - 100) / 7) << 32 | (u32)(((i32)i - 100) % 7);
}
HOST_KERNEL(divide, "ppp", POINTER(0), POINTER(1), POINTER(2));
