/* SPDX-License-Identifier: MIT */
/* Vector compares: sixteen conditions for floats, eight for integers. */
#include "gfx/half.h"
#include "gfx/operations.h"

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

/* Classes, as bits of the second source: what a float with these fields is. */
enum float_class {
	CLASS_SIGNALLING,
	CLASS_QUIET,
	CLASS_MINUS_INFINITY,
	CLASS_MINUS_NORMAL,
	CLASS_MINUS_DENORMAL,
	CLASS_MINUS_ZERO,
	CLASS_PLUS_ZERO,
	CLASS_PLUS_DENORMAL,
	CLASS_PLUS_NORMAL,
	CLASS_PLUS_INFINITY,
};

static uint32_t classify(uint64_t bits, uint32_t mantissa_bits, uint32_t exponent_bits)
{
	uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
	uint64_t all_ones = (UINT64_C(1) << exponent_bits) - 1;
	uint64_t exponent = bits >> mantissa_bits & all_ones;
	bool minus = bits >> (mantissa_bits + exponent_bits) & 1;

	if (exponent == all_ones && mantissa)
		return mantissa >> (mantissa_bits - 1) ? CLASS_QUIET : CLASS_SIGNALLING;
	if (exponent == all_ones)
		return minus ? CLASS_MINUS_INFINITY : CLASS_PLUS_INFINITY;
	if (exponent)
		return minus ? CLASS_MINUS_NORMAL : CLASS_PLUS_NORMAL;
	if (mantissa)
		return minus ? CLASS_MINUS_DENORMAL : CLASS_PLUS_DENORMAL;
	return minus ? CLASS_MINUS_ZERO : CLASS_PLUS_ZERO;
}

GFX_COMPARE(cmp_class_f16, B >> classify(A & 0xffff, 10, 5) & 1)
GFX_COMPARE(cmp_class_f32, B >> classify(A, 23, 8) & 1)
GFX_COMPARE(cmp_class_f64, B >> classify(AW, 52, 11) & 1)
