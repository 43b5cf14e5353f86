/* SPDX-License-Identifier: MIT */
#include "gfx/alu/half.h"

#include <math.h>

#include "gfx/alu/exact.h"

#define EXPONENT_MASK 0x7c00U
#define MANTISSA_MASK 0x3ffU
#define QUIET_BIT 0x200U
#define DEFAULT_NAN 0x7e00U

float gfx_half_to_float(uint16_t half)
{
	uint32_t sign = (half & 0x8000U) << 16, exponent = (half & EXPONENT_MASK) >> 10;
	uint32_t mantissa = half & MANTISSA_MASK;

	if (exponent == 31) {
		if (mantissa)
			mantissa |= QUIET_BIT;
		return gfx_f32(sign | 0x7f800000 | mantissa << 13);
	}
	if (exponent == 0) {
		float value = (float)mantissa * 0x1p-24f;

		return gfx_f32(gfx_f32_bits(value) | sign);
	}
	return gfx_f32(sign | (exponent + 112) << 23 | mantissa << 13);
}

static uint16_t round_exact(struct gfx_exact value, enum gfx_round round)
{
	uint32_t exceptions = 0;

	return (uint16_t)gfx_exact_round(value, &gfx_half_format, round, &exceptions);
}

#define DOUBLE_FRACTION 52
#define LOST_BITS 42	      /* of the fraction, in a normal half */
#define LOWEST_NORMAL 1009    /* biased exponents: of 2^-14, */
#define HIGHEST 1039	      /* of 2^16, which is past the largest half, */
#define BELOW_ALL (1009 - 12) /* and of what is nearer to zero than to any half */

static uint64_t shift_to_nearest(uint64_t value, uint32_t count)
{
	uint64_t kept = value >> count, rest = value & ((UINT64_C(1) << count) - 1);
	uint64_t middle = UINT64_C(1) << (count - 1);

	return kept + (rest > middle || (rest == middle && kept & 1) ? 1 : 0);
}

/* The nearest half of a finite number, even where two are as near: what round_exact() gives, from the bits alone. */
static uint16_t nearest(uint64_t size)
{
	uint32_t exponent = (uint32_t)(size >> DOUBLE_FRACTION);
	uint64_t mantissa =
		(size & ((UINT64_C(1) << DOUBLE_FRACTION) - 1)) | UINT64_C(1) << DOUBLE_FRACTION;

	if (exponent >= HIGHEST)
		return EXPONENT_MASK;
	if (exponent >= LOWEST_NORMAL)
		/* A carry out of the fraction counts the exponent up, to infinity at the end. */
		return (uint16_t)(shift_to_nearest(size, LOST_BITS) -
				  ((uint64_t)(LOWEST_NORMAL - 1) << 10));
	if (exponent <= BELOW_ALL)
		return 0;
	return (uint16_t)shift_to_nearest(mantissa, LOST_BITS + LOWEST_NORMAL - exponent);
}

uint16_t gfx_half_from_double(double value, enum gfx_round round)
{
	uint64_t bits = gfx_f64_bits(value), mantissa = bits & ((UINT64_C(1) << 52) - 1);
	uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
	int32_t exponent = (int32_t)(bits >> 52 & 0x7ff);

	if (exponent == 0x7ff) {
		uint32_t payload = (uint32_t)(mantissa >> 42);

		return (uint16_t)(sign | EXPONENT_MASK | (mantissa ? payload | QUIET_BIT : 0));
	}
	if (round == GFX_ROUND_NEAREST)
		return (uint16_t)(sign | nearest(bits & INT64_MAX));
	return round_exact(gfx_exact_float(bits, &gfx_double_format), round);
}

static bool is_finite(uint16_t half)
{
	return (half & EXPONENT_MASK) != EXPONENT_MASK;
}

/*
 * To nearest, as the host rounds for halves: the product is exact in a double, and of the sum the last bit tells of any rest,
 * which a half is too short to see otherwise.
 */
static uint16_t nearest_fma(uint16_t a, uint16_t b, uint16_t c)
{
	double product = (double)gfx_half_to_float(a) * (double)gfx_half_to_float(b);
	double addend = (double)gfx_half_to_float(c), total = product + addend;
	double part = total - product;
	double rest = (product - (total - part)) + (addend - part);
	uint64_t bits = gfx_f64_bits(total);

	if (rest != 0 && !(bits & 1))
		bits = (rest > 0) == (total > 0) ? bits + 1 : bits - 1;
	return gfx_half_from_double(gfx_f64(bits), GFX_ROUND_NEAREST);
}

/* A sum that cancels is +0, or -0 when rounding down; a sum of two zeros keeps a common sign. */
static uint16_t finite_fma(uint16_t a, uint16_t b, uint16_t c, enum gfx_round round)
{
	struct gfx_exact product = gfx_exact_product(gfx_exact_float(a, &gfx_half_format),
						     gfx_exact_float(b, &gfx_half_format));
	struct gfx_exact addend = gfx_exact_float(c, &gfx_half_format);
	struct gfx_exact sum = gfx_exact_sum(product, addend);

	if (!sum.magnitude)
		sum.negative = product.negative == addend.negative ? addend.negative
								   : round == GFX_ROUND_DOWN;
	return round_exact(sum, round);
}

uint16_t gfx_half_fma(uint16_t a, uint16_t b, uint16_t c, enum gfx_round round)
{
	double value;

	if (is_finite(a) && is_finite(b) && is_finite(c))
		return round == GFX_ROUND_NEAREST ? nearest_fma(a, b, c)
						  : finite_fma(a, b, c, round);
	value = (double)gfx_half_to_float(a) * (double)gfx_half_to_float(b) +
		(double)gfx_half_to_float(c);
	return isnan(value) ? DEFAULT_NAN : gfx_half_from_double(value, round);
}
