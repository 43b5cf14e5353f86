/* SPDX-License-Identifier: MIT */
/* A part of a trace, as a trace of its own: for `trim`, and for recordings that keep the newest stops. */
#ifndef WT_TRACE_FORMAT_REWRITE_EXTRACT_H
#define WT_TRACE_FORMAT_REWRITE_EXTRACT_H

#include "trace-format/reader/reader.h"
#include "trace-format/writer/writer.h"

/*
 * Parts of a trace put together anew. Packets cannot be copied here: blobs and moments are numbered in the order of the file,
 * and changes are against what may be lost.
 */

/* A copy from a reader to a writer, for when packets cannot be copied as they are. */
struct wt_rebuild {
	struct wt_reader *reader;
	struct wt_writer *writer;
};

/** Does an error say that a part of the trace cannot be read, so that the rest can go on? NULL is none. */
static inline bool wt_rebuild_is_loss(const struct wt_error *error)
{
	return error && (error->code == WT_ERROR_INPUT || error->code == WT_ERROR_NOT_FOUND);
}

/** Options with which a writer makes the same Header as the trace. They point into @info, from wt_reader_info() or like it. */
struct wt_writer_options wt_rebuild_options(const struct wt_reader *reader,
					    const struct wt_trace_info *info, int compression);
/** Write all known names with their numbers. */
struct wt_error *wt_rebuild_names(struct wt_rebuild *rebuild);
struct wt_error *wt_rebuild_facts(struct wt_rebuild *rebuild);

/** Write one record of the journal. */
struct wt_error *wt_rebuild_record(struct wt_rebuild *rebuild,
				   const struct wt_journal_record *record);

/*
 * A part of a trace. It has the moments @first to @last, the calls that led to them or were made at them, and
 * first the ATTACH moment that they belong to.
 */
struct wt_extract {
	struct wt_rebuild rebuild;
	uint32_t attach; /* a moment before `first`, or WT_NO_MOMENT */
	uint32_t first, last;
	bool whole_start;    /* keep everything before `first`, too */
	struct wt_part part; /* what the recording has before the part */
	void (*progress)(void *opaque, uint64_t done, uint64_t total); /* may be NULL */
	void *opaque;
};

/**
 * Find what belongs to the stops @first to @last, counted from 0. USAGE if there are fewer stops. `rebuild.reader` must be
 * set.
 */
struct wt_error *wt_extract_plan(struct wt_extract *extract, uint32_t first, uint32_t last);

/** Write the part. Before it the writer must have written only its Header. */
struct wt_error *wt_extract_run(struct wt_extract *extract);

#endif /* WT_TRACE_FORMAT_REWRITE_EXTRACT_H */
