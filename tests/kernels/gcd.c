/* SPDX-License-Identifier: MIT */
/* Greatest common divisors and modular powers: division in loops of different lengths. */
#include "device.h"

KERNEL void gcd(GLOBAL const u32 *in, GLOBAL u32 *out, u32 modulus)
{
	u32 i = global_id_x(), a = in[i], b = in[i ^ 7] | 1, power = 1, base = a % modulus;

	for (u32 e = i + 3; e; e /= 2) {
		if (e & 1)
			power = (u32)((u64)power * base % modulus);
		base = (u32)((u64)base * base % modulus);
	}
	while (b) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	out[i * 2] = a;
	out[i * 2 + 1] = power;
}

HOST_KERNEL(gcd, "ppI", POINTER(0), POINTER(1), U32(2));
