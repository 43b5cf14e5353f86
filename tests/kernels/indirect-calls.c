/* SPDX-License-Identifier: MIT */
/* Calls through pointers that lanes of one wave choose differently. */
#include "device.h"

typedef u32 operation(u32 a, u32 b);

DEVICE_CALL u32 sum(u32 a, u32 b)
{
	return a + b;
}

DEVICE_CALL u32 difference(u32 a, u32 b)
{
	return a - b;
}

DEVICE_CALL u32 product(u32 a, u32 b)
{
	return a * b;
}

DEVICE_CALL u32 quotient(u32 a, u32 b)
{
	return a / (b | 1);
}

KERNEL void indirect_calls(GLOBAL const u32 *in, GLOBAL u32 *out, u32 count)
{
	operation *const operations[] = {sum, difference, product, quotient};
	u32 i = global_id_x(), value = in[i];

	for (u32 k = 0; k < count; k++)
		value = operations[(value >> k) % 4](value, i + k);
	out[i] = value;
}

HOST_KERNEL(indirect_calls, "ppI", POINTER(0), POINTER(1), U32(2));
