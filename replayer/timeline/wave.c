/* SPDX-License-Identifier: MIT */
/* Events of a timeline, and what they and the client make of waves. */
#include <stdlib.h>
#include <string.h>

#include "replayer/timeline/internal.h"

static struct wt_wave_track *find_track(const struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track;

	HASH_FIND(hh, timeline->waves, &wave, sizeof(wave), track);
	return track;
}

/* NULL if there is no memory. */
static struct wt_wave_track *make_track(struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track = find_track(timeline, wave);

	if (track)
		return track;
	track = calloc(1, sizeof(*track));
	if (!track)
		return NULL;
	track->wave = wave;
	HASH_ADD(hh, timeline->waves, wave, sizeof(wave), track);
	if (!track->hh.tbl) {
		free(track);
		return NULL;
	}
	return track;
}

void wt_timeline_forget_waves(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		HASH_DEL(timeline->waves, track);
		free(track);
	}
}

static struct wt_timeline_event *find_event(const struct wt_timeline *timeline, uint64_t handle)
{
	struct wt_timeline_event *event;

	HASH_FIND(hh, timeline->events, &handle, sizeof(handle), event);
	return event;
}

/* NULL if there is no memory. The handle must not be in use. */
static struct wt_timeline_event *queue_event(struct wt_timeline *timeline, uint64_t handle,
					     amd_dbgapi_event_kind_t kind, uint64_t wave,
					     const struct wt_event *recorded)
{
	struct wt_wave_track *track = NULL;
	struct wt_timeline_event *event;

	if (wave && wt_event_stops(kind)) {
		track = make_track(timeline, wave);
		if (!track)
			return NULL;
	}
	event = calloc(1, sizeof(*event));
	if (!event)
		return NULL;
	*event = (struct wt_timeline_event){
		.handle = handle,
		.kind = kind,
		.wave = wave,
		.shown = wt_incarnation_shown(&timeline->incarnations, WT_OBJECT_WAVE, wave),
		.recorded = recorded};
	HASH_ADD(hh, timeline->events, handle, sizeof(handle), event);
	if (!event->hh.tbl) {
		free(event);
		return NULL;
	}
	if (track)
		track->stop = event;
	if (handle > timeline->last_event && handle < UINT64_MAX / 2)
		timeline->last_event = handle;
	TAILQ_INSERT_TAIL(&timeline->queue, event, link);
	return event;
}

uint64_t wt_timeline_wave_of(const struct wt_timeline *timeline, const struct wt_event *event)
{
	const struct wt_query *query = wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_WAVE);
	uint64_t wave = 0;

	wt_answer_number(wt_recorded_find(&timeline->recorded, WT_OBJECT_EVENT, query,
					  event->answers, event->answer_count),
			 &wave);
	return wave;
}

static uint64_t highest_event(const struct wt_moment *moment, uint64_t highest)
{
	/* Those that leave no room above them are not the work of any library. */
	for (size_t i = 0; i < moment->event_count; i++)
		if (moment->events[i].handle > highest && moment->events[i].handle < UINT64_MAX / 2)
			highest = moment->events[i].handle;
	return highest;
}

static void find_last_event(struct wt_timeline *timeline)
{
	uint32_t count = wt_reader_moment_count(timeline->reader);

	for (uint32_t i = 0; (i = wt_reader_next_moment(timeline->reader, i)) < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (!error)
			timeline->last_event = highest_event(moment, timeline->last_event);
		wt_error_destroy(error);
	}
	timeline->last_event_known = true;
}

/*
 * A handle that no event has had, nor will have. After travelling recorded handles are not used
 * any more, so that those to come do not matter.
 */
static uint64_t fresh_event(struct wt_timeline *timeline)
{
	if (!timeline->last_event_known && !timeline->incarnations.travelled)
		find_last_event(timeline);
	return timeline->last_event + 1;
}

struct wt_timeline_event *wt_timeline_make_event(struct wt_timeline *timeline,
						 amd_dbgapi_event_kind_t kind, uint64_t wave,
						 const struct wt_event *recorded)
{
	return queue_event(timeline, fresh_event(timeline), kind, wave, recorded);
}

/*
 * An event as it was recorded. One that comes again, or after others that were made here, has
 * another handle: event handles are never used twice, either. A handle that a damaged trace has
 * twice keeps its first event.
 */
static bool queue_recorded(struct wt_timeline *timeline, const struct wt_event *event,
			   amd_dbgapi_event_kind_t kind, uint64_t wave)
{
	if (timeline->incarnations.travelled)
		return wt_timeline_make_event(timeline, kind, wave, event);
	return !event->handle || find_event(timeline, event->handle) ||
	       queue_event(timeline, event->handle, kind, wave, event);
}

/*
 * An event that stops a wave which this client never let go would surprise it: it is left out. The
 * recorded client had resumed the wave.
 */
struct wt_error *wt_timeline_queue_events(struct wt_timeline *timeline)
{
	const struct wt_moment *moment = timeline->moment;

	if (moment->cause != WT_MOMENT_STOP)
		return NULL;
	for (size_t i = 0; i < moment->event_count; i++) {
		const struct wt_event *event = &moment->events[i];
		amd_dbgapi_event_kind_t kind = (amd_dbgapi_event_kind_t)event->kind;
		uint64_t wave = wt_timeline_wave_of(timeline, event);
		const struct wt_wave_track *track = wave ? find_track(timeline, wave) : NULL;

		if (wt_event_stops(kind) ? track && track->control == WT_WAVE_HELD
					 : timeline->hosted)
			continue;
		if (!queue_recorded(timeline, event, kind, wave))
			return &wt_error_no_memory;
	}
	return NULL;
}

static uint64_t runtime_of(const struct wt_timeline *timeline,
			   const struct wt_timeline_event *event)
{
	const struct wt_query *query =
		wt_query_find(WT_OBJECT_EVENT, AMD_DBGAPI_EVENT_INFO_RUNTIME_STATE);
	uint64_t state = (uint64_t)event->runtime;

	if (event->recorded)
		wt_answer_number(wt_recorded_find(&timeline->recorded, WT_OBJECT_EVENT, query,
						  event->recorded->answers,
						  event->recorded->answer_count),
				 &state);
	return state;
}

const struct wt_timeline_event *wt_timeline_report(struct wt_timeline *timeline)
{
	struct wt_timeline_event *event = TAILQ_FIRST(&timeline->queue);
	struct wt_wave_track *track = NULL;

	TAILQ_REMOVE(&timeline->queue, event, link);
	event->reported = true;
	if (event->wave && wt_event_stops(event->kind))
		track = make_track(timeline, event->wave);
	if (track) {
		track->stop_requested = false;
		track->control = WT_WAVE_HELD;
		track->unfounded = !event->recorded && !event->arrival;
	}
	if (event->kind == AMD_DBGAPI_EVENT_KIND_RUNTIME)
		timeline->runtime = runtime_of(timeline, event);
	return event;
}

const struct wt_timeline_event *wt_timeline_event(const struct wt_timeline *timeline,
						  uint64_t handle)
{
	const struct wt_timeline_event *event = find_event(timeline, handle);

	return event && event->reported ? event : NULL;
}

bool wt_timeline_processed(struct wt_timeline *timeline, uint64_t handle)
{
	struct wt_timeline_event *event = find_event(timeline, handle);
	struct wt_wave_track *track;

	if (!event || !event->reported)
		return false;
	track = find_track(timeline, event->wave);
	if (track && track->stop == event)
		track->stop = NULL;
	HASH_DEL(timeline->events, event);
	free(event);
	return true;
}

static uint64_t recorded_number(const struct wt_timeline *timeline, uint64_t wave, uint32_t query)
{
	uint64_t number = 0;

	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave, query, &number);
	return number;
}

static amd_dbgapi_wave_state_t recorded_state(const struct wt_timeline *timeline, uint64_t wave)
{
	switch (recorded_number(timeline, wave, AMD_DBGAPI_WAVE_INFO_STATE)) {
	case AMD_DBGAPI_WAVE_STATE_STOP:
		return AMD_DBGAPI_WAVE_STATE_STOP;
	case AMD_DBGAPI_WAVE_STATE_SINGLE_STEP:
		return AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	default:
		return AMD_DBGAPI_WAVE_STATE_RUN;
	}
}

/*
 * Stopped, but the client does not know yet: running on, or still stepping if that is why it
 * stopped. One that stops here because the client asked for it does so for no reason.
 */
static amd_dbgapi_wave_state_t masked_state(const struct wt_timeline *timeline,
					    const struct wt_wave_track *track)
{
	const struct wt_timeline_event *stop = track->stop;
	bool recorded = stop->recorded || stop->arrival;
	uint64_t reason = 0;

	if (recorded)
		reason = recorded_number(timeline, stop->wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	else if (track->stop_requested && track->has_stepped)
		return AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	return reason & AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP ? AMD_DBGAPI_WAVE_STATE_SINGLE_STEP
								: AMD_DBGAPI_WAVE_STATE_RUN;
}

/*
 * Did something else stop a wave that was to make a step, though its event is still to come? It shows as
 * running then, as the recorded client saw it from the next moment on.
 */
static bool step_is_over(const struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	return (timeline->moment->cause == WT_MOMENT_PASS || !timeline->hosted) &&
	       timeline->position != track->stepped_at && !track->unfounded &&
	       recorded_state(timeline, track->wave) == AMD_DBGAPI_WAVE_STATE_RUN;
}

amd_dbgapi_wave_state_t wt_timeline_wave_state(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = find_track(timeline, wave);
	amd_dbgapi_wave_state_t state = recorded_state(timeline, wave);

	if (!track)
		return state;
	if (track->stop && !track->stop->reported)
		return masked_state(timeline, track);
	if (track->control == WT_WAVE_HELD)
		return AMD_DBGAPI_WAVE_STATE_STOP;
	if (track->control == WT_WAVE_RESUMED || (track->stop_requested && !track->has_stepped))
		return AMD_DBGAPI_WAVE_STATE_RUN;
	if (track->control != WT_WAVE_STEPPED)
		return state;
	return step_is_over(timeline, track) ? AMD_DBGAPI_WAVE_STATE_RUN
					     : AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
}

bool wt_timeline_wave_unfounded(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = find_track(timeline, wave);

	return track && track->control == WT_WAVE_HELD && track->unfounded;
}

/* Did the client let it go at this moment? It has not moved since. */
static bool is_let_go_here(const struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	return (track->control == WT_WAVE_RESUMED || track->control == WT_WAVE_STEPPED) &&
	       track->stepped_at == timeline->position;
}

/*
 * The recorded client found it to stand still, without having the event: from the beginning of the moment on, or, where
 * it had asked the wave to stop before, maybe only from then on. What it found before it let the wave go, and only then
 * went on from the moment, says nothing of after.
 */
static bool stands_unseen(const struct wt_timeline *timeline, uint64_t wave,
			  const struct wt_wave_track *track)
{
	const struct wt_item *found = wt_recorded_function(&timeline->recorded, WT_ITEM_MAP,
							   WT_FUNCTION_READ_REGISTER, wave);

	if (!found || !found->number_count)
		return false;
	return (track && track->stop_requested) ||
	       (!found->numbers[0] && !(track && is_let_go_here(timeline, track)));
}

bool wt_timeline_wave_stopped(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = find_track(timeline, wave);

	if ((track && track->stop) || stands_unseen(timeline, wave, track))
		return true;
	if (track && (track->control == WT_WAVE_RESUMED || track->control == WT_WAVE_STEPPED))
		return false;
	if (track && track->control == WT_WAVE_HELD)
		return true;
	return recorded_state(timeline, wave) == AMD_DBGAPI_WAVE_STATE_STOP;
}

/*
 * The recorded client did not step a wave, or ask it to stop, that this one did, so that no event tells of
 * its end. A client that gave a command waits for one.
 */
struct wt_error *wt_timeline_end_commands(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		bool commanded = track->stop_requested || track->control == WT_WAVE_STEPPED;

		if (!commanded || track->stop ||
		    wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave) ||
		    wt_timeline_is_end_told(timeline, track->wave))
			continue;
		if (!wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED,
					    track->wave, NULL))
			return &wt_error_no_memory;
	}
	return NULL;
}

bool wt_timeline_has_step(const struct wt_timeline *timeline)
{
	const struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	if (track->control == WT_WAVE_STEPPED && !track->stop)
		return true;
	return false;
}

/* An event is due: of a stop that was asked for, or of the end of a wave that had been told to step. */
static bool is_owed(const struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	return !track->stop &&
	       (track->stop_requested ||
		(track->control == WT_WAVE_STEPPED &&
		 !wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave)));
}

bool wt_timeline_owes_stop(const struct wt_timeline *timeline)
{
	const struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	if (is_owed(timeline, track))
		return true;
	return false;
}

struct wt_error *wt_timeline_answer_stops(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_WAVE_STOP;

		if (!is_owed(timeline, track))
			continue;
		if (track->control == WT_WAVE_STEPPED ||
		    !wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave))
			kind = AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
		if (!wt_timeline_make_event(timeline, kind, track->wave, NULL))
			return &wt_error_no_memory;
	}
	return NULL;
}

amd_dbgapi_status_t wt_timeline_wave_stop(struct wt_timeline *timeline, uint64_t wave, bool frozen)
{
	amd_dbgapi_wave_state_t state = wt_timeline_wave_state(timeline, wave);
	bool asked_before, step = state == AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	struct wt_wave_track *track;
	uint32_t position;

	if (state == AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED;
	track = make_track(timeline, wave);
	if (!track)
		return AMD_DBGAPI_STATUS_FATAL;
	if (track->stop_requested)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP;
	if (frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	asked_before = timeline->stop_requested;
	timeline->stop_requested = true;
	/* One that stands already, and still shows as stepping, has made its step. */
	track->has_stepped = step && !timeline->hosted && stands_unseen(timeline, wave, track);
	/* An event on its way, or one that was recorded, is the answer. */
	if (!track->stop && wt_timeline_is_answered(timeline, wave, &position)) {
		track->has_stepped = track->has_stepped ||
				     (step && wt_timeline_has_stepped(timeline, position, wave));
	} else if (!track->stop) {
		timeline->stop_requested = asked_before;
		if (!wt_timeline_make_event(timeline,
					    step && !track->has_stepped
						    ? AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
						    : AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
					    wave, NULL))
			return AMD_DBGAPI_STATUS_FATAL;
	}
	track->stop_requested = true;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_timeline_wave_resumable(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = find_track(timeline, wave);

	if (wt_timeline_wave_state(timeline, wave) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	return track && track->stop ? AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE
				    : AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t wt_timeline_wave_resume(struct wt_timeline *timeline, uint64_t wave, bool step)
{
	amd_dbgapi_status_t status = wt_timeline_wave_resumable(timeline, wave);
	struct wt_wave_track *track;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	track = make_track(timeline, wave);
	if (!track)
		return AMD_DBGAPI_STATUS_FATAL;
	track->control = step ? WT_WAVE_STEPPED : WT_WAVE_RESUMED;
	track->stepped_at = timeline->position;
	timeline->resumed = true;
	timeline->closing = false;
	/* A debugger's breakpoints and steps do nothing: the wave goes on from where it was recorded. */
	if (timeline->hosted)
		wt_overlay_forget_wave(&timeline->overlay, wave);
	else
		wt_overlay_let_go(&timeline->overlay, wave);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_timeline_end_commanded(struct wt_timeline *timeline, bool runs_too)
{
	struct wt_wave_track *track, *next;
	bool ended = false;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		bool step = track->control == WT_WAVE_STEPPED;

		if (track->stop || (!step && !(runs_too && track->control == WT_WAVE_RESUMED)))
			continue;
		if (wt_timeline_make_event(timeline,
					   step ? AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
						: AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
					   track->wave, NULL))
			ended = true;
	}
	return ended;
}

bool wt_timeline_is_running(const struct wt_timeline *timeline)
{
	const struct wt_item *waves =
		wt_recorded_function(&timeline->recorded, WT_ITEM_LIST,
				     WT_FUNCTION_PROCESS_WAVE_LIST, timeline->process);

	for (size_t i = 0; waves && i < waves->handle_count; i++)
		if (wt_timeline_wave_state(timeline, waves->handles[i]) !=
		    AMD_DBGAPI_WAVE_STATE_STOP)
			return true;
	return !waves || !waves->handle_count;
}

bool wt_timeline_has_resumed(const struct wt_timeline *timeline)
{
	const struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	if (!track->stop &&
	    (track->control == WT_WAVE_RESUMED || track->control == WT_WAVE_STEPPED))
		return true;
	return false;
}
