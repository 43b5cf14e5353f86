/* SPDX-License-Identifier: MIT */
#include "replayer/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/timeline-internal.h"

void wt_timeline_init(struct wt_timeline *timeline, struct wt_reader *reader,
		      const struct wt_table_names *names)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->reader = reader;
	timeline->names = names;
	timeline->position = WT_TIMELINE_START;
	TAILQ_INIT(&timeline->queue);
}

void wt_timeline_deinit(struct wt_timeline *timeline)
{
	wt_timeline_detach(timeline);
}

void wt_timeline_detach(struct wt_timeline *timeline)
{
	struct wt_timeline_event *event, *next_event;
	struct wt_wave_track *wave, *next_wave;

	HASH_ITER(hh, timeline->events, event, next_event)
	{
		HASH_DEL(timeline->events, event);
		free(event);
	}
	HASH_ITER(hh, timeline->waves, wave, next_wave)
	{
		HASH_DEL(timeline->waves, wave);
		free(wave);
	}
	TAILQ_INIT(&timeline->queue);
	wt_overlay_deinit(&timeline->overlay);
	wt_layout_deinit(&timeline->layout);
	wt_state_destroy(timeline->state);
	timeline->state = NULL;
	timeline->moment = NULL;
	timeline->attached = timeline->closing = false;
	timeline->resumed = timeline->stop_requested = false;
	memset(timeline->changed, 0, sizeof(timeline->changed));
}

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

		if (wt_objects[i].list == WT_FUNCTION_COUNT)
			continue;
		if (before)
			old = list_of(timeline, before, (enum wt_object)i, process, &old_answers);
		new = list_of(timeline, after, (enum wt_object)i, process, &new_answers);
		if (!same_list(old, new) || old_answers != new_answers)
			timeline->changed[i] = true;
	}
}

struct wt_error *wt_timeline_go(struct wt_timeline *timeline, uint32_t position)
{
	const struct wt_moment *moment;
	struct wt_state *state;
	struct wt_error *error;

	error = wt_reader_moment(timeline->reader, position, &moment);
	if (!error)
		error = wt_reader_state(timeline->reader, position, &state);
	if (error)
		return error;
	note_changes(timeline, timeline->state, state, moment->process);
	wt_overlay_move(&timeline->overlay, state);
	wt_state_destroy(timeline->state);
	timeline->state = state;
	timeline->moment = moment;
	timeline->position = position;
	timeline->logged = timeline->log_due = 0;
	timeline->resumed = timeline->stop_requested = timeline->closing = false;
	timeline->recorded = (struct wt_recorded){.names = timeline->names,
						  .state = state,
						  .layout = &timeline->layout,
						  .overlay = &timeline->overlay};
	return NULL;
}

/* The first ATTACH moment from a position on; the count of moments if there is none. */
static struct wt_error *find_attach(struct wt_timeline *timeline, uint32_t from,
				    uint32_t *position_ret)
{
	uint32_t count = wt_reader_moment_count(timeline->reader), i;

	for (i = from; i < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (error)
			return error;
		if (moment->cause == WT_MOMENT_ATTACH)
			break;
	}
	*position_ret = i;
	return NULL;
}

struct wt_error *wt_timeline_attach(struct wt_timeline *timeline)
{
	uint32_t count = wt_reader_moment_count(timeline->reader), position;
	uint32_t from = timeline->position == WT_TIMELINE_START ? 0 : timeline->position + 1;
	struct wt_error *error = find_attach(timeline, from, &position);

	if (!error && position == count)
		error = find_attach(timeline, 0, &position);
	if (error)
		return error;
	if (position == count)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot attach to the recorded process",
				       "", "the trace has no process that was attached to");
	wt_timeline_detach(timeline);
	error = wt_timeline_go(timeline, position);
	if (error)
		return error;
	timeline->attached = true;
	timeline->log_due = timeline->moment->log_count;
	timeline->process = timeline->moment->process;
	return NULL;
}

bool wt_timeline_may_move(struct wt_timeline *timeline, const struct wt_moment **next_ret)
{
	const struct wt_moment *next;
	struct wt_error *error;

	if (!timeline->attached ||
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
	return !next->after_resume || timeline->resumed ||
	       (next->stop_requested_count && timeline->stop_requested);
}

bool wt_timeline_pending(struct wt_timeline *timeline)
{
	const struct wt_moment *next;

	return !TAILQ_EMPTY(&timeline->queue) || wt_timeline_may_move(timeline, &next);
}

/* To the next moment; of a STOP, the events are queued. */
static struct wt_error *advance(struct wt_timeline *timeline)
{
	struct wt_error *error = wt_timeline_go(timeline, timeline->position + 1);

	return error ? error : wt_timeline_queue_events(timeline);
}

static bool made_in(const struct wt_timeline *timeline, const struct wt_moment *moment,
		    enum wt_function function)
{
	return timeline->names->functions[function] &&
	       moment->function == timeline->names->functions[function];
}

/* What was logged before an event was given; all that is left where none is. */
static void let_log(struct wt_timeline *timeline, const struct wt_timeline_event *event)
{
	const struct wt_moment *moment = timeline->moment;

	if (!event || (TAILQ_EMPTY(&timeline->queue) && !timeline->closing))
		timeline->log_due = moment->log_count;
	/* An event that was made here comes between the recorded ones. */
	while (event && event->recorded && timeline->log_due < moment->log_count &&
	       moment->log[timeline->log_due].event <= (size_t)(event->recorded - moment->events))
		timeline->log_due++;
}

const struct wt_log_message *wt_timeline_log(struct wt_timeline *timeline)
{
	if (!timeline->attached || timeline->logged >= timeline->log_due)
		return NULL;
	return &timeline->moment->log[timeline->logged++];
}

static const struct wt_timeline_event *report(struct wt_timeline *timeline)
{
	const struct wt_timeline_event *event = wt_timeline_report(timeline);

	if (TAILQ_EMPTY(&timeline->queue) && timeline->moment->cause == WT_MOMENT_STOP)
		timeline->closing =
			made_in(timeline, timeline->moment, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT);
	return event;
}

struct wt_error *wt_timeline_pump(struct wt_timeline *timeline,
				  const struct wt_timeline_event **event_ret)
{
	const struct wt_moment *next;
	struct wt_error *error = NULL;

	*event_ret = NULL;
	if (TAILQ_EMPTY(&timeline->queue)) {
		if (timeline->closing)
			timeline->closing = false;
		else if (wt_timeline_may_move(timeline, &next))
			error = advance(timeline);
	}
	if (error)
		return error;
	if (!TAILQ_EMPTY(&timeline->queue))
		*event_ret = report(timeline);
	let_log(timeline, *event_ret);
	return NULL;
}

struct wt_error *wt_timeline_release(struct wt_timeline *timeline, enum wt_function function)
{
	const struct wt_moment *next;
	struct wt_error *error;

	if (!TAILQ_EMPTY(&timeline->queue))
		return NULL;
	timeline->closing = false;
	if (!wt_timeline_may_move(timeline, &next) || !next || next->cause != WT_MOMENT_PASS ||
	    !made_in(timeline, next, function))
		return NULL;
	error = advance(timeline);
	if (!error)
		let_log(timeline, NULL);
	return error;
}
