/* SPDX-License-Identifier: MIT */
/* From each number format to the others, as far as C says what comes out. */
#include "device.h"

#define RESULTS 8

DEVICE_INLINE u64 bits_of_double(double number)
{
	union {
		double number;
		u64 bits;
	} value = {.number = number};

	return value.bits;
}

DEVICE_INLINE u32 bits_of_single(float number)
{
	union {
		float number;
		u32 bits;
	} value = {.number = number};

	return value.bits;
}

KERNEL void conversions(GLOBAL const u64 *in, GLOBAL u64 *out)
{
	u32 i = global_id_x();
	u64 word = in[i] * 0x9e3779b97f4a7c15u >> (i % 61);
	i64 whole = (i64)word;
	double number = (double)whole * 0x1.23456789abcdp-20, small = (double)(i32)word * 0x1p-17;
	float single = (float)number * 0.37f;
	f16 half = (f16)(i16)(word & 0x7fff);

	out[i * RESULTS] = bits_of_double((double)word) ^ bits_of_double(number);
	out[i * RESULTS + 1] =
		(u64)bits_of_single((float)whole) << 32 | bits_of_single((float)word);
	out[i * RESULTS + 2] = (u64)bits_of_single(single) << 32 | bits_of_single((float)small);
	out[i * RESULTS + 3] = (u64)(i64)(number * 0.5) + (u64)(i64)single;
	out[i * RESULTS + 4] = (u64)(u32)(i32)small << 32 | (u32)(i32)(float)small;
	out[i * RESULTS + 5] = (u64)bits_of_half((f16)small) << 48 |
			       (u64)bits_of_half((f16)(float)small) << 32 | (u32)(i32)half;
	out[i * RESULTS + 6] = bits_of_double((double)half) + bits_of_single((float)half * 0.3f);
	out[i * RESULTS + 7] = (u64)(u8)(word % 200) * (u64)(u16)(f16)(u8)word +
			       bits_of_half((f16)(i8)word) + bits_of_single((float)(u8)(word >> 8));
}

HOST_KERNEL(conversions, "pp", POINTER(0), POINTER(1));
