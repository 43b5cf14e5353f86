/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/arithmetic.h"

#include <string.h>

#include "replayer/dwarf/frame.h"

static bool is_signed_kind(const struct wt_dwarf_scalar *scalar)
{
	return scalar->kind == WT_DWARF_TYPE_SIGNED ||
	       ((scalar->kind == WT_DWARF_TYPE_CHARACTER || scalar->kind == WT_DWARF_TYPE_ENUM) &&
		scalar->is_signed);
}

bool wt_dwarf_is_true(const struct wt_dwarf_scalar *scalar)
{
	return scalar->kind == WT_DWARF_TYPE_FLOAT ? scalar->real != 0 : scalar->number != 0;
}

/* A real number as an integer; what does not fit is the nearest one that does, as on the GPU. */
static uint64_t integer_of(double real, bool is_signed)
{
	if (real != real)
		return 0;
	if (is_signed) {
		if (real >= 0x1p63)
			return INT64_MAX;
		return (uint64_t)(real < -0x1p63 ? INT64_MIN : (int64_t)real);
	}
	if (real <= 0)
		return 0;
	return real >= 0x1p64 ? UINT64_MAX : (uint64_t)real;
}

static void scalar_cut(struct wt_dwarf_scalar *scalar)
{
	if (!scalar->bits || scalar->bits >= 64)
		return;
	scalar->number &= (UINT64_C(1) << scalar->bits) - 1;
	if (is_signed_kind(scalar) && scalar->number >> (scalar->bits - 1))
		scalar->number |= UINT64_MAX << scalar->bits;
}

struct wt_dwarf_scalar wt_dwarf_convert(const struct wt_dwarf_scalar *scalar,
					enum wt_dwarf_kind kind, unsigned int bits, bool is_signed)
{
	struct wt_dwarf_scalar result = {.kind = kind, .bits = bits, .is_signed = is_signed};
	bool from_real = scalar->kind == WT_DWARF_TYPE_FLOAT;

	if (kind == WT_DWARF_TYPE_FLOAT) {
		if (from_real)
			result.real = scalar->real;
		else if (is_signed_kind(scalar))
			result.real = (double)(int64_t)scalar->number;
		else
			result.real = (double)scalar->number;
		if (bits == 32)
			result.real = (double)(float)result.real;
		return result;
	}
	if (kind == WT_DWARF_TYPE_BOOLEAN) {
		result.number = wt_dwarf_is_true(scalar);
		return result;
	}
	result.number =
		from_real ? integer_of(scalar->real, is_signed_kind(&result)) : scalar->number;
	scalar_cut(&result);
	return result;
}

struct wt_dwarf_scalar wt_dwarf_promote(const struct wt_dwarf_scalar *scalar)
{
	if (scalar->kind == WT_DWARF_TYPE_FLOAT)
		return wt_dwarf_convert(scalar, WT_DWARF_TYPE_FLOAT,
					scalar->bits < 32 ? 32 : scalar->bits, true);
	if (scalar->bits < 32)
		return wt_dwarf_convert(scalar, WT_DWARF_TYPE_SIGNED, 32, true);
	return wt_dwarf_convert(
		scalar, is_signed_kind(scalar) ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED,
		scalar->bits, is_signed_kind(scalar));
}

/* The type that both become. */
static void balance(struct wt_dwarf_scalar *a, struct wt_dwarf_scalar *b)
{
	unsigned int bits = a->bits > b->bits ? a->bits : b->bits;
	bool is_signed;

	if (a->kind == WT_DWARF_TYPE_FLOAT || b->kind == WT_DWARF_TYPE_FLOAT) {
		bits = 32;
		if ((a->kind == WT_DWARF_TYPE_FLOAT && a->bits > bits) ||
		    (b->kind == WT_DWARF_TYPE_FLOAT && b->bits > bits))
			bits = 64;
		*a = wt_dwarf_convert(a, WT_DWARF_TYPE_FLOAT, bits, true);
		*b = wt_dwarf_convert(b, WT_DWARF_TYPE_FLOAT, bits, true);
		return;
	}
	is_signed = (is_signed_kind(a) || a->bits < bits) && (is_signed_kind(b) || b->bits < bits);
	*a = wt_dwarf_convert(a, is_signed ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED, bits,
			      is_signed);
	*b = wt_dwarf_convert(b, is_signed ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED, bits,
			      is_signed);
}

static bool scalars_compare(const char *operator, const struct wt_dwarf_scalar * a,
			    const struct wt_dwarf_scalar *b, bool *result_ret)
{
	bool real = a->kind == WT_DWARF_TYPE_FLOAT, is_signed = is_signed_kind(a);
	bool less = real	? a->real < b->real
		    : is_signed ? (int64_t)a->number < (int64_t)b->number
				: a->number < b->number;
	bool same = real ? a->real == b->real : a->number == b->number;
	bool ordered = !real || (a->real == a->real && b->real == b->real);

	if (!strcmp(operator, "<"))
		*result_ret = less;
	else if (!strcmp(operator, "<="))
		*result_ret = less || same;
	else if (!strcmp(operator, ">"))
		*result_ret = ordered && !less && !same;
	else if (!strcmp(operator, ">="))
		*result_ret = ordered && !less;
	else if (!strcmp(operator, "=="))
		*result_ret = same;
	else if (!strcmp(operator, "!="))
		*result_ret = !same;
	else
		return false;
	return true;
}

static const char *compute_real(char operator, struct wt_dwarf_scalar * a, double b)
{
	switch (operator) {
	case '+':
		a->real += b;
		break;
	case '-':
		a->real -= b;
		break;
	case '*':
		a->real *= b;
		break;
	case '/':
		a->real /= b;
		break;
	default:
		return "not known: a floating point number has no such operation";
	}
	if (a->bits == 32)
		a->real = (double)(float)a->real;
	return NULL;
}

static const char *scalar_divide(bool remainder, struct wt_dwarf_scalar *a, uint64_t b)
{
	if (!b)
		return "not known: a division by zero";
	if (!is_signed_kind(a))
		a->number = remainder ? a->number % b : a->number / b;
	else if (b == UINT64_MAX)
		a->number = remainder ? 0 : -a->number;
	else
		a->number = (uint64_t)(remainder ? (int64_t)a->number % (int64_t)b
						 : (int64_t)a->number / (int64_t)b);
	return NULL;
}

static const char *shift(bool left, struct wt_dwarf_scalar *a, uint64_t count)
{
	if (count >= a->bits)
		return "not known: a shift by more than the number has";
	if (left)
		a->number <<= count;
	else if (is_signed_kind(a))
		a->number = (uint64_t)((int64_t)a->number >> count);
	else
		a->number >>= count;
	return NULL;
}

static const char *compute_integer(char operator, struct wt_dwarf_scalar * a, uint64_t b)
{
	switch (operator) {
	case '+':
		a->number += b;
		return NULL;
	case '-':
		a->number -= b;
		return NULL;
	case '*':
		a->number *= b;
		return NULL;
	case '/':
	case '%':
		return scalar_divide(operator== '%', a, b);
	case '&':
		a->number &= b;
		return NULL;
	case '|':
		a->number |= b;
		return NULL;
	case '^':
		a->number ^= b;
		return NULL;
	default:
		return "not known: there is no such operation";
	}
}

const char *wt_dwarf_compute(const char *operator, const struct wt_dwarf_scalar * first,
			     const struct wt_dwarf_scalar *second,
			     struct wt_dwarf_scalar *result_ret)
{
	struct wt_dwarf_scalar a = wt_dwarf_promote(first), b = wt_dwarf_promote(second);
	const char *why;
	bool truth;

	if (!strcmp(operator, "<<") || !strcmp(operator, ">>")) {
		if (a.kind == WT_DWARF_TYPE_FLOAT || b.kind == WT_DWARF_TYPE_FLOAT)
			return "not known: a floating point number has no such operation";
		why = shift(operator[0] == '<', &a, b.number);
	} else {
		balance(&a, &b);
		if (scalars_compare(operator, & a, &b, &truth)) {
			*result_ret = (struct wt_dwarf_scalar){.kind = WT_DWARF_TYPE_SIGNED,
							       .bits = 32,
							       .number = truth,
							       .is_signed = true};
			return NULL;
		}
		why = a.kind == WT_DWARF_TYPE_FLOAT ? compute_real(operator[0], &a, b.real)
						    : compute_integer(operator[0], &a, b.number);
	}
	scalar_cut(&a);
	*result_ret = a;
	return why;
}

const char *wt_dwarf_scalar_name(const struct wt_dwarf_scalar *scalar)
{
	switch (scalar->kind) {
	case WT_DWARF_TYPE_FLOAT:
		return scalar->bits == 64 ? "double" : scalar->bits == 32 ? "float" : "_Float16";
	case WT_DWARF_TYPE_BOOLEAN:
		return "_Bool";
	case WT_DWARF_TYPE_SIGNED:
		return scalar->bits == 64 ? "long" : scalar->bits == 16 ? "short" : "int";
	case WT_DWARF_TYPE_CHARACTER:
		return scalar->is_signed ? "signed char" : "unsigned char";
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ENUM:
	case WT_DWARF_TYPE_POINTER:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		break;
	}
	return scalar->bits == 64   ? "unsigned long"
	       : scalar->bits == 16 ? "unsigned short"
				    : "unsigned int";
}
