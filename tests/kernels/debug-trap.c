/* SPDX-License-Identifier: MIT */
#include "device.h"

/* Stops for the debugger in each workgroup between two halves of its work. */
KERNEL void debug_trap(GLOBAL u32 *data)
{
	u32 i = global_id_x();

	data[i] += 1;
	if (local_id_x() == 0)
		trap_debug();
	data[i] *= 5;
}
HOST_KERNEL(debug_trap, "p", POINTER(0));
