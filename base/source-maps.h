/* SPDX-License-Identifier: MIT */
/* Source maps: "FROM=TO", by which a person says in which files the names of source in a trace are. */
#ifndef WT_BASE_SOURCE_MAPS_H
#define WT_BASE_SOURCE_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#define WT_SOURCE_MAPS 16

/* Replacements for beginnings of names: the first that fits and has the file counts. Texts belong to the caller. */
struct wt_source_maps {
	struct wt_source_map {
		const char *from; /* may be "": then it fits names that are not absolute */
		size_t from_size;
		const char *to;
	} list[WT_SOURCE_MAPS];
	size_t count;
};

/** Take "FROM=TO"; false if it has no '=', no TO, or if there are WT_SOURCE_MAPS already. */
bool wt_source_maps_add(struct wt_source_maps *maps, const char *text);

#endif /* WT_BASE_SOURCE_MAPS_H */
