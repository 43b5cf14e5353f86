/* SPDX-License-Identifier: MIT */
/* Functions that call themselves and each other, to a depth that differs by lane. */
#include "device.h"

DEVICE_CALL u32 odd(u32 n, u32 salt);

DEVICE_CALL u32 even(u32 n, u32 salt)
{
	return n == 0 ? salt : odd(n - 1, salt * 5 + 1) + 2;
}

DEVICE_CALL u32 odd(u32 n, u32 salt)
{
	return n == 0 ? salt ^ 0xffff : even(n - 1, salt + n) ^ n;
}

DEVICE_CALL u32 fibonacci(u32 n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KERNEL void recursion(GLOBAL u32 *out, u32 salt)
{
	u32 i = global_id_x();

	out[i] = fibonacci(i % 7) + even(i % 11, salt + i) * 1000;
}

HOST_KERNEL(recursion, "pI", POINTER(0), U32(1));
