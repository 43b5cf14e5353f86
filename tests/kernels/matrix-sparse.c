/* SPDX-License-Identifier: MIT */
/* Matrices of which one is sparse, which gfx942 has; all sums are exact. */
#include "matrix.h"

typedef float number;
#define NUMBER(n) ((float)(n)*0.5f)
#define ADD(sum, a, b) ((sum) + (float)(a) * (float)(b)*0.0625f)
#define HALF(n) ((f16)(n) * (f16)0.25f)
#define BF16(n) matrix_bf16((float)(n)*0.25f)
#define FP8(n) matrix_byte(n, 3)
#define BF8(n) matrix_byte(n, 2)
#define SPARSE(rows, depth, a_of, b_of, part, input, second, result, shape, set)                   \
	MATRIX_SPARSE_GFX942(out, rows, depth, a_of, b_of, part, input, second, result,            \
			     __builtin_amdgcn_smfmac_f32_##shape, set)

KERNEL void matrix_sparse(GLOBAL number *out)
{
	SPARSE(16, 32, HALF, HALF, f16, f16x4, f16x8, f32x4, 16x16x32_f16, 0);
	SPARSE(32, 16, HALF, HALF, f16, f16x4, f16x8, f32x16, 32x32x16_f16, 1);
	SPARSE(16, 32, BF16, BF16, i16, i16x4, i16x8, f32x4, 16x16x32_bf16, 2);
	SPARSE(32, 16, BF16, BF16, i16, i16x4, i16x8, f32x16, 32x32x16_bf16, 3);
	SPARSE(16, 64, FP8, FP8, u8, i32x2, i32x4, f32x4, 16x16x64_fp8_fp8, 0);
	SPARSE(16, 64, FP8, BF8, u8, i32x2, i32x4, f32x4, 16x16x64_fp8_bf8, 1);
	SPARSE(16, 64, BF8, FP8, u8, i32x2, i32x4, f32x4, 16x16x64_bf8_fp8, 0);
	SPARSE(16, 64, BF8, BF8, u8, i32x2, i32x4, f32x4, 16x16x64_bf8_bf8, 1);
	SPARSE(32, 32, FP8, FP8, u8, i32x2, i32x4, f32x16, 32x32x32_fp8_fp8, 0);
	SPARSE(32, 32, FP8, BF8, u8, i32x2, i32x4, f32x16, 32x32x32_fp8_bf8, 1);
	SPARSE(32, 32, BF8, FP8, u8, i32x2, i32x4, f32x16, 32x32x32_bf8_fp8, 0);
	SPARSE(32, 32, BF8, BF8, u8, i32x2, i32x4, f32x16, 32x32x32_bf8_bf8, 1);
}
HOST_KERNEL(matrix_sparse, "p", POINTER(0));
