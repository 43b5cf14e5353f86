/* SPDX-License-Identifier: MIT */
/* Matrices of the upper halves of singles; all sums are exact. */
#include "matrix.h"

typedef float number;
#define NUMBER(n) ((float)(n)*0.5f)
#define ADD(sum, a, b) ((sum) + (float)(a) * (float)(b)*0.0625f)
#define PART(n) matrix_bf16((float)(n)*0.25f)
#define FOUR(rows, depth, blocks, result, shape)                                                   \
	MATRIX(out, rows, depth, blocks, PART, PART, i16, i16x4, result,                           \
	       __builtin_amdgcn_mfma_f32_##shape##bf16_1k)
#define TWO(rows, depth, blocks, result, shape)                                                    \
	MATRIX_GFX90A(out, rows, depth, blocks, PART, PART, i16, i16x2, result,                    \
		      __builtin_amdgcn_mfma_f32_##shape##bf16)

KERNEL void matrix_upper(GLOBAL number *out)
{
	FOUR(32, 4, 2, f32x32, 32x32x4);
	FOUR(16, 4, 4, f32x16, 16x16x4);
	FOUR(4, 4, 16, f32x4, 4x4x4);
	FOUR(32, 8, 1, f32x16, 32x32x8);
	FOUR(16, 16, 1, f32x4, 16x16x16);
	TWO(32, 2, 2, f32x32, 32x32x2);
	TWO(16, 2, 4, f32x16, 16x16x2);
	TWO(4, 2, 16, f32x4, 4x4x2);
	TWO(32, 4, 1, f32x16, 32x32x4);
	TWO(16, 8, 1, f32x4, 16x16x8);
}
HOST_KERNEL(matrix_upper, "p", POINTER(0));
