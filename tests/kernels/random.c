/* SPDX-License-Identifier: MIT */
/* Generators that are nothing but shifts, products and carries of 64 bits. */
#include "device.h"

KERNEL void random(GLOBAL u64 *state, GLOBAL u32 *out, u32 rounds)
{
	u32 i = global_id_x(), histogram = 0;
	u64 x = state[i], y = x ^ 0x9e3779b97f4a7c15, product;

	for (u32 k = 0; k < rounds; k++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		product = (y & 0xffffffff) * 4294957665u + (y >> 32);
		y = product;
		histogram += 1u << ((u32)(x >> 60) % 4 * 8);
		out[i] ^= (u32)(x + y) * 69069u;
	}
	state[i] = x + y;
	out[i] += histogram;
}

HOST_KERNEL(random, "ppI", POINTER(0), POINTER(1), U32(2));
