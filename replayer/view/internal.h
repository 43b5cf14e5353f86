/* SPDX-License-Identifier: MIT */
/* The view itself, for the files that answer from it. */
#ifndef WT_REPLAYER_VIEW_INTERNAL_H
#define WT_REPLAYER_VIEW_INTERNAL_H

#include "replayer/recorded/register-values.h"
#include "replayer/recorded/wave-memory.h"

/* A string handed out, with the item and query it is of. */
struct wt_view_string {
	struct wt_view_string_key {
		uint64_t handle;
		uint32_t object, query;
	} key;
	char *text;
	UT_hash_handle hh;
};

/* Segments of code objects are kept in the order of the addresses at which they are loaded. */
struct wt_view_segments {
	bool known; /* else it is found out with the first address that is asked for */
	struct wt_view_segment *list;
	size_t count;
};

struct wt_view {
	struct wt_reader *reader;
	const struct wt_moment *moment; /* NULL: the facts alone */
	size_t processes;		/* that were attached at it */
	struct wt_state *state;
	struct wt_table_names names;
	struct wt_layout layout;
	struct wt_recorded recorded;
	struct wt_view_string *strings;
	uint64_t *handles[WT_OBJECT_COUNT]; /* of objects that no list names, once asked for */
	size_t handle_counts[WT_OBJECT_COUNT];
	struct wt_view_segments *segments;
	size_t register_found; /* where in a wave's list the last one is that was asked for by its name */
};

/* viewed-code.c */

/** Is an address, as the ELF file counts, in a segment of an image? */
bool wt_image_covers(const uint8_t *image, size_t size, uint64_t address);

/** A word that is there, little endian; false if there is none. */
bool wt_image_word(const uint8_t *image, size_t size, uint64_t address, uint32_t *word_ret);

#endif /* WT_REPLAYER_VIEW_INTERNAL_H */
