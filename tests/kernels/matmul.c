/* SPDX-License-Identifier: MIT */
#include "device.h"

#define TILE 16

/*
 * c = a * b for square matrices of n rows, n a multiple of TILE, by tiles kept in local memory.
 * Workgroups are TILE x TILE.
 */
KERNEL void matmul(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, u32 n)
{
	LOCAL_ARRAY float tile_a[TILE][TILE];
	LOCAL_ARRAY float tile_b[TILE][TILE];
	u32 x = local_id_x();
	u32 y = local_id_y();
	u32 column = group_id_x() * TILE + x;
	u32 row = group_id_y() * TILE + y;
	float sum = 0.0f;

	for (u32 t = 0; t < n; t += TILE) {
		tile_a[y][x] = a[row * n + t + x];
		tile_b[y][x] = b[(t + y) * n + column];
		barrier();
		for (u32 k = 0; k < TILE; k++)
			sum += tile_a[y][k] * tile_b[k][x];
		barrier();
	}
	c[row * n + column] = sum;
}
HOST_KERNEL(matmul, "pppI", POINTER(0), POINTER(1), POINTER(2), U32(3));
