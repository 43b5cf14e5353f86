/* SPDX-License-Identifier: MIT */
/*
 * When the compiler's word on a variable is not taken. What it writes of optimised code is true for a part of that only: instructions
 * are moved and merged, loops become straight code, and what nothing reads any more is not stored. Assignments of which no instruction is
 * left are forgotten, and a place goes on as if they had not been.
 *
 * The rule: a place is taken if the code around the pc is in the order of the source, for all that the variable may be assigned there, and
 * if instructions need what it has; a constant only where its description begins. Where the text of the source proves that the variable is
 * given one value, and once only (see one-value.h), there is nothing that could have been moved or forgotten: then its place is taken
 * wherever the compiler names one whose registers were needed whole and are not written since, and a constant in any case.
 */
#ifndef WT_REPLAYER_DWARF_TRUST_H
#define WT_REPLAYER_DWARF_TRUST_H

#include "replayer/dwarf/type.h"

#define WT_DWARF_NOT_NEEDED WT_DWARF_OPTIMIZED_OUT ": no instruction needs what is described"
#define WT_DWARF_ONLY_A_CONSTANT WT_DWARF_OPTIMIZED_OUT ": only a constant that it had is described"

/**
 * Why a place may be that of the variable somewhere else only, which is the same for all lanes.
 *
 * @function: the offset of the entry of its function. @expression: what describes the place, which was evaluated to @location.
 * Return: NULL if it is the place here; else the reason.
 */
const char *wt_dwarf_distrust(const struct wt_dwarf_context *context, Dwarf_Off function,
			      Dwarf_Die *die, const struct wt_dwarf_type *type,
			      const struct wt_dwarf_expression *expression,
			      const struct wt_dwarf_location *location);

#endif /* WT_REPLAYER_DWARF_TRUST_H */
