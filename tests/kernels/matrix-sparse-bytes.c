/* SPDX-License-Identifier: MIT */
/* Matrices of signed bytes of which one is sparse, which gfx942 has. */
#include "matrix.h"

typedef i32 number;
#define NUMBER(n) ((n)*1000)
#define PART(n) ((i8)((n)*18))
#define ADD(sum, a, b) ((sum) + (a)*18 * (b)*18)
#define SPARSE(rows, depth, result, shape, set)                                                    \
	MATRIX_SPARSE_GFX942(out, rows, depth, PART, PART, i8, i32x2, i32x4, result,               \
			     __builtin_amdgcn_smfmac_i32_##shape##_i8, set)

KERNEL void matrix_sparse_bytes(GLOBAL number *out)
{
	SPARSE(16, 64, i32x4, 16x16x64, 1);
	SPARSE(32, 32, i32x16, 32x32x32, 0);
}
HOST_KERNEL(matrix_sparse_bytes, "p", POINTER(0));
