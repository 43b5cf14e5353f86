/* SPDX-License-Identifier: MIT */
/* The facts that a list of stops shows of each: its events, how many waves, and where the most telling one stood. */
#ifndef WT_REPLAYER_VIEW_STOP_SUMMARY_H
#define WT_REPLAYER_VIEW_STOP_SUMMARY_H

#include "replayer/view/explain.h"
#include "replayer/view/stops.h"
#include "trace-format/state/stop-list.h"

struct wt_stop_summary {
	union {
		struct wavetape_stop_summary facts;
		struct {
			WT_STOP_SUMMARY_FACTS
		};
	};
	struct wt_stop_events *events; /* as many runs of them */
	/* Is where the most telling wave stood, without the instruction. */
	struct wavetape_place place;
	bool failed; /* it cannot be looked at, nor can those after it: only its number counts */
};

/**
 * Look at one stop.
 *
 * @view: of it; NULL if its state is lost.
 * @summary_ret: for the caller to wt_stop_summary_deinit(). It has no `number`.
 */
struct wt_error *wt_stop_summary_make(struct wt_reader *reader, uint32_t moment,
				      struct wt_view *view, struct wt_stop_summary *summary_ret);
void wt_stop_summary_deinit(struct wt_stop_summary *summary);

struct wt_stop_summaries {
	struct wt_stop_summary *of;
	size_t count, capacity;
};

/**
 * Look at all stops, by the list that the trace has at its end, or in the walk that finds them.
 *
 * @summaries_ret: for the caller to wt_stop_summaries_deinit().
 * @failed_ret: why not all of them are there; NULL if they are. The caller destroys it.
 */
struct wt_error *wt_stop_summaries_find(struct wt_stops *stops,
					struct wt_stop_summaries *summaries_ret,
					struct wt_error **failed_ret);
void wt_stop_summaries_deinit(struct wt_stop_summaries *summaries);

#endif /* WT_REPLAYER_VIEW_STOP_SUMMARY_H */
