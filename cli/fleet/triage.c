/* SPDX-License-Identifier: MIT */
/* `wavetape triage`: many traces in groups, by what crashed. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/fleet/triage.h"
#include "cli/output.h"

/* More processes than this wait for each other. */
#define JOBS_MAX 256u

/* Seconds for one trace, where nothing else is said: far more than a whole one on a slow disk takes. */
#define SECONDS 60u
#define SECONDS_MAX 86400u

enum key { KEY_LINES = 256, KEY_CSV, KEY_NO_CACHE, KEY_NAMES, KEY_TIME_LIMIT };

struct options {
	enum form { FORM_TEXT, FORM_JSON, FORM_LINES, FORM_CSV } form;
	struct wt_triage_limits limits;
	bool no_cache;
	const char *names;
	char **paths; /* NULL behind the last */
	size_t count;
};

/* The cores that this process may use. */
static size_t machine_cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 1)
		return 1;
	return (size_t)CPU_COUNT(&set) < JOBS_MAX ? (size_t)CPU_COUNT(&set) : JOBS_MAX;
}

static error_t triage_take_path(struct options *options, char *path)
{
	char **grown = reallocarray(options->paths, options->count + 2, sizeof(*grown));

	if (!grown)
		return ENOMEM;
	options->paths = grown;
	options->paths[options->count++] = path;
	options->paths[options->count] = NULL;
	return 0;
}

static void triage_take_form(struct argp_state *state, enum form form)
{
	struct options *options = state->input;

	if (options->form != FORM_TEXT && options->form != form)
		argp_error(state, "only one of --json, --json-lines and --csv");
	options->form = form;
}

static error_t triage_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;
	uint64_t number;

	switch (key) {
	case 'j':
		triage_take_form(state, FORM_JSON);
		return 0;
	case KEY_LINES:
		triage_take_form(state, FORM_LINES);
		return 0;
	case KEY_CSV:
		triage_take_form(state, FORM_CSV);
		return 0;
	case 'J':
		if (!wt_cli_number(argument, &number) || number < 1 || number > JOBS_MAX)
			argp_error(state, "--jobs: not a number from 1 to %u: %s", JOBS_MAX,
				   argument);
		options->limits.jobs = (size_t)number;
		return 0;
	case KEY_TIME_LIMIT:
		if (!wt_cli_number(argument, &options->limits.seconds) ||
		    options->limits.seconds > SECONDS_MAX)
			argp_error(state, "--time-limit: not a number up to %u: %s", SECONDS_MAX,
				   argument);
		return 0;
	case KEY_NO_CACHE:
		options->no_cache = true;
		return 0;
	case KEY_NAMES:
		options->names = argument;
		return 0;
	case ARGP_KEY_ARG:
		return triage_take_path(options, argument);
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no directory and no trace is named");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A line for each line of damage, and for each file that is no trace. */
static void triage_tell(const struct wt_triage_file *file, const char *what, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *line = strndup(text, length);

		fprintf(stderr, "wavetape: %s: ", what);
		wt_cli_put(stderr, file->path);
		fprintf(stderr, ": ");
		wt_cli_put(stderr, line);
		putc('\n', stderr);
		free(line);
		text += length + (text[length] == '\n');
	}
}

/* Return: is anything not whole? */
static bool triage_tell_all(const struct wt_triage_files *files)
{
	bool partial = files->unreadable > 0;

	fflush(stdout);
	for (size_t i = 0; i < files->count; i++) {
		const struct wt_triage_file *file = &files->files[i];
		const char *damage = wt_triage_text(file->record, "damage");
		const char *error = wt_triage_text(file->record, "error");

		if (damage)
			triage_tell(file, "the trace is not whole", damage);
		if (error)
			triage_tell(file, "cannot read the trace", error);
		partial |= damage || error;
	}
	return partial;
}

static int triage_print(const struct options *options, const struct wt_triage_files *files)
{
	struct wt_triage_groups groups = {0};
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	if (options->form == FORM_LINES)
		return wt_triage_print_lines(files);
	if (options->form == FORM_CSV) {
		wt_triage_print_csv(files);
		return WT_EXIT_FINE;
	}
	error = wt_triage_groups_make(files, &groups);
	if (error)
		return wt_cli_fail(error);
	if (options->form == FORM_JSON)
		code = wt_cli_json(wt_triage_groups_json(files, &groups));
	else
		wt_triage_print(&groups);
	wt_triage_groups_deinit(&groups);
	return code;
}

static struct wt_error *triage_read_all(const struct options *options,
					struct wt_triage_files *files)
{
	json_t *known = NULL;
	struct wt_error *error = wt_triage_list(options->paths, files);

	if (!error && !files->count && !files->unreadable)
		error = wt_error_create(WT_ERROR_NOT_FOUND, "cannot sort traces", options->paths[0],
					"there is no file *.wtape");
	if (!error && !options->no_cache)
		error = wt_triage_cache_read(files, &known);
	if (!error)
		error = wt_triage_run(files, &options->limits);
	if (!error && known)
		wt_triage_cache_write(files, known);
	json_decref(known);
	if (!error && options->names)
		error = wt_triage_take_names(options->names, files);
	return error;
}

int wt_command_triage(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"json", 'j', NULL, 0, "print the groups as JSON", 0},
		{"json-lines", KEY_LINES, NULL, 0,
		 "print a JSON object for each trace, on a line of its own", 0},
		{"csv", KEY_CSV, NULL, 0, "print a row for each trace as CSV (RFC 4180)", 0},
		{"jobs", 'J', "N", 0, "read N traces at a time; without it, one on each core", 0},
		{"time-limit", KEY_TIME_LIMIT, "SECONDS", 0,
		 "how long reading one trace may take (default 60; 0: for ever)", 0},
		{"names", KEY_NAMES, "PATTERN", 0,
		 "take host, rank and job from the names of files, which were recorded as PATTERN "
		 "(%h, %r, %j and the like)",
		 0},
		{"no-cache", KEY_NO_CACHE, NULL, 0,
		 "read every trace again, and keep nothing of them", 0},
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = triage_parse,
		.args_doc = "DIR|FILE...",
		.doc = "Sort traces by what crashed: those with the same architecture, kernel, "
		       "source line, offset, reason and first functions are a group. Below a "
		       "directory every *.wtape counts. What was read of a trace is kept in the "
		       "cache ($XDG_CACHE_HOME/wavetape), so that only new ones are read. Traces "
		       "that are damaged or cannot be read are named; the exit code is 3 then.",
	};
	struct options options = {.limits = {.jobs = machine_cores(), .seconds = SECONDS}};
	struct wt_triage_files files = {0};
	struct wt_error *error;
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	error = triage_read_all(&options, &files);
	code = error ? wt_cli_fail(error) : triage_print(&options, &files);
	if (!error && triage_tell_all(&files) && code == WT_EXIT_FINE)
		code = WT_EXIT_PARTIAL;
	wt_triage_files_deinit(&files);
	free(options.paths);
	return code;
}
