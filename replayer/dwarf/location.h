/* SPDX-License-Identifier: MIT */
/* Location attributes: which expression holds at an address. */
#ifndef WT_REPLAYER_DWARF_LOCATION_H
#define WT_REPLAYER_DWARF_LOCATION_H

#include "base/buffer.h"
#include "replayer/dwarf/object.h"

/* An expression, and where it holds. */
struct wt_dwarf_expression {
	struct wt_cursor bytes;
	bool listed;  /* it is of a list: it holds from @from up to @to; else in the whole scope */
	bool is_only; /* the list has no other entry */
	uint64_t from, to; /* addresses of the ELF file */
};

enum wt_dwarf_found {
	WT_DWARF_FOUND,
	WT_DWARF_NONE, /* the attribute is not there, or no entry of its list covers the address */
	WT_DWARF_BROKEN, /* it cannot be read */
};

/**
 * The expression of an entry's attribute (DW_AT_location, DW_AT_frame_base) that holds at an address of the ELF file.
 */
enum wt_dwarf_found wt_dwarf_location_find(struct wt_dwarf_unit *unit, Dwarf_Die *die,
					   unsigned int name, uint64_t pc,
					   struct wt_dwarf_expression *expression_ret);

/** The entry of a number of an attribute's list: from 0, in the order of the list. NONE behind the last one, and if it is no list. */
enum wt_dwarf_found wt_dwarf_location_entry(struct wt_dwarf_unit *unit, Dwarf_Die *die,
					    unsigned int name, size_t index,
					    struct wt_dwarf_expression *expression_ret);

#endif /* WT_REPLAYER_DWARF_LOCATION_H */
