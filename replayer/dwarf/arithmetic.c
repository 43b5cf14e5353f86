/* SPDX-License-Identifier: MIT */
#include "replayer/dwarf/arithmetic.h"

#include <limits.h>
#include <string.h>

#include "replayer/dwarf/frame.h"

static bool is_signed_kind(const struct wt_dwarf_scalar *scalar)
{
	return scalar->kind == WT_DWARF_TYPE_SIGNED ||
	       ((scalar->kind == WT_DWARF_TYPE_CHARACTER || scalar->kind == WT_DWARF_TYPE_ENUM) &&
		scalar->is_signed);
}

/* All integers are computed with as many bits as the widest has. */
typedef unsigned __int128 whole;
typedef __int128 signed_whole;

static whole scalar_whole(const struct wt_dwarf_scalar *scalar)
{
	if (scalar->bits > 64)
		return (whole)scalar->high << 64 | scalar->number;
	if (is_signed_kind(scalar))
		return (whole)(int64_t)scalar->number;
	return scalar->number;
}

/* Leaves of a number what its type has room for. */
static void scalar_set(struct wt_dwarf_scalar *scalar, whole number)
{
	if (scalar->bits && scalar->bits < 128) {
		number &= ((whole)1 << scalar->bits) - 1;
		if (is_signed_kind(scalar) && number >> (scalar->bits - 1))
			number |= ~(whole)0 << scalar->bits;
	}
	scalar->number = (uint64_t)number;
	scalar->high = scalar->bits > 64 ? (uint64_t)(number >> 64) : 0;
}

bool wt_dwarf_is_true(const struct wt_dwarf_scalar *scalar)
{
	return scalar->kind == WT_DWARF_TYPE_FLOAT ? scalar->real != 0 : scalar_whole(scalar) != 0;
}

/* A real number as an integer; what does not fit is the nearest one that does, as on the GPU. */
static whole integer_of(double real, bool is_signed, unsigned int bits)
{
	double limit = bits > 64 ? 0x1p127 : 0x1p63;
	whole most = bits > 64 ? ~(whole)0 : UINT64_MAX;

	if (real != real)
		return 0;
	if (is_signed) {
		if (real >= limit)
			return most >> 1;
		return (whole)(real < -limit ? -(signed_whole)(most >> 1) - 1 : (signed_whole)real);
	}
	if (real <= 0)
		return 0;
	return real >= 2 * limit ? most : (whole)real;
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
			result.real = (double)(signed_whole)scalar_whole(scalar);
		else
			result.real = (double)scalar_whole(scalar);
		if (bits == 32)
			result.real = (double)(float)result.real;
		return result;
	}
	if (kind == WT_DWARF_TYPE_BOOLEAN) {
		result.number = wt_dwarf_is_true(scalar);
		return result;
	}
	scalar_set(&result, from_real ? integer_of(scalar->real, is_signed_kind(&result), bits)
				      : scalar_whole(scalar));
	return result;
}

/* Would a number without a sign be negative with one? */
static bool has_highest_bit(const struct wt_dwarf_scalar *scalar)
{
	return scalar->bits && scalar->bits <= 128 &&
	       (scalar_whole(scalar) >> (scalar->bits - 1) & 1);
}

/*
 * C++ computes with an enumeration as with int if its names fit into that and the program does not say otherwise, C with its names as with int and with
 * its variables without a sign. The type that DWARF has of it has none.
 */
const char *wt_dwarf_sign_doubt(const struct wt_dwarf_scalar *scalar, unsigned int bits)
{
	return scalar->is_of_enumeration && bits > scalar->bits && has_highest_bit(scalar)
		       ? "not known: the compiler does not say whether the enumeration has a sign"
		       : NULL;
}

const char *wt_dwarf_convert_to(const struct wt_dwarf_scalar *scalar,
				const struct wt_dwarf_type *type,
				struct wt_dwarf_scalar *result_ret)
{
	unsigned int bits = type->kind == WT_DWARF_TYPE_FLOAT	  ? UINT_MAX
			    : type->kind == WT_DWARF_TYPE_BOOLEAN ? 0
								  : (unsigned int)type->bits;
	const char *why = wt_dwarf_sign_doubt(scalar, bits);

	*result_ret = wt_dwarf_convert(scalar, type->kind, (unsigned int)type->bits,
				       type->is_signed || type->kind == WT_DWARF_TYPE_SIGNED);
	return why;
}

struct wt_dwarf_scalar wt_dwarf_promote(const struct wt_dwarf_scalar *scalar)
{
	struct wt_dwarf_scalar result;

	if (scalar->kind == WT_DWARF_TYPE_FLOAT)
		return wt_dwarf_convert(scalar, WT_DWARF_TYPE_FLOAT,
					scalar->bits < 32 ? 32 : scalar->bits, true);
	if (scalar->bits < 32)
		return wt_dwarf_convert(scalar, WT_DWARF_TYPE_SIGNED, 32, true);
	result = wt_dwarf_convert(
		scalar, is_signed_kind(scalar) ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED,
		scalar->bits, is_signed_kind(scalar));
	/* An enumeration that has such large numbers has no sign. */
	result.is_of_enumeration =
		scalar->is_of_enumeration || (scalar->kind == WT_DWARF_TYPE_ENUM &&
					      !scalar->is_signed && !has_highest_bit(scalar));
	return result;
}

/* Is a number of so many bits without a sign, which is certain? */
static bool is_surely_unsigned(const struct wt_dwarf_scalar *scalar, unsigned int bits)
{
	return scalar->bits == bits && !is_signed_kind(scalar) && !scalar->is_of_enumeration;
}

/* The type that both become. Return: NULL, or why it is not known what they are then. */
static const char *balance(struct wt_dwarf_scalar *a, struct wt_dwarf_scalar *b)
{
	unsigned int bits = a->bits > b->bits ? a->bits : b->bits;
	bool is_real = a->kind == WT_DWARF_TYPE_FLOAT || b->kind == WT_DWARF_TYPE_FLOAT;
	const char *first = wt_dwarf_sign_doubt(a, is_real ? UINT_MAX : bits);
	const char *why = first ? first : wt_dwarf_sign_doubt(b, is_real ? UINT_MAX : bits);
	bool is_signed, is_of_enumeration;

	if (is_real) {
		bits = 32;
		if ((a->kind == WT_DWARF_TYPE_FLOAT && a->bits > bits) ||
		    (b->kind == WT_DWARF_TYPE_FLOAT && b->bits > bits))
			bits = 64;
		*a = wt_dwarf_convert(a, WT_DWARF_TYPE_FLOAT, bits, true);
		*b = wt_dwarf_convert(b, WT_DWARF_TYPE_FLOAT, bits, true);
		return why;
	}
	is_of_enumeration = ((a->is_of_enumeration && a->bits == bits) ||
			     (b->is_of_enumeration && b->bits == bits)) &&
			    !is_surely_unsigned(a, bits) && !is_surely_unsigned(b, bits);
	is_signed = (is_signed_kind(a) || a->bits < bits) && (is_signed_kind(b) || b->bits < bits);
	*a = wt_dwarf_convert(a, is_signed ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED, bits,
			      is_signed);
	*b = wt_dwarf_convert(b, is_signed ? WT_DWARF_TYPE_SIGNED : WT_DWARF_TYPE_UNSIGNED, bits,
			      is_signed);
	a->is_of_enumeration = b->is_of_enumeration = is_of_enumeration;
	return why;
}

/* Is the result of an operation another one if its operands have a sign? */
static bool has_sign(const char *operator)
{
	return strchr("/%<>", operator[0]) && strcmp(operator, "<<") != 0;
}

static bool scalars_compare(const char *operator, const struct wt_dwarf_scalar * a,
			    const struct wt_dwarf_scalar *b, bool *result_ret)
{
	bool real = a->kind == WT_DWARF_TYPE_FLOAT, is_signed = is_signed_kind(a);
	whole x = scalar_whole(a), y = scalar_whole(b);
	bool less = real	? a->real < b->real
		    : is_signed ? (signed_whole)x < (signed_whole)y
				: x < y;
	bool same = real ? a->real == b->real : x == y;
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

/* Both have the sign that their common type gives them. */
static const char *whole_divide(bool remainder, bool is_signed, whole *a, whole b)
{
	if (!b)
		return "not known: a division by zero";
	if (!is_signed)
		*a = remainder ? *a % b : *a / b;
	else if (b == ~(whole)0)
		*a = remainder ? 0 : -*a;
	else
		*a = (whole)(remainder ? (signed_whole)*a % (signed_whole)b
				       : (signed_whole)*a / (signed_whole)b);
	return NULL;
}

static const char *shift(bool left, const struct wt_dwarf_scalar *scalar, whole *a, whole count)
{
	if (count >= scalar->bits)
		return "not known: a shift by more than the number has";
	if (left)
		*a <<= count;
	else if (is_signed_kind(scalar))
		*a = (whole)((signed_whole)*a >> count);
	else
		*a >>= count;
	return NULL;
}

static const char *compute_integer(char operator, bool is_signed, whole *a, whole b)
{
	switch (operator) {
	case '+':
		*a += b;
		return NULL;
	case '-':
		*a -= b;
		return NULL;
	case '*':
		*a *= b;
		return NULL;
	case '/':
	case '%':
		return whole_divide(operator== '%', is_signed, a, b);
	case '&':
		*a &= b;
		return NULL;
	case '|':
		*a |= b;
		return NULL;
	case '^':
		*a ^= b;
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
	whole number = scalar_whole(&a);
	const char *why;
	bool truth;

	if (!strcmp(operator, "<<") || !strcmp(operator, ">>")) {
		if (a.kind == WT_DWARF_TYPE_FLOAT || b.kind == WT_DWARF_TYPE_FLOAT)
			return "not known: a floating point number has no such operation";
		why = has_sign(operator) ? wt_dwarf_sign_doubt(&a, UINT_MAX) : NULL;
		if (!why)
			why = shift(operator[0] == '<', &a, &number, scalar_whole(&b));
	} else {
		why = balance(&a, &b);
		if (!why && has_sign(operator))
			why = wt_dwarf_sign_doubt(&a, UINT_MAX);
		if (!why && has_sign(operator))
			why = wt_dwarf_sign_doubt(&b, UINT_MAX);
		if (scalars_compare(operator, & a, &b, &truth)) {
			*result_ret = (struct wt_dwarf_scalar){.kind = WT_DWARF_TYPE_SIGNED,
							       .bits = 32,
							       .number = truth,
							       .is_signed = true};
			return why;
		}
		number = scalar_whole(&a);
		if (!why)
			why = a.kind == WT_DWARF_TYPE_FLOAT
				      ? compute_real(operator[0], &a, b.real)
				      : compute_integer(operator[0], is_signed_kind(&a), &number,
							scalar_whole(&b));
	}
	if (a.kind != WT_DWARF_TYPE_FLOAT)
		scalar_set(&a, number);
	*result_ret = a;
	return why;
}

struct wt_dwarf_scalar wt_dwarf_negate(char operator, const struct wt_dwarf_scalar * a)
{
	struct wt_dwarf_scalar result = wt_dwarf_promote(a);

	if (result.kind == WT_DWARF_TYPE_FLOAT)
		result.real = -result.real;
	else
		scalar_set(&result, operator== '~' ? ~scalar_whole(&result)
						   : - scalar_whole(&result));
	return result;
}

const char *wt_dwarf_scalar_name(const struct wt_dwarf_scalar *scalar)
{
	switch (scalar->kind) {
	case WT_DWARF_TYPE_FLOAT:
		return scalar->bits == 64		  ? "double"
		       : scalar->bits == 32		  ? "float"
		       : scalar->form == WT_REAL_BFLOAT16 ? "__bf16"
							  : "_Float16";
	case WT_DWARF_TYPE_BOOLEAN:
		return "_Bool";
	case WT_DWARF_TYPE_SIGNED:
		return scalar->bits == 128  ? "__int128"
		       : scalar->bits == 64 ? "long"
		       : scalar->bits == 16 ? "short"
		       : scalar->bits == 8  ? "signed char"
					    : "int";
	case WT_DWARF_TYPE_CHARACTER:
		return "char";
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ENUM:
	case WT_DWARF_TYPE_POINTER:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		break;
	}
	return scalar->bits == 128  ? "unsigned __int128"
	       : scalar->bits == 64 ? "unsigned long"
	       : scalar->bits == 16 ? "unsigned short"
	       : scalar->bits == 8  ? "unsigned char"
				    : "unsigned int";
}
