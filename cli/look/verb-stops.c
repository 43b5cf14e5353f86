/* SPDX-License-Identifier: MIT */
/* `wavetape stops`: every stop with its events and waves. */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/look/show.h"
#include "cli/output.h"
#include "replayer/view/stop-summary.h"

/** "WAVE_STOP x 12, RUNTIME": kinds of events with how often each came. */
static void print_events(const struct wt_stop_summary *summary)
{
	char text[WT_DESCRIBE_MAX];
	const char *separator = "";

	for (uint32_t kind = 0; kind <= AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR; kind++) {
		uint64_t count = 0;

		for (size_t i = 0; i < summary->event_runs; i++)
			count += summary->events[i].kind == kind ? summary->events[i].count : 0;
		if (!count)
			continue;
		printf("%s%s", separator, wt_describe_event_kind(kind, text));
		if (count > 1)
			printf(" x %" PRIu64, count);
		separator = ", ";
	}
}

static void stops_print_stop(const struct wt_stop_summary *summary, bool several)
{
	char reasons[WT_DESCRIBE_MAX], code[WT_DESCRIBE_MAX];

	printf("stop %-3u call %-6" PRIu64 " ", summary->number, summary->call);
	if (several)
		printf("process %" PRIu64 ": ", summary->process);
	print_events(summary);
	if (summary->state_lost) {
		puts("; its state is lost");
		return;
	}
	printf("; %" PRIu64 " %s, %" PRIu64 " stopped", summary->waves,
	       wt_plural(summary->waves, "wave", "waves"), summary->stopped);
	if (summary->stopped)
		printf(": %s", wt_describe_reasons_plainly(summary->reasons, reasons));
	putchar('\n');
	if (summary->has_place)
		printf("         %s\n", wt_describe_code(&summary->place, code));
}

/* Stops can be looked at up to the first that cannot. */
static size_t shown_count(const struct wt_stop_summaries *stops)
{
	size_t count = 0;

	while (count < stops->count && !stops->of[count].failed)
		count++;
	return count;
}

static bool are_of_several(const struct wt_stop_summaries *stops, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (stops->of[i].process != stops->of[0].process)
			return true;
	return false;
}

/* @array: gets an object of each stop; NULL to print them. */
static struct wt_error *stops_list(struct wt_cli_trace *trace, json_t *array)
{
	struct wt_error *failed, *error;
	struct wt_stop_summaries stops;
	bool several;
	size_t count;

	error = wt_stop_summaries_find(&trace->stops, &stops, &failed);
	if (error)
		return error;
	count = shown_count(&stops);
	several = are_of_several(&stops, count);
	for (size_t i = 0; i < count; i++) {
		if (array)
			json_array_append_new(array, wt_describe_stop_json(&stops.of[i], several));
		else
			stops_print_stop(&stops.of[i], several);
	}
	wt_stop_summaries_deinit(&stops);
	return failed;
}

static struct wt_error *stops_show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	json_t *array = trace->json ? json_array() : NULL;

	(void)options;
	if (array)
		*json_ret = json_pack("{s:o}", "stops", array);
	return stops_list(trace, array);
}

struct wt_error *wt_cli_stops_json(struct wt_cli_trace *trace, json_t **json_ret)
{
	wt_stops_forget(&trace->stops);
	*json_ret = json_array();
	return stops_list(trace, *json_ret);
}

int wt_command_stops(int argc, char **argv)
{
	static const struct wt_cli_verb verb = {
		.doc = "List the stops of a trace: the events that made each, its waves, and "
		       "where the most telling one stood.",
		.show = stops_show,
	};
	struct wt_cli_trace trace = {0};

	return wt_cli_verb_run(&verb, argc, argv, &trace, NULL);
}
