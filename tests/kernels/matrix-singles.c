/* SPDX-License-Identifier: MIT */
/* Matrices of singles, each product added with one rounding. */
#include "matrix.h"

typedef float number;
#define NUMBER(n) ((float)(n)*0x1.53p-5f)
#define PART(n) ((float)(n)*0x1.234568p-3f)
#define ADD(sum, a, b) __builtin_fmaf(PART(a), PART(b), sum)
#define SINGLES(rows, depth, blocks, result, shape)                                                \
	MATRIX(out, rows, depth, blocks, PART, PART, float, float, result,                         \
	       __builtin_amdgcn_mfma_f32_##shape##f32)

KERNEL void matrix_singles(GLOBAL number *out)
{
	SINGLES(32, 1, 2, f32x32, 32x32x1);
	SINGLES(16, 1, 4, f32x16, 16x16x1);
	SINGLES(4, 1, 16, f32x4, 4x4x1);
	SINGLES(32, 2, 1, f32x16, 32x32x2);
	SINGLES(16, 4, 1, f32x4, 16x16x4);
}
HOST_KERNEL(matrix_singles, "p", POINTER(0));
