/* SPDX-License-Identifier: MIT */
/* Fields taken out and put in, rotations, reversed and chosen bytes, first bits, sums of differences. */
#include "device.h"

struct fields {
	u32 low : 5;
	u32 middle : 11;
	u32 high : 13;
	u32 rest : 3;
};

KERNEL void bit_fields(GLOBAL const u32 *in, GLOBAL u32 *out)
{
	u32 i = global_id_x(), x = in[i], y = in[i ^ 2], sad = 0;
	union {
		u32 word;
		struct fields fields;
	} u = {.word = x};

	out[i * 8] = (u32)((i32)(u.fields.high << 19) >> 19) * 3 + u.fields.middle;
	u.fields.middle = y & 0x7ff;
	u.word = (u.word & ~(0x1fffu << 16)) | (y & 0x1fff) << 16;
	out[i * 8 + 1] = u.word;
	out[i * 8 + 2] = (x << 9 | x >> 23) ^ (y >> (x & 31) | y << (-x & 31));
	out[i * 8 + 3] = __builtin_bswap32(x) + (u32)__builtin_bswap16((u16)y);
	out[i * 8 + 4] = (u32)__builtin_ffs((int)x) << 16 | (u32)__builtin_clz(y | 1);
	out[i * 8 + 5] = (x & ~y) | (~x & 0x00ff00ff & y);
	for (u32 k = 0; k < 32; k += 4) {
		u32 a = x >> k & 15, b = y >> k & 15;

		sad += a > b ? a - b : b - a;
	}
	out[i * 8 + 6] = sad + (u32)__builtin_popcount(x ^ y);
	out[i * 8 + 7] = (x & 0xff00ff00) >> 8 | (x & 0x00ff00ff) << 8;
}

HOST_KERNEL(bit_fields, "pp", POINTER(0), POINTER(1));
