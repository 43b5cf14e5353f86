/* SPDX-License-Identifier: MIT */
/* The waves of a stop that a client is to see without having got there: how much each has to do with it. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "replayer/recorded/reason.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

/* The waves that the moment's events are about, in order; NULL if there is no memory. */
static uint64_t *find_in_events(const struct wt_timeline *timeline)
{
	const struct wt_moment *moment = timeline->moment;
	uint64_t *waves = calloc(moment->event_count + 1, sizeof(*waves));

	for (size_t i = 0; waves && i < moment->event_count; i++)
		waves[i] = wt_timeline_wave_of(timeline, &moment->events[i]);
	if (waves)
		qsort(waves, moment->event_count, sizeof(*waves), wt_compare_u64);
	return waves;
}

/* How much a stopped wave has to do with the stop: clients show the first one that they get. */
enum weight { WEIGHT_RUNS, WEIGHT_ASKED_TO, WEIGHT_EARLIER, WEIGHT_NOW, WEIGHT_FAULT };

struct weighed {
	uint64_t wave;
	enum weight weight;
};

static enum weight wave_weigh(const struct wt_timeline *timeline, uint64_t wave,
			      const uint64_t *in_events)
{
	uint64_t state = 0, reason = 0;

	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE,
			   &state);
	if (state != AMD_DBGAPI_WAVE_STATE_STOP)
		return WEIGHT_RUNS;
	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
			   AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reason);
	if (!reason)
		return WEIGHT_ASKED_TO;
	if (!bsearch(&wave, in_events, timeline->moment->event_count, sizeof(wave), wt_compare_u64))
		return WEIGHT_EARLIER;
	return reason & WT_FAULT_REASONS ? WEIGHT_FAULT : WEIGHT_NOW;
}

/* All waves; the caller frees them. NULL if there is no memory. */
static struct weighed *weigh_all(const struct wt_timeline *timeline, size_t *count_ret)
{
	wt_cleanup_free uint64_t *in_events = find_in_events(timeline);
	size_t first = wt_timeline_waves_begin(timeline), count = 0;
	struct weighed *all;

	while (wt_timeline_wave_at(timeline, first + count))
		count++;
	all = calloc(count + 1, sizeof(*all));
	if (!all || !in_events) {
		free(all);
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		all[i].wave = wt_timeline_wave_at(timeline, first + i);
		all[i].weight = wave_weigh(timeline, all[i].wave, in_events);
	}
	*count_ret = count;
	return all;
}

/* False if there is no memory. */
static bool weighed_wave_stop(struct wt_timeline *timeline, const struct weighed *wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave->wave);
	struct wt_timeline_event *event;

	if (track && track->control == WT_WAVE_HELD)
		return true;
	event = wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, wave->wave, NULL);
	if (event)
		event->arrival = wave->weight != WEIGHT_RUNS;
	return event;
}

bool wt_timeline_stop_waves(struct wt_timeline *timeline)
{
	int last = timeline->hosted ? WEIGHT_RUNS : WEIGHT_ASKED_TO;
	size_t count = 0;
	wt_cleanup_free struct weighed *waves = weigh_all(timeline, &count);

	for (int weight = WEIGHT_FAULT; waves && weight >= last; weight--)
		for (size_t i = 0; i < count; i++)
			if (waves[i].weight == (enum weight)weight &&
			    !weighed_wave_stop(timeline, &waves[i]))
				return false;
	return waves;
}

void wt_timeline_put_faults_first(struct wt_timeline *timeline)
{
	struct wt_timeline_event *event = TAILQ_FIRST(&timeline->queue);
	struct wt_timeline_event *last = TAILQ_LAST(&timeline->queue, wt_timeline_queue), *next;

	for (; event; event = event == last ? NULL : next) {
		uint64_t reasons = 0;

		next = TAILQ_NEXT(event, link);
		if (!wt_event_stops(event->kind))
			continue;
		wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, event->wave,
				   AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons);
		if (reasons & WT_FAULT_REASONS)
			continue;
		TAILQ_REMOVE(&timeline->queue, event, link);
		TAILQ_INSERT_TAIL(&timeline->queue, event, link);
	}
}

uint64_t wt_timeline_show(const struct wt_timeline *timeline, uint64_t selected, bool *running_ret)
{
	size_t count = 0;
	wt_cleanup_free struct weighed *waves = weigh_all(timeline, &count);
	struct weighed best = {.weight = WEIGHT_RUNS};

	selected = wt_incarnation_recorded(&timeline->incarnations, WT_OBJECT_WAVE, selected);
	for (size_t i = 0; waves && i < count; i++)
		if (!best.wave || waves[i].weight > best.weight ||
		    (waves[i].weight == best.weight && waves[i].wave == selected))
			best = waves[i];
	*running_ret = best.weight == WEIGHT_RUNS;
	return best.wave ? wt_incarnation_shown(&timeline->incarnations, WT_OBJECT_WAVE, best.wave)
			 : 0;
}
