/* SPDX-License-Identifier: MIT */
/* A workgroup sorts in local memory: many barriers, partners that change. */
#include "device.h"

#define COUNT 256

KERNEL void bitonic_sort(GLOBAL u32 *data)
{
	LOCAL_ARRAY u32 values[COUNT];
	u32 i = local_id_x(), base = group_id_x() * COUNT;

	values[i] = data[base + i] * 2654435761u;
	barrier();
	for (u32 size = 2; size <= COUNT; size *= 2) {
		for (u32 distance = size / 2; distance; distance /= 2) {
			u32 other = i ^ distance, a = values[i], b = values[other];
			u32 keep = ((i & size) == 0) == (i < other) ? (a < b ? a : b)
								    : (a < b ? b : a);

			barrier();
			values[i] = keep;
			barrier();
		}
	}
	data[base + i] = values[i];
}

HOST_KERNEL(bitonic_sort, "p", POINTER(0));
