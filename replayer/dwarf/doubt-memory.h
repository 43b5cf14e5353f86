/* SPDX-License-Identifier: MIT */
/* Memory of optimised code: which bytes of a variable were stored at all. */
#ifndef WT_REPLAYER_DWARF_DOUBT_MEMORY_H
#define WT_REPLAYER_DWARF_DOUBT_MEMORY_H

#include "replayer/dwarf/type.h"

/** For a place in private memory that holds in all of a variable's scope, notes which bytes were stored for certain. */
void wt_dwarf_doubt_memory(const struct wt_dwarf_context *context, Dwarf_Off function,
			   const struct wt_dwarf_type *type, struct wt_dwarf_location *location);

#endif /* WT_REPLAYER_DWARF_DOUBT_MEMORY_H */
