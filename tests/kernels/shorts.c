/* SPDX-License-Identifier: MIT */
/* 16-bit integers, signed and not: sums that wrap, products, shifts, extremes, absolute values. */
#include "device.h"

KERNEL void shorts(GLOBAL const u16 *a, GLOBAL const i16 *b, GLOBAL u16 *out)
{
	u32 i = global_id_x();
	u16 x = a[i];
	i16 y = b[i], least = y < (i16)x ? y : (i16)x;
	u16 most = x > (u16)y ? x : (u16)y;

	out[i * 8] = (u16)(x + (u16)y);
	out[i * 8 + 1] = (u16)(x * (u16)y);
	out[i * 8 + 2] = (u16)(x << (y & 15));
	out[i * 8 + 3] = (u16)(y >> (x & 15));
	out[i * 8 + 4] = (u16)(x >> (y & 7)) ^ (u16)least;
	out[i * 8 + 5] = (u16)(most + (u16)(y < 0 ? -y : y));
	out[i * 8 + 6] = (u16)((u32)x * (u32)(u16)y >> 16);
	out[i * 8 + 7] = (u16)(x / (u16)((u16)y | 1) + x % 1000);
}

HOST_KERNEL(shorts, "ppp", POINTER(0), POINTER(1), POINTER(2));
