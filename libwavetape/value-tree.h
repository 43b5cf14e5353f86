/* SPDX-License-Identifier: MIT */
/* Values of variables, as trees. */
#ifndef WT_LIBWAVETAPE_VALUE_TREE_H
#define WT_LIBWAVETAPE_VALUE_TREE_H

#include "libwavetape/handles.h"
#include "replayer/dwarf/variable.h"

#define WT_VALUE_DEPTH 32 /* the depth of types is limited to less */

struct wavetape_value {
	struct wavetape_value_info info; /* strings are its own */
	struct wavetape_value *parts;
	size_t capacity;
};

/* A value that is being made. */
struct wt_value_maker {
	struct wavetape_value *open[WT_VALUE_DEPTH]; /* from the outside in */
	size_t depth;
	char *name; /* of the member that comes next */
	struct wavetape_value *root;
	bool failed; /* no memory */
};

/** Makes a value of what it is shown. @maker: zeros but for `root`, a value of zeros. */
struct wt_dwarf_sink wt_value_maker_sink(struct wt_value_maker *maker);

#endif /* WT_LIBWAVETAPE_VALUE_TREE_H */
