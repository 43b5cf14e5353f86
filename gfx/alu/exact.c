/* SPDX-License-Identifier: MIT */
#include "gfx/alu/exact.h"

/* Sums are formed with the larger part's first bit here: a place above it is left for the carry. */
#define SUM_TOP 124
#define RECIPROCAL_BITS 120

const struct gfx_format gfx_half_format = {10, 5};
const struct gfx_format gfx_single_format = {23, 8};
const struct gfx_format gfx_double_format = {52, 11};

static int32_t bias(const struct gfx_format *format)
{
	return (1 << (format->exponent_bits - 1)) - 1;
}

/* The number of bits without leading zeros. */
static int32_t length_of(gfx_magnitude value)
{
	uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;

	if (high)
		return 128 - __builtin_clzll(high);
	return low ? 64 - __builtin_clzll(low) : 0;
}

static int32_t zeros_below(gfx_magnitude value)
{
	uint64_t low = (uint64_t)value;

	return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(value >> 64));
}

struct gfx_exact gfx_exact_float(uint64_t bits, const struct gfx_format *format)
{
	uint64_t fraction = bits & ((UINT64_C(1) << format->fraction_bits) - 1);
	uint64_t exponent =
		bits >> format->fraction_bits & ((UINT64_C(1) << format->exponent_bits) - 1);
	int32_t least = 1 - bias(format) - (int32_t)format->fraction_bits;

	return (struct gfx_exact){
		.negative = bits >> (format->fraction_bits + format->exponent_bits) & 1,
		.magnitude = exponent ? fraction | UINT64_C(1) << format->fraction_bits : fraction,
		.scale = least + (exponent ? (int32_t)exponent - 1 : 0),
	};
}

struct gfx_exact gfx_exact_integer(int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	return (struct gfx_exact){.negative = value < 0, .magnitude = size};
}

struct gfx_exact gfx_exact_product(struct gfx_exact a, struct gfx_exact b)
{
	return (struct gfx_exact){
		.negative = a.negative != b.negative,
		.magnitude = a.magnitude * b.magnitude,
		.scale = a.scale + b.scale,
	};
}

/* Drop bits, keeping that there were some. */
static struct gfx_exact moved_down(struct gfx_exact value, int32_t count)
{
	gfx_magnitude kept = count < 128 ? value.magnitude >> count : 0;

	value.rest |= count < 128 ? kept << count != value.magnitude : value.magnitude != 0;
	value.magnitude = kept;
	value.scale += count;
	return value;
}

/*
 * The part of the larger exponent is moved up as far as it goes, the other one to the same scale. Bits
 * that the latter loses are more than 100 places below the former's first one: a difference of the two
 * cannot bring them up.
 */
struct gfx_exact gfx_exact_sum(struct gfx_exact a, struct gfx_exact b)
{
	int32_t a_top = length_of(a.magnitude) + a.scale, b_top = length_of(b.magnitude) + b.scale;
	bool swap = !a.magnitude || (b.magnitude && b_top > a_top);
	struct gfx_exact large = swap ? b : a, small = swap ? a : b;
	int32_t up = SUM_TOP - length_of(large.magnitude);

	if (!small.magnitude)
		return large;
	large.magnitude <<= up;
	large.scale -= up;
	if (small.scale >= large.scale)
		small.magnitude <<= small.scale - large.scale;
	else
		small = moved_down(small, large.scale - small.scale);
	large.rest = small.rest;
	if (small.negative == large.negative) {
		large.magnitude += small.magnitude;
	} else if (small.magnitude > large.magnitude) {
		large.magnitude = small.magnitude - large.magnitude;
		large.negative = small.negative;
	} else {
		/* One less, and the rest what is missing of that one. */
		large.magnitude -= small.magnitude + (small.rest ? 1 : 0);
	}
	return large;
}

struct gfx_exact gfx_exact_reciprocal(struct gfx_exact value)
{
	gfx_magnitude one = (gfx_magnitude)1 << RECIPROCAL_BITS;

	return (struct gfx_exact){
		.negative = value.negative,
		.magnitude = one / value.magnitude,
		.rest = one % value.magnitude != 0,
		.scale = -RECIPROCAL_BITS - value.scale,
	};
}

bool gfx_exact_is_power(struct gfx_exact value, uint32_t base)
{
	int32_t low = zeros_below(value.magnitude);

	return length_of(value.magnitude) == low + 1 && (base == 2 || (low + value.scale) % 2 == 0);
}

/* The root of a number that ends in a one at an even place has half as many bits, or infinitely many. */
bool gfx_exact_is_square(struct gfx_exact value)
{
	int32_t low = zeros_below(value.magnitude);
	uint64_t odd = (uint64_t)(value.magnitude >> low), root = 0;

	if ((low + value.scale) % 2)
		return false;
	for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= odd)
			root |= bit;
	return root * root == odd;
}

bool gfx_exact_is_whole(struct gfx_exact value)
{
	return !value.rest && (!value.magnitude || zeros_below(value.magnitude) + value.scale >= 0);
}

/* A magnitude that was rounded to the bits that are kept, and whether something was lost. */
struct kept {
	gfx_magnitude magnitude;
	bool inexact;
};

static bool exact_goes_up(struct gfx_exact value, gfx_magnitude kept, gfx_magnitude below,
			  gfx_magnitude half, enum gfx_round round)
{
	bool lost = below || value.rest;

	switch (round) {
	case GFX_ROUND_NEAREST:
		return below > half || (below == half && half && (value.rest || kept & 1));
	case GFX_ROUND_UP:
		return !value.negative && lost;
	case GFX_ROUND_DOWN:
		return value.negative && lost;
	default:
		return false;
	}
}

/* Without its last @drop bits; a negative number of them adds zeros. */
static struct kept round_away(struct gfx_exact value, int32_t drop, enum gfx_round round)
{
	gfx_magnitude kept, below, half;

	if (drop <= 0)
		return (struct kept){value.magnitude << -drop, value.rest};
	if (drop > 127) {
		/* Nothing of it reaches the first bit below those kept. */
		value.rest = true;
		return (struct kept){exact_goes_up(value, 0, 0, 1, round) ? 1 : 0, true};
	}
	half = (gfx_magnitude)1 << (drop - 1);
	kept = value.magnitude >> drop;
	below = value.magnitude & (2 * half - 1);
	return (struct kept){
		.magnitude = kept + (exact_goes_up(value, kept, below, half, round) ? 1 : 0),
		.inexact = below || value.rest,
	};
}

static uint64_t overflowed(bool negative, const struct gfx_format *format, enum gfx_round round)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): 64 bits hold any format */
	uint64_t infinity = ((UINT64_C(1) << format->exponent_bits) - 1) << format->fraction_bits;
	bool to_infinity =
		round == GFX_ROUND_NEAREST || round == (negative ? GFX_ROUND_DOWN : GFX_ROUND_UP);

	return to_infinity ? infinity : infinity - 1;
}

/* A value that has more bits than are kept, or a rest; else zeros are added until that is so. */
static struct gfx_exact with_bits(struct gfx_exact value, int32_t count)
{
	int32_t up = count + 2 - length_of(value.magnitude);

	if (up > 0) {
		value.magnitude <<= up;
		value.scale -= up;
	}
	return value;
}

uint64_t gfx_exact_round(struct gfx_exact value, const struct gfx_format *format,
			 enum gfx_round round, uint32_t *exceptions)
{
	int32_t precision = (int32_t)format->fraction_bits + 1, least = 1 - bias(format), drop;
	uint64_t sign = (uint64_t)value.negative << (format->fraction_bits + format->exponent_bits);
	struct kept unbounded, kept;
	uint64_t exponent;
	bool tiny;

	if (!value.magnitude && !value.rest)
		return sign;
	value = with_bits(value, precision);
	drop = length_of(value.magnitude) - precision;
	unbounded = round_away(value, drop, round);
	tiny = length_of(unbounded.magnitude) + drop + value.scale - 1 < least;
	if (drop + value.scale < least - (int32_t)format->fraction_bits)
		drop = least - (int32_t)format->fraction_bits - value.scale;
	kept = round_away(value, drop, round);
	if (kept.inexact)
		*exceptions |= GFX_EXCEPTION_INEXACT;
	if (kept.inexact && tiny)
		*exceptions |= GFX_EXCEPTION_UNDERFLOW;
	/* Added to the exponent below, a first bit of the precision counts one, as does a carry. */
	exponent = (uint64_t)(drop + value.scale + (int32_t)format->fraction_bits - least);
	if (exponent < (UINT64_C(1) << format->exponent_bits)) {
		/* NOLINTNEXTLINE(clang-analyzer-core.BitwiseShift): 64 bits hold any format */
		uint64_t bits = (exponent << format->fraction_bits) + (uint64_t)kept.magnitude;

		if (bits >> format->fraction_bits < (UINT64_C(1) << format->exponent_bits) - 1)
			return sign | bits;
	}
	*exceptions |= GFX_EXCEPTION_OVERFLOW | GFX_EXCEPTION_INEXACT;
	return sign | overflowed(value.negative, format, round);
}
