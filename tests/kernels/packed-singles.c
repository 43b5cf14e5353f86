/* SPDX-License-Identifier: MIT */
/* Pairs of singles, which the targets multiply and add two at a time. */
#include "device.h"

typedef float pair __attribute__((vector_size(8)));

KERNEL void packed_singles(GLOBAL const pair *in, GLOBAL pair *out)
{
	u32 i = global_id_x();
	pair a = in[i], b = in[i ^ 1], swapped = {a[1], a[0]};

	for (u32 k = 0; k < 8; k++) {
		pair next = a * b + swapped;

		b = a - b * (pair){0.5f, -0.25f};
		swapped = (pair){b[1], -b[0]};
		a = next * (pair){0.125f, 0.0625f};
	}
	out[i] = a + b;
}

HOST_KERNEL(packed_singles, "pp", POINTER(0), POINTER(1));
