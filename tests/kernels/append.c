/* SPDX-License-Identifier: MIT */
/* Counters in local memory that a whole wave moves at once. */
#include "device.h"

KERNEL void append(GLOBAL u32 *out)
{
	LOCAL_ARRAY u32 up[1], down[1];
	u32 i = local_id_x();

	if (i == 0) {
		up[0] = 1000;
		down[0] = 5000;
	}
	barrier();
	if (i % 3 == 1)
		local_append(&up[0]);
	if (i % 5 < 2)
		local_consume(&down[0]);
	barrier();
	if (i == 0) {
		out[group_id_x() * 2] = up[0];
		out[group_id_x() * 2 + 1] = down[0];
	}
}

HOST_KERNEL(append, "p", POINTER(0));
