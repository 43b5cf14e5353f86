/* SPDX-License-Identifier: MIT */
/*
 * Exact results of float operations, and the exceptions that rounding them to a format raises. All is
 * computed in integers, so that the result does not depend on the host. A value has more bits than any
 * format; one sticky bit (`rest`) says whether the bits below them are not all zero.
 */
#ifndef GFX_ALU_EXACT_H
#define GFX_ALU_EXACT_H

#include "gfx/wave/lanes.h"

/* Arithmetic exceptions: bits of trapsts and, shifted by 12, of mode. */
enum gfx_exception {
	GFX_EXCEPTION_INVALID = 1 << 0,
	GFX_EXCEPTION_DENORMAL = 1 << 1, /* of an operand */
	GFX_EXCEPTION_DIVIDE_BY_ZERO = 1 << 2,
	GFX_EXCEPTION_OVERFLOW = 1 << 3,
	GFX_EXCEPTION_UNDERFLOW = 1 << 4,
	GFX_EXCEPTION_INEXACT = 1 << 5,
	GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO = 1 << 6,
};

/* The format of floats of one width. */
struct gfx_format {
	uint32_t fraction_bits, exponent_bits;
};

extern const struct gfx_format gfx_half_format, gfx_single_format, gfx_double_format;

/* Classes of floats, in the order of the bits of v_cmp_class. */
enum gfx_class {
	GFX_CLASS_SIGNALLING,
	GFX_CLASS_QUIET,
	GFX_CLASS_MINUS_INFINITY,
	GFX_CLASS_MINUS_NORMAL,
	GFX_CLASS_MINUS_DENORMAL,
	GFX_CLASS_MINUS_ZERO,
	GFX_CLASS_PLUS_ZERO,
	GFX_CLASS_PLUS_DENORMAL,
	GFX_CLASS_PLUS_NORMAL,
	GFX_CLASS_PLUS_INFINITY,
};

static inline uint32_t gfx_class_of(uint64_t bits, uint32_t fraction_bits, uint32_t exponent_bits)
{
	uint64_t fraction = bits & ((UINT64_C(1) << fraction_bits) - 1);
	uint64_t all_ones = (UINT64_C(1) << exponent_bits) - 1;
	uint64_t exponent = bits >> fraction_bits & all_ones;
	bool minus = bits >> (fraction_bits + exponent_bits) & 1;

	if (exponent == all_ones && fraction)
		return fraction >> (fraction_bits - 1) ? GFX_CLASS_QUIET : GFX_CLASS_SIGNALLING;
	if (exponent == all_ones)
		return minus ? GFX_CLASS_MINUS_INFINITY : GFX_CLASS_PLUS_INFINITY;
	if (exponent)
		return minus ? GFX_CLASS_MINUS_NORMAL : GFX_CLASS_PLUS_NORMAL;
	if (fraction)
		return minus ? GFX_CLASS_MINUS_DENORMAL : GFX_CLASS_PLUS_DENORMAL;
	return minus ? GFX_CLASS_MINUS_ZERO : GFX_CLASS_PLUS_ZERO;
}

__extension__ typedef unsigned __int128 gfx_magnitude;

/* A finite number: (magnitude + rest) * 2^scale, where the rest is 0 or, if `rest` is set, between 0 and 1. */
struct gfx_exact {
	bool negative;
	bool rest;
	int32_t scale;
	gfx_magnitude magnitude; /* below 2^126 */
};

/** The value of a finite float from its bits. */
struct gfx_exact gfx_exact_float(uint64_t bits, const struct gfx_format *format);
struct gfx_exact gfx_exact_integer(int64_t value);

/** The product of two values that have no rest and at most 63 bits each. */
struct gfx_exact gfx_exact_product(struct gfx_exact a, struct gfx_exact b);
/** The sum of two values. At most one may be a product. */
struct gfx_exact gfx_exact_sum(struct gfx_exact a, struct gfx_exact b);
/** 1 / @value for a float other than zero. */
struct gfx_exact gfx_exact_reciprocal(struct gfx_exact value);

/** Whether a value is a power of @base, which is 2 or 4. */
bool gfx_exact_is_power(struct gfx_exact value, uint32_t base);
/** Whether a float other than zero has an exact square root. */
bool gfx_exact_is_square(struct gfx_exact value);
/** Whether a value is a whole number. */
bool gfx_exact_is_whole(struct gfx_exact value);

/**
 * Round a value to a format.
 *
 * @exceptions: overflow, underflow and inexact are or-ed to it. A result underflows if it is inexact and
 *	tiny. Tininess is detected after rounding.
 *
 * Return: the bits of the float. Zero keeps the sign of @value.
 */
uint64_t gfx_exact_round(struct gfx_exact value, const struct gfx_format *format,
			 enum gfx_round round, uint32_t *exceptions);

#endif /* GFX_ALU_EXACT_H */
