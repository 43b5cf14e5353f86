/* SPDX-License-Identifier: MIT */
/* Commands of the client to waves, and the events that answer them. */
#include "replayer/recorded/reason.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

amd_dbgapi_status_t wt_timeline_wave_stop(struct wt_timeline *timeline, uint64_t wave, bool frozen)
{
	amd_dbgapi_wave_state_t state = wt_timeline_wave_state(timeline, wave);
	bool asked_before, step = state == AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	struct wt_wave_track *track;
	uint32_t position;

	if (state == AMD_DBGAPI_WAVE_STATE_STOP)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_STOPPED;
	track = wt_timeline_make_track(timeline, wave);
	if (!track)
		return AMD_DBGAPI_STATUS_FATAL;
	if (track->stop_requested)
		return AMD_DBGAPI_STATUS_ERROR_WAVE_OUTSTANDING_STOP;
	if (frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	asked_before = timeline->stop_requested;
	timeline->stop_requested = true;
	/* Who stops waves stops the threads of the host too, and so would wait for ever. */
	timeline->call_awaited = false;
	/* One that stands already, and still shows as stepping, has made its step. */
	track->has_stepped =
		step && !timeline->hosted && wt_timeline_stopped_unreported(timeline, wave, track);
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
	track->stop_requested = track->commanded = true;
	wt_timeline_count_owed(timeline, track);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static void track_let_go(struct wt_timeline *timeline, struct wt_wave_track *track, bool step)
{
	track->control = step ? WT_WAVE_STEPPED : WT_WAVE_RESUMED;
	track->commanded = step;
	track->made_step = track->runs = false;
	track->reported = 0;
	track->stepped_at = timeline->position;
	wt_timeline_count_owed(timeline, track);
	timeline->resumed = true;
	timeline->closing = false;
	/* A debugger's breakpoints and steps do nothing: the wave goes on from where it was recorded. */
	if (timeline->hosted)
		wt_overlay_forget_wave(&timeline->overlay, track->wave);
	else
		wt_overlay_resume(&timeline->overlay, track->wave);
}

amd_dbgapi_status_t wt_timeline_wave_resume(struct wt_timeline *timeline, uint64_t wave, bool step)
{
	amd_dbgapi_status_t status = wt_timeline_wave_resumable(timeline, wave);
	struct wt_wave_track *track;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	track = wt_timeline_make_track(timeline, wave);
	if (!track)
		return AMD_DBGAPI_STATUS_FATAL;
	track_let_go(timeline, track, step);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

struct wt_error *wt_timeline_follow_resume(struct wt_timeline *timeline, uint64_t wave, bool step)
{
	struct wt_wave_track *track = wt_timeline_make_track(timeline, wave);

	if (!track)
		return &wt_error_no_memory;
	track->stop = NULL;
	track_let_go(timeline, track, step);
	return NULL;
}

struct wt_error *wt_timeline_follow_stop(struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track;

	if (wt_timeline_wave_stop(timeline, wave, false) == AMD_DBGAPI_STATUS_SUCCESS)
		return NULL;
	track = wt_timeline_make_track(timeline, wave);
	if (!track)
		return &wt_error_no_memory;
	track->stop_requested = track->commanded = timeline->stop_requested = true;
	wt_timeline_count_owed(timeline, track);
	return NULL;
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
		    wt_timeline_is_end_reported(timeline, track->wave))
			continue;
		if (!wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED,
					    track->wave, NULL))
			return &wt_error_no_memory;
	}
	return NULL;
}

/* Counted, since clients make calls again and again. Whether a wave exists is another question in each state. */
bool wt_timeline_owes_stop(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	if (timeline->owed_changes != timeline->state_changes)
		HASH_ITER(hh, timeline->waves, track, next)
	wt_timeline_count_owed(timeline, track);
	timeline->owed_changes = timeline->state_changes;
	return timeline->owed;
}

struct wt_error *wt_timeline_answer_stops(struct wt_timeline *timeline)
{
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		amd_dbgapi_event_kind_t kind = AMD_DBGAPI_EVENT_KIND_WAVE_STOP;

		wt_timeline_count_owed(timeline, track);
		if (!track->owed)
			continue;
		if (track->control == WT_WAVE_STEPPED ||
		    !wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave))
			kind = AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED;
		if (!wt_timeline_make_event(timeline, kind, track->wave, NULL))
			return &wt_error_no_memory;
	}
	return NULL;
}

static bool stands(const struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);
	uint64_t state = 0;

	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE,
			   &state);
	return state == AMD_DBGAPI_WAVE_STATE_STOP &&
	       (!track || (!track->stop && track->control == WT_WAVE_AS_RECORDED));
}

size_t wt_timeline_report_standing(struct wt_timeline *timeline)
{
	size_t count = 0;
	uint64_t wave;

	for (size_t i = wt_timeline_waves_begin(timeline);
	     (wave = wt_timeline_wave_at(timeline, i)); i++) {
		struct wt_timeline_event *event = NULL;

		if (stands(timeline, wave))
			event = wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
						       wave, NULL);
		if (!event)
			continue;
		event->arrival = true;
		count++;
	}
	return count;
}

/*
 * The wave stands at a fault, and meets it again. Of the traps among the faults a debugger that steps would take the stop for
 * the end of a step, and step again.
 */
static bool faults_again(const struct wt_timeline *timeline, uint64_t wave)
{
	uint64_t state = 0, reasons = 0;

	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STATE,
			   &state);
	wt_recorded_number(&timeline->recorded, WT_OBJECT_WAVE, wave,
			   AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons);
	return state == AMD_DBGAPI_WAVE_STATE_STOP &&
	       reasons & WT_FAULT_REASONS & ~(uint64_t)AMD_DBGAPI_WAVE_STOP_REASON_TRAP;
}

void wt_timeline_let_run(struct wt_timeline *timeline, uint64_t wave)
{
	struct wt_wave_track *track = wt_timeline_track(timeline, wave);

	if (track && track->control == WT_WAVE_STEPPED)
		track->runs = true;
}

bool wt_timeline_make_step(struct wt_timeline *timeline, uint64_t wave, bool over)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);
	struct wt_timeline_event *event = NULL;

	if (track && track->control == WT_WAVE_STEPPED && !track->stop &&
	    (over || !faults_again(timeline, wave)))
		event = wt_timeline_make_event(timeline, AMD_DBGAPI_EVENT_KIND_WAVE_STOP, wave,
					       NULL);
	if (event)
		event->step = true;
	return event;
}

static bool end_command(struct wt_timeline *timeline, const struct wt_wave_track *track)
{
	bool again = faults_again(timeline, track->wave);
	struct wt_timeline_event *event =
		wt_timeline_make_event(timeline,
				       track->control == WT_WAVE_STEPPED && !again
					       ? AMD_DBGAPI_EVENT_KIND_WAVE_COMMAND_TERMINATED
					       : AMD_DBGAPI_EVENT_KIND_WAVE_STOP,
				       track->wave, NULL);

	if (event)
		event->arrival = again;
	return event;
}

bool wt_timeline_end_commanded(struct wt_timeline *timeline, enum wt_timeline_ended which)
{
	struct wt_wave_track *track, *next;
	bool ended = false;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		bool step = track->control == WT_WAVE_STEPPED && !track->runs;
		/* A wave that was let go and has ended since is still known here. */
		bool run = ((which >= WT_TIMELINE_ENDS_STEPS_THAT_RUN && track->runs) ||
			    (which >= WT_TIMELINE_ENDS_ALL && track->control == WT_WAVE_RESUMED)) &&
			   wt_recorded_object(&timeline->recorded, WT_OBJECT_WAVE, track->wave);

		if (track->stop || (!step && !run))
			continue;
		if (end_command(timeline, track))
			ended = true;
	}
	return ended;
}
