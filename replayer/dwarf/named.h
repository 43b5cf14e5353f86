/* SPDX-License-Identifier: MIT */
/* Types by the names that users write: in casts. */
#ifndef WT_REPLAYER_DWARF_NAMED_H
#define WT_REPLAYER_DWARF_NAMED_H

#include "replayer/dwarf/type.h"

struct wt_dwarf_named {
	struct wt_dwarf_type type; /* what it names, or points to */
	bool is_pointer;
	bool has_space; /* it says where it points to: local, private, global, generic */
	enum gfx_space space;
};

/**
 * Read a type: "float", "unsigned int", "struct pair *", "local int *".
 *
 * @end_ret: behind it.
 * Return: false if there is none of that name.
 */
bool wt_dwarf_named_parse(struct wt_dwarf_unit *unit, const char *text,
			  struct wt_dwarf_named *named_ret, const char **end_ret);

#endif /* WT_REPLAYER_DWARF_NAMED_H */
