/* SPDX-License-Identifier: MIT */
#include "tests/kernels/device.h"

/*
 * The inner part of a matrix multiplication: every lane holds a tile of sums, so that a wave has as
 * many live registers as real kernels have, with values that no two lanes share.
 */
#define TILE 8

KERNEL void tile(GLOBAL float *a, GLOBAL const float *b, u32 rounds)
{
	u32 lane = global_id_x();
	float sums[TILE][TILE], left[TILE], right[TILE];

	for (u32 i = 0; i < TILE; i++) {
		left[i] = a[lane * TILE + i];
		right[i] = b[lane * TILE + i];
		for (u32 j = 0; j < TILE; j++)
			sums[i][j] = left[i] * (float)(j + 1) + 0.37f * (float)lane;
	}
	trap_debug();
	for (u32 round = 0; round < rounds; round++)
		for (u32 i = 0; i < TILE; i++)
			for (u32 j = 0; j < TILE; j++)
				sums[i][j] += left[i] * right[j];
	for (u32 i = 0; i < TILE; i++)
		for (u32 j = 0; j < TILE; j++)
			a[lane * TILE + i] += sums[i][j] * right[j];
}
