/* SPDX-License-Identifier: MIT */
/* `wavetape stops`: every stop with its events and waves. */
#include <inttypes.h>

#include "base/plural.h"
#include "cli/command.h"
#include "cli/describe.h"

struct stop_summary {
	uint32_t number;
	const struct wt_moment *moment;
	size_t wave_count, stopped;
	uint32_t reasons; /* of all waves together */
	const char *kernel;
	char code[WT_DESCRIBE_MAX];
	bool lost; /* its state; the moment itself is there */
};

/** The place of the first wave whose stop says most: a fault, else any reason, else none. */
static struct wt_error *summarise_place(struct wt_view *view, const uint64_t *waves, size_t count,
					struct wt_explainer *explainer,
					struct stop_summary *summary)
{
	struct wt_explain_wave wave;
	size_t chosen = count;
	struct wt_error *error;
	int best = -1;

	for (size_t i = 0; i < count; i++) {
		uint64_t reasons;
		int score;

		if (!wt_view_number(view, WT_OBJECT_WAVE, waves[i],
				    AMD_DBGAPI_WAVE_INFO_STOP_REASON, &reasons))
			continue;
		summary->stopped++;
		summary->reasons |= (uint32_t)reasons;
		score = reasons & WT_FAULT_REASONS ? 2 : reasons != 0;
		if (score > best) {
			best = score;
			chosen = i;
		}
	}
	if (chosen == count)
		return NULL;
	error = wt_explain_wave(explainer, waves[chosen], &wave);
	if (error)
		return error;
	summary->kernel = wave.kernel;
	wt_describe_code(&wave.code, summary->code);
	wt_explain_wave_deinit(&wave);
	return NULL;
}

static json_t *events_json(const struct wt_moment *moment)
{
	json_t *events = json_array();
	char text[WT_DESCRIBE_MAX];

	for (size_t i = 0; i < moment->event_count; i++)
		json_array_append_new(
			events,
			json_pack("{s:I, s:s}", "event", (json_int_t)moment->events[i].handle,
				  "kind", wt_describe_event_kind(moment->events[i].kind, text)));
	return events;
}

static json_t *stop_json(const struct stop_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];
	json_t *json = json_pack("{s:I, s:I, s:I, s:o}", "stop", (json_int_t)summary->number,
				 "call", (json_int_t)summary->moment->call, "time_ns",
				 (json_int_t)summary->moment->time, "events",
				 events_json(summary->moment));

	if (summary->lost) {
		json_object_set_new(json, "state_lost", json_true());
		return json;
	}
	json_object_set_new(json, "waves", json_integer((json_int_t)summary->wave_count));
	json_object_set_new(json, "stopped", json_integer((json_int_t)summary->stopped));
	json_object_set_new(json, "reasons",
			    json_string(wt_describe_reasons(summary->reasons, reasons)));
	json_object_set_new(json, "kernel", wt_cli_json_text(summary->kernel));
	if (summary->code[0])
		json_object_set_new(json, "at", wt_cli_json_text(summary->code));
	return json;
}

/** "WAVE_STOP x 12, RUNTIME": kinds of events with how often each came. */
static void print_events(const struct wt_moment *moment)
{
	char text[WT_DESCRIBE_MAX];
	const char *separator = "";

	for (uint32_t kind = 0; kind <= AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR; kind++) {
		size_t count = 0;

		for (size_t i = 0; i < moment->event_count; i++)
			count += moment->events[i].kind == kind;
		if (!count)
			continue;
		printf("%s%s", separator, wt_describe_event_kind(kind, text));
		if (count > 1)
			printf(" x %zu", count);
		separator = ", ";
	}
}

static void print_stop(const struct stop_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	printf("stop %-3u call %-6" PRIu64 " ", summary->number, summary->moment->call);
	print_events(summary->moment);
	if (summary->lost) {
		puts("; its state is lost");
		return;
	}
	printf("; %zu %s, %zu stopped", summary->wave_count,
	       wt_plural(summary->wave_count, "wave", "waves"), summary->stopped);
	if (summary->stopped)
		printf(": %s", wt_describe_reasons_plainly(summary->reasons, reasons));
	putchar('\n');
	if (summary->code[0])
		printf("         %s\n", summary->code);
}

static struct wt_error *summarise(struct wt_view *view, struct wt_explainer **explainer_ret,
				  struct stop_summary *summary)
{
	const uint64_t *waves;
	struct wt_error *error = wt_explainer_create(view, explainer_ret);

	if (error)
		return error;
	summary->wave_count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	return summarise_place(view, waves, summary->wave_count, *explainer_ret, summary);
}

static struct wt_error *show_stop(struct wt_cli_trace *trace, uint32_t number, json_t *array)
{
	struct stop_summary summary = {.number = number};
	struct wt_explainer *explainer = NULL;
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(trace->reader, trace->stops[number - 1], &view);

	if (wt_cli_is_loss(error)) {
		summary.lost = true;
		error = NULL;
	}
	if (view)
		error = error ? error : summarise(view, &explainer, &summary);
	if (!error)
		error = wt_reader_moment(trace->reader, trace->stops[number - 1], &summary.moment);
	if (!error && array)
		json_array_append_new(array, stop_json(&summary));
	else if (!error)
		print_stop(&summary);
	wt_explainer_destroy(explainer);
	wt_view_close(view);
	return error;
}

static struct wt_error *show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct wt_error *error = NULL;

	(void)options;
	if (trace->json)
		*json_ret = json_array();
	for (uint32_t i = 1; !error && i <= trace->stop_count; i++)
		error = show_stop(trace, i, *json_ret);
	return error;
}

int wt_command_stops(int argc, char **argv)
{
	static const struct argp_child children[] = {{&wt_cli_trace_plain_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.args_doc = "FILE",
		.doc = "List the stops of a trace: the events that made each, its waves, and where "
		       "the most telling one stood.",
		.children = children,
	};
	struct wt_cli_trace trace = {0};

	wt_cli_parse(&argp, argc, argv, &trace);
	return wt_cli_trace_run(&trace, show, NULL);
}
