/* SPDX-License-Identifier: MIT */
#include "replayer/timeline/itinerary.h"

#include <stdlib.h>
#include <string.h>

#include "replayer/timeline/timeline.h"
#include "trace-format/reader/summary.h"

void wt_itinerary_deinit(struct wt_itinerary *itinerary)
{
	free(itinerary->stops);
	memset(itinerary, 0, sizeof(*itinerary));
}

static bool itinerary_stop_add(struct wt_itinerary *itinerary, uint32_t *capacity,
			       const struct wt_itinerary_stop *stop)
{
	if (itinerary->count == *capacity) {
		uint32_t more = *capacity ? 2 * *capacity : 64;
		struct wt_itinerary_stop *stops =
			reallocarray(itinerary->stops, more, sizeof(*stops));

		if (!stops)
			return false;
		itinerary->stops = stops;
		*capacity = more;
	}
	itinerary->stops[itinerary->count++] = *stop;
	return true;
}

/* The stop of the same process that the session was at before; NULL if it went on since. */
static struct wt_itinerary_stop *place_before(struct wt_itinerary *itinerary,
					      const struct wt_itinerary_stop *stop)
{
	for (uint32_t i = itinerary->count; i-- > 0;)
		if (itinerary->stops[i].process == stop->process)
			return itinerary->stops[i].session == stop->session ? &itinerary->stops[i]
									    : NULL;
	return NULL;
}

/* So many processes are looked back for: no client has as many at once, but a damaged trace may. */
#define PROCESS_LIMIT 1024u

/* A process on the way through the moments. Several may be attached at once. */
struct passed {
	uint64_t process;
	uint32_t session;
	bool resumed; /* since the last stop */
	bool looked;  /* that stop is only where the client looked on, with more to come */
};

struct walk {
	struct wt_itinerary *itinerary;
	uint32_t capacity;
	struct passed *passed;
	size_t count;
	const struct wt_stop *listed; /* by the trace itself, in order, from here on */
	size_t listed_count;
};

/* NULL if there is no memory. */
static struct passed *find_passed(struct walk *walk, uint64_t process)
{
	struct passed *grown;

	for (size_t i = walk->count; i-- > 0;)
		if (walk->passed[i].process == process)
			return &walk->passed[i];
	/* Processes that were attached to first are long gone. */
	if (walk->count == PROCESS_LIMIT) {
		memmove(walk->passed, walk->passed + 1, --walk->count * sizeof(*walk->passed));
		walk->passed[walk->count] = (struct passed){.process = process};
		return &walk->passed[walk->count++];
	}
	grown = reallocarray(walk->passed, walk->count + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	walk->passed = grown;
	grown[walk->count] = (struct passed){.process = process};
	return &grown[walk->count++];
}

static bool visit(struct walk *walk, const struct wt_reader *reader, const struct wt_moment *moment)
{
	struct passed *passed = find_passed(walk, moment->process);
	struct wt_itinerary_stop stop = {
		.position = moment->number, .process = moment->process, .rest = true};
	struct wt_itinerary_stop *before;

	if (!passed)
		return false;
	stop.session = passed->session;
	passed->session += moment->cause == WT_MOMENT_ATTACH;
	passed->resumed = passed->resumed || moment->after_resume;
	if (moment->cause != WT_MOMENT_STOP)
		return true;
	before = place_before(walk->itinerary, &stop);
	if (before && !passed->resumed && (moment->stop_requested_count || passed->looked))
		before->rest = false;
	passed->looked = wt_moment_is_inspection(reader, moment);
	passed->resumed = false;
	return itinerary_stop_add(walk->itinerary, &walk->capacity, &stop);
}

/* A moment that is lost was a stop if the trace's own list of stops says so: it is counted, as it is in the list. */
static bool visit_lost(struct walk *walk, uint32_t number)
{
	struct wt_itinerary_stop stop = {.position = number};
	const struct passed *passed;

	/* A lost moment may have been anything. */
	for (size_t i = 0; i < walk->count; i++)
		walk->passed[i].resumed = true;
	while (walk->listed_count && walk->listed->moment < number) {
		walk->listed++;
		walk->listed_count--;
	}
	if (!walk->listed_count || walk->listed->moment != number)
		return true;
	stop.process = walk->listed->process;
	passed = find_passed(walk, stop.process);
	if (!passed)
		return false;
	stop.session = passed->session;
	return itinerary_stop_add(walk->itinerary, &walk->capacity, &stop);
}

struct wt_error *wt_itinerary_init(struct wt_itinerary *itinerary, struct wt_reader *reader)
{
	uint32_t count = wt_reader_moment_count(reader);
	struct walk walk = {.itinerary = itinerary};
	struct wt_error *error = NULL;

	walk.listed = wt_reader_listed_stops(reader, &walk.listed_count);
	if (!walk.listed)
		walk.listed_count = 0;

	memset(itinerary, 0, sizeof(*itinerary));
	for (uint32_t i = 0; !error && i < count; i++) {
		const struct wt_moment *moment;

		error = wt_reader_moment(reader, i, &moment);
		if (error && error->code == WT_ERROR_INPUT) {
			wt_error_destroy(error);
			error = visit_lost(&walk, i) ? NULL : &wt_error_no_memory;
		} else if (!error && !visit(&walk, reader, moment)) {
			error = &wt_error_no_memory;
		}
	}
	free(walk.passed);
	if (error)
		wt_itinerary_deinit(itinerary);
	return error;
}

uint32_t wt_itinerary_at(const struct wt_itinerary *itinerary, uint32_t position)
{
	uint32_t low = 0, high = itinerary->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (itinerary->stops[middle].position <= position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct wt_itinerary_range wt_itinerary_range(const struct wt_itinerary *itinerary, uint32_t start,
					     uint64_t process)
{
	uint32_t first = wt_itinerary_at(itinerary, start) + 1, last = 0, session = 0;

	for (uint32_t i = first; i <= itinerary->count; i++) {
		const struct wt_itinerary_stop *stop = &itinerary->stops[i - 1];

		if (stop->process != process)
			continue;
		if (last && stop->session != session)
			break;
		session = stop->session;
		last = i;
	}
	return (struct wt_itinerary_range){first, last};
}

uint32_t wt_itinerary_next(const struct wt_itinerary *itinerary,
			   const struct wt_itinerary_range *range, uint64_t process, uint32_t stop)
{
	uint32_t from = stop < range->first ? range->first : stop + 1;

	for (uint32_t i = from; i <= range->last; i++)
		if (itinerary->stops[i - 1].rest && itinerary->stops[i - 1].process == process)
			return i;
	return 0;
}

uint32_t wt_itinerary_previous(const struct wt_itinerary *itinerary,
			       const struct wt_itinerary_range *range, uint64_t process,
			       uint32_t stop)
{
	for (uint32_t i = stop; i-- > range->first;)
		if (itinerary->stops[i - 1].rest && itinerary->stops[i - 1].process == process)
			return i;
	return 0;
}
