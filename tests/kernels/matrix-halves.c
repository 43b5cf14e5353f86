/* SPDX-License-Identifier: MIT */
/* Matrices of halves; all sums are exact. */
#include "matrix.h"

typedef float number;
#define NUMBER(n) ((float)(n)*0.5f)
#define ADD(sum, a, b) ((sum) + (float)(a) * (float)(b)*0.0625f)
#define PART(n) ((f16)(n) * (f16)0.25f)
#define HALVES(rows, depth, blocks, result, shape)                                                 \
	MATRIX(out, rows, depth, blocks, PART, PART, f16, f16x4, result,                           \
	       __builtin_amdgcn_mfma_f32_##shape##f16)

KERNEL void matrix_halves(GLOBAL number *out)
{
	HALVES(32, 4, 2, f32x32, 32x32x4);
	HALVES(16, 4, 4, f32x16, 16x16x4);
	HALVES(4, 4, 16, f32x4, 4x4x4);
	HALVES(32, 8, 1, f32x16, 32x32x8);
	HALVES(16, 16, 1, f32x4, 16x16x16);
}
HOST_KERNEL(matrix_halves, "p", POINTER(0));
