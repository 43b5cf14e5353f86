/* SPDX-License-Identifier: MIT */
/* Which recorded events answer what this client asked of waves: whether it may wait for them. */
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

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
 * Had a wave made a step when it stopped? A request to stop it then came too late. One that shows as stepping though it
 * was asked to stop has made its step, too; its event may not have come while the trace lasted.
 */
bool wt_timeline_has_stepped(struct wt_timeline *timeline, uint32_t position, uint64_t wave)
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
 * If the recorded client asked for the stop, too, its outcome comes again, behind whatever that client then did. A
 * client that does something else is answered when the timeline stays where it is (wt_timeline_answer_stops()).
 */
bool wt_timeline_is_answered(struct wt_timeline *timeline, uint64_t wave, uint32_t *position_ret)
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

bool wt_timeline_is_end_reported(struct wt_timeline *timeline, uint64_t wave)
{
	uint32_t position;

	/* No handle is used twice: what comes of it is of its end. */
	return may_be_exact(timeline) ? answering_stop_find(timeline, wave, &position)
				      : is_answered_next(timeline, wave, &position);
}
