/* SPDX-License-Identifier: MIT */
#include "gfx/half.h"

#include <math.h>

#define EXPONENT_MASK 0x7c00U
#define MANTISSA_MASK 0x3ffU
#define QUIET_BIT 0x200U
#define DEFAULT_NAN 0x7e00U
#define SMALLEST_EXPONENT (-24) /* of the last bit of a denormal */

__extension__ typedef __int128 wide_int;

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

static uint16_t overflow(uint32_t sign, enum gfx_round round)
{
	bool to_infinity = round == GFX_ROUND_NEAREST || (round == GFX_ROUND_UP && !sign) ||
			   (round == GFX_ROUND_DOWN && sign);

	return (uint16_t)(sign | (to_infinity ? EXPONENT_MASK : 0x7bffU));
}

/* Does a number with these bits below its last kept one go up in magnitude? */
static bool rounds_up(uint32_t sign, bool odd, bool half_bit, bool rest, enum gfx_round round)
{
	switch (round) {
	case GFX_ROUND_NEAREST:
		return half_bit && (rest || odd);
	case GFX_ROUND_UP:
		return !sign && (half_bit || rest);
	case GFX_ROUND_DOWN:
		return sign && (half_bit || rest);
	default:
		return false;
	}
}

/* sign * magnitude * 2^scale, exactly; magnitude below 2^120. */
static uint16_t from_integer(uint32_t sign, wide_int magnitude, int32_t scale, enum gfx_round round)
{
	int32_t length = 0, drop;
	wide_int kept;

	if (magnitude == 0)
		return (uint16_t)sign;
	while (magnitude >> length)
		length++;
	/* 11 bits are kept, fewer when the last one would be below the smallest denormal. */
	drop = length - 11;
	if (drop + scale < SMALLEST_EXPONENT)
		drop = SMALLEST_EXPONENT - scale;
	if (drop > length + 1)
		drop = length + 2; /* everything goes, and the half bit with it */
	if (drop <= 0) {
		kept = magnitude << -drop;
	} else {
		wide_int below = magnitude & (((wide_int)1 << drop) - 1);
		bool half_bit = below >> (drop - 1) & 1;
		bool rest = (below & (((wide_int)1 << (drop - 1)) - 1)) != 0;

		kept = magnitude >> drop;
		kept += rounds_up(sign, kept & 1, half_bit, rest, round);
	}
	if (drop + scale <= SMALLEST_EXPONENT || kept < 1024) {
		/* Denormal, or the smallest exponent: a carry into bit 10 makes it normal by
		 * itself. */
		return (uint16_t)(sign | (uint32_t)kept);
	}
	if (kept == 2048) {
		kept = 1024;
		drop++;
	}
	if (drop + scale > 5)
		return overflow(sign, round);
	return (uint16_t)(sign | (uint32_t)(drop + scale + 25) << 10 |
			  ((uint32_t)kept & MANTISSA_MASK));
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
	if (exponent == 0)
		/* Far below every half: only "more than zero" matters. */
		return from_integer(sign, mantissa != 0, -1000, round);
	return from_integer(sign, (wide_int)(mantissa | UINT64_C(1) << 52), exponent - 1075, round);
}

struct parts {
	bool negative;
	int32_t mantissa; /* times 2^exponent */
	int32_t exponent;
};

static struct parts split(uint16_t half)
{
	uint32_t exponent = (half & EXPONENT_MASK) >> 10, mantissa = half & MANTISSA_MASK;

	return (struct parts){
		.negative = half >> 15,
		.mantissa = (int32_t)(exponent ? mantissa | 1024 : mantissa),
		.exponent = (int32_t)(exponent ? exponent : 1) - 25,
	};
}

static bool is_finite(uint16_t half)
{
	return (half & EXPONENT_MASK) != EXPONENT_MASK;
}

/* Every finite product and addend is a multiple of 2^-48 below 2^33: the sum is exact in 128
 * bits. */
static uint16_t finite_fma(uint16_t a, uint16_t b, uint16_t c, enum gfx_round round)
{
	struct parts x = split(a), y = split(b), z = split(c);
	wide_int product = (wide_int)(x.mantissa * y.mantissa) << (x.exponent + y.exponent + 48);
	wide_int addend = (wide_int)z.mantissa << (z.exponent + 48), sum;
	bool product_negative = x.negative != y.negative;

	sum = (product_negative ? -product : product) + (z.negative ? -addend : addend);
	if (sum == 0) {
		bool negative =
			product_negative == z.negative ? z.negative : round == GFX_ROUND_DOWN;

		return (uint16_t)(negative ? 0x8000 : 0);
	}
	return from_integer(sum < 0 ? 0x8000 : 0, sum < 0 ? -sum : sum, -48, round);
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
