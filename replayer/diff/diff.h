/* SPDX-License-Identifier: MIT */
/*
 * Differences between two recorded states: two stops of two traces, or of one. wt_diff_traces() finds out which stops
 * to compare, wt_diff_stops() compares two of them; both report each difference to a listener.
 *
 * Handles differ from run to run. So agents and queues are matched by the order in which they were created, code
 * objects by their bytes, and waves by agent, queue, packet of the queue, workgroup coordinates and number in the
 * workgroup. Positions in code are compared relative to the code object.
 *
 * This room compares and reports. It must not decide how a difference is worded.
 */
#ifndef WT_REPLAYER_DIFF_DIFF_H
#define WT_REPLAYER_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replayer/diff/difference.h"
#include "trace-format/reader/reader.h"

/* One of the two. */
struct wt_diff_trace {
	struct wt_reader *reader; /* must stay open */
	const uint32_t *stops;	  /* the moments that are stops, in order */
	uint32_t stop_count;
	bool may_lack_stops; /* it is a part of a longer recording, or something of it is lost */
};

/** Was anything left out of the comparison for want of what is lost or was not recorded? Missing stops do not count. */
bool wt_diff_is_partial(const struct wt_diff_counts *counts);

/**
 * Compare two stops.
 *
 * @numbers: which, from 1.
 * @counts: what was compared is added.
 *
 * Errors: USAGE if there is no such stop; those of the reader and of the listener. A state that is lost is not one: it
 * is counted.
 */
struct wt_error *wt_diff_stops(const struct wt_diff_trace traces[WT_DIFF_SIDES],
			       const uint32_t numbers[WT_DIFF_SIDES],
			       const struct wt_diff_listener *listener,
			       struct wt_diff_counts *counts);

/**
 * Compare all stops of two traces, in order. If every stop of one was made after a call of the same number as a stop of
 * the other, these are compared with each other (a trimmed or recovered trace keeps the numbers of calls); if not, stops
 * are compared in the order in which they come. A stop that only one trace has is a difference, unless the other may
 * lack stops.
 */
struct wt_error *wt_diff_traces(const struct wt_diff_trace traces[WT_DIFF_SIDES],
				const struct wt_diff_listener *listener,
				struct wt_diff_counts *counts);

/** Compare the source files that were kept with both, in the order of their names. What was found is added to @counts. */
struct wt_error *wt_diff_sources(const struct wt_diff_trace traces[WT_DIFF_SIDES],
				 const struct wt_diff_listener *listener,
				 struct wt_diff_counts *counts);

#endif /* WT_REPLAYER_DIFF_DIFF_H */
