/* SPDX-License-Identifier: MIT */
/* Double precision; see vector-f32.c for what the caller does around these. */
#include <math.h>

#include "gfx/alu/operations.h"

#define QUIET (UINT64_C(1) << 51)
#define SIGN (UINT64_C(1) << 63)
#define MANTISSA ((UINT64_C(1) << 52) - 1)
#define INFINITE UINT64_C(0x7ff0000000000000)

GFX_VECTOR(add_f64, OUTD(AD + BD))
GFX_VECTOR(mul_f64, OUTD(AD *BD))
GFX_VECTOR(fma_f64, OUTD(fma(AD, BD, CD)))

static bool signalling(uint64_t bits)
{
	return gfx_f64_is_nan(bits) && !(bits & QUIET);
}

static uint64_t f64_lesser(uint64_t a, uint64_t b, bool ieee)
{
	if (ieee && (signalling(a) || signalling(b)))
		return (signalling(a) ? a : b) | QUIET;
	if (gfx_f64_is_nan(a))
		return gfx_f64_is_nan(b) ? a | QUIET : b;
	if (gfx_f64_is_nan(b))
		return a;
	if (gfx_f64(a) == gfx_f64(b))
		return a | (b & SIGN);
	return gfx_f64(a) < gfx_f64(b) ? a : b;
}

static uint64_t f64_greater(uint64_t a, uint64_t b, bool ieee)
{
	if (ieee && (signalling(a) || signalling(b)))
		return (signalling(a) ? a : b) | QUIET;
	if (gfx_f64_is_nan(a))
		return gfx_f64_is_nan(b) ? a | QUIET : b;
	if (gfx_f64_is_nan(b))
		return a;
	if (gfx_f64(a) == gfx_f64(b))
		return a & (b | ~SIGN);
	return gfx_f64(a) > gfx_f64(b) ? a : b;
}

/* The first NaN of a pair, made quiet, in place of the number beside it. */
static uint64_t f64_minimum(uint64_t a, uint64_t b)
{
	if (gfx_f64_is_nan(a) || gfx_f64_is_nan(b))
		return (gfx_f64_is_nan(a) ? a : b) | QUIET;
	return f64_lesser(a, b, false);
}

static uint64_t f64_maximum(uint64_t a, uint64_t b)
{
	if (gfx_f64_is_nan(a) || gfx_f64_is_nan(b))
		return (gfx_f64_is_nan(a) ? a : b) | QUIET;
	return f64_greater(a, b, false);
}

#define IEEE ((vector->mode & GFX_MODE_IEEE) != 0)

GFX_VECTOR(min_f64, OUTW(f64_lesser(AW, BW, IEEE)))
GFX_VECTOR(max_f64, OUTW(f64_greater(AW, BW, IEEE)))
GFX_VECTOR(minimum_f64, OUTW(f64_minimum(AW, BW)))
GFX_VECTOR(maximum_f64, OUTW(f64_maximum(AW, BW)))

GFX_VECTOR(trunc_f64, OUTD(trunc(AD)))
GFX_VECTOR(ceil_f64, OUTD(ceil(AD)))
GFX_VECTOR(floor_f64, OUTD(floor(AD)))

/* To the nearest whole number, whatever the rounding mode. */
static double nearest_even(double value)
{
	double rounded = round(value);

	if (fabs(value - trunc(value)) == 0.5)
		rounded = 2 * round(value / 2);
	return copysign(rounded, value);
}

GFX_VECTOR(rndne_f64, OUTD(nearest_even(AD)))

static double fraction(double value)
{
	double result = value - floor(value);

	return result >= 1 ? 0x1.fffffffffffffp-1 : result;
}

GFX_VECTOR(fract_f64, OUTD(fraction(AD)))

/* Hardware gives about 28 good bits for these three; being exact fits within that. */
GFX_VECTOR(rcp_f64, OUTD(1.0 / AD))
GFX_VECTOR(rsq_f64, OUTD(1.0 / sqrt(AD)))
GFX_VECTOR(sqrt_f64, OUTD(sqrt(AD)))

static int32_t exponent_of(double value)
{
	int exponent = 0;

	if (isfinite(value) && value != 0)
		(void)frexp(value, &exponent);
	return exponent;
}

static double f64_mantissa(double value)
{
	int exponent;

	return isfinite(value) ? frexp(value, &exponent) : value;
}

GFX_VECTOR(frexp_exp_i32_f64, OUT(exponent_of(AD)))
GFX_VECTOR(frexp_mant_f64, OUTD(f64_mantissa(AD)))
GFX_VECTOR(ldexp_f64, OUTD(ldexp(AD, BS)))

static int32_t field(double value)
{
	return (int32_t)(gfx_f64_bits(value) >> 52 & 0x7ff);
}

static bool f64_is_denormal(double value)
{
	return fpclassify(value) == FP_SUBNORMAL;
}

/* f32_division_scale() with the limits of doubles. */
static double f64_division_scale(double x, double d, double n, bool *scaled)
{
	bool is_denominator = gfx_f64_bits(x) == gfx_f64_bits(d);
	bool is_numerator = gfx_f64_bits(x) == gfx_f64_bits(n);

	*scaled = false;
	if (n == 0 || d == 0)
		return (double)NAN;
	if (field(n) - field(d) >= 768) {
		*scaled = true;
		return is_denominator ? ldexp(x, 128) : x;
	}
	if (f64_is_denormal(d))
		return ldexp(x, 128);
	if (f64_is_denormal(1.0 / d) && f64_is_denormal(n / d)) {
		/* A large denominator goes down: scaled up, as one could read the manual, it
		 * would be infinite. */
		*scaled = true;
		return is_denominator ? ldexp(x, -128) : x;
	}
	if (f64_is_denormal(1.0 / d))
		return ldexp(x, -128);
	if (f64_is_denormal(n / d)) {
		*scaled = true;
		return is_numerator ? ldexp(x, 128) : x;
	}
	return field(n) <= 53 ? ldexp(x, 128) : x;
}

GFX_VECTOR(div_scale_f64, {
	bool scaled;

	OUTD(f64_division_scale(AD, BD, CD, &scaled));
	MASK_OUT(scaled);
})

/* The sign of what a rounded sum left out: a * b + c - sum. */
static int rest_of_sum(double a, double b, double c, double sum)
{
	double product = a * b, low = fma(a, b, -product);
	double total = product + c, part = total - product;
	double error = (product - (total - part)) + (c - part);
	double rest = (total - sum) + (error + low);

	return (rest > 0) - (rest < 0);
}

/* sum * 2^-128 as a denormal, rounded once to nearest: a tie in @sum is decided by what it left
 * out. */
static double scaled_down(double sum, int rest)
{
	uint64_t bits = gfx_f64_bits(sum), mantissa = (bits & MANTISSA) | (MANTISSA + 1);
	int32_t drop = 1 - (field(sum) - 128);
	uint64_t half, below;

	if (drop < 1 || drop > 53 || !isfinite(sum))
		return ldexp(sum, -128);
	half = UINT64_C(1) << (drop - 1);
	below = mantissa & (2 * half - 1);
	mantissa >>= drop;
	if (bits & SIGN)
		rest = -rest;
	if (below > half || (below == half && (rest > 0 || (rest == 0 && mantissa & 1))))
		mantissa++;
	return gfx_f64((bits & SIGN) | mantissa);
}

/* Undo the scaling: the addend, which is near the quotient, tells which way it went. */
static double unscaled_sum(double a, double b, double c)
{
	double sum = fma(a, b, c);

	if (field(c) > 1023)
		return ldexp(sum, 128);
	return scaled_down(sum, rest_of_sum(a, b, c, sum));
}

GFX_VECTOR(div_fmas_f64, OUTD(MASK_IN ? unscaled_sum(AD, BD, CD) : fma(AD, BD, CD)))

static uint64_t division_fixup(uint64_t q, uint64_t d, uint64_t n)
{
	uint64_t sign = (d ^ n) & SIGN, size_d = d & ~SIGN, size_n = n & ~SIGN;

	if (gfx_f64_is_nan(n))
		return n | QUIET;
	if (gfx_f64_is_nan(d))
		return d | QUIET;
	if ((size_d == 0 && size_n == 0) || (size_d == INFINITE && size_n == INFINITE))
		return UINT64_C(0xfff8000000000000);
	if (size_d == 0 || size_n == INFINITE)
		return sign | INFINITE;
	if (size_d == INFINITE || size_n == 0)
		return sign;
	if (field(gfx_f64(n)) - field(gfx_f64(d)) < -1075)
		return sign; /* far below the smallest denormal */
	/* The scaled steps overflow into a NaN when the quotient is far above the largest
	 * number. */
	if (gfx_f64_is_nan(q))
		return sign | INFINITE;
	return sign | (q & ~SIGN);
}

GFX_VECTOR(div_fixup_f64, OUTW(division_fixup(AW, BW, CW)))

/* Bits of 2/pi for the reduction of large angles: 53 of them, from where the exponent points. */
static const uint32_t two_over_pi[] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
	0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
	0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b,
	0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7,
	0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1,
	0x1f8d5d08, 0x56033046,
};

static uint64_t two_over_pi_bit(uint32_t position)
{
	if (position >= 32 * sizeof(two_over_pi) / sizeof(two_over_pi[0]))
		return 0;
	return two_over_pi[position / 32] >> (31 - position % 32) & 1;
}

static double reduction_part(double value, uint32_t part)
{
	uint32_t shift = (part & 31) * 53;
	int32_t exponent = field(value), scale;
	uint64_t bits = 0;

	if (exponent > 1077)
		shift += (uint32_t)(exponent - 1077);
	scale = -53 - (int32_t)shift;
	for (uint32_t i = 0; i < 53; i++)
		bits = bits << 1 | two_over_pi_bit(shift + i);
	if (exponent >= 1968)
		scale += 128;
	return ldexp((double)bits, scale);
}

GFX_VECTOR(trig_preop_f64, OUTD(reduction_part(AD, B)))
