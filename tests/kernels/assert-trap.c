/* SPDX-License-Identifier: MIT */
#include "device.h"

/* Squares each value, and gives up where it meets one above `limit`. */
KERNEL void assert_trap(GLOBAL const u32 *in, GLOBAL u32 *out, u32 limit)
{
	u32 i = global_id_x();
	u32 value = in[i];

	if (value > limit)
		trap_assert();
	out[i] = value * value;
}
HOST_KERNEL(assert_trap, "ppI", POINTER(0), POINTER(1), U32(2));
