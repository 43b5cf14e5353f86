/* SPDX-License-Identifier: MIT */
/* Every atomic operation on local memory whose outcome does not depend on the order. */
#include "device.h"

KERNEL void atomics_local(GLOBAL const u32 *in, GLOBAL u32 *out, GLOBAL u64 *wide)
{
	LOCAL_ARRAY u32 words[8];
	LOCAL_ARRAY u64 pairs[4];
	u32 i = local_id_x(), value = in[global_id_x()], expected;
	u64 large = (u64)value << 20 | i;

	if (i < 8)
		words[i] = i == 2 || i == 4 ? ~0u : 0;
	if (i < 4)
		pairs[i] = i == 1 ? ~(u64)0 : 0;
	barrier();
	ATOMIC_LOCAL(add, &words[0], value);
	ATOMIC_LOCAL(sub, &words[1], value);
	ATOMIC_LOCAL(and, &words[2], value | 0xff);
	ATOMIC_LOCAL(or, &words[3], value & 0x0f0f0f0f);
	ATOMIC_LOCAL(min, &words[4], value);
	ATOMIC_LOCAL(max, &words[5], value);
	ATOMIC_LOCAL(xor, &words[6], value);
	ATOMIC_LOCAL(add, &pairs[0], large);
	ATOMIC_LOCAL(min, &pairs[1], large);
	ATOMIC_LOCAL(max, &pairs[2], large);
	ATOMIC_LOCAL(xor, &pairs[3], large);
	/* One after the other, whatever the order: a product. */
	expected = words[7];
	while (!atomic_replace_local(&words[7], &expected, expected + (value | 1) * 3))
		;
	barrier();
	if (i < 8)
		out[group_id_x() * 8 + i] = words[i];
	if (i < 4)
		wide[group_id_x() * 4 + i] = pairs[i];
}

HOST_KERNEL(atomics_local, "ppp", POINTER(0), POINTER(1), POINTER(2));
