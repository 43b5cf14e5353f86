/* SPDX-License-Identifier: MIT */
/*
 * Going to another stop while a client is connected, and making it see that. It sees what it would
 * see if all waves had run from where it was to the stop and had stopped there: events. A wave that
 * the client knows to be stopped would have no event, so the timeline waits until it has none.
 */
#include <stdlib.h>

#include "base/cleanup.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

bool wt_timeline_may_travel(const struct wt_timeline *timeline)
{
	uint64_t wave;

	if (!timeline->attached || timeline->paused || timeline->destination == WT_TIMELINE_NOWHERE)
		return false;
	for (size_t i = wt_timeline_waves_begin(timeline);
	     (wave = wt_timeline_wave_at(timeline, i)); i++)
		if (wt_timeline_wave_state(timeline, wave) == AMD_DBGAPI_WAVE_STATE_STOP)
			return false;
	return true;
}

/* Waves whose client waits for an answer, which has to come even if they are gone. */
struct duties {
	uint64_t *recorded, *shown;
	size_t count;
};

static void duties_deinit(struct duties *duties)
{
	free(duties->recorded);
	free(duties->shown);
}

static bool note_duties(const struct wt_timeline *timeline, struct duties *duties)
{
	size_t count = HASH_COUNT(timeline->waves);
	const struct wt_wave_track *track, *next;

	duties->recorded = calloc(count + 1, sizeof(*duties->recorded));
	duties->shown = calloc(count + 1, sizeof(*duties->shown));
	if (!duties->recorded || !duties->shown)
		return false;
	HASH_ITER(hh, timeline->waves, track, next)
	{
		if (!track->stop_requested && track->control != WT_WAVE_STEPPED)
			continue;
		if (!wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave))
			continue;
		duties->recorded[duties->count] = track->wave;
		duties->shown[duties->count++] =
			wt_incarnation_shown(&timeline->incarnations, WT_OBJECT_WAVE, track->wave);
	}
	return true;
}

/* A command that was given to a wave ends with the wave. */
static bool terminate_commands(struct wt_timeline *timeline, const struct duties *duties)
{
	for (size_t i = 0; i < duties->count; i++) {
		struct wt_timeline_event *event;

		if (wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, duties->recorded[i]))
			continue;
		event = wt_timeline_make_event(
			timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED, 0, NULL);
		if (!event)
			return false;
		event->shown = duties->shown[i];
	}
	return true;
}

/* The last RUNTIME event in moments from one on, up to and with another; NULL if there is none. */
static struct wt_error *find_runtime(struct wt_timeline *timeline, uint32_t from, uint32_t to,
				     const struct wt_event **event_ret)
{
	*event_ret = NULL;
	for (uint32_t i = to + 1; i-- > from;) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (error)
			return error;
		for (size_t j = wt_timeline_is_ours(timeline, moment) ? moment->event_count : 0;
		     j--;) {
			if (moment->events[j].kind != AMD_DBGAPI_EVENT_KIND_RUNTIME)
				continue;
			*event_ret = &moment->events[j];
			return NULL;
		}
	}
	return NULL;
}

/* The state of the recorded program's runtime at the end of a journey. */
struct runtime {
	bool changes;
	uint64_t state;
	const struct wt_event *event; /* NULL: it has not been loaded yet */
};

static struct wt_error *find_change(struct wt_timeline *timeline, uint32_t from, uint32_t to,
				    struct runtime *runtime)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE);
	uint32_t low = from < to ? from : to, high = from < to ? to : from;
	struct wt_error *error = find_runtime(timeline, low + 1, high, &runtime->event);

	/* Nothing happened in between. */
	if (error || !runtime->event)
		return error;
	error = find_runtime(timeline, timeline->start, to, &runtime->event);
	if (error)
		return error;
	runtime->state = AMD_DBGAPI_RUNTIME_STATE_UNLOADED;
	if (runtime->event)
		wt_answer_number(wt_recorded_find(&timeline->recorded, WT_OBJECT_EVENT, query,
						  runtime->event->answers,
						  runtime->event->answer_count),
				 &runtime->state);
	runtime->changes = runtime->state != timeline->runtime;
	return NULL;
}

static bool runtime_event_tell(struct wt_timeline *timeline, const struct runtime *runtime)
{
	struct wt_timeline_event *event =
		wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_RUNTIME, 0, runtime->event);

	if (event)
		event->runtime = (amd_dbgapi_runtime_state_t)runtime->state;
	return event;
}

/* The runtime is loaded before anything else happens, and unloaded after. */
static struct wt_error *journey_events_tell(struct wt_timeline *timeline,
					    const struct duties *duties,
					    const struct runtime *runtime)
{
	bool loaded = runtime->state == AMD_DBGAPI_RUNTIME_STATE_LOADED_SUCCESS;
	bool told = (!runtime->changes || !loaded || runtime_event_tell(timeline, runtime)) &&
		    terminate_commands(timeline, duties) && wt_timeline_stop_waves(timeline) &&
		    (!runtime->changes || loaded || runtime_event_tell(timeline, runtime));

	return told ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_timeline_arrive(struct wt_timeline *timeline)
{
	uint32_t destination = timeline->destination, from = timeline->position;
	__attribute__((cleanup(duties_deinit))) struct duties duties = {0};
	struct runtime runtime = {.state = timeline->runtime};
	struct wt_error *error = NULL;

	timeline->destination = WT_TIMELINE_NOWHERE;
	if (!note_duties(timeline, &duties))
		return &wt_error_no_memory;
	/* The client of a host was told of the runtime in the host's time. */
	if (!timeline->hosted)
		error = find_change(timeline, from, destination, &runtime);
	if (error)
		return error;
	/* Recorded handles say no more which life of an object is meant. */
	timeline->incarnations.travelled = true;
	error = wt_timeline_go(timeline, destination);
	if (error)
		return error;
	wt_timeline_forget_waves(timeline);
	wt_overlay_forget_registers(&timeline->overlay);
	timeline->arrived = true;
	/* Messages of the way to the stop are not logged again. */
	timeline->logged = timeline->log_due = timeline->moment->log_count;
	error = wt_timeline_restore_pcs(timeline);
	if (!error)
		error = journey_events_tell(timeline, &duties, &runtime);
	/* If nothing is stopped, everything runs, and may come to the next stop. */
	timeline->resumed = TAILQ_EMPTY(&timeline->queue);
	return error;
}
