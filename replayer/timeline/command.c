/* SPDX-License-Identifier: MIT */
/* Commands of the client to waves, and the events that answer them. */
#include "replayer/recorded/reason.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

/* Which recorded events answer what this client asked of waves: whether it may wait for them. */

/* The functions before which, or in which, a recorder makes a STOP because they let something go, or end it. */
static const enum wt_function letting_go[] = {
	WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT,
	WT_FUNCTION_WAVE_RESUME,
	WT_FUNCTION_PROCESS_SET_PROGRESS,
	WT_FUNCTION_PROCESS_SET_WAVE_CREATION,
	WT_FUNCTION_REPORT_BREAKPOINT_HIT,
	WT_FUNCTION_EVENT_PROCESSED,
	WT_FUNCTION_PROCESS_DETACH,
	WT_FUNCTION_FINALIZE,
};

bool wt_moment_is_inspection(const struct wt_reader *reader, const struct wt_moment *moment)
{
	const char *name = moment->function ? wt_reader_name(reader, moment->function) : NULL;
	enum wt_function function = name ? wt_function_find(name) : WT_FUNCTION_COUNT;

	if (moment->cause != WT_MOMENT_STOP || function == WT_FUNCTION_COUNT)
		return false;
	for (size_t i = 0; i < sizeof(letting_go) / sizeof(*letting_go); i++)
		if (function == letting_go[i])
			return false;
	return true;
}

/*
 * Does the STOP that comes next hold the event that answers a request to stop a wave? Or, if the
 * recorded client had asked for it too, one that comes without another resume? (Clients may take
 * pending events one by one, with a moment for each.) A debugger that is on its own is answered so
 * only where the recorded client had asked: time is not to run on because it stops a wave.
 *
 * @position_ret: that STOP.
 */
static bool is_answered_next(struct wt_timeline *timeline, uint64_t wave, uint32_t *position_ret)
{
	/* Stops that the recorded client looked at one by one came together, and come so to a debugger. */
	bool alone =
		timeline->hosted && !wt_moment_is_inspection(timeline->reader, timeline->moment);
	bool may_resume = timeline->resumed, asked = false, first = true;
	const struct wt_moment *next;
	uint32_t i = timeline->position;

	if (!wt_timeline_may_move(timeline, &next) || !next)
		return false;
	while ((first || asked) && wt_timeline_find_behind(timeline, i, &i, &next) && next) {
		asked = asked || wt_timeline_asks_for(timeline, next, wave);
		/* To the first STOP the request leads by itself: the client may resume another wave after it. */
		if (next->after_resume && !may_resume && !(first && asked))
			return false;
		if (next->cause == WT_MOMENT_STOP && (asked || (first && !alone)) &&
		    wt_timeline_has_stop_of(timeline, next, wave)) {
			*position_ret = i;
			return true;
		}
		may_resume = may_resume && !next->after_resume;
		first = first && (next->cause != WT_MOMENT_STOP ||
				  wt_moment_is_inspection(timeline->reader, next));
	}
	return false;
}

/* The next moment of the process alone; NULL if there is none, or it cannot be read. Moves the position there. */
static const struct wt_moment *later(const struct wt_timeline *timeline, uint32_t *position)
{
	const struct wt_moment *moment;

	while (wt_timeline_find_behind(timeline, *position, position, &moment))
		if (!moment || moment->process == timeline->process)
			return moment;
	return NULL;
}

/* Did the recorded client ask for the stop of the wave here, too? */
static bool wave_stop_was_asked(struct wt_timeline *timeline, uint64_t wave)
{
	uint32_t position = timeline->position;
	const struct wt_moment *next;

	if (timeline->moment->cause == WT_MOMENT_STOP &&
	    wt_timeline_asks_for(timeline, timeline->moment, wave))
		return true;
	next = later(timeline, &position);
	return next && wt_timeline_asks_for(timeline, next, wave);
}

/* The next STOP with an event that stops a wave, wherever it is. */
static bool answering_stop_find(struct wt_timeline *timeline, uint64_t wave, uint32_t *position_ret)
{
	uint32_t position = timeline->position;
	const struct wt_moment *next;

	while ((next = later(timeline, &position))) {
		if (!wt_timeline_has_stop_of(timeline, next, wave))
			continue;
		*position_ret = position;
		return true;
	}
	return false;
}

/* Is there a client that may do what the recorded one did, call by call? */
static bool may_be_exact(const struct wt_timeline *timeline)
{
	return !timeline->hosted && !timeline->incarnations.travelled;
}

/* Returns what a moment says of a wave; 0 if that is not known. */
static uint64_t number_at(const struct wt_timeline *timeline, uint32_t position, uint64_t wave,
			  uint32_t query)
{
	struct wt_recorded there = {.names = timeline->names};
	struct wt_layout layout = {0};
	struct wt_state *state = NULL;
	uint64_t number = 0;

	/* An error of reading is told when the timeline gets there. */
	wt_error_destroy(wt_timeline_state_at(timeline, position, &state));
	there.state = state;
	there.layout = &layout;
	if (state)
		wt_recorded_number(&there, WT_OBJECT_WAVE, wave, query, &number);
	wt_layout_deinit(&layout);
	wt_state_destroy(state);
	return number;
}

/*
 * Had a wave completed a step when it stopped, so that a request to stop it came too late?
 * 
 * @position: as timeline_is_answered() has it.
 * Had a wave made a step when it stopped? A request to stop it then came too late. One that shows as stepping though it
 * was asked to stop has made its step, too; its event may not have come while the trace lasted.
 */
static bool timeline_has_stepped(struct wt_timeline *timeline, uint32_t position, uint64_t wave)
{
	const struct wt_moment *next;

	if (position != timeline->position)
		return number_at(timeline, position, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON) &
		       AMD_DBGAPI_WAVE_STOP_REASON_SINGLE_STEP;
	while ((next = later(timeline, &position)))
		if (next->cause == WT_MOMENT_STOP)
			return number_at(timeline, position, wave, AMD_DBGAPI_WAVE_INFO_STATE) ==
			       AMD_DBGAPI_WAVE_STATE_SINGLE_STEP;
	return false;
}

/*
 * Does nothing tell of its registers, because the recorded client had let it run so far? Then the request is answered later:
 * by a STOP that has them, or the end of the wave. A debugger that is on its own stops such a wave all the same.
 */
static bool is_unknown(struct wt_timeline *timeline, uint64_t wave)
{
	const struct wt_key key = {.type = WT_ITEM_REGISTERS, .owner = wave};
	const struct wt_moment *next;

	return !timeline->hosted && !wt_state_get(timeline->state, &key) &&
	       wt_timeline_may_move(timeline, &next);
}

/*
 * Does a recorded event answer a request to stop a wave?
 * 
 * @position_ret: the STOP that it is in; the present moment if it did not come while the trace lasted.
 * If the recorded client asked for the stop, too, its outcome comes again, behind whatever that client then did. A
 * client that does something else is answered when the timeline stays where it is (wt_timeline_answer_stops()).
 */
static bool timeline_is_answered(struct wt_timeline *timeline, uint64_t wave,
				 uint32_t *position_ret)
{
	*position_ret = timeline->position;
	if (may_be_exact(timeline) && wave_stop_was_asked(timeline, wave)) {
		answering_stop_find(timeline, wave, position_ret);
		return true;
	}
	if (wt_timeline_would_lose_held(timeline))
		return false;
	return is_answered_next(timeline, wave, position_ret) || is_unknown(timeline, wave);
}

static const struct wt_moment *moment_at(const struct wt_timeline *timeline, uint32_t position)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(timeline->reader, position, &moment);

	wt_error_destroy(error);
	return error ? NULL : moment;
}

bool wt_timeline_stops_unasked(struct wt_timeline *timeline, uint64_t wave, uint64_t *reasons_ret)
{
	const struct wt_wave_track *track = wt_timeline_track(timeline, wave);
	uint32_t position = timeline->position;
	const struct wt_moment *moment;

	if (!may_be_exact(timeline) || (track && track->control != WT_WAVE_AS_RECORDED))
		return false;
	if (track && track->stop ? !track->stop->recorded
				 : !answering_stop_find(timeline, wave, &position))
		return false;
	/* An error of reading is told when the timeline gets there. */
	moment = moment_at(timeline, position);
	if (!moment || moment->after_resume)
		return false;
	*reasons_ret = number_at(timeline, position, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON);
	return true;
}

/* Does a recorded event report that a wave has ended? */
static bool timeline_is_end_reported(struct wt_timeline *timeline, uint64_t wave)
{
	uint32_t position;

	/* No handle is used twice: what comes of it is of its end. */
	return may_be_exact(timeline) ? answering_stop_find(timeline, wave, &position)
				      : is_answered_next(timeline, wave, &position);
}

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
	if (!track->stop && timeline_is_answered(timeline, wave, &position)) {
		track->has_stepped = track->has_stepped ||
				     (step && timeline_has_stepped(timeline, position, wave));
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
		    timeline_is_end_reported(timeline, track->wave))
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
