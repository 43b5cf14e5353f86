/* SPDX-License-Identifier: MIT */
/*
 * Which arithmetic exceptions an operation raises in one lane. Private to gfx/alu/exceptions*.c: exceptions.c has a table of
 * functions in the other files, which use what exceptions.c knows of numbers. So they are a circle in the graph of files.
 */
#ifndef GFX_ALU_EXCEPTIONS_H
#define GFX_ALU_EXCEPTIONS_H

#include "gfx/alu/exact.h"
#include "gfx/alu/half.h"
#include "gfx/alu/vector.h"

/* An operand. */
struct gfx_real {
	const struct gfx_format *format; /* NULL for an integer, and if there is no such operand */
	uint64_t bits;
	uint32_t class;
};

/* One result of one lane. */
struct gfx_raising {
	const struct gfx_vector *vector;
	uint32_t lane;
	uint32_t part; /* 0 or 1: of packed operands */
	struct gfx_real operands[3];
	const struct gfx_format *format; /* of a float result; else NULL */
	enum gfx_round round;
	bool flushes;
	int32_t scale; /* exponent of the output modifier's factor */
};

static inline bool gfx_is_nan(const struct gfx_real *operand)
{
	return operand->class <= GFX_CLASS_QUIET;
}

static inline bool gfx_is_zero(const struct gfx_real *operand)
{
	return operand->class == GFX_CLASS_MINUS_ZERO || operand->class == GFX_CLASS_PLUS_ZERO;
}

static inline bool gfx_is_infinite(const struct gfx_real *operand)
{
	return operand->class == GFX_CLASS_MINUS_INFINITY ||
	       operand->class == GFX_CLASS_PLUS_INFINITY;
}

static inline bool gfx_is_denormal(const struct gfx_real *operand)
{
	return operand->class == GFX_CLASS_MINUS_DENORMAL ||
	       operand->class == GFX_CLASS_PLUS_DENORMAL;
}

static inline bool gfx_is_negative(const struct gfx_real *operand)
{
	return operand->class >= GFX_CLASS_MINUS_INFINITY && operand->class <= GFX_CLASS_MINUS_ZERO;
}

static inline struct gfx_real gfx_real_of(uint64_t bits, const struct gfx_format *format)
{
	return (struct gfx_real){format, bits,
				 gfx_class_of(bits, format->fraction_bits, format->exponent_bits)};
}

static inline struct gfx_exact gfx_real_exact(const struct gfx_real *operand)
{
	return gfx_exact_float(operand->bits, operand->format);
}

static inline double gfx_real_value(const struct gfx_real *operand)
{
	if (operand->format == &gfx_double_format)
		return gfx_f64(operand->bits);
	if (operand->format == &gfx_single_format)
		return (double)gfx_f32((uint32_t)operand->bits);
	return (double)gfx_half_to_float((uint16_t)operand->bits);
}

#define GFX_LARGEST_SCALE 8192 /* larger exponents give the same results */

static inline int32_t gfx_limited_scale(double scale)
{
	if (scale < -GFX_LARGEST_SCALE)
		return -GFX_LARGEST_SCALE;
	return scale > GFX_LARGEST_SCALE ? GFX_LARGEST_SCALE : (int32_t)scale;
}

/** GFX_EXCEPTION_INVALID if an operand is a signalling NaN, else 0. Sets *any_ret if one is a NaN. */
static inline uint32_t gfx_nans_among(const struct gfx_real *operands, uint32_t count,
				      bool *any_ret)
{
	uint32_t exceptions = 0;

	for (uint32_t i = 0; i < count; i++) {
		*any_ret |= gfx_is_nan(&operands[i]);
		if (operands[i].class == GFX_CLASS_SIGNALLING)
			exceptions |= GFX_EXCEPTION_INVALID;
	}
	return exceptions;
}

/** The exceptions that rounding, scaling and flushing the result raise. */
uint32_t gfx_deliver(const struct gfx_raising *task, struct gfx_exact value);

/*
 * The exceptions that operations of a kind raise, apart from those for signalling NaNs and denormals among
 * the operands. Called only if no operand is a NaN, except where noted.
 */
typedef uint32_t gfx_raise_function(const struct gfx_raising *task);

/* exceptions-sums.c */
gfx_raise_function gfx_raise_sum, gfx_raise_difference, gfx_raise_reversed_difference;
gfx_raise_function gfx_raise_product, gfx_raise_legacy_product, gfx_raise_fused;
gfx_raise_function gfx_raise_scaled_fused, gfx_raise_mixed, gfx_raise_product_then_sum;
gfx_raise_function gfx_raise_dot;

/* exceptions-functions.c */
gfx_raise_function gfx_raise_quotient, gfx_raise_reciprocal, gfx_raise_integer_reciprocal;
gfx_raise_function gfx_raise_root, gfx_raise_reciprocal_root, gfx_raise_logarithm;
gfx_raise_function gfx_raise_exponential, gfx_raise_sine, gfx_raise_cosine;

/* exceptions-convert.c. Those to whole numbers, and comparisons, are called for NaNs, too. */
gfx_raise_function gfx_raise_fraction, gfx_raise_scaling, gfx_raise_conversion;
gfx_raise_function gfx_raise_signed_conversion, gfx_raise_unsigned_conversion;
gfx_raise_function gfx_raise_to_i32, gfx_raise_to_u32, gfx_raise_to_i16, gfx_raise_to_u16;
gfx_raise_function gfx_raise_to_u8, gfx_raise_to_signed_part, gfx_raise_to_unsigned_part;
gfx_raise_function gfx_raise_comparison;

#endif /* GFX_ALU_EXCEPTIONS_H */
