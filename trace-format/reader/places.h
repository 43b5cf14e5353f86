/* SPDX-License-Identifier: MIT */
/*
 * The places of chunks as they become known: from heads, from indexes, and checked against each
 * other.
 */
#ifndef WT_TRACE_FORMAT_READER_PLACES_H
#define WT_TRACE_FORMAT_READER_PLACES_H

#include "trace-format/reader/internal.h"

/**
 * Add a chunk behind those known. False in @added_ret if it cannot be one: it is too large, does
 * not lie in the file, or its numbers do not follow.
 */
struct wt_error *wt_places_add(struct wt_reader *reader, const struct wt_index_entry *entry,
			       bool *added_ret);

/** Forget all chunks; names, Header and End that were found stay. */
void wt_places_forget(struct wt_reader *reader);

/** A block of a kind that is not known: an error if its flags say that it must be, else NULL. */
struct wt_error *wt_places_unknown_kind(const struct wt_reader *reader, unsigned int kind,
					unsigned int flags, uint64_t offset);

enum wt_index_use {
	WT_INDEX_ALL,  /* it tells of everything: what was found before is forgotten */
	WT_INDEX_NEXT, /* it goes on where what was found before ends */
	WT_INDEX_MORE, /* it may tell of chunks that a walk did not find */
};

/**
 * Use an index block: its chunks, and the packets it repeats. False in @fine_ret if it is damaged
 * or tells of what cannot be.
 */
struct wt_error *wt_places_use_index(struct wt_reader *reader, const struct wt_block *block,
				     enum wt_index_use use, bool *fine_ret);

/** Is the payload of an index block what its head says? */
struct wt_error *wt_places_check_index(struct wt_reader *reader, const struct wt_block *block,
				       bool *fine_ret);

#endif /* WT_TRACE_FORMAT_READER_PLACES_H */
