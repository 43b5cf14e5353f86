/* SPDX-License-Identifier: MIT */
#include "device.h"

/*
 * Bit counting, rotation, byte and half-word accesses, wide products and shifts: five words each.
 */
KERNEL void bits(GLOBAL const u32 *in, GLOBAL const i16 *halves, GLOBAL u8 *bytes, GLOBAL u32 *out)
{
	u32 i = global_id_x();
	u32 value = in[i];
	u32 mixed = value * 0x9e3779b9u;
	u64 wide = (u64)value * mixed;
	i32 half = halves[i];
	u32 shift = mixed & 31;

	bytes[i] = (u8)(mixed >> 11);
	out[5 * i] = (u32)__builtin_popcount(mixed) | (u32)__builtin_clz(mixed | 1) << 8 |
		     (u32)__builtin_ctz(mixed | 0x80000000u) << 16;
	out[5 * i + 1] = (mixed << shift) | (mixed >> (-shift & 31));
	out[5 * i + 2] = __builtin_bswap32(mixed) ^ (u32)(half >> (shift & 7));
	out[5 * i + 3] = (u32)((wide << (shift + 1)) >> 32);
	out[5 * i + 4] = (u32)((i64)wide >> (shift + 3)) ^ (half < 0 ? ~value : value);
}
HOST_KERNEL(bits, "pppp", POINTER(0), POINTER(1), POINTER(2), POINTER(3));
