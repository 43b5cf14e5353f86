/* SPDX-License-Identifier: MIT */
#include "device.h"

/* y = a * x + y. The whole grid strides over the vectors, which may be longer than it. */
KERNEL void saxpy(float a, GLOBAL const float *x, GLOBAL float *y, u32 n)
{
	for (u32 i = global_id_x(); i < n; i += global_size(0))
		y[i] = a * x[i] + y[i];
}
HOST_KERNEL(saxpy, "fppI", F32(0), POINTER(1), POINTER(2), U32(3));
