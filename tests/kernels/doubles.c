/* SPDX-License-Identifier: MIT */
/* Double precision: division, roots, fused products, roundings, conversions from and to it. */
#include "device.h"

KERNEL void doubles(GLOBAL const double *a, GLOBAL const double *b, GLOBAL double *out)
{
	u32 i = global_id_x();
	double x = a[i], y = b[i];

	out[i * 10] = x / y;
	out[i * 10 + 1] = __builtin_sqrt(x * x + y * y);
	out[i * 10 + 2] = __builtin_fma(x, y, -x);
	out[i * 10 + 3] = __builtin_floor(x) - __builtin_ceil(y) + __builtin_trunc(x * y);
	out[i * 10 + 4] = __builtin_rint(y * 0.37);
	out[i * 10 + 5] = (double)(float)(x * 1.0000001);
	out[i * 10 + 6] = (double)(i64)(x * 1e9) + (double)(u64)(i * 123456789ull);
	out[i * 10 + 7] = (double)(i32)y + (double)(u32)(i * 77777777u);
	out[i * 10 + 8] = __builtin_fmin(x, y) + 2.0 * __builtin_fmax(x, y);
	out[i * 10 + 9] = x < y ? -__builtin_fabs(x) : __builtin_copysign(y, x);
}

HOST_KERNEL(doubles, "ppp", POINTER(0), POINTER(1), POINTER(2));
