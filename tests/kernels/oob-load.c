/* SPDX-License-Identifier: MIT */
#include "device.h"

/* A gather, out[i] = in[index[i]], that trusts its indices. */
KERNEL void oob_load(GLOBAL const float *in, GLOBAL const u32 *index, GLOBAL float *out)
{
	u32 i = global_id_x();

	out[i] = 2.0f * in[index[i]];
}
HOST_KERNEL(oob_load, "ppp", POINTER(0), POINTER(1), POINTER(2));
