/* SPDX-License-Identifier: MIT */
#include "device.h"

/* Runs into a word that is no instruction, in workgroup `bad_group` only. */
KERNEL void illegal(GLOBAL u32 *out, u32 bad_group)
{
	u32 i = global_id_x();

	out[i] = i ^ 0x5a5a5a5a;
	if (group_id_x() == bad_group)
		trap_illegal();
	out[i] += 1;
}
HOST_KERNEL(illegal, "pI", POINTER(0), U32(1));
