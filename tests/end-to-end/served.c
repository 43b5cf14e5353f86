/* SPDX-License-Identifier: MIT */
/* A kernel that fails at its fourth store, for clients that walk through it: calls, inlined ones too, structures, arrays, local memory. */
#include "tests/kernels/device.h"

struct item {
	u32 key;
	float weights[3];
	struct {
		u16 low;
		i8 flags[2];
	} tail;
};

DEVICE_INLINE u32 twice(u32 value)
{
	return 2 * value; /* inlined */
}

DEVICE_CALL u32 stored(GLOBAL u32 *out, u32 index, u32 value)
{
	u32 next = twice(value) + 1;

	out[index] = value; /* fails */
	return next;
}

KERNEL void served(GLOBAL u32 *out, u32 count, u32 stride)
{
	LOCAL_ARRAY u32 shared[64];
	u32 i = local_id_x();
	u32 numbers[210];
	struct item item = {i / 32, {0.5f, 1.5f, 2.5f}, {7, {-1, 1}}};
	struct item *pointer = &item;
	u32 total = 0;

	shared[i] = i;
	barrier();
	for (u32 k = 0; k < count; k++) {
		numbers[k] = k * k;
		total += shared[k] + pointer->key; /* adds */
		total = stored(out, i + k * stride, total);
	}
	out[i] = total + numbers[0];
}
