/* SPDX-License-Identifier: MIT */
#include "device.h"

#define GROUP 256

/* Running sums within each workgroup of GROUP work-items, between two buffers in local memory. */
KERNEL void scan(GLOBAL const u32 *in, GLOBAL u32 *out)
{
	LOCAL_ARRAY u32 sums[2][GROUP];
	u32 x = local_id_x();
	u32 from = 0;

	sums[0][x] = in[global_id_x()];
	for (u32 distance = 1; distance < GROUP; distance *= 2) {
		barrier();
		sums[1 - from][x] = sums[from][x] + (x >= distance ? sums[from][x - distance] : 0);
		from = 1 - from;
	}
	out[global_id_x()] = sums[from][x];
}
HOST_KERNEL(scan, "pp", POINTER(0), POINTER(1));
