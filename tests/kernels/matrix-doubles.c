/* SPDX-License-Identifier: MIT */
/* Matrices of doubles, each product added with one rounding. */
#include "matrix.h"

typedef double number;
#define NUMBER(n) ((double)(n)*0x1.53p-5)
#define PART(n) ((double)(n)*0x1.23456789abcdfp-3)
#define ADD(sum, a, b) __builtin_fma(PART(a), PART(b), sum)
#define DOUBLES(rows, depth, blocks, result, shape)                                                \
	MATRIX(out, rows, depth, blocks, PART, PART, double, double, result,                       \
	       __builtin_amdgcn_mfma_f64_##shape##f64)

KERNEL void matrix_doubles(GLOBAL number *out)
{
	DOUBLES(16, 4, 1, f64x4, 16x16x4);
	DOUBLES(4, 4, 4, double, 4x4x4);
}
HOST_KERNEL(matrix_doubles, "p", POINTER(0));
