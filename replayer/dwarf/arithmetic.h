/* SPDX-License-Identifier: MIT */
/* Numbers as C computes with them. */
#ifndef WT_REPLAYER_DWARF_ARITHMETIC_H
#define WT_REPLAYER_DWARF_ARITHMETIC_H

#include "replayer/dwarf/variable.h"

/** Bring a number to another kind (SIGNED, UNSIGNED, BOOLEAN, CHARACTER, FLOAT, POINTER) and size, as a cast does. */
struct wt_dwarf_scalar wt_dwarf_convert(const struct wt_dwarf_scalar *scalar,
					enum wt_dwarf_kind kind, unsigned int bits, bool is_signed);

/**
 * Bring a number to such a type. The name of an enumerator, and the rounding of narrow floats, are the caller's.
 *
 * Return: NULL, or why it is not known which number that is.
 */
const char *wt_dwarf_convert_to(const struct wt_dwarf_scalar *scalar,
				const struct wt_dwarf_type *type,
				struct wt_dwarf_scalar *result_ret);

/**
 * Does a number of a computation with an enumeration mean another one if the program computes with a sign?
 *
 * @bits: of it that are needed; as many as it has are the same in any case.
 * Return: NULL if not, else why it is not known.
 */
const char *wt_dwarf_sign_doubt(const struct wt_dwarf_scalar *scalar, unsigned int bits);

/** Is it other than zero? */
bool wt_dwarf_is_true(const struct wt_dwarf_scalar *scalar);

/** Promote: what is smaller than an int becomes one. */
struct wt_dwarf_scalar wt_dwarf_promote(const struct wt_dwarf_scalar *scalar);

/**
 * Compute a + b and so on.
 *
 * @operator: "+", "<<", "==".
 * Return: NULL, or why there is no result.
 */
const char *wt_dwarf_compute(const char *operator, const struct wt_dwarf_scalar * a,
			     const struct wt_dwarf_scalar *b, struct wt_dwarf_scalar *result_ret);

/** Compute -a or ~a. */
struct wt_dwarf_scalar wt_dwarf_negate(char operator, const struct wt_dwarf_scalar * a);

/** "unsigned int": what C calls the type of a computed number. */
const char *wt_dwarf_scalar_name(const struct wt_dwarf_scalar *scalar);

#endif /* WT_REPLAYER_DWARF_ARITHMETIC_H */
