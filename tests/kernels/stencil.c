/* SPDX-License-Identifier: MIT */
/* Neighbours in three dimensions, with a grid that the workgroups do not fill. */
#include "device.h"

DEVICE_INLINE u32 at(u32 x, u32 y, u32 z)
{
	return (z * global_size(1) + y) * global_size(0) + x;
}

KERNEL void stencil(GLOBAL const float *in, GLOBAL float *out)
{
	u32 x = global_id_x(), y = global_id_y(), z = global_id_z();
	u32 nx = global_size(0), ny = global_size(1), nz = global_size(2);
	float sum = in[at(x, y, z)] * -6.0f;

	sum += in[at(x ? x - 1 : nx - 1, y, z)] + in[at(x + 1 < nx ? x + 1 : 0, y, z)];
	sum += in[at(x, y ? y - 1 : ny - 1, z)] + in[at(x, y + 1 < ny ? y + 1 : 0, z)];
	sum += in[at(x, y, z ? z - 1 : nz - 1)] + in[at(x, y, z + 1 < nz ? z + 1 : 0)];
	out[at(x, y, z)] = in[at(x, y, z)] + sum * 0.125f;
}

HOST_KERNEL(stencil, "pp", POINTER(0), POINTER(1));
