/* SPDX-License-Identifier: MIT */
/* Workgroups that wait for each other: none ends before all have begun. */
#include "tests/kernels/device.h"

/* @count: workgroups that have come. @out: for each work-item. */
KERNEL void meet(GLOBAL u32 *count, GLOBAL u32 *out, u32 groups)
{
	if (local_id_x() == 0) {
		atomic_add_global(count, 1);
		while (atomic_add_global(count, 0) < groups)
			;
	}
	barrier();
	out[global_id_x()] = global_id_x() * 3 + groups;
}
