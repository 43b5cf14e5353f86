/* SPDX-License-Identifier: MIT */
/* Conway's game on a torus, a generation for each dispatch. */
#include "device.h"

KERNEL void life(GLOBAL const u8 *in, GLOBAL u8 *out, u32 width, u32 height)
{
	u32 x = global_id_x(), y = global_id_y(), neighbours = 0;

	if (x >= width || y >= height)
		return;
	for (u32 dy = height - 1; dy <= height + 1; dy++)
		for (u32 dx = width - 1; dx <= width + 1; dx++)
			neighbours += in[(y + dy) % height * width + (x + dx) % width] & 1;
	neighbours -= in[y * width + x] & 1;
	out[y * width + x] = neighbours == 3 || (neighbours == 2 && in[y * width + x] & 1);
}

HOST_KERNEL(life, "ppII", POINTER(0), POINTER(1), U32(2), U32(3));
