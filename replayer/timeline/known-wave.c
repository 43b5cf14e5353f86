/* SPDX-License-Identifier: MIT */
/* Waves as the client may know them: what was recorded, and what it did to them since. */
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

size_t wt_timeline_waves_begin(const struct wt_timeline *timeline)
{
	struct wt_key key = {.type = WT_ITEM_OBJECT,
			     .kind = timeline->names->objects[WT_OBJECT_WAVE]};

	return key.kind ? wt_state_lower_bound(timeline->state, &key)
			: wt_state_count(timeline->state);
}

uint64_t wt_timeline_wave_at(const struct wt_timeline *timeline, size_t position)
{
	const struct wt_item *item = position < wt_state_count(timeline->state)
					     ? wt_state_at(timeline->state, position)
					     : NULL;

	return item && item->key.type == WT_ITEM_OBJECT &&
			       item->key.kind == timeline->names->objects[WT_OBJECT_WAVE]
		       ? item->key.owner
		       : 0;
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

	if (stop->step)
		return AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
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
	       timeline->position != track->stepped_at && !track->on_request &&
	       recorded_state(timeline, track->wave) == AMD_DBGAPI_WAVE_STATE_RUN;
}

amd_dbgapi_wave_state_t wt_timeline_wave_state(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);
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

bool wt_timeline_wave_stopped_on_request(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	return track && track->control == WT_WAVE_HELD && track->on_request;
}

bool wt_timeline_made_step(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	return track && track->control == WT_WAVE_HELD && track->made_step;
}

uint64_t wt_timeline_next_step(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track, *next;
	uint64_t found = 0;

	HASH_ITER(hh, timeline->waves, track, next)
	if (track->control == WT_WAVE_STEPPED && !track->runs && !track->stop &&
	    track->wave > wave && (!found || track->wave < found))
		found = track->wave;
	return found;
}

uint64_t wt_timeline_steps_alone(const struct wt_timeline *timeline)
{
	const uint64_t step = wt_timeline_next_step(timeline, 0);
	uint64_t wave;
	size_t others = 0;

	for (size_t i = wt_timeline_waves_begin(timeline);
	     step && (wave = wt_timeline_wave_at(timeline, i)); i++) {
		if (wave == step)
			continue;
		if (wt_timeline_wave_state(timeline, wave) != AMD_DBGAPI_WAVE_STATE_STOP)
			return 0;
		others++;
	}
	return others ? step : 0;
}

/* Did the client let it go at this moment? It has not moved since. */
static bool is_resumed_here(const struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	return (track->control == WT_WAVE_RESUMED || track->control == WT_WAVE_STEPPED) &&
	       track->stepped_at == timeline->position;
}

bool wt_timeline_stopped_unreported(const struct wt_timeline *timeline, uint64_t wave,
				    const struct wt_wave_track *track)
{
	const struct wt_item *found =
		wt_recorded_plain(&timeline->recorded, WT_ITEM_UNREPORTED_STOP, wave);

	if (!found || !found->number_count)
		return false;
	return (track && track->stop_requested) ||
	       (!found->numbers[0] && !(track && is_resumed_here(timeline, track)));
}

/* A library that is attached to a core gives the registers of waves that it will report as stopped, until it does. */
static bool has_registers_at_attach(const struct wt_timeline *timeline, uint64_t wave)
{
	return (timeline->moment->cause == WT_MOMENT_ATTACH || timeline->core) &&
	       wt_recorded_plain(&timeline->recorded, WT_ITEM_REGISTERS, wave);
}

bool wt_timeline_wave_stopped(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	if ((track && track->stop) || wt_timeline_stopped_unreported(timeline, wave, track) ||
	    (!track && has_registers_at_attach(timeline, wave)))
		return true;
	if (track && (track->control == WT_WAVE_RESUMED || track->control == WT_WAVE_STEPPED))
		return false;
	if (track && track->control == WT_WAVE_HELD)
		return true;
	return recorded_state(timeline, wave) == AMD_DBGAPI_WAVE_STATE_STOP;
}

amd_dbgapi_status_t wt_timeline_wave_resumable(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	if (wt_timeline_wave_state(timeline, wave) != AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	return track && track->stop ? AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_RESUMABLE
				    : AMD_DBGAPI_STATUS_SUCCESS;
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

bool wt_timeline_has_step(const struct wt_timeline *timeline)
{
	const struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	if (track->control == WT_WAVE_STEPPED && !track->stop)
		return true;
	return false;
}
