/* SPDX-License-Identifier: MIT */
/* `wavetape browse`: a trace on the whole terminal. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/browse/browser-session.h"
#include "cli/browse/terminal.h"
#include "cli/command.h"
#include "cli/look/describe-cause.h"
#include "cli/output.h"

static error_t browse_parse_option(int key, char *argument, struct argp_state *state)
{
	if (key != WT_CLI_SOURCE_MAP_KEY)
		return ARGP_ERR_UNKNOWN;
	wt_cli_take_source_map(state, state->input, argument);
	return 0;
}

struct browsing {
	const struct wt_source_maps *maps;
	int end; /* the signal that ended it; 0: the user; -1: the terminal is gone */
};

static struct wt_error *browse_run(struct wt_cli_trace *trace, void *opaque, json_t **json_ret)
{
	struct browsing *browsing = opaque;
	struct wt_session *session = NULL;
	struct wt_model model;
	struct wt_book book;
	struct wt_error *error =
		wt_session_create(trace, browsing->maps, wt_terminal_is_interrupted, &session);

	(void)json_ret;
	if (!error)
		error = wt_terminal_open();
	if (error) {
		wt_session_destroy(session);
		return error;
	}
	book = wt_session_book(session);
	wt_model_init(&model, &book);
	browsing->end = wt_terminal_run(&model);
	wt_terminal_close();
	wt_model_deinit(&model);
	wt_session_destroy(session);
	return NULL;
}

/* End by the signal itself, so that the process which waits for this one sees the signal in the status. */
static void browse_die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

int wt_command_browse(int argc, char **argv)
{
	static const struct argp_option own[] = {WT_CLI_SOURCE_MAP_OPTION, {0}};
	static const struct wt_cli_verb verb = {
		.doc = "Look through a trace on the whole terminal: the crash, stops, waves, code "
		       "with source lines, registers, memory, stack, cause and journal. The keys "
		       "are those of vi and less; F1 lists them.",
		.stop = WT_CLI_STOP_HELP,
		.wave = WT_CLI_WAVE_HELP,
		.no_json = true,
		.own = {.options = own, .parser = browse_parse_option},
	};
	struct wt_source_maps maps = {.count = 0};
	struct browsing browsing = {.maps = &maps};
	struct wt_cli_trace trace = {0};
	struct wt_error *error;
	int code;

	wt_cli_verb_parse(&verb, argc, argv, &trace, &maps);
	/* Before anything is read, which can take its time. */
	error = wt_terminal_check();
	if (error)
		return wt_cli_fail(error);
	code = wt_cli_trace_run(&trace, browse_run, &browsing);
	if (browsing.end > 0)
		browse_die(browsing.end);
	return browsing.end < 0 ? WT_EXIT_FAILED : code;
}
