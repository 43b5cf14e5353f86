/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A form of at most 16 bits is made of these. */
struct real_parts {
	unsigned int bits, exponent, fraction;
	int bias;
	bool has_infinity; /* the largest exponent is kept for infinities and NaN */
	bool is_unsigned_zero;
};

static const struct real_parts half = {16, 5, 10, 15, true, false};

static const struct real_parts others[] = {
	[WT_REAL_BFLOAT16] = {16, 8, 7, 127, true, false},
	[WT_REAL_E4M3] = {8, 4, 3, 7, false, false},
	[WT_REAL_E5M2] = {8, 5, 2, 15, true, false},
	[WT_REAL_E4M3_FNUZ] = {8, 4, 3, 8, false, true},
	[WT_REAL_E5M2_FNUZ] = {8, 5, 2, 16, false, true},
};

/* NULL for float and double, and for what is not known. */
static const struct real_parts *real_parts_of(enum wt_real_form form, unsigned int bits)
{
	const struct real_parts *parts = form == WT_REAL_IEEE ? &half : &others[form];

	return parts->bits == bits ? parts : NULL;
}

bool wt_real_is_known(enum wt_real_form form, unsigned int bits)
{
	return real_parts_of(form, bits) || (form == WT_REAL_IEEE && (bits == 32 || bits == 64));
}

static bool parts_are_nan(const struct real_parts *parts, unsigned int exponent,
			  unsigned int fraction, bool negative)
{
	unsigned int most = (1u << parts->exponent) - 1;

	if (parts->is_unsigned_zero)
		return negative && !exponent && !fraction;
	if (parts->has_infinity)
		return exponent == most && fraction;
	return exponent == most && fraction == (1u << parts->fraction) - 1;
}

static double real_from_parts(const struct real_parts *parts, uint64_t number)
{
	unsigned int fraction = (unsigned int)number & ((1u << parts->fraction) - 1);
	unsigned int most = (1u << parts->exponent) - 1;
	unsigned int exponent = (unsigned int)(number >> parts->fraction) & most;
	bool negative = number >> (parts->bits - 1) & 1;
	double value = ldexp(fraction, -(int)parts->fraction);

	if (parts_are_nan(parts, exponent, fraction, negative))
		return NAN;
	if (parts->has_infinity && exponent == most)
		value = INFINITY;
	else
		value = ldexp(exponent ? 1 + value : value,
			      (exponent ? (int)exponent : 1) - parts->bias);
	return negative ? -value : value;
}

double wt_real_of(enum wt_real_form form, unsigned int bits, uint64_t number)
{
	const struct real_parts *parts = real_parts_of(form, bits);
	union {
		uint64_t bits;
		double real;
	} whole = {.bits = number};
	union {
		uint32_t bits;
		float real;
	} single = {.bits = (uint32_t)number};

	if (parts)
		return real_from_parts(parts, number);
	return bits == 32 ? (double)single.real : whole.real;
}

/* The largest number that is finite. */
static double real_largest(const struct real_parts *parts)
{
	uint64_t number = (UINT64_C(1) << (parts->bits - 1)) - 1;

	/* Behind it come infinity and NaN, or one NaN, or nothing. */
	if (parts->has_infinity)
		number -= UINT64_C(1) << parts->fraction;
	else if (!parts->is_unsigned_zero)
		number -= 1;
	return real_from_parts(parts, number);
}

double wt_real_round(enum wt_real_form form, unsigned int bits, double real)
{
	const struct real_parts *parts = real_parts_of(form, bits);
	int exponent;
	double unit, rounded;

	if (!parts)
		return bits == 32 ? (double)(float)real : real;
	if (!isfinite(real) || real == 0)
		return isinf(real) && !parts->has_infinity ? (double)NAN : real;
	frexp(real, &exponent);
	exponent--;
	if (exponent < 1 - parts->bias)
		exponent = 1 - parts->bias;
	unit = ldexp(1, exponent - (int)parts->fraction);
	rounded = nearbyint(real / unit) * unit;
	if (fabs(rounded) > real_largest(parts))
		return parts->has_infinity ? copysign(INFINITY, real) : (double)NAN;
	return rounded;
}

/* How many digits are written before an exponent is: as many as are always kept, as GDB does. */
static int real_digits(unsigned int bits)
{
	return bits == 64 ? 17 : bits == 32 ? 9 : 6;
}

/* Without an exponent: as many digits behind the point as a number of so many digits has. */
static void real_write(double real, int digits, int exponent, unsigned int bits,
		       char text[WT_REAL_TEXT_MAX])
{
	if (exponent < -4 || exponent >= real_digits(bits))
		snprintf(text, WT_REAL_TEXT_MAX, "%.*e", digits - 1, real);
	else
		snprintf(text, WT_REAL_TEXT_MAX, "%.*f",
			 digits - 1 > exponent ? digits - 1 - exponent : 0, real);
}

void wt_real_text(enum wt_real_form form, unsigned int bits, double real,
		  char text[WT_REAL_TEXT_MAX])
{
	char shortest[WT_REAL_TEXT_MAX];

	if (!isfinite(real)) {
		/* The sign of a NaN is not told: not all forms have one. */
		snprintf(text, WT_REAL_TEXT_MAX, "%s",
			 isnan(real) ? "nan"
			 : real < 0  ? "-inf"
				     : "inf");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(shortest, sizeof(shortest), "%.*e", digits - 1, real);
		if (digits < 17 && wt_real_round(form, bits, strtod(shortest, NULL)) != real)
			continue;
		real_write(real, digits, atoi(strchr(shortest, 'e') + 1), bits, text);
		return;
	}
}

/* ---- Classes ---- */

static const struct {
	const char *name;
	unsigned int bits, count;
	enum wt_real_form form;
} classes[] = {
	{"__half", 16, 1, WT_REAL_IEEE},
	{"__half2", 16, 2, WT_REAL_IEEE},
	{"__hip_bfloat16", 16, 1, WT_REAL_BFLOAT16},
	{"__hip_bfloat162", 16, 2, WT_REAL_BFLOAT16},
	{"hip_bfloat16", 16, 1, WT_REAL_BFLOAT16},
	{"__hip_fp8_e4m3", 8, 1, WT_REAL_E4M3},
	{"__hip_fp8x2_e4m3", 8, 2, WT_REAL_E4M3},
	{"__hip_fp8x4_e4m3", 8, 4, WT_REAL_E4M3},
	{"__hip_fp8_e5m2", 8, 1, WT_REAL_E5M2},
	{"__hip_fp8x2_e5m2", 8, 2, WT_REAL_E5M2},
	{"__hip_fp8x4_e5m2", 8, 4, WT_REAL_E5M2},
	{"__hip_fp8_e4m3_fnuz", 8, 1, WT_REAL_E4M3_FNUZ},
	{"__hip_fp8x2_e4m3_fnuz", 8, 2, WT_REAL_E4M3_FNUZ},
	{"__hip_fp8x4_e4m3_fnuz", 8, 4, WT_REAL_E4M3_FNUZ},
	{"__hip_fp8_e5m2_fnuz", 8, 1, WT_REAL_E5M2_FNUZ},
	{"__hip_fp8x2_e5m2_fnuz", 8, 2, WT_REAL_E5M2_FNUZ},
	{"__hip_fp8x4_e5m2_fnuz", 8, 4, WT_REAL_E5M2_FNUZ},
};

unsigned int wt_real_class(const char *name, uint64_t size, enum wt_real_form *form_ret,
			   unsigned int *bits_ret)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (strcmp(classes[i].name, name) != 0 ||
		    (uint64_t)classes[i].bits * classes[i].count != size)
			continue;
		*form_ret = classes[i].form;
		*bits_ret = classes[i].bits;
		return classes[i].count;
	}
	return 0;
}
