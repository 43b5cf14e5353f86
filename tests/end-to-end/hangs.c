/* SPDX-License-Identifier: MIT */
/* Kernels that do not come to an end: nobody sets their flag. */
#include "tests/kernels/device.h"

KERNEL void spins(GLOBAL volatile u32 *flag, GLOBAL u32 *out)
{
	while (!*flag) /* spins */
		;
	out[global_id_x()] = *flag;
}

/* The last wave of a workgroup never reaches the barrier at which the others are. */
KERNEL void misses(GLOBAL volatile u32 *flag, GLOBAL u32 *out)
{
	if (local_id_x() / 64 == 3)
		while (!*flag) /* misses it */
			;
	barrier(); /* waits */
	out[global_id_x()] = local_id_x();
}
