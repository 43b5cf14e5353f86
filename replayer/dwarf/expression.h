/* SPDX-License-Identifier: MIT */
/*
 * Location expressions, of DWARF 4 and 5 and with AMD's operations for waves: address spaces, lanes, and locations on the
 * stack.
 *
 * Compilers write expressions that mean less than they seem to: a value of 32 bits that is shifted as if it had 64, or an
 * address in a vector register that is a value. What can be read in two ways is not answered.
 */
#ifndef WT_REPLAYER_DWARF_EXPRESSION_H
#define WT_REPLAYER_DWARF_EXPRESSION_H

#include "replayer/dwarf/place.h"

/** Find where an object is. Where that is not known, the location is one piece that says why. */
void wt_dwarf_evaluate(const struct wt_dwarf_context *context, struct wt_cursor bytes,
		       struct wt_dwarf_location *location_ret);

/** Find a value that is an address, and the like. Return: NULL, or why it is not known. */
const char *wt_dwarf_evaluate_number(const struct wt_dwarf_context *context, struct wt_cursor bytes,
				     uint64_t *number_ret);

/** Make a location that says why nothing is known. @why: a static text. */
void wt_dwarf_location_unknown(struct wt_dwarf_location *location, const char *why);

/** The number of an address space in this unit's DWARF as ours; false if it is none. */
bool wt_dwarf_space(const struct wt_dwarf_unit *unit, uint64_t number, enum gfx_space *space_ret);

#endif /* WT_REPLAYER_DWARF_EXPRESSION_H */
