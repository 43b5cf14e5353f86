/* SPDX-License-Identifier: MIT */
/*
 * The list of a trace's chunks and their places in the file. It is filled from heads and from indexes, which are checked
 * against each other.
 */
#ifndef WT_TRACE_FORMAT_READER_CHUNK_PLACES_H
#define WT_TRACE_FORMAT_READER_CHUNK_PLACES_H

#include "trace-format/reader/internal.h"

/**
 * Add a chunk after the known ones. @added_ret: false if it is invalid: it is too large, lies outside of the file, or its
 * numbers do not follow.
 */
struct wt_error *wt_places_add(struct wt_reader *reader, const struct wt_index_entry *entry,
			       bool *added_ret);

/** Forget all chunks. Names, Header and End that were found are kept. */
void wt_places_forget(struct wt_reader *reader);

/** Judge a block of unknown kind: an error if its flags say REQUIRED, else NULL. */
struct wt_error *wt_places_unknown_kind(const struct wt_reader *reader, unsigned int kind,
					unsigned int flags, uint64_t offset);

enum wt_index_use {
	WT_INDEX_ALL,  /* it lists all chunks: forget those found before */
	WT_INDEX_NEXT, /* its chunks follow those found before */
	WT_INDEX_MORE, /* it may list chunks that a walk did not find */
};

/**
 * Use an index block: its chunks, and the packets that it repeats. @fine_ret: false if it is damaged or lists impossible
 * chunks.
 */
struct wt_error *wt_places_use_index(struct wt_reader *reader, const struct wt_block *block,
				     enum wt_index_use use, bool *fine_ret);

/** Check the payload of an index block against its head. @fine_ret: false if it is damaged. */
struct wt_error *wt_places_check_index(struct wt_reader *reader, const struct wt_block *block,
				       bool *fine_ret);

/** Use the copies of Header, Names and End among the packets of @chunk. */
struct wt_error *wt_reader_take_packets(struct wt_reader *reader, const struct wt_chunk *chunk);

#endif /* WT_TRACE_FORMAT_READER_CHUNK_PLACES_H */
