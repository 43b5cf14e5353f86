/* SPDX-License-Identifier: MIT */
#include "device.h"

#define BINS 64

/*
 * Counts bytes by their upper six bits: each workgroup in local memory first, then all together.
 * The whole grid strides over the bytes. Workgroups are of BINS work-items or more.
 */
KERNEL void histogram(GLOBAL const u8 *bytes, GLOBAL u32 *bins, u32 n)
{
	LOCAL_ARRAY u32 local_bins[BINS];
	u32 x = local_id_x();

	if (x < BINS)
		local_bins[x] = 0;
	barrier();
	for (u32 i = global_id_x(); i < n; i += global_size(0))
		atomic_add_local(&local_bins[bytes[i] / 4], 1u);
	barrier();
	if (x < BINS)
		atomic_add_global(&bins[x], local_bins[x]);
}
HOST_KERNEL(histogram, "ppI", POINTER(0), POINTER(1), U32(2));
