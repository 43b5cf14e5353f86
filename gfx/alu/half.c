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

uint16_t gfx_half_from_double(double value, enum gfx_round round)
{
	uint64_t bits = gfx_f64_bits(value), mantissa = bits & ((UINT64_C(1) << 52) - 1);
	uint32_t sign = (uint32_t)(bits >> 48) & 0x8000;
	int32_t exponent = (int32_t)(bits >> 52 & 0x7ff);

	if (exponent == 0x7ff) {
		uint32_t payload = (uint32_t)(mantissa >> 42);

		return (uint16_t)(sign | EXPONENT_MASK | (mantissa ? payload | QUIET_BIT : 0));
	}
	return round_exact(gfx_exact_float(bits, &gfx_double_format), round);
}

static bool is_finite(uint16_t half)
{
	return (half & EXPONENT_MASK) != EXPONENT_MASK;
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
		return finite_fma(a, b, c, round);
	value = (double)gfx_half_to_float(a) * (double)gfx_half_to_float(b) +
		(double)gfx_half_to_float(c);
	return isnan(value) ? DEFAULT_NAN : gfx_half_from_double(value, round);
}
