/* SPDX-License-Identifier: MIT */
/*
 * Values that the text of the source says, where the code has none: a variable that is never assigned to has what its declaration computes, as
 * long as what it is computed of keeps its value, too.
 */
#ifndef WT_REPLAYER_DWARF_DECLARED_VALUE_H
#define WT_REPLAYER_DWARF_DECLARED_VALUE_H

#include "replayer/dwarf/variable.h"

/** Find a variable as wt_dwarf_variable_find() does; of one that is not known, the value that its declaration computes. */
void wt_dwarf_value_find(const struct wt_dwarf_frame *frame, struct wt_dwarf_unit *unit,
			 Dwarf_Off function, Dwarf_Die *die, const struct wt_dwarf_type *type,
			 uint32_t lane, struct wt_dwarf_trust *trust,
			 struct wt_dwarf_location *location_ret);

#endif /* WT_REPLAYER_DWARF_DECLARED_VALUE_H */
