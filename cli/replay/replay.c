/* SPDX-License-Identifier: MIT */
/* `wavetape replay`: any debugger API client over a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/replay/replay.h"

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output.h"
#include "cli/preload.h"

enum {
	OPTION_HOST = 256,
	OPTION_NO_HOST,
	OPTION_CODE_OBJECTS,
	OPTION_DEBUG_FRAME,
	OPTION_WITHOUT_DEBUG_FRAME,
	OPTION_GDB,
};

static void take_code_objects(struct argp_state *state, const char *argument,
			      struct wt_replay_command *command)
{
	if (!strcmp(argument, "extracted"))
		command->extract = WT_REPLAY_YES;
	else if (!strcmp(argument, "recorded"))
		command->extract = WT_REPLAY_NO;
	else
		argp_error(state, "--code-objects takes extracted or recorded, not '%s'", argument);
}

static void replay_choose(struct argp_state *state, enum wt_replay_choice *choice,
			  enum wt_replay_choice value, const char *both)
{
	if (*choice != WT_REPLAY_BY_CLIENT && *choice != value)
		argp_error(state, "%s contradict each other", both);
	*choice = value;
}

static error_t replay_parse(int key, char *argument, struct argp_state *state)
{
	struct wt_replay_command *command = state->input;

	switch (key) {
	case OPTION_HOST:
	case OPTION_NO_HOST:
		replay_choose(state, &command->host,
			      key == OPTION_HOST ? WT_REPLAY_YES : WT_REPLAY_NO,
			      "--host and --no-host");
		return 0;
	case OPTION_CODE_OBJECTS:
		take_code_objects(state, argument, command);
		return 0;
	case OPTION_DEBUG_FRAME:
	case OPTION_WITHOUT_DEBUG_FRAME:
		replay_choose(state, &command->debug_frame,
			      key == OPTION_DEBUG_FRAME ? WT_REPLAY_YES : WT_REPLAY_NO,
			      "--debug-frame and --without-debug-frame");
		return 0;
	case OPTION_GDB:
		command->gdb = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!command->path) {
			if (!*argument)
				argp_error(state, "which trace? FILE is an empty name");
			command->path = argument;
			return 0;
		}
		command->client = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!command->client)
			argp_error(state, "name a trace and, after --, a client to run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static struct wt_error *replay_prepare(const struct wt_replay_command *command,
				       struct wt_reader *reader, struct wt_cli_gate *gate,
				       char ***arguments_ret)
{
	wt_cleanup_free char *absolute = realpath(command->path, NULL);
	wt_cleanup_free char *library = NULL;
	struct wt_error *error;

	if (!absolute)
		return wt_error_errno(errno, "cannot read the trace", command->path);
	error = wt_cli_library(WT_LIBRARY_REPLAY, &library);
	/* The second has its say before the first: what was in the user's environment would be replayed. */
	if (!error &&
	    (setenv("WAVETAPE_TRACE", absolute, 1) || setenv("WAVETAPE_REPLAY", absolute, 1)))
		error = &wt_error_no_memory;
	if (!error)
		error = wt_cli_gate_init(library, gate);
	return error ? error : wt_replay_prepare(command, reader, arguments_ret);
}

/* A client that has run without the replaying library has shown nothing of the trace. */
static struct wt_error *check_use(const struct wt_replay_command *command,
				  const struct wt_cli_gate *gate)
{
	static const char what[] = "nothing was replayed";
	wt_cleanup_free char *why = NULL;

	switch (wt_cli_gate_look(gate, &why)) {
	case WT_CLI_GATE_USED:
		break;
	case WT_CLI_GATE_FAILED:
		return wt_error_create(WT_ERROR_IO, what, command->path,
				       "the replaying library could not be loaded: %s",
				       why ? why : "out of memory");
	case WT_CLI_GATE_UNUSED:
		return wt_error_create(WT_ERROR_NOT_FOUND, what, command->path,
				       "the client made no call of the replaying library: what it "
				       "may have shown of a GPU is not from the trace");
	}
	return NULL;
}

int wt_command_replay(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"host", OPTION_HOST, NULL, 0,
		 "the client debugs a process: keep the recorded memory for wavetape-host (always "
		 "for "
		 "gdb and rocgdb). WAVETAPE_HOST and WAVETAPE_HOST_IMAGE then name that program "
		 "and "
		 "its argument",
		 0},
		{"gdb", OPTION_GDB, NULL, 0,
		 "the client is gdb, or starts it: where that cannot be seen in its program, or in "
		 "the script",
		 0},
		{"no-host", OPTION_NO_HOST, NULL, 0, "no such process, whatever the client", 0},
		{"code-objects", OPTION_CODE_OBJECTS, "WHICH", 0,
		 "URIs that the client gets: of `extracted' copies in the user's cache (with a "
		 "host), "
		 "or as they were `recorded' (else)",
		 0},
		{"debug-frame", OPTION_DEBUG_FRAME, NULL, 0,
		 "leave .debug_frame in extracted code objects, also for gdb", 0},
		{"without-debug-frame", OPTION_WITHOUT_DEBUG_FRAME, NULL, 0,
		 "take it out, also for others", 0},
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = replay_parse,
		.args_doc = "FILE -- CLIENT [ARGUMENT...]",
		.doc = "Run a debugger API client (gdb, rocgdb, your own) over a trace: the "
		       "replaying library stands in for its own and answers from the file. The "
		       "client's exit status is passed on."
		       "\v"
		       "gdb and rocgdb get wavetape-host as their program: a small process that "
		       "has "
		       "the recorded memory at its addresses. Type `run', and continue from one "
		       "recorded stop to the next; after the last one it exits.",
	};
	char **arguments = NULL;
	struct wt_replay_command command = {0};
	struct wt_cli_gate gate = {0};
	struct wt_reader *reader = NULL;
	struct wt_error *error;
	bool damaged = false;
	int code = WT_EXIT_FINE;
	size_t told = 0;

	wt_cli_parse(&argp, argc, argv, &command);
	error = wt_reader_open(command.path, &reader);
	if (!error) {
		/* Say what is wrong with the trace here, where it can be said in full. */
		damaged = wt_reader_damage(reader) != NULL;
		wt_cli_damage(reader, command.path, &told);
		error = replay_prepare(&command, reader, &gate, &arguments);
	}
	wt_reader_close(reader);
	if (!error)
		error = wt_cli_run_client(arguments, &code);
	wt_replay_arguments_free(arguments);
	if (!error)
		error = check_use(&command, &gate);
	wt_cli_gate_deinit(&gate);
	if (error) {
		int failed = wt_cli_fail(error);

		return code ? code : failed;
	}
	return damaged && !code ? WT_EXIT_PARTIAL : code;
}
