/* SPDX-License-Identifier: MIT */
/* A client that does what the recorded one did: the timeline goes where the recorded session went. */
#include "replayer/timeline/internal.h"

static bool has_event(const struct wt_moment *moment, uint64_t event)
{
	for (size_t i = 0; i < moment->event_count; i++)
		if (moment->events[i].handle == event)
			return true;
	return false;
}

/* A moment of this attachment; NULL past the last one. */
static struct wt_error *later(struct wt_timeline *timeline, uint32_t position,
			      const struct wt_moment **moment_ret)
{
	struct wt_error *error;

	*moment_ret = NULL;
	if (!timeline->attached || position >= wt_reader_moment_count(timeline->reader))
		return NULL;
	error = wt_reader_moment(timeline->reader, position, moment_ret);
	if (error)
		return error;
	if ((*moment_ret)->cause == WT_MOMENT_ATTACH)
		*moment_ret = NULL;
	return NULL;
}

static struct wt_error *go(struct wt_timeline *timeline)
{
	struct wt_error *error = wt_timeline_go(timeline, timeline->position + 1);

	return error ? error : wt_timeline_queue_events(timeline, true);
}

struct wt_error *wt_timeline_follow(struct wt_timeline *timeline, uint64_t call)
{
	for (;;) {
		const struct wt_moment *next;
		struct wt_error *error = later(timeline, timeline->position + 1, &next);

		if (error && error->code == WT_ERROR_INPUT) {
			/* Lost, and with it when it was: who needs its state will be told. */
			wt_error_destroy(error);
			return NULL;
		}
		if (error || !next || next->call > call)
			return error;
		error = go(timeline);
		if (error)
			return error;
	}
}

/* How far away the moment is that has an event; false if none has it. */
static struct wt_error *find_moment(struct wt_timeline *timeline, uint64_t event,
				    uint32_t *position_ret, bool *found_ret)
{
	const struct wt_moment *next;

	*found_ret = false;
	for (uint32_t i = timeline->position + 1;; i++) {
		struct wt_error *error = later(timeline, i, &next);

		if (error || !next)
			return error;
		if (has_event(next, event)) {
			*position_ret = i;
			*found_ret = true;
			return NULL;
		}
	}
}

struct wt_error *wt_timeline_follow_event(struct wt_timeline *timeline, uint64_t event)
{
	struct wt_timeline_event *queued = wt_timeline_find_event(timeline, event);
	struct wt_error *error = NULL;
	uint32_t position = 0;
	bool found = false;

	if (!queued) {
		error = find_moment(timeline, event, &position, &found);
		while (!error && found && timeline->position < position)
			error = go(timeline);
		queued = wt_timeline_find_event(timeline, event);
	}
	if (error || !queued || queued->reported)
		return error;
	wt_timeline_report(timeline, queued);
	return NULL;
}

void wt_timeline_follow_none(struct wt_timeline *timeline)
{
	timeline->closing = false;
}
