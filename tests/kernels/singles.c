/* SPDX-License-Identifier: MIT */
/* Single precision: division and roots that are rounded right, roundings to whole numbers, signs. */
#include "device.h"

KERNEL void singles(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out)
{
	u32 i = global_id_x();
	float x = a[i], y = b[i];

	out[i * 12] = x / y;
	out[i * 12 + 1] = __builtin_sqrtf(y * y + x * x);
	out[i * 12 + 2] = __builtin_fmaf(x, y, x);
	out[i * 12 + 3] = __builtin_floorf(x) + __builtin_ceilf(y);
	out[i * 12 + 4] = __builtin_truncf(x * 0.3f) - __builtin_rintf(y * 0.7f);
	out[i * 12 + 5] = __builtin_copysignf(x, y) + __builtin_fabsf(y);
	out[i * 12 + 6] = __builtin_fminf(x, y) * __builtin_fmaxf(x, y);
	out[i * 12 + 7] = (float)(i32)x + (float)(u32)__builtin_fabsf(y);
	out[i * 12 + 8] = 1.0f / (x + 0.5f);
	out[i * 12 + 9] = x > y ? x - y : x < -y ? x + y : -x;
	out[i * 12 + 10] = (x * 1e-30f) * (y * 1e-12f);
	out[i * 12 + 11] = (float)((double)x * 1.1) + __builtin_roundf(y);
}

HOST_KERNEL(singles, "ppp", POINTER(0), POINTER(1), POINTER(2));
