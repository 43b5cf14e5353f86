/* SPDX-License-Identifier: MIT */
/* What the two ways of writing a trace again share. */
#ifndef WT_TRACE_REWRITE_INSIDE_H
#define WT_TRACE_REWRITE_INSIDE_H

#include "trace-format/reader-inside.h"
#include "trace-format/rewrite.h"

struct wt_rewriting {
	struct wt_reader *reader;
	const char *path; /* of the file that is written, not yet in its place */
	struct wt_rewrite_options options;
	size_t chunk_target;
	struct wt_rewrite *result;
};

/** Half of the work, if checking the trace is the other half. @done of @total of the second one. */
void wt_rewriting_progress(const struct wt_rewriting *rewriting, uint64_t done, uint64_t total);

/** copy.c: all packets as they are; with a Notice and an End where there is no End. */
struct wt_error *wt_rewriting_copy(struct wt_rewriting *rewriting);

/** rebuild.c: facts, moments and the journal as far as they can be read. */
struct wt_error *wt_rewriting_rebuild(struct wt_rewriting *rewriting);

#endif /* WT_TRACE_REWRITE_INSIDE_H */
