/* SPDX-License-Identifier: MIT */
/*
 * Half precision, alone and in pairs. Sums and products of halves are exact in double precision, so
 * that one rounding by gfx_half_from_double() gives the right result in every mode.
 */
#include <math.h>

#include "gfx/alu/half.h"
#include "gfx/alu/operations.h"

#define ROUND gfx_round_double(vector->mode)

static double f16_number(uint32_t half)
{
	return (double)gfx_half_to_float((uint16_t)half);
}

static bool half_is_nan(uint32_t half)
{
	return (half & 0x7fff) > 0x7c00;
}

/* Round; a NaN is the first one among the sources, made quiet, or the positive default. */
static uint32_t settle(double value, uint32_t a, uint32_t b, enum gfx_round round)
{
	if (!isnan(value))
		return gfx_half_from_double(value, round);
	if (half_is_nan(a))
		return (a & 0xffff) | 0x200;
	if (half_is_nan(b))
		return (b & 0xffff) | 0x200;
	return 0x7e00;
}

static uint32_t f16_sum(uint32_t a, uint32_t b, enum gfx_round round)
{
	double value = f16_number(a) + f16_number(b);

	/* x - x is -0 only when rounding down; the host always rounds to nearest here. */
	if (value == 0 && round == GFX_ROUND_DOWN && ((a ^ b) & 0x8000))
		return 0x8000;
	return settle(value, a, b, round);
}

static uint32_t product(uint32_t a, uint32_t b, enum gfx_round round)
{
	return settle(f16_number(a) * f16_number(b), a, b, round);
}

static uint32_t fused(uint32_t a, uint32_t b, uint32_t c, enum gfx_round round)
{
	uint32_t result = gfx_half_fma((uint16_t)a, (uint16_t)b, (uint16_t)c, round);

	if (!half_is_nan(result))
		return result;
	return half_is_nan(a) || half_is_nan(b) ? settle((double)NAN, a, b, round)
						: settle((double)NAN, c, 0, round);
}

/* -0 is less than +0; the number of a pair is taken if the other is a NaN. */
static uint32_t f16_lesser(uint32_t a, uint32_t b)
{
	if (half_is_nan(a))
		return (half_is_nan(b) ? a | 0x200 : b) & 0xffff;
	if (half_is_nan(b))
		return a & 0xffff;
	if (f16_number(a) == f16_number(b))
		return (a | (b & 0x8000)) & 0xffff;
	return (f16_number(a) < f16_number(b) ? a : b) & 0xffff;
}

static uint32_t f16_greater(uint32_t a, uint32_t b)
{
	if (half_is_nan(a))
		return (half_is_nan(b) ? a | 0x200 : b) & 0xffff;
	if (half_is_nan(b))
		return a & 0xffff;
	if (f16_number(a) == f16_number(b))
		return a & (b | 0x7fff) & 0xffff;
	return (f16_number(a) > f16_number(b) ? a : b) & 0xffff;
}

/* The first NaN of a pair, made quiet, in place of the number beside it. */
static uint32_t f16_minimum(uint32_t a, uint32_t b)
{
	if (half_is_nan(a) || half_is_nan(b))
		return ((half_is_nan(a) ? a : b) | 0x200) & 0xffff;
	return f16_lesser(a, b);
}

static uint32_t f16_maximum(uint32_t a, uint32_t b)
{
	if (half_is_nan(a) || half_is_nan(b))
		return ((half_is_nan(a) ? a : b) | 0x200) & 0xffff;
	return f16_greater(a, b);
}

static uint32_t f16_middle(uint32_t a, uint32_t b, uint32_t c)
{
	if (half_is_nan(a) || half_is_nan(b) || half_is_nan(c))
		return f16_lesser(f16_lesser(a, b), c);
	return f16_greater(f16_lesser(a, b), f16_lesser(f16_greater(a, b), c));
}

#define FLIP(half) ((half) ^ 0x8000)

GFX_VECTOR(add_f16, OUT(f16_sum(A, B, ROUND)))
GFX_VECTOR(sub_f16, OUT(f16_sum(A, FLIP(B), ROUND)))
GFX_VECTOR(subrev_f16, OUT(f16_sum(B, FLIP(A), ROUND)))
GFX_VECTOR(mul_f16, OUT(product(A, B, ROUND)))
GFX_VECTOR(fma_f16, OUT(fused(A, B, C, ROUND)))
/* Two roundings: product first. */
GFX_VECTOR(mad_f16, OUT(f16_sum(product(A, B, ROUND), C, ROUND)))
GFX_VECTOR(min_f16, OUT(f16_lesser(A, B)))
GFX_VECTOR(max_f16, OUT(f16_greater(A, B)))
GFX_VECTOR(maxmin_f16, OUT(f16_lesser(f16_greater(A, B), C)))
GFX_VECTOR(minmax_f16, OUT(f16_greater(f16_lesser(A, B), C)))
GFX_VECTOR(min3_f16, OUT(f16_lesser(f16_lesser(A, B), C)))
GFX_VECTOR(max3_f16, OUT(f16_greater(f16_greater(A, B), C)))
GFX_VECTOR(med3_f16, OUT(f16_middle(A, B, C)))
GFX_VECTOR(minimum_f16, OUT(f16_minimum(A, B)))
GFX_VECTOR(maximum_f16, OUT(f16_maximum(A, B)))
GFX_VECTOR(minimum3_f16, OUT(f16_minimum(f16_minimum(A, B), C)))
GFX_VECTOR(maximum3_f16, OUT(f16_maximum(f16_maximum(A, B), C)))
GFX_VECTOR(minimummaximum_f16, OUT(f16_maximum(f16_minimum(A, B), C)))
GFX_VECTOR(maximumminimum_f16, OUT(f16_minimum(f16_maximum(A, B), C)))
GFX_VECTOR(ldexp_f16, OUT(settle(ldexp(f16_number(A), (int16_t)B), A, 0, ROUND)))

GFX_VECTOR(rcp_f16, OUT(settle(1.0 / f16_number(A), A, 0, ROUND)))
GFX_VECTOR(sqrt_f16, OUT(settle(sqrt(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(rsq_f16, OUT(settle(1.0 / sqrt(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(log_f16, OUT(settle(log2(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(exp_f16, OUT(settle(exp2(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(sin_f16, OUT(settle(sin(f16_number(A) * 6.283185307179586476925), A, 0, ROUND)))
GFX_VECTOR(cos_f16, OUT(settle(cos(f16_number(A) * 6.283185307179586476925), A, 0, ROUND)))

static double nearest_even(double value)
{
	double rounded = round(value);

	if (fabs(value - trunc(value)) == 0.5)
		rounded = 2 * round(value / 2);
	return copysign(rounded, value);
}

GFX_VECTOR(floor_f16, OUT(settle(floor(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(ceil_f16, OUT(settle(ceil(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(trunc_f16, OUT(settle(trunc(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(rndne_f16, OUT(settle(nearest_even(f16_number(A)), A, 0, ROUND)))
GFX_VECTOR(fract_f16,
	   OUT(settle(fmin(f16_number(A) - floor(f16_number(A)), 0x1.ffcp-1), A, 0, ROUND)))

static int32_t exponent_of(double value)
{
	int exponent = 0;

	if (isfinite(value) && value != 0)
		(void)frexp(value, &exponent);
	return exponent;
}

static double f16_mantissa(double value)
{
	int exponent;

	return isfinite(value) ? frexp(value, &exponent) : value;
}

GFX_VECTOR(frexp_exp_i16_f16, OUT(exponent_of(f16_number(A)) & 0xffff))
GFX_VECTOR(frexp_mant_f16, OUT(settle(f16_mantissa(f16_number(A)), A, 0, ROUND)))

/* The last step of a division: quotient a of c/b. */
static uint32_t division_fixup(uint32_t q, uint32_t d, uint32_t n)
{
	uint32_t sign = (d ^ n) & 0x8000, size_d = d & 0x7fff, size_n = n & 0x7fff;

	if (half_is_nan(n))
		return (n & 0xffff) | 0x200;
	if (half_is_nan(d))
		return (d & 0xffff) | 0x200;
	if ((size_d == 0 && size_n == 0) || (size_d == 0x7c00 && size_n == 0x7c00))
		return 0xfe00;
	if (size_d == 0 || size_n == 0x7c00)
		return sign | 0x7c00;
	if (size_d == 0x7c00 || size_n == 0)
		return sign;
	return sign | (q & 0x7fff);
}

GFX_VECTOR(div_fixup_f16, OUT(division_fixup(A, B, C)))

/* Pairs: the same for the low and the high half, which the caller has put in place. */
#define HIGH(value) ((value) >> 16)
#define PAIR(low, high) OUT(((uint32_t)(low)&0xffff) | (uint32_t)(high) << 16)

GFX_VECTOR(pk_add_f16, PAIR(f16_sum(A, B, ROUND), f16_sum(HIGH(A), HIGH(B), ROUND)))
GFX_VECTOR(pk_mul_f16, PAIR(product(A, B, ROUND), product(HIGH(A), HIGH(B), ROUND)))
GFX_VECTOR(pk_fma_f16, PAIR(fused(A, B, C, ROUND), fused(HIGH(A), HIGH(B), HIGH(C), ROUND)))
GFX_VECTOR(pk_min_f16, PAIR(f16_lesser(A, B), f16_lesser(HIGH(A), HIGH(B))))
GFX_VECTOR(pk_max_f16, PAIR(f16_greater(A, B), f16_greater(HIGH(A), HIGH(B))))
GFX_VECTOR(pk_minimum_f16, PAIR(f16_minimum(A, B), f16_minimum(HIGH(A), HIGH(B))))
GFX_VECTOR(pk_maximum_f16, PAIR(f16_maximum(A, B), f16_maximum(HIGH(A), HIGH(B))))

GFX_VECTOR(pk_minimum3_f16, PAIR(f16_minimum(f16_minimum(A, B), C),
				 f16_minimum(f16_minimum(HIGH(A), HIGH(B)), HIGH(C))))
GFX_VECTOR(pk_maximum3_f16, PAIR(f16_maximum(f16_maximum(A, B), C),
				 f16_maximum(f16_maximum(HIGH(A), HIGH(B)), HIGH(C))))

/* Mixed precision: sources are singles by now. A half is rounded from a single, as in two steps of C. */
GFX_VECTOR(fma_mix_f32, OUTF(fmaf(AF, BF, CF)))
GFX_VECTOR(fma_mixlo_f16, OUT(settle((double)fmaf(AF, BF, CF), 0, 0, ROUND)))
GFX_VECTOR(mad_mixlo_f16,
	   OUT(settle((double)(gfx_without_denormals(AF) * gfx_without_denormals(BF) + CF), 0, 0,
		      ROUND)))

GFX_VECTOR(cvt_f16_f32, OUT(gfx_half_from_double((double)AF, ROUND)))
GFX_VECTOR(cvt_f32_f16, OUTF(gfx_half_to_float((uint16_t)A)))
GFX_VECTOR(cvt_f16_u16, OUT(gfx_half_from_double((double)(A & 0xffff), ROUND)))
GFX_VECTOR(cvt_f16_i16, OUT(gfx_half_from_double((double)(int16_t)A, ROUND)))
GFX_VECTOR(cvt_pkrtz_f16_f32, PAIR(gfx_half_from_double((double)AF, GFX_ROUND_ZERO),
				   gfx_half_from_double((double)BF, GFX_ROUND_ZERO)))

GFX_VECTOR(cvt_pk_f16_f32,
	   PAIR(gfx_half_from_double((double)AF, ROUND), gfx_half_from_double((double)BF, ROUND)))

/* To whole numbers: towards zero, out of range to the nearest end, NaN to 0. */
static int32_t whole(double value, int32_t low, int32_t high)
{
	if (isnan(value))
		return 0;
	if (value <= low)
		return low;
	return value >= high ? high : (int32_t)value;
}

GFX_VECTOR(cvt_u16_f16, OUT(whole(f16_number(A), 0, UINT16_MAX)))
GFX_VECTOR(cvt_i16_f16, OUT(whole(f16_number(A), INT16_MIN, INT16_MAX) & 0xffff))

/* The whole number that is such a part of the largest one. */
static int32_t signed_part(uint32_t half)
{
	return whole(nearest_even(f16_number(half) * 32767), -32767, 32767);
}

static int32_t unsigned_part(uint32_t half)
{
	return whole(nearest_even(f16_number(half) * 65535), 0, 65535);
}

GFX_VECTOR(cvt_norm_i16_f16, OUT(signed_part(A) & 0xffff))
GFX_VECTOR(cvt_norm_u16_f16, OUT(unsigned_part(A)))
GFX_VECTOR(cvt_pknorm_i16_f16, PAIR(signed_part(A), signed_part(B)))
GFX_VECTOR(cvt_pknorm_u16_f16, PAIR(unsigned_part(A), unsigned_part(B)))

/* The product of two pairs knows no denormals, neither halves nor singles. */
static float flushed(uint32_t half)
{
	return gfx_half_to_float((uint16_t)(half & 0x7c00 ? half : half & 0x8000));
}

static float dot_step(uint32_t a, uint32_t b, float addend)
{
	return gfx_without_denormals(fmaf(flushed(a), flushed(b), addend));
}

GFX_VECTOR(dot2_f32_f16, {
	float low = dot_step(A, B, gfx_without_denormals(CF));

	OUTF(dot_step(HIGH(A), HIGH(B), low));
})

/* A half as the result: the first product is added, then the second one, each sum rounded, which no document says. */
GFX_VECTOR(dot2_f16_f16, OUT(fused(HIGH(A), HIGH(B), fused(A, B, C, ROUND), ROUND)))

static float bfloat_dot_step(uint32_t a, uint32_t b, float addend)
{
	return gfx_without_denormals(fmaf(gfx_without_denormals(gfx_f32(a)),
					  gfx_without_denormals(gfx_f32(b)),
					  gfx_without_denormals(addend)));
}

/* The upper halves of singles. Their sums know no denormals, as those of halves, which no document says. */
static float bfloat_dot(uint32_t a, uint32_t b, float addend)
{
	return bfloat_dot_step(a & 0xffff0000, b & 0xffff0000,
			       bfloat_dot_step(a << 16, b << 16, addend));
}

GFX_VECTOR(dot2_f32_bf16, OUTF(bfloat_dot(A, B, CF)))
GFX_VECTOR(dot2_bf16_bf16,
	   OUT(gfx_bfloat_from_single(gfx_f32_bits(bfloat_dot(A, B, gfx_f32(C << 16))))))
