/* SPDX-License-Identifier: MIT */
/* Loops that wait for what nobody stores, as check-hangs.py compiles them for each GPU: what would end them is in front of the comment. */
#include "tests/kernels/device.h"

KERNEL void approach(GLOBAL volatile i32 *flags, GLOBAL u32 *out)
{
	while (flags[2] < 7) /* approach */
		;
	out[global_id_x()] = 1;
}

KERNEL void zero(GLOBAL volatile u32 *flags, GLOBAL u32 *out)
{
	while (flags[2] != 0) /* zero */
		;
	out[global_id_x()] = 1;
}

KERNEL void bits(GLOBAL volatile u32 *flags, GLOBAL u32 *out)
{
	while (flags[2] & 4) /* bits */
		;
	out[global_id_x()] = 1;
}

KERNEL void single(GLOBAL volatile float *flags, GLOBAL u32 *out)
{
	while (flags[2] < 1.5f) /* single */
		;
	out[global_id_x()] = 1;
}

/* The rounds are counted, which decides nothing. */
KERNEL void counted(GLOBAL volatile u64 *flags, GLOBAL u32 *out)
{
	u32 rounds = 0;

	while (flags[1] < 0x100000000ULL) /* counted */
		rounds++;
	out[global_id_x()] = rounds;
}

/* Work-items of one half of a wave take part. */
KERNEL void divided(GLOBAL volatile u32 *flags, GLOBAL u32 *out)
{
	if (local_id_x() % 2)
		while (flags[2] != 9) /* divided */
			;
	out[global_id_x()] = 1;
}
