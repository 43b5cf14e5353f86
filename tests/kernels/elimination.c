/* SPDX-License-Identifier: MIT */
/* Linear equations solved in double precision, a system of four for each work-item. */
#include "device.h"

#define N 4

KERNEL void elimination(GLOBAL const double *in, GLOBAL double *out)
{
	u32 i = global_id_x();
	double m[N][N + 1];

	for (u32 r = 0; r < N; r++)
		for (u32 c = 0; c <= N; c++)
			m[r][c] = in[(i * 3 + r * (N + 1) + c * c) % 256] + (r == c ? 50.0 : 0.0);
	for (u32 p = 0; p < N; p++) {
		for (u32 r = p + 1; r < N; r++) {
			double factor = m[r][p] / m[p][p];

			for (u32 c = p; c <= N; c++)
				m[r][c] -= factor * m[p][c];
		}
	}
	for (u32 p = N; p-- > 0;) {
		double value = m[p][N];

		for (u32 c = p + 1; c < N; c++)
			value -= m[p][c] * out[i * N + c];
		out[i * N + p] = value / m[p][p];
	}
}

HOST_KERNEL(elimination, "pp", POINTER(0), POINTER(1));
