/* SPDX-License-Identifier: MIT */
/* Escape times in single precision: two dimensions, and loops that lanes leave apart. */
#include "device.h"

KERNEL void mandelbrot(GLOBAL u32 *out, u32 width, u32 limit)
{
	u32 x = global_id_x(), y = global_id_y(), steps = 0;
	float cr = -2.25f + 3.0f * (float)x / (float)width;
	float ci = -1.5f + 3.0f * (float)y / (float)width;
	float zr = 0, zi = 0;

	while (zr * zr + zi * zi < 4.0f && steps < limit) {
		float next = zr * zr - zi * zi + cr;

		zi = 2.0f * zr * zi + ci;
		zr = next;
		steps++;
	}
	out[y * width + x] = steps;
}

HOST_KERNEL(mandelbrot, "pII", POINTER(0), U32(1), U32(2));
