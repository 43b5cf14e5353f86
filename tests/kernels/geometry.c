/* SPDX-License-Identifier: MIT */
#include "device.h"

/*
 * Every work-item writes down where it is and how large the grid is, eight words each, from its ids
 * and the hidden arguments. Grids that are no multiple of the workgroup are welcome.
 */
KERNEL void geometry(GLOBAL u32 *out)
{
	u32 x = global_id_x();
	u32 y = global_id_y();
	u32 z = global_id_z();
	u64 i = ((u64)z * global_size(1) + y) * global_size(0) + x;

	out[8 * i] = x | y << 10 | z << 20;
	out[8 * i + 1] = local_id_x() | local_id_y() << 10 | local_id_z() << 20;
	out[8 * i + 2] = group_id_x() | group_id_y() << 10 | group_id_z() << 20;
	out[8 * i + 3] = global_size(0) | global_size(1) << 10 | global_size(2) << 20;
	out[8 * i + 4] =
		full_group_count(0) | full_group_count(1) << 10 | full_group_count(2) << 20;
	out[8 * i + 5] = full_group_size(0) | full_group_size(1) << 10 | full_group_size(2) << 20;
	out[8 * i + 6] = group_remainder(0) | group_remainder(1) << 10 | group_remainder(2) << 20;
	out[8 * i + 7] = grid_dimensions();
}
HOST_KERNEL(geometry, "p", POINTER(0));
