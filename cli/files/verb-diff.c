/* SPDX-License-Identifier: MIT */
/* `wavetape diff`: what differs between two traces, or two stops. */
#include "cli/files/verb-diff.h"

#include <inttypes.h>
#include <string.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"
#include "replayer/view/missing.h"

#define DEFAULT_LIMIT 8

struct options {
	/* The options and A are parsed into the first. */
	struct wt_cli_trace trace[WT_DIFF_SIDES];
	bool has_limit;
	uint64_t limit;
	/* Found out on the way: */
	bool redacted;
	struct wt_diff_counts counts;
};

/* ---- The command line ---- */

static void diff_take_stop_b(struct wt_cli_trace *trace, const char *text, struct argp_state *state)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || !number || number > UINT32_MAX)
		argp_error(state,
			   "--stop-b takes a number from 1, as `wavetape stops` lists them, "
			   "not '%s'",
			   text);
	trace->has_stop = true;
	trace->stop = (uint32_t)number;
}

static void diff_check_together(struct options *options, struct argp_state *state)
{
	struct wt_cli_trace *a = &options->trace[WT_DIFF_A], *b = &options->trace[WT_DIFF_B];

	if (b->has_stop && !a->has_stop)
		argp_error(state, "--stop-b goes with --stop, which is the stop of A");
	if (!b->path && !b->has_stop)
		argp_error(state, "with what? Name a second trace, or two stops of this one with "
				  "--stop and --stop-b");
	if (a->json && options->has_limit)
		argp_error(state, "--count shortens the text: --json has all");
	if (!b->path)
		b->path = a->path;
	if (a->has_stop && !b->has_stop)
		b->stop = a->stop;
}

static error_t diff_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	struct wt_cli_trace *b = &options->trace[WT_DIFF_B];

	switch (key) {
	case 'b':
		diff_take_stop_b(b, argument, state);
		return 0;
	case 'n':
		if (!wt_cli_number(argument, &options->limit))
			argp_error(state, "--count takes a number, not '%s'", argument);
		options->has_limit = true;
		return 0;
	case ARGP_KEY_ARG:
		if (b->path)
			return ARGP_ERR_UNKNOWN;
		if (!*argument)
			argp_error(state, "which trace? B is an empty name");
		b->path = argument;
		return 0;
	case ARGP_KEY_END:
		diff_check_together(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Comparing ---- */

static void diff_tell_redacted(const struct wt_cli_trace *trace)
{
	fprintf(stderr, "wavetape: the trace was recorded without memory: ");
	wt_cli_put(stderr, trace->path);
	fprintf(stderr, ": memory is not compared\n");
}

/* Open a trace and find its stops. */
static struct wt_error *diff_prepare(struct options *options, enum wt_diff_side side,
				     struct wt_diff_trace *trace_ret)
{
	struct wt_cli_trace *trace = &options->trace[side];
	struct wt_missing unknown = {0};
	struct wt_error *error = wt_cli_trace_open(trace);
	struct wt_trace_info info;

	if (!error)
		error = wt_stops_find(&trace->stops);
	if (!error)
		error = wt_missing_read(trace->reader, &unknown);
	if (!error && trace->stop)
		error = wt_stops_check(&trace->stops, trace->stop);
	if (error)
		return error;
	wt_reader_info(trace->reader, &info);
	/* Twice for one trace is once too often. */
	if (info.redacted &&
	    (side == WT_DIFF_A || strcmp(trace->path, options->trace[WT_DIFF_A].path)))
		diff_tell_redacted(trace);
	options->redacted |= info.redacted;
	*trace_ret = (struct wt_diff_trace){
		.reader = trace->reader,
		.stops = trace->stops.moments,
		.stop_count = trace->stops.count,
		.may_lack_stops = unknown.count > 0,
	};
	return NULL;
}

/* Before each stop that is compared the progress line says which, and what is printed of it takes the line away. */
struct watched {
	const struct wt_diff_listener *listener;
	struct wt_progress progress;
};

static struct wt_error *watched_begin(void *opaque,
				      const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	struct watched *watched = opaque;
	const struct wt_diff_stop *stop = stops[WT_DIFF_A] ? stops[WT_DIFF_A] : stops[WT_DIFF_B];

	wt_progress_update(&watched->progress, "stop %u", stop->number);
	return watched->listener->begin(watched->listener->opaque, stops);
}

static struct wt_error *watched_take_difference(void *opaque, const struct wt_diff *difference)
{
	struct watched *watched = opaque;

	wt_progress_hide_for_text();
	return watched->listener->difference(watched->listener->opaque, difference);
}

static struct wt_error *watched_end(void *opaque, const struct wt_diff_counts *counts)
{
	struct watched *watched = opaque;

	wt_progress_hide_for_text();
	return watched->listener->end(watched->listener->opaque, counts);
}

static struct wt_error *watched_take_source(void *opaque, const struct wt_diff_source *source)
{
	struct watched *watched = opaque;

	wt_progress_hide_for_text();
	return watched->listener->source(watched->listener->opaque, source);
}

static struct wt_error *diff_compare_all(struct options *options,
					 const struct wt_diff_listener *listener)
{
	struct wt_diff_trace traces[WT_DIFF_SIDES];
	const uint32_t numbers[] = {options->trace[WT_DIFF_A].stop, options->trace[WT_DIFF_B].stop};
	struct wt_error *error = diff_prepare(options, WT_DIFF_A, &traces[WT_DIFF_A]);

	if (!error)
		error = diff_prepare(options, WT_DIFF_B, &traces[WT_DIFF_B]);
	if (error)
		return error;
	error = wt_diff_sources(traces, listener, &options->counts);
	if (error)
		return error;
	if (numbers[WT_DIFF_A])
		return wt_diff_stops(traces, numbers, listener, &options->counts);
	if (!traces[WT_DIFF_A].stop_count && !traces[WT_DIFF_B].stop_count)
		return wt_stops_check(&options->trace[WT_DIFF_A].stops, 0);
	return wt_diff_traces(traces, listener, &options->counts);
}

static struct wt_error *diff_compare(struct options *options,
				     const struct wt_diff_listener *listener)
{
	struct watched watched = {.listener = listener, .progress = wt_progress_start("diff")};
	const struct wt_diff_listener outer = {
		.opaque = &watched,
		.source = watched_take_source,
		.begin = watched_begin,
		.difference = watched_take_difference,
		.end = watched_end,
	};
	struct wt_error *error = diff_compare_all(options, &outer);

	wt_progress_end(&watched.progress);
	return error;
}

static int diff_show_text(struct options *options)
{
	struct wt_diff_text text = {.limit = options->limit};
	const struct wt_diff_listener listener = wt_diff_text_listener(&text);
	const struct wt_diff_counts *counts = &options->counts;
	struct wt_error *error = diff_compare(options, &listener);

	if (error)
		return wt_cli_fail(error);
	wt_diff_text_sources(counts);
	printf("%" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64 " %s, ", counts->stops,
	       wt_plural(counts->stops, "stop", "stops"), counts->waves,
	       wt_plural(counts->waves, "wave", "waves"), counts->registers,
	       wt_plural(counts->registers, "register", "registers"));
	if (counts->sources)
		printf("%" PRIu64 " %s, ", counts->sources,
		       wt_plural(counts->sources, "source file", "source files"));
	printf("%" PRIu64 " %s of memory compared: %" PRIu64 " %s\n", counts->pages,
	       wt_plural(counts->pages, "page", "pages"), counts->differences,
	       wt_plural(counts->differences, "difference", "differences"));
	return WT_EXIT_FINE;
}

static int diff_show_json(struct options *options)
{
	struct wt_diff_json json = {.stops = json_array(), .sources = json_array()};
	const struct wt_diff_listener listener = wt_diff_json_listener(&json);
	const struct wt_diff_counts *counts = &options->counts;
	struct wt_error *error = diff_compare(options, &listener);

	if (error) {
		json_decref(json.stop);
		json_decref(json.stops);
		json_decref(json.sources);
		return wt_cli_fail(error);
	}
	return wt_cli_json(
		options->trace[WT_DIFF_A].path, 0,
		json_pack("{s:o, s:o, s:I, s:b, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:I}, s:o, "
			  "s:{s:I, s:I}, "
			  "s:o}",
			  "a", wt_cli_json_text(options->trace[WT_DIFF_A].path), "b",
			  wt_cli_json_text(options->trace[WT_DIFF_B].path), "differences",
			  (json_int_t)counts->differences, "partial",
			  wt_diff_is_partial(counts) || options->redacted, "compared", "stops",
			  (json_int_t)counts->stops, "code_objects",
			  (json_int_t)counts->code_objects, "events", (json_int_t)counts->events,
			  "waves", (json_int_t)counts->waves, "registers",
			  (json_int_t)counts->registers, "pages", (json_int_t)counts->pages,
			  "source_files", (json_int_t)counts->sources, "source_files", json.sources,
			  "only_source_files", "a", (json_int_t)counts->only_sources[WT_DIFF_A],
			  "b", (json_int_t)counts->only_sources[WT_DIFF_B], "stops", json.stops));
}

int wt_command_diff(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"stop-b", 'b', "N", 0, "the stop of B, if it is another one than that of A", 0},
		{"count", 'n', "N", 0,
		 "list at most N differences of a kind at a stop, and N registers of a wave "
		 "(default 8; 0: all)",
		 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "A [B]",
		.doc = "Say what differs between two traces, or between two stops: code objects, "
		       "events in order, waves and where they stand, registers by name, memory by "
		       "page, and source files that were kept with both. Waves are matched by "
		       "dispatch and workgroup coordinates, not by "
		       "handle. Without --stop all stops are compared. With one trace, --stop and "
		       "--stop-b name two stops of it. The exit code is 0 if nothing differs, 1 if "
		       "something does, 3 if nothing does but not all could be compared.",
		.stop = "compare stop N only (from 1)",
		.own = {.options = own, .parser = diff_parse},
	};
	struct options options = {.limit = DEFAULT_LIMIT};
	bool partial = false;
	int code;

	wt_cli_verb_parse(&verb, argc, argv, &options.trace[WT_DIFF_A], &options);
	code = options.trace[WT_DIFF_A].json ? diff_show_json(&options) : diff_show_text(&options);
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		partial |= wt_cli_trace_close(&options.trace[side], code);
	if (code == WT_EXIT_FINE && options.counts.differences)
		return WT_EXIT_FAILED;
	partial |= wt_diff_is_partial(&options.counts) || options.redacted;
	return code == WT_EXIT_FINE && partial ? WT_EXIT_PARTIAL : code;
}
