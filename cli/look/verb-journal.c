/* SPDX-License-Identifier: MIT */
/* `wavetape journal`: every API call with arguments, callbacks, answers and times. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/look/journal-json.h"
#include "cli/look/show.h"
#include "cli/output.h"

struct options {
	struct wt_cli_trace trace;
	struct wt_shown_call_filter filter;
};

static bool names_a_function(const char *part)
{
	for (size_t i = 0; i < WT_FUNCTION_COUNT; i++)
		if (strstr(wt_functions[i].name, part))
			return true;
	return false;
}

static error_t journal_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'F':
		if (!names_a_function(argument))
			argp_error(state, "--function: no function of the API has '%s' in its name",
				   argument);
		options->filter.function = argument;
		return 0;
	case 'f':
		if (!wt_cli_number(argument, &options->filter.from))
			argp_error(state, "--from takes a call's number, not '%s'", argument);
		return 0;
	case 't':
		if (!wt_cli_number(argument, &options->filter.to))
			argp_error(state, "--to takes a call's number, not '%s'", argument);
		return 0;
	case ARGP_KEY_END:
		if (options->filter.from > options->filter.to)
			argp_error(state, "--from %" PRIu64 " comes after --to %" PRIu64,
				   options->filter.from, options->filter.to);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_begin(const struct wt_shown_call *call)
{
	char text[WT_SHOWN_VALUE];

	printf("%-6" PRIu64 " %10.3f ms  t%u  ", call->number, (double)call->start / 1e6,
	       call->thread);
	wt_cli_put(stdout, call->name);
	putchar('(');
	for (size_t i = 0; i < call->input_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_input(call, i);

		wt_shown_value_text(call, parameter, &call->inputs[i], text);
		printf("%s%s%s", i ? ", " : "", parameter ? parameter->name : "",
		       parameter ? "=" : "");
		wt_cli_put(stdout, text);
	}
	printf(")");
}

static void print_end(const struct wt_shown_call *call, const struct wt_call_end *end,
		      const struct wavetape_entry *entry)
{
	char text[WT_SHOWN_VALUE];
	const char *separator = "  ->  ";

	if (entry->status)
		printf(" = %s", entry->status);
	for (size_t i = 0; i < end->output_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_output(call, i);

		if (end->outputs[i].form == WT_VALUE_ABSENT)
			continue;
		wt_shown_value_text(call, parameter, &end->outputs[i], text);
		printf("%s%s=", separator, parameter ? parameter->name : "result");
		wt_cli_put(stdout, text);
		separator = ", ";
	}
	printf("  (%.3f us)\n", (double)entry->time_ns / 1e3);
}

/* ---- The walk ---- */

struct walk {
	struct wt_cli_trace *trace;
	const struct options *options;
	struct wt_shown_call call;
	bool shown; /* the current call passed the filter */
};

/** A call whose answer does not follow it: @why says what is known of that. */
static void finish_open(struct walk *walk, const char *why)
{
	if (!walk->call.open)
		return;
	walk->call.open = false;
	if (walk->shown)
		printf("  %s\n", why);
}

/** An answer that does not follow its call: another one began between them, or the call itself is lost. */
static void show_answer_alone(const struct walk *walk, const struct wavetape_entry *entry)
{
	const struct wt_shown_call_filter *filter = &walk->options->filter;

	if (wt_shown_call_is_in_range(filter, entry->call) && !filter->function)
		printf("%-6" PRIu64 " returned %s\n", entry->call, entry->status);
}

static void show_begin(struct walk *walk)
{
	walk->shown = wt_shown_call_passes(&walk->options->filter, &walk->call);
	if (walk->shown)
		print_begin(&walk->call);
}

static void show_callback(struct walk *walk, const struct wt_callback *callback,
			  const struct wavetape_entry *entry)
{
	char text[WT_SHOWN_VALUE];

	printf("\n         callback ");
	wt_cli_put(stdout, entry->name);
	putchar('(');
	for (size_t i = 0; i < callback->input_count; i++) {
		wt_shown_value_text(&walk->call, NULL, &callback->inputs[i], text);
		printf("%s%s", i ? ", " : "", text);
	}
	printf(") = %" PRId64 "\n        ", entry->result);
}

static void show_end(struct walk *walk, const struct wt_call_end *end,
		     const struct wavetape_entry *entry)
{
	if (!walk->call.returned)
		show_answer_alone(walk, entry);
	else if (walk->shown)
		print_end(&walk->call, end, entry);
}

static void print_notice(const char *notice)
{
	printf("notice: ");
	wt_cli_put(stdout, notice);
	putchar('\n');
}

static struct wt_error *show_record(struct walk *walk, const struct wt_journal_record *record)
{
	struct wavetape_entry entry = {0};
	struct wt_error *error;

	if (record->kind == WT_JOURNAL_BEGIN)
		finish_open(walk, "the next call follows before its answer");
	error = wt_shown_entry_take(&walk->call, walk->trace->reader, record, &entry);
	if (error)
		return error;
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		show_begin(walk);
		break;
	case WT_JOURNAL_CALLBACK:
		if (walk->shown && walk->call.open && walk->call.number == entry.call)
			show_callback(walk, &record->callback, &entry);
		break;
	case WT_JOURNAL_END:
		show_end(walk, &record->end, &entry);
		break;
	case WT_JOURNAL_NOTICE:
		print_notice(entry.name);
		break;
	case WT_JOURNAL_MOMENT:
		break;
	}
	return NULL;
}

/* A --from behind the last call would show nothing. In a damaged trace nobody knows how many calls there were. */
static struct wt_error *check_from(const struct wt_cli_trace *trace, const struct options *options)
{
	struct wt_trace_info info;
	uint64_t last;

	wt_reader_info(trace->reader, &info);
	last = info.part.calls_before + info.calls;
	if (options->filter.from <= last || !info.complete || wt_reader_damage(trace->reader))
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, "cannot show the journal", trace->path,
			       "there is no call %" PRIu64 ": the last one is %" PRIu64,
			       options->filter.from, last);
}

/* Hands every record on, as text, or as JSON to @calls. */
static struct wt_error *show_records(struct wt_journal *journal, struct walk *walk,
				     struct wt_cli_calls_json *calls)
{
	const struct wt_journal_record *record;
	struct wt_error *error;

	do {
		error = wt_journal_next(journal, &record);
		if (!error && record && record->kind == WT_JOURNAL_BEGIN)
			wt_progress_update(&walk->trace->progress, "call %" PRIu64,
					   record->begin.number);
		if (!error && record)
			error = calls ? wt_cli_calls_json_take(calls, record)
				      : show_record(walk, record);
	} while (!error && record);
	return error;
}

static struct wt_error *journal_print_text(struct walk *walk, struct wt_journal *journal)
{
	struct wt_error *error = show_records(journal, walk, NULL);

	if (!error)
		finish_open(walk, "did not return");
	wt_shown_call_deinit(&walk->call);
	return error;
}

/* ---- JSON, which is printed entry by entry as wt_cli_json() prints it as a whole ---- */

#define LIST_END "]\n}"

/* Print all that comes before the entries. */
static struct wt_error *print_head_json(const char *path)
{
	json_t *whole = json_pack("{s:i, s:o, s:[]}", "format", WT_CLI_JSON_FORMAT, "file",
				  wt_cli_json_text(path), "entries");
	wt_cleanup_free char *text =
		whole ? json_dumps(whole, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;

	json_decref(whole);
	if (!text)
		return &wt_error_no_memory;
	text[strlen(text) - strlen(LIST_END)] = '\0';
	fputs(text, stdout);
	return NULL;
}

static struct wt_error *print_entry_json(void *opaque, json_t *entry)
{
	wt_cleanup_free char *text = json_dumps(entry, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	bool *empty = opaque;

	if (!text)
		return &wt_error_no_memory;
	fputs(*empty ? "" : ",", stdout);
	*empty = false;
	/* Within strings line ends are escaped: each one here begins a line, which is two levels deep. */
	for (const char *line = text; *line;) {
		size_t length = strcspn(line, "\n");

		fputs("\n    ", stdout);
		fwrite(line, 1, length, stdout);
		line += length + (line[length] == '\n');
	}
	return NULL;
}

static struct wt_error *journal_print_json(struct walk *walk, struct wt_journal *journal)
{
	bool empty = true;
	struct wt_cli_calls_json calls = {.reader = walk->trace->reader,
					  .filter = walk->options->filter,
					  .put = print_entry_json,
					  .opaque = &empty};
	struct wt_error *error = print_head_json(walk->trace->path);

	if (!error)
		error = show_records(journal, walk, &calls);
	if (!error)
		error = wt_cli_calls_json_end(&calls);
	if (!error)
		printf("%s" LIST_END "\n", empty ? "" : "\n  ");
	wt_cli_calls_json_deinit(&calls);
	return error;
}

static struct wt_error *journal_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct walk walk = {.trace = trace, .options = input};
	struct wt_journal *journal = NULL;
	struct wt_error *error = check_from(trace, input);

	(void)json_ret;
	if (!error)
		error = wt_journal_open(trace->reader, &journal);
	if (!error)
		error = trace->json ? journal_print_json(&walk, journal)
				    : journal_print_text(&walk, journal);
	wt_journal_close(journal);
	return error;
}

/* ---- For others, piece by piece ---- */

struct wt_journal_printer {
	struct options options;
	struct walk walk;
	struct wt_journal *journal;
};

struct wt_error *wt_journal_printer_create(struct wt_cli_trace *trace,
					   struct wt_journal_printer **printer_ret)
{
	struct wt_journal_printer *printer = calloc(1, sizeof(*printer));
	struct wt_error *error;

	if (!printer)
		return &wt_error_no_memory;
	printer->options.filter.to = UINT64_MAX;
	printer->walk = (struct walk){.trace = trace, .options = &printer->options};
	error = wt_journal_open(trace->reader, &printer->journal);
	if (error) {
		free(printer);
		return error;
	}
	*printer_ret = printer;
	return NULL;
}

void wt_journal_printer_destroy(struct wt_journal_printer *printer)
{
	if (!printer)
		return;
	wt_journal_close(printer->journal);
	wt_shown_call_deinit(&printer->walk.call);
	free(printer);
}

/* So many more records, on stdout. A call and its answer are two that make one line. */
static struct wt_error *print_records(struct wt_journal_printer *printer, size_t records)
{
	const struct wt_journal_record *record;
	struct wt_error *error = NULL;
	bool ended = false;

	for (size_t i = 0; !error && !ended && i < records; i++) {
		error = wt_journal_next(printer->journal, &record);
		ended = error || !record;
		if (!ended)
			error = show_record(&printer->walk, record);
	}
	if (!error && ended)
		finish_open(&printer->walk, "did not return");
	return error;
}

/* A call that does not end is cut after so many times the records that were asked for. */
#define CUT_AFTER 16

/* The lines that show_record() makes of a record. */
static size_t count_lines(struct wt_shown_call *call, const struct wt_journal_record *record)
{
	bool was_open = call->open;

	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		call->open = true;
		call->number = record->begin.number;
		return was_open ? 1 : 0;
	case WT_JOURNAL_CALLBACK:
		return was_open && call->number == record->callback.call ? 2 : 0;
	case WT_JOURNAL_END:
		call->open = was_open && call->number != record->end.number;
		return 1;
	case WT_JOURNAL_NOTICE:
		return 1;
	case WT_JOURNAL_MOMENT:
		break;
	}
	return 0;
}

struct wt_error *wt_journal_printer_pass(struct wt_journal_printer *printer, size_t records,
					 struct wt_journal_part *part_ret, bool *ended_ret)
{
	struct wt_shown_call *call = &printer->walk.call;
	struct wt_journal_part part = {.position = wt_journal_position(printer->journal)};
	const struct wt_journal_record *record;
	struct wt_error *error = NULL;

	*ended_ret = false;
	while (!*ended_ret &&
	       (part.records < records || (call->open && part.records < CUT_AFTER * records))) {
		error = wt_journal_pass(printer->journal, &record);
		*ended_ret = error || !record;
		part.records++;
		if (*ended_ret)
			part.lines += call->open;
		else
			part.lines += count_lines(call, record);
		if (!*ended_ret && record->kind == WT_JOURNAL_BEGIN && !part.call)
			part.call = record->begin.number;
	}
	*part_ret = part;
	return error;
}

struct wt_error *wt_journal_printer_print_part(struct wt_journal_printer *printer,
					       const struct wt_journal_part *part)
{
	printer->walk.call.open = false;
	wt_journal_seek(printer->journal, &part->position);
	return print_records(printer, part->records);
}

int wt_command_journal(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"function", 'F', "NAME", 0, "only functions whose names hold NAME", 0},
		{"from", 'f', "CALL", 0, "from this call on", 0},
		{"to", 't', "CALL", 0, "up to this call", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Print every API call of the recorded session in order: number, time, "
		       "thread, arguments, the callbacks made during it, status and outputs.",
		.own = {.options = argp_options, .parser = journal_parse},
		.show = journal_show,
		.streams_json = true,
	};
	struct options options = {.filter = {.to = UINT64_MAX}};

	return wt_cli_verb_run(&verb, argc, argv, &options.trace, &options);
}
