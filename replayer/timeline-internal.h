/* SPDX-License-Identifier: MIT */
#ifndef WT_REPLAYER_TIMELINE_INTERNAL_H
#define WT_REPLAYER_TIMELINE_INTERNAL_H

#include "replayer/timeline.h"

/** Make a moment the one that was reached. Errors leave the timeline as it was. */
struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position);

/** Whether the timeline may move, and to what; NULL if that moment cannot be read. */
bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret);

/** Queue the events of the moment that was reached (timeline-wave.c). */
struct wt_error *wt_timeline_queue_events(struct wt_timeline *timeline);

/** Take the first event of the queue: the client gets it now. */
const struct wt_timeline_event *wt_timeline_report(struct wt_timeline *timeline);

#endif /* WT_REPLAYER_TIMELINE_INTERNAL_H */
