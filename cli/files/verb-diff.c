/* SPDX-License-Identifier: MIT */
/* `wavetape diff`: what differs between two traces, or two stops. */
#include "cli/files/verb-diff.h"

#include <inttypes.h>
#include <string.h>

#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "replayer/view/missing.h"

/* `wavetape diff` as text: what A has, a bar, what B has. Of each kind only the first differences are listed. */

#define LABEL_WIDTH 12
#define SHOWN_LINES 4 /* of a page */

static const char *const side_names[WT_DIFF_SIDES] = {"A", "B"};

static enum wt_diff_side diff_text_side_of(const struct wt_diff *diff)
{
	return diff->value[WT_DIFF_A].present ? WT_DIFF_A : WT_DIFF_B;
}

/* ---- Stops and waves ---- */

static void diff_text_print_stop_name(const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	const struct wt_diff_stop *a = stops[WT_DIFF_A], *b = stops[WT_DIFF_B];

	printf("stop %u", a ? a->number : b->number);
	if (a && b && a->number != b->number)
		printf(" | %u", b->number);
	putchar(':');
}

/* Before the first line about a stop. */
static void diff_text_begin_stop(struct wt_diff_text *text)
{
	if (text->begun)
		return;
	diff_text_print_stop_name(text->stops);
	putchar('\n');
	text->begun = true;
}

/* After the last line about a wave. */
static void diff_text_end_wave(struct wt_diff_text *text)
{
	uint64_t hidden =
		text->limit && text->registers > text->limit ? text->registers - text->limit : 0;

	if (hidden && (!text->limit || text->waves <= text->limit))
		printf("    and %" PRIu64 " more %s\n", hidden,
		       wt_plural(hidden, "register", "registers"));
	text->handle[WT_DIFF_A] = text->handle[WT_DIFF_B] = 0;
	text->registers = 0;
}

/* "(0,0,0)/2"; its dispatch only if that is not the first one. */
static void diff_text_print_place(const struct wt_diff_place *place)
{
	char text[WT_DESCRIBE_MAX];

	printf("%s", wt_describe_place(place->has_workgroup ? place->workgroup : NULL,
				       place->number_in_group, text));
	if (place->agent > 1)
		printf(" of agent %u", place->agent);
	if (place->queue > 1)
		printf(" of queue %u", place->queue);
	if (place->has_packet && place->packet)
		printf(" of packet %" PRIu64, place->packet);
}

static void diff_text_print_wave(const struct wt_diff_wave *wave)
{
	uint64_t a = wave->handle[WT_DIFF_A], b = wave->handle[WT_DIFF_B];
	char name[WT_CLI_NAME];

	diff_text_print_place(&wave->place);
	if (wave->kernel) {
		putchar(' ');
		wt_cli_put(stdout, wt_cli_name(wave->kernel, name));
	}
	printf(", w%" PRIu64, a ? a : b);
	if (a && b && a != b)
		printf(" | w%" PRIu64, b);
}

/* Before a line about a wave. False if no more waves are listed. */
static bool diff_text_begin_wave(struct wt_diff_text *text, const struct wt_diff *diff)
{
	const struct wt_diff_wave *wave = diff->wave;

	if (memcmp(text->handle, wave->handle, sizeof(text->handle))) {
		diff_text_end_wave(text);
		text->waves++;
		memcpy(text->handle, wave->handle, sizeof(text->handle));
		if (!text->limit || text->waves <= text->limit) {
			diff_text_begin_stop(text);
			printf("  ");
			diff_text_print_wave(wave);
			if (diff->what == WT_DIFF_EXISTENCE)
				printf(": only in %s", side_names[diff_text_side_of(diff)]);
			putchar('\n');
		}
	}
	return !text->limit || text->waves <= text->limit;
}

/* ---- Values ---- */

static void diff_text_put_text(const char *text)
{
	wt_cli_put(stdout, text ? text : "?");
}

static void diff_text_print_event(const struct wt_diff_event *event)
{
	char text[WT_DESCRIBE_MAX];

	if (!event)
		return;
	printf("%s", wt_describe_event_kind(event->kind, text));
	if (event->has_wave) {
		putchar(' ');
		diff_text_print_place(&event->wave);
	}
	if (event->detail)
		printf(" %" PRIu64, event->detail);
}

/* Print what one side has, for differences that fit in a line. */
static void diff_text_print_value(const struct wt_diff *diff, enum wt_diff_side side)
{
	const struct wt_diff_value *value = &diff->value[side];
	char text[WT_DESCRIBE_MAX];

	switch (diff->what) {
	case WT_DIFF_LOAD_ADDRESS:
		printf("0x%" PRIx64, value->number);
		break;
	case WT_DIFF_STATE:
		printf("%s", value->number == WT_DIFF_STOPPED ? "stopped" : "running");
		break;
	case WT_DIFF_REASONS:
		printf("%s", wt_describe_reasons_plainly((uint32_t)value->number, text));
		break;
	case WT_DIFF_BYTES:
		if (value->text)
			wt_cli_put(stdout, value->text);
		else
			printf("%s", wt_describe_value(value->data, value->size, text));
		break;
	case WT_DIFF_KIND:
		diff_text_print_event(value->event);
		break;
	default:
		diff_text_put_text(value->text);
	}
}

static void diff_text_print_both(const struct wt_diff *diff)
{
	diff_text_print_value(diff, WT_DIFF_A);
	printf(" | ");
	diff_text_print_value(diff, WT_DIFF_B);
	putchar('\n');
}

/* ---- Differences ---- */

static void diff_text_print_position(const struct wt_diff *diff)
{
	char text[WT_DESCRIBE_MAX];

	for (int side = 0; side < WT_DIFF_SIDES; side++)
		printf("    %-*s %s %s\n", LABEL_WIDTH, side ? "" : "at", side_names[side],
		       wt_describe_code(diff->value[side].code, text));
}

static void diff_text_print_wave_property(const struct wt_diff *diff)
{
	static const char *const labels[] = {[WT_DIFF_KERNEL] = "kernel",
					     [WT_DIFF_STATE] = "state",
					     [WT_DIFF_REASONS] = "stopped for"};

	if (diff->what == WT_DIFF_EXISTENCE)
		return;
	if (diff->what == WT_DIFF_POSITION) {
		diff_text_print_position(diff);
		return;
	}
	printf("    %-*s ", LABEL_WIDTH, labels[diff->what]);
	diff_text_print_both(diff);
}

/* Print of a vector register the lanes, and the values of the first. */
static void diff_text_print_register(const struct wt_diff *diff)
{
	uint64_t lanes = diff->vector ? wt_diff_lanes(diff->value) : 0;
	char text[WT_DESCRIBE_MAX];
	uint32_t first = 0;

	printf("    ");
	wt_cli_put_padded(diff->name, LABEL_WIDTH);
	putchar(' ');
	if (!lanes) {
		diff_text_print_both(diff);
		return;
	}
	while (!(lanes >> first & 1))
		first++;
	printf("%s %s: %08x | %08x", lanes & (lanes - 1) ? "lanes" : "lane",
	       wt_describe_lanes(lanes, text), wt_diff_lane(&diff->value[WT_DIFF_A], first),
	       wt_diff_lane(&diff->value[WT_DIFF_B], first));
	puts(lanes & (lanes - 1) ? " in the first" : "");
}

static void diff_text_print_agent(const struct wt_diff *diff)
{
	printf("  agent %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_put_text(diff->value[diff_text_side_of(diff)].text);
		putchar('\n');
	} else {
		diff_text_print_both(diff);
	}
}

static void diff_text_print_code_object(const struct wt_diff *diff)
{
	const struct wt_diff_value *value = diff->value;
	struct wt_diff_bytes bytes;

	printf("  code object %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_put_text(value[diff_text_side_of(diff)].text);
		putchar('\n');
	} else if (diff->what == WT_DIFF_BYTES) {
		bytes = wt_diff_count_bytes(value);
		printf("%" PRIu64 " %s from offset 0x%" PRIx64 " on; %zu | %zu bytes\n",
		       bytes.count, wt_plural(bytes.count, "byte differs", "bytes differ"),
		       bytes.first, value[WT_DIFF_A].size, value[WT_DIFF_B].size);
	} else {
		printf("%s ", diff->what == WT_DIFF_LOAD_ADDRESS ? "loaded at" : "from");
		diff_text_print_both(diff);
	}
}

static void diff_text_print_event_difference(const struct wt_diff *diff)
{
	printf("  event %" PRIu64 ": ", diff->position);
	if (diff->what == WT_DIFF_EXISTENCE) {
		printf("only in %s: ", side_names[diff_text_side_of(diff)]);
		diff_text_print_event(diff->value[diff_text_side_of(diff)].event);
		putchar('\n');
	} else {
		diff_text_print_both(diff);
	}
}

static void diff_text_print_argument(const struct wt_diff *diff)
{
	char name[WT_CLI_NAME];

	printf("  ");
	wt_cli_put(stdout,
		   diff->dispatch->kernel ? wt_cli_name(diff->dispatch->kernel, name) : "kernel");
	printf(", ");
	wt_cli_put(stdout, diff->name);
	printf(": ");
	diff_text_print_both(diff);
}

/* The first lines of a page that differ. */
static void diff_text_print_page(const struct wt_diff *diff, const char *indent)
{
	const struct wt_diff_value *value = diff->value;
	unsigned int shown = 0;

	for (size_t at = 0; at < value->size && shown < SHOWN_LINES; at += WT_CLI_DUMP_BYTES) {
		size_t left = value->size - at;
		size_t count = left < WT_CLI_DUMP_BYTES ? left : WT_CLI_DUMP_BYTES;

		if (!memcmp(value[WT_DIFF_A].data + at, value[WT_DIFF_B].data + at, count))
			continue;
		printf("%s  0x%012" PRIx64 " A ", indent, diff->position + at);
		wt_cli_put_bytes(value[WT_DIFF_A].data + at, count);
		printf("%s  %14s B ", indent, "");
		wt_cli_put_bytes(value[WT_DIFF_B].data + at, count);
		shown++;
	}
}

static void diff_text_print_memory(const struct wt_diff *diff)
{
	const char *indent = diff->wave ? "    " : "  ";
	struct wt_diff_bytes bytes = wt_diff_count_bytes(diff->value);

	printf("%s%s memory 0x%" PRIx64, indent, diff->name, diff->position);
	if (diff->group) {
		printf(" of ");
		diff_text_print_wave(diff->group);
	}
	printf(": %" PRIu64 " %s\n", bytes.count,
	       wt_plural(bytes.count, "byte differs", "bytes differ"));
	diff_text_print_page(diff, indent);
}

static bool diff_text_is_listed(struct wt_diff_text *text, const struct wt_diff *diff)
{
	if (diff->wave && !diff_text_begin_wave(text, diff))
		return false;
	if (diff->kind == WT_DIFF_REGISTER)
		return ++text->registers <= text->limit || !text->limit;
	if (diff->kind == WT_DIFF_WAVE)
		return true;
	return ++text->found[diff->kind] <= text->limit || !text->limit;
}

static struct wt_error *diff_text_print_difference(void *opaque, const struct wt_diff *diff)
{
	struct wt_diff_text *text = opaque;

	if (!diff->wave)
		diff_text_end_wave(text);
	if (!diff_text_is_listed(text, diff))
		return NULL;
	diff_text_begin_stop(text);
	switch (diff->kind) {
	case WT_DIFF_AGENT:
		diff_text_print_agent(diff);
		break;
	case WT_DIFF_CODE_OBJECT:
		diff_text_print_code_object(diff);
		break;
	case WT_DIFF_EVENT:
		diff_text_print_event_difference(diff);
		break;
	case WT_DIFF_ARGUMENT:
		diff_text_print_argument(diff);
		break;
	case WT_DIFF_WAVE:
		diff_text_print_wave_property(diff);
		break;
	case WT_DIFF_REGISTER:
		diff_text_print_register(diff);
		break;
	case WT_DIFF_MEMORY:
		diff_text_print_memory(diff);
		break;
	case WT_DIFF_KINDS:
		break;
	}
	return NULL;
}

/* ---- Stops ---- */

static struct wt_error *diff_text_print_begin(void *opaque,
					      const struct wt_diff_stop *const stops[WT_DIFF_SIDES])
{
	struct wt_diff_text *text = opaque;

	*text = (struct wt_diff_text){.limit = text->limit,
				      .stops = {stops[WT_DIFF_A], stops[WT_DIFF_B]}};
	return NULL;
}

/* Say how much was found and not listed. */
static void diff_text_print_more(const struct wt_diff_text *text)
{
	static const char *const names[WT_DIFF_KINDS][2] = {
		[WT_DIFF_AGENT] = {"agent", "agents"},
		[WT_DIFF_CODE_OBJECT] = {"difference of code objects",
					 "differences of code objects"},
		[WT_DIFF_EVENT] = {"event", "events"},
		[WT_DIFF_MEMORY] = {"page of memory", "pages of memory"},
	};
	uint64_t waves = text->limit && text->waves > text->limit ? text->waves - text->limit : 0;

	if (waves)
		printf("  and %" PRIu64 " more %s\n", waves, wt_plural(waves, "wave", "waves"));
	for (int kind = 0; text->limit && kind < WT_DIFF_KINDS; kind++) {
		uint64_t more =
			text->found[kind] > text->limit ? text->found[kind] - text->limit : 0;

		if (more)
			printf("  and %" PRIu64 " more %s\n", more,
			       wt_plural(more, names[kind][0], names[kind][1]));
	}
}

static void diff_text_print_missing(struct wt_diff_text *text, uint64_t count, const char *one,
				    const char *more, const char *where)
{
	if (!count)
		return;
	diff_text_begin_stop(text);
	printf("  not compared: %" PRIu64 " %s %s\n", count, wt_plural(count, one, more), where);
}

/* Say what could not be compared, since one side has not recorded it. */
static void diff_text_print_not_compared(struct wt_diff_text *text,
					 const struct wt_diff_counts *counts)
{
	static const char *const only[] = {"that only A has recorded", "that only B has recorded"};
	static const char *const unknown[] = {"of which A has the name only",
					      "of which B has the name only"};

	for (int side = 0; side < WT_DIFF_SIDES; side++) {
		diff_text_print_missing(text, counts->only_images[side], "code object",
					"code objects", only[side]);
		diff_text_print_missing(text, counts->unknown_waves[side], "wave", "waves",
					unknown[side]);
		diff_text_print_missing(text, counts->only_registers[side], "register", "registers",
					only[side]);
		diff_text_print_missing(text, counts->only_pages[side], "page of memory",
					"pages of memory", only[side]);
	}
	diff_text_print_missing(text, counts->no_images, "code object", "code objects",
				"that neither has recorded");
}

/* A pair of stops of which there is nothing to list. */
static void diff_text_print_whole_stop(const struct wt_diff_text *text,
				       const struct wt_diff_counts *counts)
{
	enum wt_diff_side side = text->stops[WT_DIFF_A] ? WT_DIFF_A : WT_DIFF_B;
	bool single = !text->stops[WT_DIFF_A] || !text->stops[WT_DIFF_B];

	diff_text_print_stop_name(text->stops);
	if (single && counts->differences)
		printf(" only in %s\n", side_names[side]);
	else if (single)
		printf(" not compared: %s does not have it, and is not the whole recording\n",
		       side_names[!side]);
	else if (counts->lost_stops[WT_DIFF_A] && counts->lost_stops[WT_DIFF_B])
		puts(" not compared: its state is lost in A and B");
	else if (counts->lost_stops[WT_DIFF_A] || counts->lost_stops[WT_DIFF_B])
		printf(" not compared: its state is lost in %s\n",
		       side_names[!counts->lost_stops[WT_DIFF_A]]);
	else
		puts(" equal");
}

static struct wt_error *diff_text_print_end(void *opaque, const struct wt_diff_counts *counts)
{
	struct wt_diff_text *text = opaque;

	diff_text_end_wave(text);
	diff_text_print_more(text);
	diff_text_print_not_compared(text, counts);
	if (!text->begun)
		diff_text_print_whole_stop(text, counts);
	return NULL;
}

/* ---- Source files ---- */

static struct wt_error *diff_text_print_source(void *opaque, const struct wt_diff_source *source)
{
	(void)opaque;
	printf("source ");
	wt_cli_put(stdout, source->name);
	printf(": differs from line %" PRIu64 " on; %" PRIu64 " | %" PRIu64 " lines\n",
	       source->line, source->lines[WT_DIFF_A], source->lines[WT_DIFF_B]);
	return NULL;
}

/* Print which of the source files could not be compared. */
static void diff_text_sources(const struct wt_diff_counts *counts)
{
	for (int side = 0; side < WT_DIFF_SIDES; side++)
		if (counts->only_sources[side])
			printf("not compared: %" PRIu64 " %s that only %s has recorded\n",
			       counts->only_sources[side],
			       wt_plural(counts->only_sources[side], "source file", "source files"),
			       side_names[side]);
}

/* A listener that prints; @text: zeros, but for the limit. */
static struct wt_diff_listener diff_text_listener(struct wt_diff_text *text)
{
	return (struct wt_diff_listener){
		.opaque = text,
		.source = diff_text_print_source,
		.begin = diff_text_print_begin,
		.difference = diff_text_print_difference,
		.end = diff_text_print_end,
	};
}

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
	const struct wt_diff_listener listener = diff_text_listener(&text);
	const struct wt_diff_counts *counts = &options->counts;
	struct wt_error *error = diff_compare(options, &listener);

	if (error)
		return wt_cli_fail(error);
	diff_text_sources(counts);
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
