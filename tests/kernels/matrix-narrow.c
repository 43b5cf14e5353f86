/* SPDX-License-Identifier: MIT */
/* Matrices of floats of 8 and of 19 bits, which gfx942 has; all sums are exact. */
#include "matrix.h"

typedef float number;
#define NUMBER(n) ((float)(n)*0.5f)
#define ADD(sum, a, b) ((sum) + (float)(a) * (float)(b)*0.0625f)
#define XF32(n) ((float)(n)*0.25f)
#define FP8(n) matrix_byte(n, 3)
#define BF8(n) matrix_byte(n, 2)
#define WIDE(rows, depth, result, shape)                                                           \
	MATRIX_GFX942(out, rows, depth, 1, XF32, XF32, float, f32x2, result,                       \
		      __builtin_amdgcn_mfma_f32_##shape##_xf32)
#define BYTES(rows, depth, a_of, b_of, result, shape)                                              \
	MATRIX_GFX942(out, rows, depth, 1, a_of, b_of, u8, i64, result,                            \
		      __builtin_amdgcn_mfma_f32_##shape)

KERNEL void matrix_narrow(GLOBAL number *out)
{
	WIDE(16, 8, f32x4, 16x16x8);
	WIDE(32, 4, f32x16, 32x32x4);
	BYTES(16, 32, FP8, FP8, f32x4, 16x16x32_fp8_fp8);
	BYTES(16, 32, FP8, BF8, f32x4, 16x16x32_fp8_bf8);
	BYTES(16, 32, BF8, FP8, f32x4, 16x16x32_bf8_fp8);
	BYTES(16, 32, BF8, BF8, f32x4, 16x16x32_bf8_bf8);
	BYTES(32, 16, FP8, FP8, f32x16, 32x32x16_fp8_fp8);
	BYTES(32, 16, FP8, BF8, f32x16, 32x32x16_fp8_bf8);
	BYTES(32, 16, BF8, FP8, f32x16, 32x32x16_bf8_fp8);
	BYTES(32, 16, BF8, BF8, f32x16, 32x32x16_bf8_bf8);
}
HOST_KERNEL(matrix_narrow, "p", POINTER(0));
