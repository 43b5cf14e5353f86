/* SPDX-License-Identifier: MIT */
/* Half precision, one operation at a time, and conversions from and to it. */
#include "device.h"

KERNEL void halves(GLOBAL const u16 *in, GLOBAL u16 *out, GLOBAL float *singles)
{
	u32 i = global_id_x();
	f16 a = half_of_bits(in[i]), b = half_of_bits(in[i ^ 3]);
	float single = (float)a * 1.0009765f;
	i16 whole = (i16)(a * (f16)0.0625f);

	out[i * 8] = bits_of_half(half_add(a, b));
	out[i * 8 + 1] = bits_of_half(half_subtract(a, b));
	out[i * 8 + 2] = bits_of_half(half_multiply(a, b));
	out[i * 8 + 3] = bits_of_half(half_divide(a, b));
	out[i * 8 + 4] = bits_of_half((f16)single);
	out[i * 8 + 5] = bits_of_half(a < b ? a : b);
	out[i * 8 + 6] = (u16)whole;
	out[i * 8 + 7] = bits_of_half((f16)(u16)(i * 1021));
	singles[i] = (float)a + (float)b;
}

HOST_KERNEL(halves, "ppp", POINTER(0), POINTER(1), POINTER(2));
