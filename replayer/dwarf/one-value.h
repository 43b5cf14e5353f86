/* SPDX-License-Identifier: MIT */
/*
 * Variables that have one value for as long as their function runs, as the text of the source says: where that is at hand, and is what was
 * compiled.
 */
#ifndef WT_REPLAYER_DWARF_ONE_VALUE_H
#define WT_REPLAYER_DWARF_ONE_VALUE_H

#include "replayer/code/assignments.h"
#include "replayer/dwarf/type.h"

/**
 * Has a variable at the frame's address the value of its declaration, and none but that while the function runs?
 *
 * @function: the offset of the entry of its function.
 * @text_ret: its declaration; is_once: the same holds in all calls of this function that are parts of the frame.
 */
bool wt_dwarf_has_one_value(const struct wt_dwarf_context *context, Dwarf_Off function,
			    Dwarf_Die *die, const struct wt_dwarf_type *type,
			    struct wt_text_variable *text_ret);

#endif /* WT_REPLAYER_DWARF_ONE_VALUE_H */
