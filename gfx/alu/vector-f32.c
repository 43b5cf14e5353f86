/* SPDX-License-Identifier: MIT */
/*
 * Single precision. Rounding is the host's, set by the caller; NaNs and denormals are settled by
 * the caller too. Reciprocals, roots and transcendentals are computed in double precision and
 * rounded once: hardware is allowed an error of one unit in the last place there.
 */
#include <math.h>

#include "gfx/alu/operations.h"

GFX_VECTOR(add_f32, OUTF(AF + BF))
GFX_VECTOR(sub_f32, OUTF(AF - BF))
GFX_VECTOR(subrev_f32, OUTF(BF - AF))
GFX_VECTOR(mul_f32, OUTF(AF *BF))
GFX_VECTOR(fma_f32, OUTF(fmaf(AF, BF, CF)))

/* Zero times anything is zero, infinities and NaNs included. */
static float legacy_product(float a, float b)
{
	return a == 0 || b == 0 ? 0 : a * b;
}

GFX_VECTOR(mul_legacy_f32, OUTF(legacy_product(AF, BF)))
GFX_VECTOR(fma_legacy_f32, OUTF(AF == 0 || BF == 0 ? CF : fmaf(AF, BF, CF)))

/* The unit that rounds twice knows no denormals, whatever the mode says. */
static float product_plus(float product, float addend)
{
	return gfx_without_denormals(gfx_without_denormals(product) +
				     gfx_without_denormals(addend));
}

GFX_VECTOR(mad_f32, OUTF(product_plus(gfx_without_denormals(AF) * gfx_without_denormals(BF), CF)))
GFX_VECTOR(mad_legacy_f32,
	   OUTF(product_plus(legacy_product(gfx_without_denormals(AF), gfx_without_denormals(BF)),
			     CF)))

static bool signalling(uint32_t bits)
{
	return gfx_f32_is_nan(bits) && !(bits & 0x400000);
}

/* The number of a pair if the other is a NaN; -0 is less than +0. In IEEE mode a signalling NaN
 * wins. */
static uint32_t f32_lesser(uint32_t a, uint32_t b, bool ieee)
{
	if (ieee && (signalling(a) || signalling(b)))
		return (signalling(a) ? a : b) | 0x400000;
	if (gfx_f32_is_nan(a))
		return gfx_f32_is_nan(b) ? a | 0x400000 : b;
	if (gfx_f32_is_nan(b))
		return a;
	if (gfx_f32(a) == gfx_f32(b))
		return a | (b & 0x80000000);
	return gfx_f32(a) < gfx_f32(b) ? a : b;
}

static uint32_t f32_greater(uint32_t a, uint32_t b, bool ieee)
{
	if (ieee && (signalling(a) || signalling(b)))
		return (signalling(a) ? a : b) | 0x400000;
	if (gfx_f32_is_nan(a))
		return gfx_f32_is_nan(b) ? a | 0x400000 : b;
	if (gfx_f32_is_nan(b))
		return a;
	if (gfx_f32(a) == gfx_f32(b))
		return a & (b | 0x7fffffff);
	return gfx_f32(a) > gfx_f32(b) ? a : b;
}

/* The first NaN of a pair, made quiet, in place of the number beside it. */
static uint32_t f32_minimum(uint32_t a, uint32_t b)
{
	if (gfx_f32_is_nan(a) || gfx_f32_is_nan(b))
		return (gfx_f32_is_nan(a) ? a : b) | 0x400000;
	return f32_lesser(a, b, false);
}

static uint32_t f32_maximum(uint32_t a, uint32_t b)
{
	if (gfx_f32_is_nan(a) || gfx_f32_is_nan(b))
		return (gfx_f32_is_nan(a) ? a : b) | 0x400000;
	return f32_greater(a, b, false);
}

static uint32_t f32_middle(uint32_t a, uint32_t b, uint32_t c, bool ieee)
{
	uint32_t low = f32_lesser(a, b, ieee), high = f32_greater(a, b, ieee);

	if (gfx_f32_is_nan(a) || gfx_f32_is_nan(b) || gfx_f32_is_nan(c))
		return f32_lesser(low, c, ieee);
	return f32_greater(low, f32_lesser(high, c, ieee), ieee);
}

#define IEEE ((vector->mode & GFX_MODE_IEEE) != 0)

GFX_VECTOR(min_f32, OUT(f32_lesser(A, B, IEEE)))
GFX_VECTOR(max_f32, OUT(f32_greater(A, B, IEEE)))
GFX_VECTOR(maxmin_f32, OUT(f32_lesser(f32_greater(A, B, IEEE), C, IEEE)))
GFX_VECTOR(minmax_f32, OUT(f32_greater(f32_lesser(A, B, IEEE), C, IEEE)))
GFX_VECTOR(min3_f32, OUT(f32_lesser(f32_lesser(A, B, IEEE), C, IEEE)))
GFX_VECTOR(max3_f32, OUT(f32_greater(f32_greater(A, B, IEEE), C, IEEE)))
GFX_VECTOR(med3_f32, OUT(f32_middle(A, B, C, IEEE)))
GFX_VECTOR(minimum_f32, OUT(f32_minimum(A, B)))
GFX_VECTOR(maximum_f32, OUT(f32_maximum(A, B)))
GFX_VECTOR(minimum3_f32, OUT(f32_minimum(f32_minimum(A, B), C)))
GFX_VECTOR(maximum3_f32, OUT(f32_maximum(f32_maximum(A, B), C)))
GFX_VECTOR(minimummaximum_f32, OUT(f32_maximum(f32_minimum(A, B), C)))
GFX_VECTOR(maximumminimum_f32, OUT(f32_minimum(f32_maximum(A, B), C)))

GFX_VECTOR(trunc_f32, OUTF(truncf(AF)))
GFX_VECTOR(ceil_f32, OUTF(ceilf(AF)))
GFX_VECTOR(floor_f32, OUTF(floorf(AF)))

/* To the nearest whole number, whatever the rounding mode. */
static double nearest_even(double value)
{
	double rounded = round(value);

	if (fabs(value - trunc(value)) == 0.5)
		rounded = 2 * round(value / 2);
	return copysign(rounded, value);
}

GFX_VECTOR(rndne_f32, OUTF((float)nearest_even((double)AF)))

static float fraction(float value)
{
	float result = value - floorf(value);

	/* Just below zero the difference rounds to 1, which is out of range. */
	return result >= 1 ? 0x1.fffffep-1f : result;
}

GFX_VECTOR(fract_f32, OUTF(fraction(AF)))

GFX_VECTOR(rcp_f32, OUTF(1.0f / AF))
GFX_VECTOR(sqrt_f32, OUTF(sqrtf(AF)))
GFX_VECTOR(rsq_f32, OUTF((float)(1.0 / sqrt((double)AF))))
GFX_VECTOR(exp_f32, OUTF((float)exp2((double)AF)))
GFX_VECTOR(log_f32, OUTF((float)log2((double)AF)))

/* The argument counts turns; whole ones are taken off exactly. */
static float turn_sine(float turns)
{
	double part = (double)turns - trunc((double)turns);

	return (float)sin(part * 6.283185307179586476925);
}

static float turn_cosine(float turns)
{
	double part = (double)turns - trunc((double)turns);

	return (float)cos(part * 6.283185307179586476925);
}

GFX_VECTOR(sin_f32, OUTF(turn_sine(AF)))
GFX_VECTOR(cos_f32, OUTF(turn_cosine(AF)))

static int32_t exponent_of(float value)
{
	int exponent = 0;

	if (isfinite(value) && value != 0)
		(void)frexpf(value, &exponent);
	return exponent;
}

static float f32_mantissa(float value)
{
	int exponent;

	return isfinite(value) ? frexpf(value, &exponent) : value;
}

GFX_VECTOR(frexp_exp_i32_f32, OUT(exponent_of(AF)))
GFX_VECTOR(frexp_mant_f32, OUTF(f32_mantissa(AF)))
GFX_VECTOR(ldexp_f32, OUTF(ldexpf(AF, BS)))

/* Biased exponent field. */
static int32_t field(uint32_t bits)
{
	return (int32_t)(bits >> 23 & 255);
}

static bool f32_is_denormal(float value)
{
	return fpclassify(value) == FP_SUBNORMAL;
}

/*
 * The first step of a division n/d: scale the operand x (which is n or d) so that neither the
 * reciprocal nor the quotient leaves the normal range; *scaled tells the last step to undo it.
 */
static float f32_division_scale(float x, float d, float n, bool *scaled)
{
	bool is_denominator = gfx_f32_bits(x) == gfx_f32_bits(d);
	bool is_numerator = gfx_f32_bits(x) == gfx_f32_bits(n);

	*scaled = false;
	if (n == 0 || d == 0)
		return NAN;
	if (field(gfx_f32_bits(n)) - field(gfx_f32_bits(d)) >= 96) {
		*scaled = true;
		return is_denominator ? ldexpf(x, 64) : x;
	}
	if (f32_is_denormal(d))
		return ldexpf(x, 64);
	if (f32_is_denormal(1.0f / d) && f32_is_denormal(n / d)) {
		/* A large denominator goes down: scaled up, as one could read the manual, it
		 * would be infinite. */
		*scaled = true;
		return is_denominator ? ldexpf(x, -64) : x;
	}
	if (f32_is_denormal(1.0f / d))
		return ldexpf(x, -64);
	if (f32_is_denormal(n / d)) {
		*scaled = true;
		return is_numerator ? ldexpf(x, 64) : x;
	}
	return field(gfx_f32_bits(n)) <= 23 ? ldexpf(x, 64) : x;
}

GFX_VECTOR(div_scale_f32, {
	bool scaled;

	OUTF(f32_division_scale(AF, BF, CF, &scaled));
	MASK_OUT(scaled);
})

/*
 * Undo the scaling, by 2^64 or 2^-64: the addend, which is near the quotient, tells which way it
 * went. Sum and scaling are rounded once, so that denormal quotients come out right: the sum of the
 * exact product and the addend is taken to 53 bits with its last bit telling of any rest.
 */
static float scaled_sum(float a, float b, float c)
{
	double product = (double)a * (double)b, total = product + (double)c;
	double part = total - product;
	double rest = (product - (total - part)) + ((double)c - part);
	uint64_t bits = gfx_f64_bits(total);

	if (rest != 0 && isfinite(total) && !(bits & 1))
		bits = (rest > 0) == (total > 0) ? bits + 1 : bits - 1;
	return (float)ldexp(gfx_f64(bits), field(gfx_f32_bits(c)) > 127 ? 64 : -64);
}

GFX_VECTOR(div_fmas_f32, OUTF(MASK_IN ? scaled_sum(AF, BF, CF) : fmaf(AF, BF, CF)))

/* The last step: the quotient q of n/d, with the special cases put right. */
static uint32_t division_fixup(uint32_t q, uint32_t d, uint32_t n)
{
	uint32_t sign = (d ^ n) & 0x80000000, size_d = d & 0x7fffffff, size_n = n & 0x7fffffff;

	if (gfx_f32_is_nan(n))
		return n | 0x400000;
	if (gfx_f32_is_nan(d))
		return d | 0x400000;
	if ((size_d == 0 && size_n == 0) || (size_d == 0x7f800000 && size_n == 0x7f800000))
		return 0xffc00000;
	if (size_d == 0 || size_n == 0x7f800000)
		return sign | 0x7f800000;
	if (size_d == 0x7f800000 || size_n == 0)
		return sign;
	if (field(n) - field(d) < -150)
		return sign; /* far below the smallest denormal */
	/* The scaled steps overflow into a NaN when the quotient is far above the largest
	 * number. */
	if (gfx_f32_is_nan(q))
		return sign | 0x7f800000;
	return sign | (q & 0x7fffffff);
}

GFX_VECTOR(div_fixup_f32, OUT(division_fixup(A, B, C)))

/* Cube map helpers: the face an (x, y, z) direction hits, and where. */
static uint32_t major_axis(float x, float y, float z)
{
	if (fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y))
		return 2;
	return fabsf(y) >= fabsf(x) ? 1 : 0;
}

static float face(float x, float y, float z)
{
	uint32_t axis = major_axis(x, y, z);
	float along = axis == 2 ? z : axis == 1 ? y : x;

	return (float)(2 * axis + (along < 0));
}

static float face_s(float x, float y, float z)
{
	uint32_t axis = major_axis(x, y, z);

	if (axis == 2)
		return z < 0 ? -x : x;
	if (axis == 1)
		return x;
	return x < 0 ? z : -z;
}

static float face_t(float x, float y, float z)
{
	if (major_axis(x, y, z) == 1)
		return y < 0 ? -z : z;
	return -y;
}

static float face_major(float x, float y, float z)
{
	uint32_t axis = major_axis(x, y, z);

	return 2.0f * (axis == 2 ? z : axis == 1 ? y : x);
}

GFX_VECTOR(cubeid_f32, OUTF(face(AF, BF, CF)))
GFX_VECTOR(cubesc_f32, OUTF(face_s(AF, BF, CF)))
GFX_VECTOR(cubetc_f32, OUTF(face_t(AF, BF, CF)))
GFX_VECTOR(cubema_f32, OUTF(face_major(AF, BF, CF)))
