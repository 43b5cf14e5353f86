/* SPDX-License-Identifier: MIT */
/*
 * Floats without rounding: what an operation gives exactly, and what rounding it to a format raises.
 * All in integers, so that neither depends on the host. A value is kept to more bits than any format
 * has, and what is left below them as the one fact that it is not zero.
 */
#ifndef GFX_ALU_EXACT_H
#define GFX_ALU_EXACT_H

#include "gfx/wave/lanes.h"

/* Exceptions, as bits of trapsts and, shifted, of mode. */
enum gfx_exception {
	GFX_EXCEPTION_INVALID = 1 << 0,
	GFX_EXCEPTION_DENORMAL = 1 << 1, /* of an operand */
	GFX_EXCEPTION_DIVIDE_BY_ZERO = 1 << 2,
	GFX_EXCEPTION_OVERFLOW = 1 << 3,
	GFX_EXCEPTION_UNDERFLOW = 1 << 4,
	GFX_EXCEPTION_INEXACT = 1 << 5,
	GFX_EXCEPTION_INTEGER_DIVIDE_BY_ZERO = 1 << 6,
};

/* How floats of one width are laid out. */
struct gfx_format {
	uint32_t fraction_bits, exponent_bits;
};

extern const struct gfx_format gfx_half_format, gfx_single_format, gfx_double_format;

/* What a float is, in the order of the bits that v_cmp_class takes. */
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

/* A finite number: (magnitude + a rest below 1, if there is one) * 2^scale. */
struct gfx_exact {
	bool negative;
	bool rest;
	int32_t scale;
	gfx_magnitude magnitude; /* below 2^126 */
};

/** A finite float, by its bits. */
struct gfx_exact gfx_exact_float(uint64_t bits, const struct gfx_format *format);
struct gfx_exact gfx_exact_integer(int64_t value);

/** The product of two floats or integers: neither has a rest, or more than 63 bits. */
struct gfx_exact gfx_exact_product(struct gfx_exact a, struct gfx_exact b);
/** A sum, of which a product of two floats may be one part. */
struct gfx_exact gfx_exact_sum(struct gfx_exact a, struct gfx_exact b);
/** 1 / @value, which is a float other than zero. */
struct gfx_exact gfx_exact_reciprocal(struct gfx_exact value);

/** Is it a power of @base, which is 2 or 4? */
bool gfx_exact_is_power(struct gfx_exact value, uint32_t base);
/** Is a float, other than zero, the square of another number of finitely many bits? */
bool gfx_exact_is_square(struct gfx_exact value);
bool gfx_exact_is_whole(struct gfx_exact value);

/**
 * Round once.
 *
 * @exceptions: overflow, underflow and inexact are or-ed to it. A result is tiny if it still is when it
 * is rounded with exponents that know no least one; it underflows if it is tiny and inexact.
 *
 * Return: the bits of the float. A sum of zero has the sign it came with.
 */
uint64_t gfx_exact_round(struct gfx_exact value, const struct gfx_format *format,
			 enum gfx_round round, uint32_t *exceptions);

#endif /* GFX_ALU_EXACT_H */
