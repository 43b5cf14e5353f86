/* SPDX-License-Identifier: MIT */
/* From one moment to another: whether the timeline may move, and what changes when it does. */

#include <string.h>

#include "base/cleanup.h"
#include "replayer/recorded/process-part.h"
#include "replayer/timeline/internal.h"
#include "replayer/timeline/timeline.h"

/* Waves as the client may know them: what was recorded, and what it did to them since. */

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

/* Does a wave run, in the client's view? True also if there are no waves. */
static bool timeline_is_running(const struct wt_timeline *timeline)
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

/* Does a wave make a single step for which the client has no event yet? */
static bool timeline_has_step(const struct wt_timeline *timeline)
{
	const struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	if (track->control == WT_WAVE_STEPPED && !track->stop)
		return true;
	return false;
}

bool wt_timeline_is_ours(const struct wt_timeline *timeline, const struct wt_moment *moment)
{
	return moment->cause != WT_MOMENT_REFUSED &&
	       (!moment->process || moment->process == timeline->process);
}

/* A PASS of all processes at once is one of those that were attached then. */
static bool is_attached_at(const struct wt_timeline *timeline, uint32_t position)
{
	struct wt_recorded there = {.names = timeline->names};
	struct wt_state *state = NULL;
	bool attached;

	/* An error of reading is told when the timeline gets there. */
	wt_error_destroy(wt_reader_state(timeline->reader, position, &state));
	there.state = state;
	attached = !state || !wt_recorded_process_count(timeline->names, state) ||
		   wt_recorded_object(&there, WT_OBJECT_PROCESS, timeline->process);
	wt_state_destroy(state);
	return attached;
}

bool wt_timeline_find_behind(const struct wt_timeline *timeline, uint32_t position,
			     uint32_t *position_ret, const struct wt_moment **moment_ret)
{
	uint32_t count = wt_reader_moment_count(timeline->reader);
	bool passed_over = false;

	for (uint32_t i = position + 1; i < count; i++) {
		struct wt_error *error = wt_reader_moment(timeline->reader, i, moment_ret);

		if (error) {
			wt_error_destroy(error);
			*moment_ret = NULL;
		}
		*position_ret = i;
		if (error)
			return true;
		if (wt_timeline_is_ours(timeline, *moment_ret))
			return (*moment_ret)->cause != WT_MOMENT_ATTACH &&
			       (!passed_over || (*moment_ret)->process ||
				is_attached_at(timeline, i));
		passed_over = true;
	}
	return false;
}

bool wt_timeline_find_next(struct wt_timeline *timeline, uint32_t *position_ret,
			   const struct wt_moment **moment_ret)
{
	struct wt_error *error;

	if (!timeline->next_known) {
		if (!wt_timeline_find_behind(timeline, timeline->position, &timeline->next,
					     &timeline->next_moment))
			timeline->next = WT_TIMELINE_NOWHERE;
		timeline->next_known = true;
	}
	*position_ret = timeline->next;
	if (timeline->next == WT_TIMELINE_NOWHERE)
		return false;
	/* A moment that could not be read may be had the next time. */
	if (!timeline->next_moment) {
		error = wt_reader_moment(timeline->reader, timeline->next, &timeline->next_moment);
		if (error)
			timeline->next_moment = NULL;
		wt_error_destroy(error);
	}
	*moment_ret = timeline->next_moment;
	return true;
}

struct wt_error *wt_timeline_state_at(const struct wt_timeline *timeline, uint32_t position,
				      struct wt_state **state_ret)
{
	const struct wt_moment *moment;
	uint64_t process = timeline->process;
	struct wt_state *state = NULL;
	struct wt_error *error;

	if (timeline->attached && timeline->state &&
	    wt_reader_keeps_state(timeline->reader, timeline->state_position, position)) {
		*state_ret = wt_state_share(timeline->state);
		return NULL;
	}
	error = wt_reader_state(timeline->reader, position, &state);
	if (!error && !timeline->attached) {
		error = wt_reader_moment(timeline->reader, position, &moment);
		process = error ? 0 : moment->process;
	}
	if (!error)
		error = wt_recorded_keep_process(timeline->names, process, &state);
	if (error)
		wt_state_destroy(state);
	else
		*state_ret = state;
	return error;
}

static struct wt_timeline_list timeline_list_of(const struct wt_timeline *timeline,
						const struct wt_state *state, enum wt_object object,
						uint64_t process)
{
	struct wt_recorded recorded = {.names = timeline->names, .state = state};
	enum wt_function function = wt_objects[object].list;
	const struct wt_item *answers =
		wt_recorded_function(&recorded, WT_ITEM_LIST_CHANGES, function, process);

	return (struct wt_timeline_list){
		.item = wt_recorded_function(&recorded, WT_ITEM_LIST, function, process),
		.answers = answers && answers->number_count ? answers->numbers[0] : 0,
	};
}

static bool same_list(const struct wt_item *a, const struct wt_item *b)
{
	size_t a_count = a ? a->handle_count : 0, b_count = b ? b->handle_count : 0;

	return a == b ||
	       (a_count == b_count &&
		(!a_count || !memcmp(a->handles, b->handles, a_count * sizeof(*a->handles))));
}

static bool share_items(const struct wt_state *a, const struct wt_state *b, enum wt_item_type type)
{
	const struct wt_key first = {.type = type},
			    behind = {.type = (enum wt_item_type)(type + 1)};

	return wt_state_shares(a, b, &first, &behind);
}

/* Do both states share the items that lists are compared by? From one stop to the next they mostly do. */
static bool share_lists(const struct wt_state *a, const struct wt_state *b)
{
	return share_items(a, b, WT_ITEM_LIST) && share_items(a, b, WT_ITEM_LIST_CHANGES);
}

/* Keeps what is in the new state for the next comparison. */
static void note_changes(struct wt_timeline *timeline, const struct wt_state *after,
			 uint64_t process)
{
	const struct wt_state *before = timeline->state;
	bool known = timeline->lists_process == process;

	if (before == after || (before && known && share_lists(before, after)))
		return;
	for (int i = 0; i < WT_OBJECT_COUNT; i++) {
		struct wt_timeline_list *list = &timeline->lists[i], old = *list;
		bool same;

		if (wt_objects[i].list == WT_FUNCTION_COUNT)
			continue;
		if (!before)
			old = (struct wt_timeline_list){0};
		else if (!known)
			old = timeline_list_of(timeline, before, (enum wt_object)i, process);
		*list = timeline_list_of(timeline, after, (enum wt_object)i, process);
		same = same_list(old.item, list->item);
		if (!same || old.answers != list->answers)
			timeline->changed[i] = true;
		/* A list that was lost is nothing to show. */
		if (i == WT_OBJECT_CODE_OBJECT && list->item && !same)
			timeline->code_stale = true;
	}
	timeline->lists_process = process;
}

struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position)
{
	struct wt_state *state = NULL;
	struct wt_error *error = NULL;

	if (timeline->ahead && timeline->next_known && position == timeline->next)
		state = wt_take(timeline->ahead);
	else
		error = wt_timeline_state_at(timeline, position, &state);
	return error ? error : wt_timeline_go_to(timeline, position, state);
}

struct wt_error *wt_timeline_go_on(struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	uint32_t position;

	if (wt_timeline_find_next(timeline, &position, &next))
		return wt_timeline_go(timeline, position);
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot go on", NULL,
			       "the process has no later moment");
}

/* Takes the state over, also on error. */
static struct wt_error *timeline_take_state(struct wt_timeline *timeline, uint32_t position,
					    struct wt_state *state)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(timeline->reader, position, &moment);

	if (!error) {
		wt_timeline_forget_ahead(timeline);
		error = wt_incarnations_move(&timeline->incarnations, timeline->names,
					     timeline->state, state);
	}
	if (error) {
		wt_state_destroy(state);
		return error;
	}
	note_changes(timeline, state, timeline->attached ? timeline->process : moment->process);
	wt_overlay_move(&timeline->overlay, state);
	wt_state_destroy(timeline->state);
	timeline->state = state;
	timeline->state_changes++;
	timeline->state_position = position;
	timeline->state_moment = moment;
	timeline->recorded = (struct wt_recorded){.names = timeline->names,
						  .state = state,
						  .layout = &timeline->layout,
						  .overlay = &timeline->overlay};
	return NULL;
}

struct wt_error *wt_timeline_go_to(struct wt_timeline *timeline, uint32_t position,
				   struct wt_state *state)
{
	bool is_next = timeline->next_known && position == timeline->next;
	struct wt_error *error = timeline_take_state(timeline, position, state);

	if (error)
		return error;
	timeline->aborting &= is_next;
	timeline->moment = timeline->state_moment;
	timeline->position = position;
	timeline->next_known = false;
	timeline->logged = timeline->log_due = 0;
	timeline->resumed = timeline->stop_requested = timeline->closing = false;
	timeline->arrived = false;
	return NULL;
}

/* Was each wave that the client holds stopped there? */
static bool keeps_held(const struct wt_timeline *timeline, const struct wt_state *state)
{
	const struct wt_recorded there = {.names = timeline->names, .state = state};
	struct wt_wave_track *track, *next;

	HASH_ITER(hh, timeline->waves, track, next)
	{
		uint64_t stopped = 0;

		wt_recorded_number(&there, WT_OBJECT_WAVE, track->wave, AMD_DBGAPI_WAVE_INFO_STATE,
				   &stopped);
		if (track->control == WT_WAVE_HELD && stopped != AMD_DBGAPI_WAVE_STATE_STOP)
			return false;
	}
	return true;
}

struct wt_error *wt_timeline_look(struct wt_timeline *timeline, uint32_t position)
{
	const struct wt_moment *next;
	struct wt_error *error;
	struct wt_state *state;
	uint32_t end;

	if (!timeline->attached || position <= timeline->state_position)
		return NULL;
	if (wt_timeline_find_next(timeline, &end, &next) && position >= end)
		position = end - 1;
	if (position <= timeline->state_position)
		return NULL;
	error = wt_timeline_state_at(timeline, position, &state);
	if (error)
		return error;
	if (keeps_held(timeline, state))
		return timeline_take_state(timeline, position, state);
	wt_state_destroy(state);
	return NULL;
}

/*
 * On the way to another stop nothing else is to happen: a client that has kept events back delivers
 * them first, stops its waves for each, and would have new ones from every stop in between. A wave
 * that makes a step, past a breakpoint say, has to end it, or the client never lets the others go.
 */
static bool waits_for_departure(const struct wt_timeline *timeline)
{
	return timeline->destination != WT_TIMELINE_NOWHERE && !timeline_has_step(timeline);
}

bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret)
{
	const struct wt_moment *next;
	uint32_t position;

	if (!timeline->attached || timeline->paused || waits_for_departure(timeline) ||
	    !wt_timeline_find_next(timeline, &position, &next))
		return false;
	*next_ret = next;
	/* The error comes again, and to the client's ears, when the timeline moves. */
	if (!next)
		return true;
	/* Nobody's own calls are to be repeated: time goes on as long as something runs. */
	if (timeline->hosted)
		return timeline_is_running(timeline) && !wt_timeline_would_lose_held(timeline);
	return (!next->after_resume || timeline->resumed ||
		(next->stop_requested_count && timeline->stop_requested)) &&
	       !wt_timeline_would_lose_held(timeline);
}

bool wt_timeline_is_last(const struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	uint32_t position;

	/* Somebody wants it elsewhere. */
	return timeline->destination == WT_TIMELINE_NOWHERE &&
	       !wt_timeline_find_behind(timeline, timeline->position, &position, &next);
}
