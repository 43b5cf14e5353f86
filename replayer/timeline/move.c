/* SPDX-License-Identifier: MIT */
/* From one moment to another: whether the timeline may move, and what changes when it does. */
#include <string.h>

#include "base/cleanup.h"
#include "replayer/timeline/internal.h"

/* The list of an object kind, and how often the client was told that it had changed. */
static const struct wt_item *list_of(const struct wt_timeline *timeline,
				     const struct wt_state *state, enum wt_object object,
				     uint64_t process, uint64_t *answers_ret)
{
	struct wt_recorded recorded = {.names = timeline->names, .state = state};
	enum wt_function function = wt_objects[object].list;
	const struct wt_item *answers =
		wt_recorded_function(&recorded, WT_ITEM_MAP, function, process);

	*answers_ret = answers && answers->number_count ? answers->numbers[0] : 0;
	return wt_recorded_function(&recorded, WT_ITEM_LIST, function, process);
}

static bool same_list(const struct wt_item *a, const struct wt_item *b)
{
	size_t a_count = a ? a->handle_count : 0, b_count = b ? b->handle_count : 0;

	return a_count == b_count &&
	       (!a_count || !memcmp(a->handles, b->handles, a_count * sizeof(*a->handles)));
}

static void note_changes(struct wt_timeline *timeline, const struct wt_state *before,
			 const struct wt_state *after, uint64_t process)
{
	for (int i = 0; i < WT_OBJECT_COUNT; i++) {
		const struct wt_item *old = NULL, *new;
		uint64_t old_answers = 0, new_answers;
		bool same;

		if (wt_objects[i].list == WT_FUNCTION_COUNT)
			continue;
		if (before)
			old = list_of(timeline, before, (enum wt_object)i, process, &old_answers);
		new = list_of(timeline, after, (enum wt_object)i, process, &new_answers);
		same = same_list(old, new);
		if (!same || old_answers != new_answers)
			timeline->changed[i] = true;
		/* A list that was lost is nothing to show. */
		if (i == WT_OBJECT_CODE_OBJECT && new && !same)
			timeline->code_stale = true;
	}
}

struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position)
{
	struct wt_state *state = NULL;
	struct wt_error *error = NULL;

	if (timeline->ahead && position == timeline->position + 1)
		state = wt_take(timeline->ahead);
	else
		error = wt_reader_state(timeline->reader, position, &state);
	return error ? error : wt_timeline_go_to(timeline, position, state);
}

struct wt_error *wt_timeline_go_to(struct wt_timeline *timeline, uint32_t position,
				   struct wt_state *state)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(timeline->reader, position, &moment);

	if (error) {
		wt_state_destroy(state);
		return error;
	}
	wt_timeline_forget_ahead(timeline);
	error = wt_incarnations_move(&timeline->incarnations, timeline->names, timeline->state,
				     state);
	if (error) {
		wt_state_destroy(state);
		return error;
	}
	note_changes(timeline, timeline->state, state, moment->process);
	wt_overlay_move(&timeline->overlay, state);
	timeline->aborting &= position == timeline->position + 1;
	wt_state_destroy(timeline->state);
	timeline->state = state;
	timeline->moment = moment;
	timeline->position = position;
	timeline->logged = timeline->log_due = 0;
	timeline->resumed = timeline->stop_requested = timeline->closing = false;
	timeline->arrived = false;
	timeline->recorded = (struct wt_recorded){.names = timeline->names,
						  .state = state,
						  .layout = &timeline->layout,
						  .overlay = &timeline->overlay};
	return NULL;
}

/*
 * On the way to another stop nothing else is to happen: a client that has kept events back delivers
 * them first, stops its waves for each, and would have new ones from every stop in between. A wave
 * that makes a step, past a breakpoint say, has to end it, or the client never lets the others go.
 */
static bool waits_for_departure(const struct wt_timeline *timeline)
{
	return timeline->destination != WT_TIMELINE_NOWHERE && !wt_timeline_has_step(timeline);
}

bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret)
{
	const struct wt_moment *next;
	struct wt_error *error;

	if (!timeline->attached || timeline->paused || waits_for_departure(timeline) ||
	    timeline->position + 1 >= wt_reader_moment_count(timeline->reader))
		return false;
	error = wt_reader_moment(timeline->reader, timeline->position + 1, &next);
	if (error) {
		/* The error comes again, and to the client's ears, when the timeline moves. */
		wt_error_destroy(error);
		*next_ret = NULL;
		return true;
	}
	*next_ret = next;
	/* A PASS of all processes at once is of none in particular. */
	if (next->cause == WT_MOMENT_ATTACH ||
	    (next->process && next->process != timeline->process))
		return false;
	/* Nobody's own calls are to be repeated: time goes on as long as something runs. */
	if (timeline->hosted)
		return wt_timeline_is_running(timeline) && !wt_timeline_would_lose_held(timeline);
	return (!next->after_resume || timeline->resumed ||
		(next->stop_requested_count && timeline->stop_requested)) &&
	       !wt_timeline_would_lose_held(timeline);
}

bool wt_timeline_is_last(const struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	struct wt_error *error;

	/* Somebody wants it elsewhere. */
	if (timeline->destination != WT_TIMELINE_NOWHERE)
		return false;
	if (timeline->position + 1 >= wt_reader_moment_count(timeline->reader))
		return true;
	error = wt_reader_moment(timeline->reader, timeline->position + 1, &next);
	wt_error_destroy(error);
	return !error && (next->cause == WT_MOMENT_ATTACH ||
			  (next->process && next->process != timeline->process));
}
