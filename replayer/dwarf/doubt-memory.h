/* SPDX-License-Identifier: MIT */
/* Memory of optimised code: which bytes of a variable were stored at all. */
#ifndef WT_REPLAYER_DWARF_DOUBT_MEMORY_H
#define WT_REPLAYER_DWARF_DOUBT_MEMORY_H

#include "replayer/dwarf/type.h"

/** For a place in private memory that holds in all of a variable's scope, notes which bytes were stored for certain. */
void wt_dwarf_doubt_memory(const struct wt_dwarf_context *context, Dwarf_Off function,
			   const struct wt_dwarf_type *type, struct wt_dwarf_location *location);

/* Bytes of a lane's private memory. */
struct wt_dwarf_bytes {
	uint64_t from, to;
};

/**
 * Lists the bytes of private memory that the function has certainly stored when it comes to the pc: by instructions
 * that name the place, and that no branch and no mask of lanes leaves out.
 *
 * @bytes_ret: room for @max of them; more are left out. Return: how many.
 */
size_t wt_dwarf_stored_bytes(const struct wt_dwarf_frame *frame, size_t max,
			     struct wt_dwarf_bytes *bytes_ret);

/**
 * Which bytes of a range of private memory may code behind the pc load as they are now, and not as it stores them itself? Functions that are
 * called may if their caller makes an address of private memory there.
 *
 * @range: of 64 bytes at most. @is_alike: it has nothing but elements of one kind, of which a load with an index may need each. Return: a bit for each, from the first on; 0 if the code is not known.
 */
uint64_t wt_dwarf_needed_bytes(const struct wt_dwarf_frame *frame,
			       const struct wt_dwarf_bytes *range, bool is_alike);

#endif /* WT_REPLAYER_DWARF_DOUBT_MEMORY_H */
