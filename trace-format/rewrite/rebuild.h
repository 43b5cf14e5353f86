/* SPDX-License-Identifier: MIT */
/*
 * Parts of a trace put together anew. Packets cannot be copied here: blobs and moments are numbered in the order of the file,
 * and changes are against what may be lost.
 */
#ifndef WT_TRACE_FORMAT_REWRITE_REBUILD_H
#define WT_TRACE_FORMAT_REWRITE_REBUILD_H

#include "trace-format/reader/reader.h"
#include "trace-format/writer/writer.h"

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
/** Write a moment with its state, or a Notice in its place if it is lost. */
struct wt_error *wt_rebuild_moment(struct wt_rebuild *rebuild, uint32_t number);
/** Write a Notice with its whole body, including fields that this version does not know. */
struct wt_error *wt_rebuild_notice(struct wt_rebuild *rebuild, const uint8_t *body, size_t size,
				   bool has_host);
/** Write one record of the journal. */
struct wt_error *wt_rebuild_record(struct wt_rebuild *rebuild,
				   const struct wt_journal_record *record);

#endif /* WT_TRACE_FORMAT_REWRITE_REBUILD_H */
