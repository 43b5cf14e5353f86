/* SPDX-License-Identifier: MIT */
#include "tests/kernels/device.h"

struct item {
	u32 key;
	float weight[3];
};

/* A few calls deep, with variables of several kinds in each frame: then one lane in four reads past the end. */
DEVICE_CALL float weigh(const GLOBAL float *in, const struct item *item, u32 depth)
{
	struct item own = *item;
	float sum = 0;

	own.key += depth;
	if (depth)
		return weigh(in, &own, depth - 1) + own.weight[depth % 3];
	for (u32 i = 0; i < 3; i++)
		sum += own.weight[i] * in[own.key];
	return sum;
}

KERNEL void deep(const GLOBAL float *in, GLOBAL float *out, u32 limit)
{
	u32 i = global_id_x();
	struct item item = {i % 4 ? i % limit : i + (1u << 20), {1, (float)i, 0.5f}};

	out[i] = weigh(in, &item, 3);
}
