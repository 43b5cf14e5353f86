/* SPDX-License-Identifier: MIT */
/* Pairs of 16-bit integers, which have instructions of their own. */
#include "device.h"

typedef u16 pair __attribute__((vector_size(4)));
typedef i16 signed_pair __attribute__((vector_size(4)));

KERNEL void packed_shorts(GLOBAL const u32 *in, GLOBAL u32 *out)
{
	u32 i = global_id_x();
	pair a = (pair)in[i], b = (pair)in[i ^ 1], shift = b & 15;
	signed_pair c = (signed_pair)a, d = (signed_pair)b, least;

	out[i * 8] = (u32)(a + b);
	out[i * 8 + 1] = (u32)(a - b);
	out[i * 8 + 2] = (u32)(a * b + a);
	out[i * 8 + 3] = (u32)(a << shift);
	out[i * 8 + 4] = (u32)(a >> shift);
	out[i * 8 + 5] = (u32)(c >> (signed_pair)shift);
	/* The lesser and the greater of each, by masks. */
	least = (c & (c < d)) | (d & ~(c < d));
	out[i * 8 + 6] = (u32)(least - (c ^ d ^ least));
	out[i * 8 + 7] = (u32)(((pair)(a < b) & a) ^ (pair){a[1], b[0]});
}

HOST_KERNEL(packed_shorts, "pp", POINTER(0), POINTER(1));
