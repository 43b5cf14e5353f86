/* SPDX-License-Identifier: MIT */
#include "cli/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/unknown.h"
#include "replayer/view/explain.h"
#include "trace-format/reader/summary.h"

static const char what[] = "cannot show the stop";

bool wt_cli_is_loss(struct wt_error *error)
{
	if (!error || (error->code != WT_ERROR_INPUT && error->code != WT_ERROR_NOT_FOUND))
		return false;
	wt_error_destroy(error);
	return true;
}

/* A moment that is lost is not counted: nothing tells whether it was a stop. */
static struct wt_error *is_stop(struct wt_cli_trace *trace, uint32_t number, bool *stop_ret)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(trace->reader, number, &moment);

	*stop_ret = !error && moment->cause == WT_MOMENT_STOP;
	return wt_cli_is_loss(error) ? NULL : error;
}

static struct wt_error *add_stop(struct wt_cli_trace *trace, uint32_t moment)
{
	uint32_t capacity = trace->stop_capacity ? trace->stop_capacity * 2 : 64;
	uint32_t *stops = trace->stops;

	if (trace->stop_count == trace->stop_capacity) {
		stops = reallocarray(stops, capacity, sizeof(*stops));
		if (!stops)
			return &wt_error_no_memory;
		trace->stops = stops;
		trace->stop_capacity = capacity;
	}
	stops[trace->stop_count++] = moment;
	return NULL;
}

bool wt_cli_trace_take_list(struct wt_cli_trace *trace)
{
	const struct wt_stop *stops;
	uint32_t *moments;
	size_t count;

	stops = wt_reader_listed_stops(trace->reader, &count);
	if (!stops || count >= UINT32_MAX)
		return false;
	moments = calloc(count + 1, sizeof(*moments));
	if (!moments)
		return false;
	for (size_t i = 0; i < count; i++)
		moments[i] = stops[i].moment;
	free(trace->stops);
	trace->stops = moments;
	trace->stop_count = trace->stop_capacity = (uint32_t)count;
	trace->looked_at = wt_reader_moment_count(trace->reader);
	return true;
}

void wt_cli_trace_forget_stops(struct wt_cli_trace *trace)
{
	trace->stop_count = trace->looked_at = 0;
}

/* Is the list of stops, which was used, still one that nothing contradicts? */
static bool list_holds(struct wt_cli_trace *trace)
{
	size_t count;

	return wt_reader_listed_stops(trace->reader, &count) != NULL;
}

struct wt_error *wt_cli_trace_next_stop(struct wt_cli_trace *trace, bool *found_ret)
{
	uint32_t count = wt_reader_moment_count(trace->reader);
	struct wt_error *error = NULL;

	*found_ret = false;
	while (!error && !*found_ret) {
		trace->looked_at = wt_reader_next_moment(trace->reader, trace->looked_at);
		if (trace->looked_at == count)
			break;
		if (trace->beside)
			trace->beside(trace->opaque, trace->looked_at);
		error = is_stop(trace, trace->looked_at, found_ret);
		if (*found_ret)
			error = add_stop(trace, trace->looked_at);
		/* Whoever asks again gets the error again. */
		trace->looked_at += !error;
	}
	return error;
}

struct wt_error *wt_cli_trace_find_stops(struct wt_cli_trace *trace)
{
	struct wt_error *error;
	bool found;

	do
		error = wt_cli_trace_next_stop(trace, &found);
	while (!error && found);
	return error;
}

void wt_cli_damage(const struct wt_reader *reader, const char *path, size_t *told)
{
	const char *damage = wt_reader_damage(reader);
	wt_cleanup_free char *copy = NULL;
	char *rest, *line;

	if (!damage || strlen(damage) <= *told)
		return;
	/* Text is only ever added, in lines of its own. */
	copy = strdup(damage + *told + (*told && damage[*told] == '\n'));
	*told = strlen(damage);
	fflush(stdout);
	if (!copy)
		wt_cli_fail(&wt_error_no_memory);
	for (rest = copy; (line = strsep(&rest, "\n"));) {
		fprintf(stderr, "wavetape: the trace is not whole: ");
		wt_cli_put(stderr, path);
		fprintf(stderr, ": ");
		wt_cli_put(stderr, line);
		putc('\n', stderr);
	}
}

struct wt_error *wt_cli_trace_open(struct wt_cli_trace *trace)
{
	struct wt_error *error = wt_reader_open(trace->path, &trace->reader);

	if (!error)
		wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
	return error;
}

bool wt_cli_trace_close(struct wt_cli_trace *trace, int code)
{
	bool partial = false;

	if (trace->reader) {
		wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
		partial = wt_reader_damage(trace->reader) ||
			  (code == WT_EXIT_FINE && wt_cli_cut(trace->reader, trace->path));
	}
	wt_reader_close(trace->reader);
	free(trace->stops);
	trace->reader = NULL;
	trace->stops = NULL;
	return partial;
}

bool wt_cli_cut(const struct wt_reader *reader, const char *path)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	if (!info.cut)
		return false;
	fflush(stdout);
	fprintf(stderr, "wavetape: the recording ended early: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": ");
	wt_cli_put(stderr, info.end_reason);
	putc('\n', stderr);
	return true;
}

int wt_cli_trace_run(struct wt_cli_trace *trace, wt_cli_show show, void *options)
{
	struct wt_error *error = wt_cli_trace_open(trace);
	int code = WT_EXIT_FINE;
	json_t *json = NULL;

	if (!error)
		error = show(trace, options, &json);
	if (error) {
		code = wt_cli_fail(error);
		json_decref(json);
	} else if (trace->json) {
		code = wt_cli_json(json);
	}
	if (wt_cli_trace_close(trace, code) && code == WT_EXIT_FINE)
		code = WT_EXIT_PARTIAL;
	return code;
}

/* A crash is at one of the last stops, as a rule: so many are looked at before all are, within so many moments. */
#define LAST_STOPS 2
#define LAST_MOMENTS 64

/* What the stops that were looked at have told. */
struct telling {
	struct wt_view *fault, *last; /* the newest one with a fault, and without */
	struct wt_error *error;	      /* in place of `fault`: of a newer one */
	uint32_t fault_moment, last_moment;
};

static void telling_deinit(struct telling *telling)
{
	wt_view_close(telling->fault);
	wt_view_close(telling->last);
	wt_error_destroy(telling->error);
	*telling = (struct telling){0};
}

/* Look at a stop. One whose state is lost tells nothing. */
static void tell(struct wt_cli_trace *trace, uint32_t moment, struct telling *telling)
{
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(trace->reader, moment, &view);

	if (wt_cli_is_loss(error))
		return;
	if (!error && !wt_view_has_fault(view)) {
		wt_view_close(telling->last);
		telling->last = view;
		telling->last_moment = moment;
		return;
	}
	wt_view_close(telling->fault);
	wt_error_destroy(telling->error);
	telling->error = error;
	telling->fault = view;
	telling->fault_moment = moment;
}

/*
 * Look at the last stops alone, back to one with a fault. If there is one, nothing but the moments is decoded of what
 * is before its keyframe. What cannot be read is left to tell_all().
 */
static void tell_last(struct wt_cli_trace *trace, struct telling *telling)
{
	uint32_t count = wt_reader_moment_count(trace->reader), stops = 0;

	for (uint32_t i = 0; i < count && i < LAST_MOMENTS && stops < LAST_STOPS; i++) {
		bool stop;
		wt_cleanup_error struct wt_error *error = is_stop(trace, count - 1 - i, &stop);

		if (!error && stop)
			tell(trace, count - 1 - i, telling);
		if (error || telling->error || telling->fault)
			return;
		stops += stop;
	}
}

/* Look at all stops in the walk that finds them. */
static struct wt_error *tell_all(struct wt_cli_trace *trace, struct telling *telling)
{
	struct wt_error *error;
	bool found;

	for (;;) {
		error = wt_cli_trace_next_stop(trace, &found);
		if (error || !found)
			return error ? error : wt_take(telling->error);
		tell(trace, trace->stops[trace->stop_count - 1], telling);
	}
}

/* Which stop a moment is, as the user counts. */
static uint32_t stop_of(const struct wt_cli_trace *trace, uint32_t moment)
{
	uint32_t stop = trace->stop_count;

	while (stop > 1 && trace->stops[stop - 1] != moment)
		stop--;
	return stop;
}

static struct wt_error *no_stop(const struct wt_cli_trace *trace)
{
	struct wt_cli_unknown unknown;
	char text[WT_CLI_UNKNOWN_TEXT];
	struct wt_error *error = wt_cli_unknown_read(trace->reader, &unknown);

	if (error)
		return error;
	if (!unknown.count)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, trace->path,
			"the trace has no stop: nothing stopped while it was recorded");
	return wt_error_create(WT_ERROR_NOT_FOUND, what, trace->path,
			       "the trace has no stop; the rest is not known: %s",
			       wt_cli_unknown_text(&unknown, text));
}

/* All stops are found: hand on the one that tells most. */
static struct wt_error *take_telling(struct wt_cli_trace *trace, struct telling *telling,
				     struct wt_view **view_ret, uint32_t *stop_ret)
{
	if (!trace->stop_count)
		return no_stop(trace);
	if (!telling->fault && !telling->last) {
		*stop_ret = trace->stop_count;
		return wt_view_open(trace->reader, trace->stops[*stop_ret - 1], view_ret);
	}
	*stop_ret = stop_of(trace, telling->fault ? telling->fault_moment : telling->last_moment);
	*view_ret = telling->fault ? wt_take(telling->fault) : wt_take(telling->last);
	return NULL;
}

/* The last stop with a fault, else the last one; among those whose state is not lost. */
static struct wt_error *view_telling(struct wt_cli_trace *trace, struct wt_view **view_ret,
				     uint32_t *stop_ret)
{
	struct telling telling = {0};
	struct wt_error *error;

	tell_last(trace, &telling);
	if (telling.fault) {
		error = wt_cli_trace_find_stops(trace);
	} else {
		telling_deinit(&telling);
		error = tell_all(trace, &telling);
	}
	if (!error)
		error = take_telling(trace, &telling, view_ret, stop_ret);
	telling_deinit(&telling);
	return error;
}

struct wt_error *wt_cli_trace_check_stop(const struct wt_cli_trace *trace)
{
	if (!trace->stop_count)
		return no_stop(trace);
	if (trace->stop > trace->stop_count)
		return wt_error_create(WT_ERROR_USAGE, what, trace->path,
				       "there is no stop %u: the trace has %u, counted from 1",
				       trace->stop, trace->stop_count);
	return NULL;
}

/* The stop of --stop: what is behind it is not read. */
static struct wt_error *find_asked(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret)
{
	struct wt_error *error = NULL;
	bool found = true;

	while (!error && found && trace->stop_count < trace->stop)
		error = wt_cli_trace_next_stop(trace, &found);
	if (!error)
		error = wt_cli_trace_check_stop(trace);
	if (error)
		return error;
	*stop_ret = trace->stop;
	return wt_view_open(trace->reader, trace->stops[trace->stop - 1], view_ret);
}

/*
 * The stop that the list says is the last one with a fault, else the last one. False in @done_ret if it cannot be had, or what
 * is there is something else: then all stops have to be looked at.
 */
static struct wt_error *view_listed(struct wt_cli_trace *trace, struct wt_view **view_ret,
				    uint32_t *stop_ret, bool *done_ret)
{
	size_t count = 0, chosen;
	const struct wt_stop *stops = wt_reader_listed_stops(trace->reader, &count);
	struct wt_view *view = NULL;
	struct wt_error *error;

	*done_ret = false;
	if (!count || !wt_cli_trace_take_list(trace))
		return NULL;
	for (chosen = count;
	     chosen > 0 && !(wt_stop_reasons(&stops[chosen - 1]) & WT_FAULT_REASONS);)
		chosen--;
	chosen = chosen ? chosen : count;
	error = wt_view_open(trace->reader, stops[chosen - 1].moment, &view);
	*done_ret = !wt_cli_is_loss(error) && list_holds(trace);
	if (*done_ret && !error) {
		*view_ret = view;
		*stop_ret = (uint32_t)chosen;
		return NULL;
	}
	wt_view_close(view);
	return *done_ret ? error : NULL;
}

static struct wt_error *view_asked(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret)
{
	bool listed = !trace->beside && wt_cli_trace_take_list(trace);
	struct wt_error *error = find_asked(trace, view_ret, stop_ret);

	if (!listed || list_holds(trace))
		return error;
	/* By the list it was another stop. */
	wt_error_destroy(error);
	wt_view_close(*view_ret);
	*view_ret = NULL;
	wt_cli_trace_forget_stops(trace);
	return find_asked(trace, view_ret, stop_ret);
}

struct wt_error *wt_cli_trace_view(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret)
{
	struct wt_error *error;
	bool done;

	if (trace->has_stop)
		return view_asked(trace, view_ret, stop_ret);
	if (!trace->beside) {
		error = view_listed(trace, view_ret, stop_ret, &done);
		if (done)
			return error;
		wt_cli_trace_forget_stops(trace);
	}
	return view_telling(trace, view_ret, stop_ret);
}

struct wt_error *wt_cli_no_wave(const char *action, const struct wt_cli_trace *trace)
{
	return wt_error_create(WT_ERROR_NOT_FOUND, action, trace->path,
			       "there is no wave %" PRIu64
			       " at this stop; `wavetape waves` lists them",
			       trace->wave);
}

struct wt_error *wt_cli_choose_wave(const char *action, struct wt_cli_trace *trace,
				    struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	if (trace->wave) {
		/* Where the wave itself is lost its registers may be there all the same. */
		if (wt_view_exists(view, WT_OBJECT_WAVE, trace->wave) ||
		    wt_view_register_count(view, trace->wave))
			return NULL;
		return wt_cli_no_wave(action, trace);
	}
	for (size_t i = 0; i < count; i++) {
		if (!trace->wave && wt_view_register_count(view, waves[i]))
			trace->wave = waves[i];
		if (wt_view_wave_has_fault(view, waves[i])) {
			trace->wave = waves[i];
			return NULL;
		}
	}
	if (trace->wave)
		return NULL;
	return wt_error_create(WT_ERROR_NOT_FOUND, action, trace->path,
			       "no wave is stopped at this stop");
}
