/* SPDX-License-Identifier: MIT */
#include "device.h"

/* c = a + b, element by element. */
KERNEL void vecadd(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, u32 n)
{
	u32 i = global_id_x();

	if (i < n)
		c[i] = a[i] + b[i];
}
HOST_KERNEL(vecadd, "pppI", POINTER(0), POINTER(1), POINTER(2), U32(3));
