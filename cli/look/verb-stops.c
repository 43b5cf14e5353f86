/* SPDX-License-Identifier: MIT */
/* `wavetape stops`: every stop with its events and waves. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/look/libwavetape.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "libwavetape/handles.h"
#include "replayer/view/stop-summary.h"

/** "WAVE_STOP x 12, RUNTIME": kinds of events with how often each came. */
static void print_events(const struct wt_stop_summary *summary)
{
	char text[WT_DESCRIBE_MAX];
	const char *separator = "";

	for (uint32_t kind = 0; kind <= AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR; kind++) {
		uint64_t count = 0;

		for (size_t i = 0; i < summary->event_count; i++)
			count += summary->events[i].kind == kind ? summary->events[i].count : 0;
		if (!count)
			continue;
		printf("%s%s", separator, wt_describe_event_kind(kind, text));
		if (count > 1)
			printf(" x %" PRIu64, count);
		separator = ", ";
	}
}

static void print_stop(const struct wt_stop_summary *summary, bool several)
{
	char reasons[WT_DESCRIBE_MAX], code[WT_DESCRIBE_MAX];

	printf("stop %-3u call %-6" PRIu64 " ", summary->number, summary->call);
	if (several)
		printf("process %" PRIu64 ": ", summary->process);
	print_events(summary);
	if (summary->lost) {
		puts("; its state is lost");
		return;
	}
	printf("; %" PRIu64 " %s, %" PRIu64 " stopped", summary->wave_count,
	       wt_plural(summary->wave_count, "wave", "waves"), summary->stopped);
	if (summary->stopped)
		printf(": %s", wt_describe_reasons_plainly(summary->reasons, reasons));
	putchar('\n');
	if (summary->has_place)
		printf("         %s\n", wt_describe_code(&summary->place, code));
}

/* Are they of several processes? */
static bool are_of_several(const struct wavetape_stops *stops)
{
	struct wavetape_stop_summary first = {.size = sizeof(first)}, other = first;

	for (size_t i = 0; i < wavetape_stops_count(stops); i++) {
		wt_error_destroy(wt_inside(wavetape_stops_get(stops, i, i ? &other : &first)));
		if (i && other.process != first.process)
			return true;
	}
	return false;
}

static struct wt_error *show_stops(const struct wavetape_stops *stops, json_t *array)
{
	bool several = are_of_several(stops);
	struct wt_stop_events *events = NULL;
	struct wt_error *error = NULL;

	for (size_t i = 0; !error && i < wavetape_stops_count(stops); i++) {
		struct wt_stop_summary summary;

		error = wt_cli_take_stop(stops, i, &events, &summary);
		if (error)
			break;
		if (array)
			json_array_append_new(array, wt_describe_stop_json(&summary, several));
		else
			print_stop(&summary, several);
	}
	free(events);
	return error;
}

/* Why the list is not whole; the list keeps its own. */
static struct wt_error *failure_of(const struct wavetape_stops *stops)
{
	const struct wavetape_error *failure = wavetape_stops_failure(stops);

	if (!failure)
		return NULL;
	return wt_error_create(((const struct wt_error *)failure)->code,
			       wavetape_error_what(failure), wavetape_error_where(failure), "%s",
			       wavetape_error_why(failure));
}

static struct wt_error *show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct wavetape_stops *stops;
	struct wt_error *error = wt_inside(wavetape_stops_open(trace->library, &stops));

	(void)options;
	if (error)
		return error;
	if (trace->json)
		*json_ret = json_array();
	error = show_stops(stops, *json_ret);
	if (!error)
		error = failure_of(stops);
	wavetape_stops_close(stops);
	return error;
}

struct wt_error *wt_cli_stops_json(struct wt_cli_trace *trace, json_t **json_ret)
{
	bool json = trace->json;
	struct wt_error *error;

	wt_stops_forget(&trace->stops);
	trace->json = true;
	error = show(trace, NULL, json_ret);
	trace->json = json;
	return error;
}

int wt_command_stops(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.doc = "List the stops of a trace: the events that made each, its waves, and "
		       "where the most telling one stood.",
		.show = show,
	};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, NULL);
}
