/* SPDX-License-Identifier: MIT */
/* 64-bit integers: products, quotients, remainders, shifts, counted bits. */
#include "device.h"

KERNEL void wide_integers(GLOBAL const u64 *in, GLOBAL u64 *out)
{
	u32 i = global_id_x();
	u64 x = in[i] * 0x9e3779b97f4a7c15, y = in[i ^ 1] | 1;
	i64 sx = (i64)x, sy = (i64)(y << 20 | 7) - 5000;

	out[i * 10] = x * y;
	out[i * 10 + 1] = x / y;
	out[i * 10 + 2] = x % y;
	out[i * 10 + 3] = (u64)(sx / sy);
	out[i * 10 + 4] = (u64)(sx % sy);
	out[i * 10 + 5] = x << (y & 63) | x >> (i & 63);
	out[i * 10 + 6] = (u64)(sx >> (i & 63)) ^ (x + y);
	out[i * 10 + 7] = (u64)(u32)__builtin_popcountll(x) << 32 |
			  (u64)(u32)(__builtin_clzll(x | 1) * 64 + __builtin_ctzll(x | 1ull << 63));
	out[i * 10 + 8] = (x > y ? x - y : y - x) + (sx < sy ? 1 : 0);
	out[i * 10 + 9] = (u64)((u32)(x >> 32)) * (u32)y + (x & 0xffffffff) * (y >> 32);
}

HOST_KERNEL(wide_integers, "pp", POINTER(0), POINTER(1));
