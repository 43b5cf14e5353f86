/* SPDX-License-Identifier: MIT */
/* `wavetape stops`: every stop with its events and waves. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "replayer/view/listed.h"

struct stop_summary {
	uint32_t number;
	uint64_t process, call, time;
	struct wt_stop_events *events;
	size_t event_count; /* runs of them */
	uint64_t wave_count, stopped;
	uint32_t reasons;    /* of all waves together */
	char *kernel, *code; /* NULL if not known */
	bool lost;	     /* its state; the moment itself is there */
	bool failed;	     /* it cannot be looked at: nothing is shown of it */
};

/* All of them: they are looked at in the walk that finds them, and shown when the walk has come to its end. */
struct summaries {
	struct stop_summary *of;
	size_t count, capacity;
};

static void summaries_deinit(struct summaries *summaries)
{
	for (size_t i = 0; i < summaries->count; i++) {
		free(summaries->of[i].events);
		free(summaries->of[i].kernel);
		free(summaries->of[i].code);
	}
	free(summaries->of);
}

static struct stop_summary *add_summary(struct summaries *summaries)
{
	size_t capacity = summaries->capacity ? summaries->capacity * 2 : 64;
	struct stop_summary *of = summaries->of;

	if (summaries->count == summaries->capacity) {
		of = reallocarray(of, capacity, sizeof(*of));
		if (!of)
			return NULL;
		summaries->of = of;
		summaries->capacity = capacity;
	}
	of[summaries->count] = (struct stop_summary){0};
	return &of[summaries->count++];
}

/* What is shown of a wave, for when its view is closed. */
static struct wt_error *keep_place(const struct wt_explain_code *code, const char *kernel,
				   struct stop_summary *summary)
{
	char text[WT_DESCRIBE_MAX];

	wt_describe_code(code, text);
	summary->code = strdup(text);
	summary->kernel = kernel ? strdup(kernel) : NULL;
	return summary->code && (summary->kernel || !kernel) ? NULL : &wt_error_no_memory;
}

/* What a wave's stop says: 2 a fault, 1 any reason, 0 none. */
static int score_of(uint64_t reasons)
{
	return reasons & WT_FAULT_REASONS ? 2 : reasons != 0;
}

/** The place of the first wave whose stop says most. */
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
		score = score_of(reasons);
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
	error = keep_place(&wave.code, wave.kernel, summary);
	wt_explain_wave_deinit(&wave);
	return error;
}

static json_t *events_json(const struct stop_summary *summary)
{
	json_t *events = json_array();
	char text[WT_DESCRIBE_MAX];

	for (size_t i = 0; i < summary->event_count; i++) {
		const struct wt_stop_events *run = &summary->events[i];

		for (uint64_t j = 0; j < run->count; j++)
			json_array_append_new(events,
					      json_pack("{s:I, s:s}", "event",
							(json_int_t)(run->first + j), "kind",
							wt_describe_event_kind(run->kind, text)));
	}
	return events;
}

static json_t *stop_json(const struct stop_summary *summary, bool several)
{
	char reasons[WT_DESCRIBE_MAX];
	json_t *json = json_pack("{s:I, s:I, s:I, s:o}", "stop", (json_int_t)summary->number,
				 "call", (json_int_t)summary->call, "time_ns",
				 (json_int_t)summary->time, "events", events_json(summary));

	if (several)
		json_object_set_new(json, "process", json_integer((json_int_t)summary->process));
	if (summary->lost) {
		json_object_set_new(json, "state_lost", json_true());
		return json;
	}
	json_object_set_new(json, "waves", json_integer((json_int_t)summary->wave_count));
	json_object_set_new(json, "stopped", json_integer((json_int_t)summary->stopped));
	json_object_set_new(json, "reasons",
			    json_string(wt_describe_reasons(summary->reasons, reasons)));
	json_object_set_new(json, "kernel", wt_cli_json_text(summary->kernel));
	if (summary->code && summary->code[0])
		json_object_set_new(json, "at", wt_cli_json_text(summary->code));
	return json;
}

/** "WAVE_STOP x 12, RUNTIME": kinds of events with how often each came. */
static void print_events(const struct stop_summary *summary)
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

static void print_stop(const struct stop_summary *summary, bool several)
{
	char reasons[WT_DESCRIBE_MAX];

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
	if (summary->code && summary->code[0])
		printf("         %s\n", summary->code);
}

static struct wt_error *summarise(struct wt_view *view, struct stop_summary *summary)
{
	struct wt_explainer *explainer = NULL;
	struct wt_error *error = wt_explainer_create(view, &explainer);
	const uint64_t *waves;

	if (error)
		return error;
	summary->wave_count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	error = summarise_place(view, waves, summary->wave_count, explainer, summary);
	wt_explainer_destroy(explainer);
	return error;
}

/* What its moment says of a stop. */
static struct wt_error *take_moment(struct wt_cli_trace *trace, uint32_t number,
				    struct stop_summary *summary)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(trace->reader, number, &moment);

	if (error)
		return error;
	summary->process = moment->process;
	summary->call = moment->call;
	summary->time = moment->time;
	summary->events = wt_stop_events(moment, &summary->event_count);
	return summary->events ? NULL : &wt_error_no_memory;
}

/* The stop that was found last. */
static struct wt_error *look_at_stop(struct wt_cli_trace *trace, struct stop_summary *summary)
{
	uint32_t moment = trace->stops[trace->stop_count - 1];
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(trace->reader, moment, &view);

	summary->number = trace->stop_count;
	if (wt_cli_is_loss(error)) {
		summary->lost = true;
		error = NULL;
	}
	if (view)
		error = error ? error : summarise(view, summary);
	wt_view_close(view);
	return error ? error : take_moment(trace, moment, summary);
}

/* @failed_ret: of a stop that cannot be looked at, nor can those after it; those before it are shown. */
static struct wt_error *look_at_all(struct wt_cli_trace *trace, struct summaries *summaries,
				    struct wt_error **failed_ret)
{
	struct stop_summary *summary;
	struct wt_error *error;
	bool found;

	*failed_ret = NULL;
	for (;;) {
		error = wt_cli_trace_next_stop(trace, &found);
		if (error || !found)
			return error;
		if (*failed_ret)
			continue;
		summary = add_summary(summaries);
		*failed_ret = summary ? look_at_stop(trace, summary) : &wt_error_no_memory;
		if (summary)
			summary->failed = *failed_ret != NULL;
	}
}

/* ---- By the list at the end of a trace ---- */

static struct wt_error *take_listed_place(struct wt_listed_places *places,
					  const struct wt_stop *stop, struct stop_summary *summary)
{
	const struct wt_stop_group *chosen = NULL;
	struct wt_explain_code code;
	const char *kernel;
	struct wt_error *error;

	for (size_t i = 0; i < stop->group_count; i++) {
		const struct wt_stop_group *group = &stop->groups[i];

		if (!chosen || score_of(group->reasons) > score_of(chosen->reasons))
			chosen = group;
	}
	if (!chosen)
		return NULL;
	error = wt_listed_place(places, stop, chosen, &code, &kernel);
	return error ? error : keep_place(&code, kernel, summary);
}

static struct wt_error *take_listed(struct wt_listed_places *places, const struct wt_stop *stop,
				    struct stop_summary *summary)
{
	size_t size = stop->event_count * sizeof(*stop->events);

	summary->process = stop->process;
	summary->call = stop->call;
	summary->time = stop->time;
	summary->wave_count = stop->waves;
	summary->stopped = wt_stop_stopped(stop);
	summary->reasons = (uint32_t)wt_stop_reasons(stop);
	summary->events = malloc(size + 1);
	if (!summary->events)
		return &wt_error_no_memory;
	memcpy(summary->events, stop->events, size);
	summary->event_count = stop->event_count;
	return take_listed_place(places, stop, summary);
}

static struct wt_error *take_list(struct wt_cli_trace *trace, const struct wt_stop *stops,
				  size_t count, struct summaries *summaries)
{
	struct wt_listed_places *places = NULL;
	struct wt_error *error = wt_listed_places_create(trace->reader, &places);

	for (size_t i = 0; !error && i < count; i++) {
		struct stop_summary *summary = add_summary(summaries);

		if (!summary) {
			error = &wt_error_no_memory;
			break;
		}
		summary->number = (uint32_t)i + 1;
		error = take_listed(places, &stops[i], summary);
	}
	wt_listed_places_destroy(places);
	return error;
}

/* As the trace lists them at its end. @done_ret: false if it has no such list, or it turned out to be wrong. */
static struct wt_error *look_at_list(struct wt_cli_trace *trace, struct summaries *summaries,
				     bool *done_ret)
{
	size_t count;
	const struct wt_stop *stops = wt_reader_listed_stops(trace->reader, &count);
	struct wt_error *error;

	*done_ret = stops && count < UINT32_MAX;
	if (!*done_ret)
		return NULL;
	error = take_list(trace, stops, count, summaries);
	*done_ret = error || wt_reader_listed_stops(trace->reader, &count);
	if (!*done_ret) {
		summaries_deinit(summaries);
		*summaries = (struct summaries){0};
	}
	return error;
}

static struct wt_error *show(struct wt_cli_trace *trace, void *options, json_t **json_ret)
{
	struct summaries summaries = {0};
	struct wt_error *failed = NULL;
	bool listed, several = false;
	struct wt_error *error = look_at_list(trace, &summaries, &listed);

	if (!listed)
		error = look_at_all(trace, &summaries, &failed);

	(void)options;
	if (trace->json)
		*json_ret = json_array();
	for (size_t i = 0; i < summaries.count; i++)
		several |= !summaries.of[i].failed &&
			   summaries.of[i].process != summaries.of[0].process;
	for (size_t i = 0; !error && i < summaries.count; i++) {
		if (summaries.of[i].failed)
			continue;
		if (*json_ret)
			json_array_append_new(*json_ret, stop_json(&summaries.of[i], several));
		else
			print_stop(&summaries.of[i], several);
	}
	summaries_deinit(&summaries);
	if (!error)
		return failed;
	wt_error_destroy(failed);
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
