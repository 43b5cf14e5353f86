/* SPDX-License-Identifier: MIT */
#include "device.h"

#define GROUP 256

/*
 * The sum of each workgroup's elements, by a tree in local memory. Workgroups are of GROUP
 * work-items.
 */
KERNEL void reduce(GLOBAL const float *in, GLOBAL float *sums)
{
	LOCAL_ARRAY float partial[GROUP];
	u32 x = local_id_x();

	partial[x] = in[global_id_x()];
	for (u32 half = GROUP / 2; half > 0; half /= 2) {
		barrier();
		if (x < half)
			partial[x] += partial[x + half];
	}
	if (x == 0)
		sums[group_id_x()] = partial[0];
}
HOST_KERNEL(reduce, "pp", POINTER(0), POINTER(1));
