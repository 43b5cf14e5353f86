/* SPDX-License-Identifier: MIT */
/* A part of a trace, as a trace of its own: for `trim`, and for recordings that keep the newest stops. */
#ifndef WT_TRACE_FORMAT_REWRITE_EXTRACT_H
#define WT_TRACE_FORMAT_REWRITE_EXTRACT_H

#include "trace-format/rewrite/rebuild.h"

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
