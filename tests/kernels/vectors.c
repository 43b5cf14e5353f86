/* SPDX-License-Identifier: MIT */
/* Registers chosen by an index that is known only when it runs, uniform and by lane. */
#include "device.h"

typedef u32 eight __attribute__((vector_size(32)));

KERNEL void vectors(GLOBAL const u32 *in, GLOBAL u32 *out, u32 turns)
{
	u32 i = global_id_x();
	eight value = {in[i], 1, 2, 3, in[i] >> 8, 5, 6, 7};

	for (u32 k = 0; k < turns; k++) {
		/* The same place in all lanes, then one that each lane has for itself. */
		value[k * 3 % 8] += in[(i + k) % 256];
		value[(in[i] + k) % 8] ^= value[k % 8] << 1;
		value[7 - k % 8] -= value[(i >> 2) % 8];
	}
	for (u32 k = 0; k < 8; k++)
		out[i * 8 + k] = value[k];
}

HOST_KERNEL(vectors, "ppI", POINTER(0), POINTER(1), U32(2));
