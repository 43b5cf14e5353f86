/* SPDX-License-Identifier: MIT */
#include "replayer/view/stops.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "replayer/view/explain.h"
#include "replayer/view/missing.h"
#include "trace-format/reader/summary.h"

static const char what[] = "cannot show the stop";

void wt_stops_deinit(struct wt_stops *stops)
{
	free(stops->moments);
	stops->moments = NULL;
	stops->count = stops->capacity = stops->looked_at = 0;
}

bool wt_error_is_loss(struct wt_error *error)
{
	if (!error || (error->code != WT_ERROR_INPUT && error->code != WT_ERROR_NOT_FOUND))
		return false;
	wt_error_destroy(error);
	return true;
}

/* A moment that is lost is not counted: nothing tells whether it was a stop. */
static struct wt_error *is_stop(struct wt_stops *stops, uint32_t number, bool *stop_ret)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(stops->reader, number, &moment);

	*stop_ret = !error && moment->cause == WT_MOMENT_STOP;
	return wt_error_is_loss(error) ? NULL : error;
}

static struct wt_error *stops_add(struct wt_stops *stops, uint32_t moment)
{
	uint32_t capacity = stops->capacity ? stops->capacity * 2 : 64;
	uint32_t *moments = stops->moments;

	if (stops->count == stops->capacity) {
		moments = reallocarray(moments, capacity, sizeof(*moments));
		if (!moments)
			return &wt_error_no_memory;
		stops->moments = moments;
		stops->capacity = capacity;
	}
	moments[stops->count++] = moment;
	return NULL;
}

bool wt_stops_take_list(struct wt_stops *stops)
{
	const struct wt_stop *list;
	uint32_t *moments;
	size_t count;

	list = wt_reader_listed_stops(stops->reader, &count);
	if (!list || count >= UINT32_MAX)
		return false;
	moments = calloc(count + 1, sizeof(*moments));
	if (!moments)
		return false;
	for (size_t i = 0; i < count; i++)
		moments[i] = list[i].moment;
	free(stops->moments);
	stops->moments = moments;
	stops->count = stops->capacity = (uint32_t)count;
	stops->looked_at = wt_reader_moment_count(stops->reader);
	return true;
}

void wt_stops_forget(struct wt_stops *stops)
{
	stops->count = stops->looked_at = 0;
}

/* Is the list of stops, which was used, still one that nothing contradicts? */
static bool list_holds(struct wt_stops *stops)
{
	size_t count;

	return wt_reader_listed_stops(stops->reader, &count) != NULL;
}

struct wt_error *wt_stops_next(struct wt_stops *stops, bool *found_ret)
{
	uint32_t count = wt_reader_moment_count(stops->reader);
	struct wt_error *error = NULL;

	*found_ret = false;
	while (!error && !*found_ret) {
		stops->looked_at = wt_reader_next_moment(stops->reader, stops->looked_at);
		if (stops->looked_at == count)
			break;
		if (stops->beside)
			stops->beside(stops->opaque, stops->looked_at);
		error = is_stop(stops, stops->looked_at, found_ret);
		if (*found_ret)
			error = stops_add(stops, stops->looked_at);
		/* Whoever asks again gets the error again. */
		stops->looked_at += !error;
	}
	return error;
}

struct wt_error *wt_stops_find(struct wt_stops *stops)
{
	struct wt_error *error;
	bool found;

	do
		error = wt_stops_next(stops, &found);
	while (!error && found);
	return error;
}

/* A crash is at one of the last stops, as a rule: so many are looked at before all are, within so many moments. */
#define LAST_STOPS 2
#define LAST_MOMENTS 64

/* The facts that the stops have told which were looked at. */
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
static void stops_tell(struct wt_stops *stops, uint32_t moment, struct telling *telling)
{
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(stops->reader, moment, &view);

	if (wt_error_is_loss(error))
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
static void tell_last(struct wt_stops *stops, struct telling *telling)
{
	uint32_t count = wt_reader_moment_count(stops->reader), looked = 0;

	for (uint32_t i = 0; i < count && i < LAST_MOMENTS && looked < LAST_STOPS; i++) {
		bool stop;
		wt_cleanup_error struct wt_error *error = is_stop(stops, count - 1 - i, &stop);

		if (!error && stop)
			stops_tell(stops, count - 1 - i, telling);
		if (error || telling->error || telling->fault)
			return;
		looked += stop;
	}
}

/* Look at all stops in the walk that finds them. */
static struct wt_error *tell_all(struct wt_stops *stops, struct telling *telling)
{
	struct wt_error *error;
	bool found;

	for (;;) {
		error = wt_stops_next(stops, &found);
		if (error || !found)
			return error ? error : wt_take(telling->error);
		stops_tell(stops, stops->moments[stops->count - 1], telling);
	}
}

/* Which stop a moment is, as the user counts. */
static uint32_t stop_of(const struct wt_stops *stops, uint32_t moment)
{
	uint32_t stop = stops->count;

	while (stop > 1 && stops->moments[stop - 1] != moment)
		stop--;
	return stop;
}

static struct wt_error *no_stop(const struct wt_stops *stops)
{
	struct wt_missing missing;
	char text[WT_MISSING_TEXT];
	struct wt_error *error = wt_missing_read(stops->reader, &missing);

	if (error)
		return error;
	if (!missing.count)
		return wt_error_create(
			WT_ERROR_NOT_FOUND, what, stops->path,
			"the trace has no stop: nothing stopped while it was recorded");
	return wt_error_create(WT_ERROR_NOT_FOUND, what, stops->path,
			       "the trace has no stop; the rest is not known: %s",
			       wt_missing_text(&missing, text));
}

/* All stops are found: hand on the one that tells most. */
static struct wt_error *take_telling(struct wt_stops *stops, struct telling *telling,
				     struct wt_view **view_ret, uint32_t *stop_ret)
{
	if (!stops->count)
		return no_stop(stops);
	if (!telling->fault && !telling->last) {
		*stop_ret = stops->count;
		return wt_view_open(stops->reader, stops->moments[*stop_ret - 1], view_ret);
	}
	*stop_ret = stop_of(stops, telling->fault ? telling->fault_moment : telling->last_moment);
	*view_ret = telling->fault ? wt_take(telling->fault) : wt_take(telling->last);
	return NULL;
}

/* The last stop with a fault, else the last one; among those whose state is not lost. */
static struct wt_error *view_telling(struct wt_stops *stops, struct wt_view **view_ret,
				     uint32_t *stop_ret)
{
	struct telling telling = {0};
	struct wt_error *error;

	tell_last(stops, &telling);
	if (telling.fault) {
		error = wt_stops_find(stops);
	} else {
		telling_deinit(&telling);
		error = tell_all(stops, &telling);
	}
	if (!error)
		error = take_telling(stops, &telling, view_ret, stop_ret);
	telling_deinit(&telling);
	return error;
}

struct wt_error *wt_stops_check(const struct wt_stops *stops, uint32_t number)
{
	if (!stops->count)
		return no_stop(stops);
	if (number > stops->count)
		return wt_error_create(WT_ERROR_USAGE, what, stops->path,
				       "there is no stop %u: the trace has %u, counted from 1",
				       number, stops->count);
	return NULL;
}

/* Moments behind the stop are not read. */
static struct wt_error *find_asked(struct wt_stops *stops, uint32_t number,
				   struct wt_view **view_ret)
{
	struct wt_error *error = NULL;
	bool found = true;

	while (!error && found && stops->count < number)
		error = wt_stops_next(stops, &found);
	if (!error)
		error = wt_stops_check(stops, number);
	if (error)
		return error;
	return wt_view_open(stops->reader, stops->moments[number - 1], view_ret);
}

/*
 * The stop that the list says is the last one with a fault, else the last one. False in @done_ret if it cannot be had, or what
 * is there is something else: then all stops have to be looked at.
 */
static struct wt_error *view_listed(struct wt_stops *stops, struct wt_view **view_ret,
				    uint32_t *stop_ret, bool *done_ret)
{
	size_t count = 0, chosen;
	const struct wt_stop *list = wt_reader_listed_stops(stops->reader, &count);
	struct wt_view *view = NULL;
	struct wt_error *error;

	*done_ret = false;
	if (!count || !wt_stops_take_list(stops))
		return NULL;
	for (chosen = count;
	     chosen > 0 && !(wt_stop_reasons(&list[chosen - 1]) & WT_FAULT_REASONS);)
		chosen--;
	chosen = chosen ? chosen : count;
	error = wt_view_open(stops->reader, list[chosen - 1].moment, &view);
	*done_ret = !wt_error_is_loss(error) && list_holds(stops);
	if (*done_ret && !error) {
		*view_ret = view;
		*stop_ret = (uint32_t)chosen;
		return NULL;
	}
	wt_view_close(view);
	return *done_ret ? error : NULL;
}

static struct wt_error *view_asked(struct wt_stops *stops, uint32_t number,
				   struct wt_view **view_ret)
{
	bool listed = !stops->beside && wt_stops_take_list(stops);
	struct wt_error *error = find_asked(stops, number, view_ret);

	if (!listed || list_holds(stops))
		return error;
	/* By the list it was another stop. */
	wt_error_destroy(error);
	wt_view_close(*view_ret);
	*view_ret = NULL;
	wt_stops_forget(stops);
	return find_asked(stops, number, view_ret);
}

struct wt_error *wt_stops_view(struct wt_stops *stops, uint32_t number, struct wt_view **view_ret,
			       uint32_t *stop_ret)
{
	struct wt_error *error;
	bool done;

	if (number) {
		*stop_ret = number;
		return view_asked(stops, number, view_ret);
	}
	if (!stops->beside) {
		error = view_listed(stops, view_ret, stop_ret, &done);
		if (done)
			return error;
		wt_stops_forget(stops);
	}
	return view_telling(stops, view_ret, stop_ret);
}
