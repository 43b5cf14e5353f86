/* SPDX-License-Identifier: MIT */
/* Tiles through local memory, whose rows are padded so that columns lie in different banks. */
#include "device.h"

#define TILE 16

KERNEL void transpose(GLOBAL const u32 *in, GLOBAL u32 *out, u32 width, u32 height)
{
	LOCAL_ARRAY u32 tile[TILE][TILE + 1];
	u32 column = local_id_x(), row = local_id_y();
	u32 left = group_id_x() * TILE, top = group_id_y() * TILE;

	if (left + column < width && top + row < height)
		tile[row][column] = in[(top + row) * width + left + column];
	barrier();
	if (top + column < height && left + row < width)
		out[(left + row) * height + top + column] = tile[column][row];
}

HOST_KERNEL(transpose, "ppII", POINTER(0), POINTER(1), U32(2), U32(3));
