/* SPDX-License-Identifier: MIT */
/* What lanes of a wave give each other: votes, broadcasts, shuffles both ways, swizzles. */
#include "device.h"

KERNEL void wave_values(GLOBAL const u32 *in, GLOBAL u32 *out)
{
	u32 i = global_id_x(), lane = wave_lane(), value = in[i], result = 0, sum = value;
	u64 vote = wave_ballot(value % 3 == 0);

	/* A total over the wave, by halves. */
	for (u32 distance = 1; distance < 64; distance *= 2)
		sum += wave_fetch(sum, lane ^ distance);
	result += wave_first(value) * 3;
	result ^= wave_read(value, 17);
	result += wave_send(value, (lane * 5 + 3) % 64);
	result ^= wave_exchange(value, 1) + wave_exchange(value, 12);
	out[i * 4] = sum;
	out[i * 4 + 1] = result;
	out[i * 4 + 2] = (u32)vote ^ lane;
	out[i * 4 + 3] = (u32)(vote >> 32) + (u32)__builtin_popcountll(vote & ((1ull << lane) - 1));
}

HOST_KERNEL(wave_values, "pp", POINTER(0), POINTER(1));
