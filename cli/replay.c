/* SPDX-License-Identifier: MIT */
/* `wavetape replay`: any debugger API client over a trace. */
#include <errno.h>
#include <string.h>

#include "cli/command.h"

struct options {
	const char *path;
	char **client;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!options->path) {
			options->path = argument;
			return 0;
		}
		options->client = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!options->client)
			argp_error(state, "name a trace and, after --, a client to run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/** Say what is wrong with the trace here, where it can be said in full. */
static struct wt_error *check_trace(const char *path, bool *damaged_ret)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	size_t told = 0;

	if (error)
		return error;
	*damaged_ret = wt_reader_damage(reader) != NULL;
	wt_cli_damage(reader, path, &told);
	wt_reader_close(reader);
	return NULL;
}

static struct wt_error *replay(const struct options *options, int *code_ret)
{
	wt_cleanup_free char *absolute = realpath(options->path, NULL);
	wt_cleanup_free char *library = NULL;
	struct wt_error *error;

	if (!absolute)
		return wt_error_errno(errno, "cannot read the trace", options->path);
	error = wt_cli_library(WT_LIBRARY_REPLAY, &library);
	if (!error && setenv("WAVETAPE_TRACE", absolute, 1))
		error = &wt_error_no_memory;
	if (!error)
		error = wt_cli_library_path(library);
	return error ? error : wt_cli_run_client(options->client, code_ret);
}

int wt_command_replay(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "FILE -- CLIENT [ARGUMENT...]",
		.doc = "Run a debugger API client (gdb, rocgdb, your own) over a trace: the "
		       "replaying library "
		       "stands in for its own and answers from the file. The client's exit status "
		       "is "
		       "passed on.",
	};
	struct options options = {0};
	bool damaged = false;
	struct wt_error *error;
	int code = WT_EXIT_FINE;

	wt_cli_parse(&argp, argc, argv, &options);
	error = check_trace(options.path, &damaged);
	if (!error)
		error = replay(&options, &code);
	if (error)
		return wt_cli_fail(error);
	return damaged && !code ? WT_EXIT_PARTIAL : code;
}
