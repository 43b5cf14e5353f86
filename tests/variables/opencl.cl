/* SPDX-License-Identifier: MIT */
#include "device.h"

struct mixed {
	int key;
	float4 color;
	short2 pair;
	char text[4];
};

/* Vectors, and address spaces as parts of types. */
NOINLINE float vectors(struct place *place, int lane, constant float *table, local int *shared)
{
	float4 color = (float4)(lane, table[lane & 7], -lane, 0.5f);
	short2 pair = (short2)(lane * 3, -lane);
	struct mixed mixed = {lane ^ 21, color * 2, pair, "abc"};
	private int *mine = &mixed.key;
	float sum = color.x + color.y;

	shared[lane] = lane * lane;
	__builtin_amdgcn_s_barrier();
	MARK(color, pair, mixed, sum, lane);
	*mine += shared[63 - lane];
	color.yz = color.zy;
	MARK(color, *mine, shared[lane], mixed);
	return sum + color.z + *mine + mixed.color.x + mixed.pair.y;
}

NOINLINE uint counts(struct place *place, size_t n, uint4 start)
{
	uint best = 0;

	for (size_t i = 0; i < n; i++) {
		uint next = start.x * (uint)i + start.y;

		if (next % 3 == 0 || next > best)
			best = next;
		MARK(i, next, best, n);
	}
	MARK(start, best);
	return best;
}

kernel void opencl(global u32 *log, int n, constant float *table)
{
	local int shared[64];
	struct place own = {log, 0};
	struct place *place = &own;
	int lane = (int)__builtin_amdgcn_workitem_id_x();
	size_t all = (size_t)lane << 40 | 64;
	float result = vectors(place, lane, table, shared);

	MARK(lane, n, result, all);
	result += counts(place, (size_t)(lane % 3 + 1), (uint4)(lane, 5, 6, (uint)n));
	MARK(lane, result, n);
	log[(u32)lane * RECORDS * WORDS + (RECORDS - 1) * WORDS] = (u32)result;
}
