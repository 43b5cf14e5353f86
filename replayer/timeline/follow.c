/* SPDX-License-Identifier: MIT */
/* A client that does what the recorded one did: the timeline goes where the recorded session went. */
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

static bool moment_has_event_handle(const struct wt_moment *moment, uint64_t event)
{
	for (size_t i = 0; i < moment->event_count; i++)
		if (moment->events[i].handle == event)
			return true;
	return false;
}

static struct wt_error *timeline_go_and_queue(struct wt_timeline *timeline)
{
	struct wt_error *error = wt_timeline_go_on(timeline);

	return error ? error : wt_timeline_queue_events(timeline, true);
}

/* The last moment that was made by the end of a call, of whatever process. */
static uint32_t call_last_moment_find(const struct wt_timeline *timeline, uint64_t call)
{
	uint32_t count = wt_reader_moment_count(timeline->reader);
	uint32_t last = timeline->state_position;

	while (last + 1 < count) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, last + 1, &moment);

		wt_error_destroy(error);
		if (error || moment->call > call)
			break;
		last++;
	}
	return last;
}

struct wt_error *wt_timeline_follow(struct wt_timeline *timeline, uint64_t call)
{
	const struct wt_moment *next;
	struct wt_error *error = NULL;
	uint32_t position;

	if (!timeline->attached)
		return NULL;
	while (!error && wt_timeline_find_next(timeline, &position, &next)) {
		/* NULL: lost, and with it when it was: who needs its state will be told. */
		if (!next || next->call > call)
			break;
		error = timeline_go_and_queue(timeline);
	}
	return error ? error : wt_timeline_look(timeline, call_last_moment_find(timeline, call));
}

/* Finds the moment that has an event; false if none has it. */
static struct wt_error *find_moment(struct wt_timeline *timeline, uint64_t event,
				    uint32_t *position_ret, bool *found_ret)
{
	const struct wt_moment *next;

	*found_ret = false;
	*position_ret = timeline->position;
	while (timeline->attached && !*found_ret &&
	       wt_timeline_find_behind(timeline, *position_ret, position_ret, &next)) {
		/* Why it cannot be read. */
		if (!next)
			return wt_reader_moment(timeline->reader, *position_ret, &next);
		*found_ret = moment_has_event_handle(next, event);
	}
	return NULL;
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
			error = timeline_go_and_queue(timeline);
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
