/* SPDX-License-Identifier: MIT */
/* Placements of queens, found by trying: deep loops over a private board. */
#include "device.h"

#define MAX 8

KERNEL void queens(GLOBAL u32 *out, u32 size)
{
	u32 i = global_id_x(), found = 0, row = 1;
	i8 column[MAX] = {(i8)(i % size), -1};

	while (row > 0) {
		u32 free = 1;

		if (++column[row] >= (i8)size) {
			row--;
			continue;
		}
		for (u32 k = 0; k < row; k++) {
			i32 apart = column[row] - column[k];

			if (apart == 0 || apart == (i32)(row - k) || -apart == (i32)(row - k))
				free = 0;
		}
		if (!free)
			continue;
		if (row + 1 == size) {
			found++;
			continue;
		}
		column[++row] = -1;
	}
	out[i] = found;
}

HOST_KERNEL(queens, "pI", POINTER(0), U32(1));
