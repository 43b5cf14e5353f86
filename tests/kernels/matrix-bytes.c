/* SPDX-License-Identifier: MIT */
/* Matrices of signed bytes. */
#include "matrix.h"

typedef i32 number;
#define NUMBER(n) ((n)*1000)
#define PART(n) ((i8)((n)*18))
#define ADD(sum, a, b) ((sum) + (a)*18 * (b)*18)
#define BOTH(rows, depth, blocks, result, shape)                                                   \
	MATRIX(out, rows, depth, blocks, PART, PART, i8, i32, result,                              \
	       __builtin_amdgcn_mfma_i32_##shape##i8)
#define OLD(rows, depth, blocks, result, shape)                                                    \
	MATRIX_GFX90A(out, rows, depth, blocks, PART, PART, i8, i32, result,                       \
		      __builtin_amdgcn_mfma_i32_##shape##i8)
#define NEW(rows, depth, blocks, result, shape)                                                    \
	MATRIX_GFX942(out, rows, depth, blocks, PART, PART, i8, i64, result,                       \
		      __builtin_amdgcn_mfma_i32_##shape##_i8)

KERNEL void matrix_bytes(GLOBAL number *out)
{
	BOTH(32, 4, 2, i32x32, 32x32x4);
	BOTH(16, 4, 4, i32x16, 16x16x4);
	BOTH(4, 4, 16, i32x4, 4x4x4);
	OLD(32, 8, 1, i32x16, 32x32x8);
	OLD(16, 16, 1, i32x4, 16x16x16);
	NEW(32, 16, 1, i32x16, 32x32x16);
	NEW(16, 32, 1, i32x4, 16x16x32);
}
HOST_KERNEL(matrix_bytes, "p", POINTER(0));
