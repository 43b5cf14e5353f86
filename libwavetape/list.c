/* SPDX-License-Identifier: MIT */
/* Lists of stops. */
#include "libwavetape/handles.h"

#include <stdlib.h>

#include "replayer/view/stop-summary.h"

static const char cannot_list[] = "cannot list the stops";

struct wavetape_stops {
	struct wavetape_trace *trace;
	struct wt_stop_summaries summaries;
	size_t count; /* that can be looked at */
	struct wt_error *failure;
};

struct wavetape_error *wavetape_stops_open(struct wavetape_trace *trace,
					   struct wavetape_stops **stops_ret)
{
	struct wavetape_stops *stops;
	struct wt_error *error;

	if (!trace || !stops_ret)
		return wt_wrong_argument(cannot_list,
					 "the trace or the place for the list is NULL");
	stops = calloc(1, sizeof(*stops));
	if (!stops)
		return wt_public(&wt_error_no_memory);
	wt_stops_forget(&trace->stops);
	error = wt_stop_summaries_find(&trace->stops, &stops->summaries, &stops->failure);
	if (error) {
		free(stops);
		return wt_public(error);
	}
	stops->trace = trace;
	trace->users++;
	while (stops->count < stops->summaries.count && !stops->summaries.of[stops->count].failed)
		stops->count++;
	*stops_ret = stops;
	return NULL;
}

void wavetape_stops_close(struct wavetape_stops *stops)
{
	if (!stops)
		return;
	wt_stop_summaries_deinit(&stops->summaries);
	wt_error_destroy(stops->failure);
	wt_trace_release(stops->trace);
	free(stops);
}

size_t wavetape_stops_count(const struct wavetape_stops *stops)
{
	return stops ? stops->count : 0;
}

const struct wavetape_error *wavetape_stops_failure(const struct wavetape_stops *stops)
{
	return stops ? wt_public(stops->failure) : NULL;
}

static struct wavetape_error *stop_summary_find(const struct wavetape_stops *stops, size_t index,
						const struct wt_stop_summary **summary_ret)
{
	if (!stops || index >= stops->count)
		return wt_wrong_argument(cannot_list, "the list is NULL, or is shorter");
	*summary_ret = &stops->summaries.of[index];
	return NULL;
}

struct wavetape_error *wavetape_stops_get(const struct wavetape_stops *stops, size_t index,
					  struct wavetape_stop_summary *summary_ret)
{
	const struct wt_stop_summary *known;
	struct wavetape_error *error = stop_summary_find(stops, index, &known);

	if (error)
		return error;
	return wt_give(cannot_list, &known->facts, sizeof(known->facts), summary_ret);
}

struct wavetape_error *wavetape_stops_place(const struct wavetape_stops *stops, size_t index,
					    struct wavetape_place *place_ret)
{
	const struct wt_stop_summary *known;
	struct wavetape_error *error = stop_summary_find(stops, index, &known);

	if (error)
		return error;
	if (!known->has_place)
		return wt_public(
			wt_error_create(WT_ERROR_NOT_FOUND, cannot_list, stops->trace->path,
					"no place of a wave is known at stop %u", known->number));
	return wt_give(cannot_list, &known->place, sizeof(struct wavetape_place), place_ret);
}

struct wavetape_error *wavetape_stops_events(const struct wavetape_stops *stops, size_t index,
					     size_t run, struct wavetape_events *events_ret)
{
	const struct wt_enumeration *kinds = wt_enumeration_find("amd_dbgapi_event_kind_t");
	const struct wt_stop_summary *known;
	struct wavetape_error *error = stop_summary_find(stops, index, &known);
	struct wavetape_events events;
	const char *kind;

	if (error)
		return error;
	if (run >= known->event_runs)
		return wt_wrong_argument(cannot_list, "the stop has fewer runs of events");
	kind = wt_enumerator_name(kinds, known->events[run].kind);
	events = (struct wavetape_events){
		.first = known->events[run].first,
		.count = known->events[run].count,
		.kind = kind ? kind + sizeof("AMD_DBGAPI_EVENT_KIND_") - 1 : "?",
		.kind_number = known->events[run].kind,
	};
	return wt_give(cannot_list, &events, sizeof(events), events_ret);
}
