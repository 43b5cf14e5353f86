/* SPDX-License-Identifier: MIT */
/* Local memory whose size the dispatch says, behind what the kernel has of its own. */
#include "device.h"

KERNEL void dynamic_local(GLOBAL u32 *out, u32 count)
{
	DYNAMIC_LOCAL_ARRAY(u32, window, 512);
	LOCAL_ARRAY u32 total[1];
	u32 i = local_id_x(), size = full_group_size(0), sum = 0;

	if (i == 0)
		total[0] = 0;
	for (u32 k = i; k < count; k += size)
		window[k] = k * k + group_id_x();
	barrier();
	for (u32 k = 0; k < 8; k++)
		sum += window[(i * 7 + k * 31) % count];
	atomic_add_local(&total[0], sum);
	barrier();
	out[global_id_x()] = sum ^ total[0];
}

HOST_KERNEL(dynamic_local, "pI", POINTER(0), U32(1));
