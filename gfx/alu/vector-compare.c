/* SPDX-License-Identifier: MIT */
/* Vector compares: sixteen conditions for floats, eight for integers. */
#include "gfx/alu/exact.h"
#include "gfx/alu/half.h"
#include "gfx/alu/operations.h"

#define HALF(value) gfx_half_to_float((uint16_t)(value))

/* The negated conditions (nge and so on) are true for NaNs, the plain ones are false. */
#define FLOAT_COMPARES(type, x, y)                                                                 \
	GFX_COMPARE(cmp_f_##type, false)                                                           \
	GFX_COMPARE(cmp_lt_##type, (x) < (y))                                                      \
	GFX_COMPARE(cmp_eq_##type, (x) == (y))                                                     \
	GFX_COMPARE(cmp_le_##type, (x) <= (y))                                                     \
	GFX_COMPARE(cmp_gt_##type, (x) > (y))                                                      \
	GFX_COMPARE(cmp_lg_##type, (x) < (y) || (x) > (y))                                         \
	GFX_COMPARE(cmp_ge_##type, (x) >= (y))                                                     \
	GFX_COMPARE(cmp_o_##type, !__builtin_isunordered(x, y))                                    \
	GFX_COMPARE(cmp_u_##type, __builtin_isunordered(x, y))                                     \
	GFX_COMPARE(cmp_nge_##type, !((x) >= (y)))                                                 \
	GFX_COMPARE(cmp_nlg_##type, !((x) < (y) || (x) > (y)))                                     \
	GFX_COMPARE(cmp_ngt_##type, !((x) > (y)))                                                  \
	GFX_COMPARE(cmp_nle_##type, !((x) <= (y)))                                                 \
	GFX_COMPARE(cmp_neq_##type, !((x) == (y)))                                                 \
	GFX_COMPARE(cmp_nlt_##type, !((x) < (y)))                                                  \
	GFX_COMPARE(cmp_tru_##type, true)

FLOAT_COMPARES(f16, HALF(A), HALF(B))
FLOAT_COMPARES(f32, AF, BF)
FLOAT_COMPARES(f64, AD, BD)

#define INTEGER_COMPARES(type, x, y)                                                               \
	GFX_COMPARE(cmp_f_##type, false)                                                           \
	GFX_COMPARE(cmp_lt_##type, (x) < (y))                                                      \
	GFX_COMPARE(cmp_eq_##type, (x) == (y))                                                     \
	GFX_COMPARE(cmp_le_##type, (x) <= (y))                                                     \
	GFX_COMPARE(cmp_gt_##type, (x) > (y))                                                      \
	GFX_COMPARE(cmp_ne_##type, (x) != (y))                                                     \
	GFX_COMPARE(cmp_ge_##type, (x) >= (y))                                                     \
	GFX_COMPARE(cmp_t_##type, true)

INTEGER_COMPARES(i16, (int16_t)A, (int16_t)B)
INTEGER_COMPARES(u16, (uint16_t)A, (uint16_t)B)
INTEGER_COMPARES(i32, AS, BS)
INTEGER_COMPARES(u32, A, B)
INTEGER_COMPARES(i64, (int64_t)AW, (int64_t)BW)
INTEGER_COMPARES(u64, AW, BW)

/* Classes, as bits of the second source. */
GFX_COMPARE(cmp_class_f16, B >> gfx_class_of(A & 0xffff, 10, 5) & 1)
GFX_COMPARE(cmp_class_f32, B >> gfx_class_of(A, 23, 8) & 1)
GFX_COMPARE(cmp_class_f64, B >> gfx_class_of(AW, 52, 11) & 1)
