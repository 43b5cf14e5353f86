/* SPDX-License-Identifier: MIT */
/* `wavetape export`: a trace in a form that other tools read. */
#include "cli/files/verb-export.h"

#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/output.h"

#define CANNOT_EXPORT "cannot export the trace"

enum {
	KEY_CORE = 256,
	KEY_PERFETTO,
	KEY_LINES,
	KEY_ONLY,
	KEY_BASE64,
};

/* A form. */
static const struct form {
	int key;
	const char *option;
	struct wt_error *(*write)(struct wt_export *export);
	bool lines; /* --only and --base64 go with it */
	bool stop;  /* --stop goes with it */
	bool file;  /* it needs a file, not a pipe */
} forms[] = {
	{KEY_CORE, "--core", wt_export_core, false, true, true},
	{KEY_PERFETTO, "--perfetto", wt_export_perfetto, false, false, false},
	{KEY_LINES, "--json-lines", wt_export_lines, true, true, false},
};

#define FORM_COUNT (sizeof(forms) / sizeof(*forms))

struct options {
	struct wt_export export;
	const struct form *form;
};

/* ---- The command line ---- */

static bool export_take_line(const char *word, size_t length, uint32_t *lines)
{
	for (int i = 0; i < WT_EXPORT_LINE_COUNT; i++) {
		const char *type = wt_export_lines_types[i];

		if (strlen(type) == length && !strncmp(type, word, length)) {
			*lines |= UINT32_C(1) << i;
			return true;
		}
	}
	return false;
}

static void export_refuse_line(const char *word, size_t length, struct argp_state *state)
{
	wt_cleanup_buffer struct wt_buffer kinds = {0};

	wt_buffer_append_text(&kinds, wt_export_lines_types[0]);
	for (int i = 1; i < WT_EXPORT_LINE_COUNT; i++)
		wt_buffer_append_format(&kinds, "%s%s",
					i == WT_EXPORT_LINE_COUNT - 1 ? " and " : ", ",
					wt_export_lines_types[i]);
	argp_error(state, "--only: '%.*s' is no kind of line; those are %.*s", (int)length, word,
		   (int)kinds.size, (const char *)kinds.data);
}

static void export_take_only(struct wt_export *export, const char *list, struct argp_state *state)
{
	for (;;) {
		size_t length = strcspn(list, ",");

		if (!export_take_line(list, length, &export->lines))
			export_refuse_line(list, length, state);
		if (!list[length])
			return;
		list += length + 1;
	}
}

static void export_take_form(struct options *options, int key, struct argp_state *state)
{
	if (options->form)
		argp_error(state, "one form at a time: %s was asked for already",
			   options->form->option);
	for (size_t i = 0; i < FORM_COUNT; i++)
		if (forms[i].key == key)
			options->form = &forms[i];
}

/* An option that would have no effect is not what was meant. */
static void export_check(const struct options *options, struct argp_state *state)
{
	const struct wt_export *export = &options->export;

	if (!options->form)
		argp_error(state, "in which form? Name one: --core, --perfetto or --json-lines");
	else if (!options->form->lines && (export->lines || export->base64))
		argp_error(state, "--only and --base64 go with --json-lines");
	else if (options->form->file &&
		 (!export->trace.output || !strcmp(export->trace.output, "-")))
		argp_error(state, "where to? %s needs a file: name it with --output",
			   options->form->option);
	else if (!options->form->stop && export->trace.has_stop)
		argp_error(state, "a timeline is of all stops: --stop says nothing of it");
	else if (export->trace.json)
		argp_error(state, "--json says nothing of %s", options->form->option);
}

static error_t export_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case KEY_CORE:
	case KEY_PERFETTO:
	case KEY_LINES:
		export_take_form(options, key, state);
		return 0;
	case KEY_ONLY:
		export_take_only(&options->export, argument, state);
		return 0;
	case KEY_BASE64:
		options->export.base64 = true;
		return 0;
	case ARGP_KEY_END:
		export_check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Writing ---- */

static struct wt_error *export_write_output(struct options *options)
{
	struct wt_export *export = &options->export;
	const char *path = export->trace.output;
	struct wt_error *error;

	if (path && !strcmp(path, "-"))
		path = NULL;
	error = wt_cli_output_open(CANNOT_EXPORT, path, &export->output);
	if (error)
		return error;
	error = options->form->write(export);
	return wt_cli_output_close(&export->output, error);
}

static struct wt_error *export_show(struct wt_cli_trace *trace, void *input, json_t **json_ret)
{
	struct options *options = input;
	struct wt_error *error = NULL;

	(void)json_ret;
	if (trace->output)
		error = wt_cli_check_output(CANNOT_EXPORT, trace->output, trace->path,
					    "the trace that is read");
	return error ? error : export_write_output(options);
}

int wt_command_export(int argc, char **argv)
{
	static const struct argp_option own[] = {
		{"core", KEY_CORE, NULL, 0,
		 "a GPU core file of one stop, for debuggers that read such", 1},
		{"perfetto", KEY_PERFETTO, NULL, 0,
		 "a timeline for Perfetto: stops, waves, dispatches, and API calls with what they "
		 "took",
		 1},
		{"json-lines", KEY_LINES, NULL, 0,
		 "lines of JSON, each an object whose \"line\" says what it is: everything in the "
		 "trace",
		 1},
		{"only", KEY_ONLY, "KINDS", 0,
		 "of the lines, only those of these kinds, with commas between them", 2},
		{"base64", KEY_BASE64, NULL, 0,
		 "bytes in the lines as base64, in place of hexadecimal digits", 2},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.arguments = "FILE [-o OUT]",
		.doc = "Write a trace in a form that other tools read.\v"
		       "Examples:\n"
		       "  wavetape export crash.wtape --core -o crash.core\n"
		       "  wavetape export crash.wtape --perfetto -o crash.pftrace\n"
		       "  wavetape export crash.wtape --json-lines --only stop,wave | jq .kernel",
		.stop = "export stop N (from 1) alone; without it, of --core the last one with a "
			"fault, else the last one; of --json-lines all",
		.output = "write to this file; - or nothing is the standard output",
		.own = {.options = own, .parser = export_parse},
		.show = export_show,
	};
	struct options options = {0};
	int code;

	wt_cli_verb_parse(&verb, argc, argv, &options.export.trace, &options);
	if (!options.export.lines)
		options.export.lines = UINT32_MAX;
	code = wt_cli_trace_run(&options.export.trace, export_show, &options);
	return code == WT_EXIT_FINE && options.export.partial ? WT_EXIT_PARTIAL : code;
}
