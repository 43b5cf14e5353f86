/* SPDX-License-Identifier: MIT */
#include "replayer/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/timeline/internal.h"

/*
 * ---- Going to another stop while a client is connected, and making it see that. It sees what it would
 * see if all waves had run from where it was to the stop and had stopped there: events. A wave that
 * the client knows to be stopped would have no event, so the timeline waits until it has none. ----
 */

/* May the timeline go to the destination? Not if a wave is stopped that the client relies on. */
static bool timeline_may_travel(const struct wt_timeline *timeline)
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

/* Go to the destination, and queue the events that report it to the client. */
static struct wt_error *timeline_arrive(struct wt_timeline *timeline)
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

/* ---- The timeline ---- */

void wt_timeline_init(struct wt_timeline *timeline, struct wt_reader *reader,
		      const struct wt_table_names *names)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->reader = reader;
	timeline->names = names;
	timeline->position = WT_TIMELINE_START;
	timeline->destination = WT_TIMELINE_NOWHERE;
	TAILQ_INIT(&timeline->queue);
}

void wt_timeline_deinit(struct wt_timeline *timeline)
{
	wt_timeline_detach(timeline);
}

void wt_timeline_detach(struct wt_timeline *timeline)
{
	struct wt_timeline_event *event, *next_event;

	HASH_ITER(hh, timeline->events, event, next_event)
	{
		HASH_DEL(timeline->events, event);
		free(event);
	}
	wt_timeline_forget_waves(timeline);
	wt_timeline_forget_indexes(timeline);
	wt_incarnations_deinit(&timeline->incarnations);
	TAILQ_INIT(&timeline->queue);
	wt_overlay_deinit(&timeline->overlay);
	wt_layout_deinit(&timeline->layout);
	wt_timeline_forget_ahead(timeline);
	wt_state_destroy(timeline->state);
	timeline->state = NULL;
	timeline->state_changes++;
	timeline->moment = timeline->state_moment = NULL;
	timeline->next_known = false;
	timeline->attached = timeline->closing = timeline->aborting = false;
	timeline->code_stale = timeline->call_awaited = false;
	timeline->resumed = timeline->stop_requested = false;
	timeline->destination = WT_TIMELINE_NOWHERE;
	timeline->runtime = 0;
	timeline->lists_process = 0;
	memset(timeline->changed, 0, sizeof(timeline->changed));
}

/* The outcome of a recorded attach: of the one that was made in a call, unless that is 0. */
struct outcome {
	const struct wt_moment *moment; /* NULL if there is none */
	uint32_t position;
};

/* The first one from a position on; with or without those that were refused, or these alone. */
enum which { GRANTED = 1 << WT_MOMENT_ATTACH, REFUSED = 1 << WT_MOMENT_REFUSED };

static struct wt_error *find_attach(struct wt_timeline *timeline, uint32_t from, unsigned int which,
				    uint64_t call, struct outcome *outcome_ret)
{
	uint32_t count = wt_reader_moment_count(timeline->reader);

	*outcome_ret = (struct outcome){0};
	for (uint32_t i = from; i < count; i++) {
		const struct wt_moment *moment;
		struct wt_error *error = wt_reader_moment(timeline->reader, i, &moment);

		if (error)
			return error;
		if (moment->cause > WT_MOMENT_REFUSED || !(which & 1u << moment->cause) ||
		    (call && moment->call != call))
			continue;
		*outcome_ret = (struct outcome){moment, i};
		return NULL;
	}
	return NULL;
}

static uint32_t position_behind(const struct wt_timeline *timeline)
{
	return timeline->position == WT_TIMELINE_START ? 0 : timeline->position + 1;
}

/* The one that comes next; after the last one those that were granted come again. */
static struct wt_error *next_attach(struct wt_timeline *timeline, bool refusals, uint64_t call,
				    struct outcome *outcome_ret)
{
	unsigned int which = GRANTED | (refusals ? REFUSED : 0);
	struct wt_error *error =
		find_attach(timeline, position_behind(timeline), which, call, outcome_ret);

	if (!error && !outcome_ret->moment)
		error = find_attach(timeline, 0, GRANTED, call, outcome_ret);
	if (!error && !outcome_ret->moment && !call)
		error = find_attach(timeline, 0, REFUSED, 0, outcome_ret);
	return error;
}

struct wt_error *wt_timeline_follow_refusal(struct wt_timeline *timeline, uint64_t call)
{
	struct outcome outcome;
	struct wt_error *error =
		find_attach(timeline, position_behind(timeline), REFUSED, call, &outcome);

	if (!error && outcome.moment && !timeline->attached)
		timeline->position = outcome.position;
	return error;
}

/* Handles count on over attachments, as those of a library do: a process that was shown before has new ones. */
static void timeline_count_on(struct wt_timeline *timeline, uint64_t process)
{
	struct wt_incarnations *incarnations = &timeline->incarnations;
	const struct wt_timeline_given *given = timeline->given;

	if (!given || process > given->process)
		return;
	incarnations->again = true;
	memcpy(incarnations->highest, given->highest, sizeof(incarnations->highest));
	timeline->last_event = given->event;
}

struct wt_error *wt_timeline_attach(struct wt_timeline *timeline, bool refusals, uint64_t call,
				    const struct wt_moment **refused_ret)
{
	struct outcome outcome;
	struct wt_error *error = next_attach(timeline, refusals, call, &outcome);
	uint32_t position = outcome.position;

	if (error)
		return error;
	*refused_ret = NULL;
	if (!outcome.moment)
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot attach to the recorded process",
				       NULL, "the trace has no process that was attached to");
	wt_timeline_detach(timeline);
	if (outcome.moment->cause == WT_MOMENT_REFUSED) {
		timeline->position = position;
		*refused_ret = outcome.moment;
		return NULL;
	}
	timeline_count_on(timeline, outcome.moment->process);
	error = wt_timeline_go(timeline, position);
	if (error)
		return error;
	timeline->attached = true;
	timeline->next_known = timeline->code_stale = false;
	timeline->start = position;
	timeline->log_due = timeline->moment->log_count;
	timeline->process = timeline->moment->process;
	return NULL;
}

/* Is there an event to give? Stops of waves are kept back until the client has been called. */
static bool timeline_has_event(const struct wt_timeline *timeline)
{
	const struct wt_timeline_event *event = TAILQ_FIRST(&timeline->queue);

	return event && !(timeline->call_awaited && wt_event_stops(event->kind));
}

bool wt_timeline_pending(struct wt_timeline *timeline)
{
	const struct wt_moment *next;

	if (!TAILQ_EMPTY(&timeline->queue) || timeline->call_awaited)
		return timeline_has_event(timeline);
	return timeline_may_travel(timeline) || wt_timeline_may_move(timeline, &next) ||
	       wt_timeline_owes_stop(timeline);
}

void wt_timeline_put_first(struct wt_timeline *timeline, struct wt_timeline_event *event)
{
	TAILQ_REMOVE(&timeline->queue, event, link);
	TAILQ_INSERT_HEAD(&timeline->queue, event, link);
}

void wt_timeline_travel(struct wt_timeline *timeline, uint32_t destination)
{
	timeline->destination = destination;
}

/* To the next moment; of a STOP, the events are queued. */
static struct wt_error *timeline_advance(struct wt_timeline *timeline)
{
	struct wt_error *error = wt_timeline_go_on(timeline);

	if (!error)
		error = wt_timeline_queue_events(timeline, false);
	if (!error && timeline->hosted)
		wt_timeline_put_faults_first(timeline);
	return error ? error : wt_timeline_end_commands(timeline);
}

/*
 * Has the client, since the moment, let a wave go, or asked one to stop, which the recorded client had not before the PASS
 * that comes next? Then it did not make the call that the PASS was made in: a debugger asks for events for the sake of its
 * host threads, too, as often as these happen to stop.
 */
static bool is_past(const struct wt_timeline *timeline, const struct wt_moment *next)
{
	return !timeline->hosted && next && next->cause == WT_MOMENT_PASS &&
	       ((timeline->resumed && !next->after_resume) ||
		(timeline->stop_requested && !next->stop_requested_count));
}

/* To a PASS that the client is past: what it did counts from there. */
static struct wt_error *pass_moment_skip(struct wt_timeline *timeline)
{
	bool resumed = timeline->resumed, stop_requested = timeline->stop_requested;
	struct wt_error *error = timeline_advance(timeline);

	if (!error) {
		timeline->resumed = resumed;
		timeline->stop_requested = stop_requested;
	}
	return error;
}

bool wt_timeline_pass_poll(struct wt_timeline *timeline)
{
	const struct wt_moment *next = NULL;
	struct wt_error *error = NULL;
	uint32_t next_position;

	if (!timeline->attached || timeline->paused || !TAILQ_EMPTY(&timeline->queue) ||
	    timeline->destination != WT_TIMELINE_NOWHERE ||
	    !wt_timeline_find_next(timeline, &next_position, &next))
		return false;
	if (next && next->cause == WT_MOMENT_PASS && !next->after_resume &&
	    !next->stop_requested_count)
		error = pass_moment_skip(timeline);
	/* An error comes again, and to the client's ears, when the timeline moves there. */
	wt_error_destroy(error);
	return timeline->position == next_position;
}

static struct wt_error *timeline_pass_on(struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	struct wt_error *error = NULL;

	while (!error && TAILQ_EMPTY(&timeline->queue) && wt_timeline_may_move(timeline, &next) &&
	       is_past(timeline, next))
		error = pass_moment_skip(timeline);
	if (error || !TAILQ_EMPTY(&timeline->queue))
		return error;
	return wt_timeline_may_move(timeline, &next) ? timeline_advance(timeline)
						     : wt_timeline_answer_stops(timeline);
}

/* Lets out what was logged before an event was given; all that is left where there is no event. */
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

/*
 * GDB stops waves and asks for their events once; if there is none yet, it waits for its host thread
 * alone, and so for ever.
 */
static struct wt_error *pay(struct wt_timeline *timeline)
{
	const struct wt_moment *next;
	struct wt_error *error = NULL;

	timeline->closing = false;
	while (!error && TAILQ_EMPTY(&timeline->queue) && wt_timeline_owes_stop(timeline) &&
	       wt_timeline_may_move(timeline, &next))
		error = timeline_advance(timeline);
	if (!error && TAILQ_EMPTY(&timeline->queue))
		error = wt_timeline_answer_stops(timeline);
	return error;
}

/*
 * When code objects came or went, the host calls the client before the client is told of waves that stopped. It does so
 * at the end of every journey, too, so that who asked for it can prepare for the events.
 */
static struct wt_error *timeline_move(struct wt_timeline *timeline)
{
	struct wt_error *error = NULL;
	bool arrives = false;

	if (timeline->closing) {
		timeline->closing = false;
	} else if (timeline_may_travel(timeline)) {
		arrives = true;
		error = timeline_arrive(timeline);
	} else {
		error = timeline_pass_on(timeline);
	}
	timeline->call_awaited =
		timeline->calls && !error &&
		(arrives || (timeline->code_stale && !TAILQ_EMPTY(&timeline->queue)));
	return error;
}

bool wt_timeline_stop_comes(struct wt_timeline *timeline, uint64_t *call_ret)
{
	const struct wt_moment *next;

	if (!TAILQ_EMPTY(&timeline->queue) || timeline->closing ||
	    !wt_timeline_may_move(timeline, &next) || !next || next->cause != WT_MOMENT_STOP)
		return false;
	*call_ret = next->call;
	return true;
}

struct wt_error *wt_timeline_fetch(struct wt_timeline *timeline)
{
	if (!TAILQ_EMPTY(&timeline->queue))
		return NULL;
	if (timeline->hosted && wt_timeline_owes_stop(timeline))
		return pay(timeline);
	return timeline->call_awaited ? NULL : timeline_move(timeline);
}

/* A debugger is told that a wave has stopped. */
static bool tells_debugger(const struct wt_timeline *timeline,
			   const struct wt_timeline_event *event)
{
	return timeline->hosted && event && event->wave && wt_event_stops(event->kind);
}

struct wt_error *wt_timeline_pump(struct wt_timeline *timeline,
				  const struct wt_timeline_event **event_ret)
{
	struct wt_error *error = wt_timeline_fetch(timeline);

	*event_ret = NULL;
	if (error)
		return error;
	if (timeline_has_event(timeline))
		*event_ret = wt_timeline_report(timeline, TAILQ_FIRST(&timeline->queue));
	let_log(timeline, *event_ret);
	return tells_debugger(timeline, *event_ret) && !(*event_ret)->step
		       ? wt_timeline_adjust_pc(timeline, (*event_ret)->wave)
		       : NULL;
}

struct wt_error *wt_timeline_release(struct wt_timeline *timeline, enum wt_function function)
{
	const struct wt_moment *next;
	struct wt_error *error;
	bool moves;

	if (!TAILQ_EMPTY(&timeline->queue))
		return NULL;
	moves = wt_timeline_may_move(timeline, &next) && next && next->cause == WT_MOMENT_PASS &&
		wt_timeline_made_in(timeline, next, function);
	/* Older recorders made no moment of an event that was processed: the client is still to get none. */
	if (moves || function != WT_FUNCTION_EVENT_PROCESSED)
		timeline->closing = false;
	if (!moves)
		return NULL;
	error = is_past(timeline, next) ? pass_moment_skip(timeline) : timeline_advance(timeline);
	if (!error)
		let_log(timeline, NULL);
	return error;
}
