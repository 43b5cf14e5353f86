/* SPDX-License-Identifier: MIT */
/* Numbers too small for a full mantissa, kept and flushed, as the mode register says. */
#include "device.h"

#define KEEP 3
#define FLUSH 0

DEVICE_INLINE float flushed(float x)
{
	union {
		float number;
		u32 bits;
	} value = {.number = x};

	if (!(value.bits & 0x7f800000))
		value.bits &= 0x80000000;
	return value.number;
}

/* On the device the mode does it; on the host the flushes stand before and behind. */
DEVICE_INLINE float product_flushed(float x, float y)
{
	float result;

	OPAQUE(x);
	OPAQUE(y);
	set_denormals_single(FLUSH);
	OPAQUE(x);
	OPAQUE(y);
#if defined(__AMDGCN__)
	result = x * y;
#else
	result = flushed(flushed(x) * flushed(y));
#endif
	OPAQUE(result);
	set_denormals_single(KEEP);
	return result;
}

KERNEL void denormals(GLOBAL const u32 *in, GLOBAL float *out, GLOBAL u16 *small)
{
	u32 i = global_id_x();
	union {
		u32 bits;
		float number;
	} x = {.bits = in[i]};
	f16 half = half_of_bits((u16)(i * 37 % 2048));

	out[i * 6] = x.number * 0.5f;
	out[i * 6 + 1] = x.number + x.number * 0.25f;
	out[i * 6 + 2] = product_flushed(x.number, 0.25f);
	out[i * 6 + 3] = product_flushed(x.number, 64.0f);
	out[i * 6 + 4] = x.number / 3.0f;
	out[i * 6 + 5] = flushed(x.number) + (float)((double)x.number * 1.5);
	small[i * 2] = bits_of_half(half_multiply(half, (f16)0.5f));
	small[i * 2 + 1] = bits_of_half(half_add(half, half_of_bits(3)));
}

HOST_KERNEL(denormals, "ppp", POINTER(0), POINTER(1), POINTER(2));
