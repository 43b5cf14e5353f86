/* SPDX-License-Identifier: MIT */
/*
 * How matrix operations add. Singles and doubles are multiplied and added one after the other. What hardware does with
 * narrower floats is not documented. Others have measured it (MMA-Sim, arXiv 2511.10909): gfx90a adds pairs and knows no
 * denormals, gfx942 aligns a group of products to the largest exponent and cuts off what is below its bits. Sparse
 * operations, which were not measured, add as the dense ones of their type.
 */
#include "gfx/alu/matrix.h"

#include <math.h>

#include "gfx/alu/half.h"

#define SINGLE_NAN 0x7fc00000U
#define DOUBLE_NAN UINT64_C(0x7ff8000000000000)
#define SINGLE_LEAST_EXPONENT (-126)
#define XF32_UNUSED_BITS 0x1fffU
/* Bits behind the point: of aligned products and of C, and of a sum of products before C is added. */
#define PRODUCT_BITS 24
#define SUM_BITS 31
/* With eight bits, a C that is smaller than the sum by more than this is lost. */
#define FAR_BELOW 25

/* Exponents of the smallest normal numbers. */
static const int least_exponents[] = {
	[GFX_ELEMENT_F16] = -14,     [GFX_ELEMENT_BF16] = SINGLE_LEAST_EXPONENT,
	[GFX_ELEMENT_FP8] = -7,	     [GFX_ELEMENT_BF8] = -15,
	[GFX_ELEMENT_OPEN_FP8] = -6, [GFX_ELEMENT_OPEN_BF8] = -14,
	[GFX_ELEMENT_F32] = -126,    [GFX_ELEMENT_XF32] = SINGLE_LEAST_EXPONENT,
};

/* No infinities; what would be -0 is the one NaN. The bias is one more than the usual one. */
static double byte_number(uint32_t bits, uint32_t fraction_bits)
{
	uint32_t fraction = bits & ((1U << fraction_bits) - 1);
	int exponent = (int)(bits >> fraction_bits & ((1U << (7 - fraction_bits)) - 1));
	int bias = 1 << (6 - fraction_bits);
	double value;

	if (bits == 0x80)
		return (double)NAN;
	if (exponent)
		fraction |= 1U << fraction_bits;
	value = ldexp(fraction, (exponent ? exponent : 1) - bias - (int)fraction_bits);
	return bits & 0x80 ? -value : value;
}

/* The formats of the Open Compute Project: the largest exponent is that of infinities and NaNs with two bits of fraction, with three of one NaN alone. */
static double open_byte_number(uint32_t bits, uint32_t fraction_bits)
{
	uint32_t fraction = bits & ((1U << fraction_bits) - 1), size = bits & 0x7f;
	int exponent = (int)(size >> fraction_bits), bias = (1 << (6 - fraction_bits)) - 1;
	double value;

	if (size == 0x7f || (fraction_bits == 2 && size > 0x7c))
		return (double)NAN;
	if (exponent)
		fraction |= 1U << fraction_bits;
	value = fraction_bits == 2 && size == 0x7c
			? INFINITY
			: ldexp(fraction, (exponent ? exponent : 1) - bias - (int)fraction_bits);
	return bits & 0x80 ? -value : value;
}

static double exact_number(uint32_t element, uint64_t bits)
{
	switch (element) {
	case GFX_ELEMENT_I8:
		return (int8_t)bits;
	case GFX_ELEMENT_F16:
		return (double)gfx_half_to_float((uint16_t)bits);
	case GFX_ELEMENT_BF16:
		return (double)gfx_f32((uint32_t)bits << 16);
	case GFX_ELEMENT_FP8:
		return byte_number((uint32_t)bits, 3);
	case GFX_ELEMENT_BF8:
		return byte_number((uint32_t)bits, 2);
	case GFX_ELEMENT_OPEN_FP8:
		return open_byte_number((uint32_t)bits, 3);
	case GFX_ELEMENT_OPEN_BF8:
		return open_byte_number((uint32_t)bits, 2);
	case GFX_ELEMENT_XF32:
		return (double)gfx_f32((uint32_t)bits & ~XF32_UNUSED_BITS);
	case GFX_ELEMENT_F64:
		return gfx_f64(bits);
	default:
		return (double)gfx_f32((uint32_t)bits);
	}
}

double gfx_matrix_number(const struct gfx_matrix *matrix, uint32_t side, uint64_t bits)
{
	uint32_t element = matrix->elements[side];
	double number = exact_number(element, bits);

	if (matrix->sum == GFX_MATRIX_PAIRS && fabs(number) < ldexp(1, least_exponents[element]))
		return 0;
	return number;
}

static uint32_t add_integers(const double *a, const double *b, uint32_t count, uint32_t c)
{
	for (uint32_t k = 0; k < count; k++)
		c += (uint32_t)((int32_t)a[k] * (int32_t)b[k]);
	return c;
}

static float add_fused(const double *a, const double *b, uint32_t count, float c)
{
	for (uint32_t k = 0; k < count; k++)
		c = fmaf((float)a[k], (float)b[k], c);
	return c;
}

static double add_fused_doubles(const double *a, const double *b, uint32_t count, double c)
{
	for (uint32_t k = 0; k < count; k++)
		c = fma(a[k], b[k], c);
	return c;
}

/* The sum of two or four products. */
static float add_pairs(const double *a, const double *b, uint32_t count)
{
	float left, right;

	if (count == 1)
		return gfx_without_denormals((float)(a[0] * b[0]));
	left = add_pairs(a, b, count / 2);
	right = add_pairs(a + count / 2, b + count / 2, count / 2);
	return gfx_without_denormals(left + right);
}

/* A number in the form in which it is aligned: the significand is below 4, of a product of two. */
struct aligned {
	double significand;
	int exponent;
};

static struct aligned split(double value, int least)
{
	struct aligned parts;

	parts.significand = 2 * frexp(value, &parts.exponent);
	parts.exponent--;
	if (value == 0) {
		parts.exponent = SINGLE_LEAST_EXPONENT;
	} else if (parts.exponent < least) {
		parts.significand = ldexp(parts.significand, parts.exponent - least);
		parts.exponent = least;
	}
	return parts;
}

/* Every @step-th product, cut off at the bits of the largest. */
static struct aligned add_aligned(const struct aligned *products, uint32_t count, uint32_t step)
{
	struct aligned sum = {0, products[0].exponent};

	for (uint32_t k = step; k < count; k += step)
		if (products[k].exponent > sum.exponent)
			sum.exponent = products[k].exponent;
	for (uint32_t k = 0; k < count; k += step)
		sum.significand += trunc(ldexp(products[k].significand,
					       PRODUCT_BITS + products[k].exponent - sum.exponent));
	sum.significand = ldexp(sum.significand, -PRODUCT_BITS);
	return sum;
}

static double lower(struct aligned value, int bits, int exponent)
{
	return ldexp(floor(ldexp(value.significand, bits + value.exponent - exponent)), -bits);
}

static struct aligned add_even_and_odd(const struct aligned *products, uint32_t count)
{
	struct aligned even = add_aligned(products, count, 2);
	struct aligned odd = add_aligned(products + 1, count - 1, 2);
	int exponent = even.exponent > odd.exponent ? even.exponent : odd.exponent;

	even.significand = lower(even, PRODUCT_BITS, exponent) + lower(odd, PRODUCT_BITS, exponent);
	even.exponent = exponent;
	return even;
}

/* Whether a sum is not finite, or has a product that is too large for a single. */
static bool is_special(const double *a, const double *b, uint32_t count, float c, float *sum_ret)
{
	double sum = (double)c;
	bool above = false, below = false;

	for (uint32_t k = 0; k < count; k++) {
		sum += a[k] * b[k];
		above |= a[k] * b[k] >= 0x1p128;
		below |= a[k] * b[k] <= -0x1p128;
	}
	if (!isfinite(sum))
		*sum_ret = (float)sum;
	else if (above || below)
		*sum_ret = above && below ? NAN : above ? INFINITY : -INFINITY;
	return !isfinite(sum) || above || below;
}

static float add_truncated(const struct gfx_matrix *matrix, const double *a, const double *b,
			   uint32_t count, float c)
{
	struct aligned products[GFX_MATRIX_MAX_DEPTH] = {{0}}, sum, third;
	int exponent;
	float special = 0;

	if (is_special(a, b, count, c, &special))
		return special;
	for (uint32_t k = 0; k < count; k++) {
		struct aligned x = split(a[k], least_exponents[matrix->elements[0]]);
		struct aligned y = split(b[k], least_exponents[matrix->elements[1]]);

		products[k].significand = x.significand * y.significand;
		products[k].exponent = x.exponent + y.exponent;
	}
	third = split((double)c, SINGLE_LEAST_EXPONENT);
	if (matrix->sum == GFX_MATRIX_HALVES)
		sum = add_even_and_odd(products, count);
	else
		sum = add_aligned(products, count, 1);
	exponent = sum.exponent > third.exponent ? sum.exponent : third.exponent;
	if (matrix->sum == GFX_MATRIX_HALVES && third.exponent < exponent - FAR_BELOW)
		third.significand = 0;
	return (float)ldexp(lower(sum, SUM_BITS, exponent) + lower(third, PRODUCT_BITS, exponent),
			    exponent);
}

static uint32_t add_groups(const struct gfx_matrix *matrix, const double *a, const double *b,
			   uint32_t count, uint32_t c)
{
	uint32_t group = matrix->group;
	float sum = gfx_f32(c);

	if (matrix->sum == GFX_MATRIX_PAIRS)
		sum = fabsf(sum) < 0x1p-126f ? 0 : sum;
	for (uint32_t k = 0; k < count; k += group) {
		if (matrix->sum == GFX_MATRIX_PAIRS)
			sum = gfx_without_denormals(sum + add_pairs(a + k, b + k, group));
		else if (matrix->sum == GFX_MATRIX_FUSED)
			sum = add_fused(a + k, b + k, group, sum);
		else
			sum = add_truncated(matrix, a + k, b + k, group, sum);
	}
	return isnan(sum) ? SINGLE_NAN : gfx_f32_bits(sum);
}

uint64_t gfx_matrix_add(const struct gfx_matrix *matrix, const double *a, const double *b,
			uint32_t count, uint64_t c)
{
	double sum;

	if (matrix->sum == GFX_MATRIX_INTEGER)
		return add_integers(a, b, count, (uint32_t)c);
	if (matrix->elements[0] != GFX_ELEMENT_F64)
		return add_groups(matrix, a, b, count, (uint32_t)c);
	sum = add_fused_doubles(a, b, count, gfx_f64(c));
	return isnan(sum) ? DOUBLE_NAN : gfx_f64_bits(sum);
}
