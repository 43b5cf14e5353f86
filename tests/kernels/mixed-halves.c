/* SPDX-License-Identifier: MIT */
/* Halves in singles' arithmetic, for which there are instructions that take both. */
#include "device.h"

#define RESULTS 4

KERNEL void mixed_halves(GLOBAL const u16 *in, GLOBAL u16 *out, GLOBAL float *singles)
{
	u32 i = global_id_x();
	float a = (float)half_of_bits(in[i]), b = (float)half_of_bits(in[i + 1]);
	float c = (float)half_of_bits(in[i + 2]), d = singles[i];

	out[i * RESULTS] = bits_of_half((f16)__builtin_fmaf(a, b, c));
	out[i * RESULTS + 1] = bits_of_half((f16)__builtin_fmaf(-a, __builtin_fabsf(b), d));
	out[i * RESULTS + 2] = bits_of_half((f16)(a * d));
	/* A tie of halves that only a single cannot tell from what is next to it. */
	a = (float)half_of_bits((u16)(0x2801 + (i & 1) * 0x400));
	b = (float)half_of_bits((u16)(0x23fe - (i & 1) * 0x400 + (i & 2)));
	out[i * RESULTS + 3] = bits_of_half((f16)__builtin_fmaf(a, b, 1.0f + 0x1p-10f));
	singles[i] = __builtin_fmaf(c, b, d) + __builtin_fmaf(d, -c, a);
}

HOST_KERNEL(mixed_halves, "ppp", POINTER(0), POINTER(1), POINTER(2));
