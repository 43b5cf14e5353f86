/* SPDX-License-Identifier: MIT */
#include "cli/record/command-line.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arguments.h"
#include "recorder/recording/options.h"

/* Options without a letter. */
#define KEY_PID 1000
#define KEY_SECONDS 1001
#define KEY_SOURCE 1002
#define KEY_HOST_CORE 1003

static uint64_t options_parse_number(struct argp_state *state, const char *name, const char *text,
				     uint64_t most)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || number > most)
		argp_error(state, "%s takes a number up to %llu, not '%s'", name,
			   (unsigned long long)most, text);
	return number;
}

/* An option that would have no effect is not what was meant. */
static void options_check_together(const struct wt_record_options *options,
				   struct argp_state *state)
{
	if (!!options->workload.path + !!options->client + !!options->core.path +
		    !!options->attach.process !=
	    1)
		argp_error(state, "name either a --workload, a --core, a --pid or, after --, a "
				  "client to run");
	if (options->attach.seconds && !options->attach.process)
		argp_error(state, "--seconds says for how long a --pid is followed");
	if (options->workload.path && options->library)
		argp_error(state,
			   "a --workload runs on the simulated GPU: --dbgapi is for clients");
	if (!options->workload.path && options->limited)
		argp_error(state, "%s ends a --workload early: nothing else can be",
			   options->limited);
	if (!options->core.path && options->core.progress)
		argp_error(state, "--progress shows how a --core is read: there is none");
	if (!options->core.path && options->core.host)
		argp_error(state,
			   "--host-core goes with a --core of the same process: there is none");
	else if (options->core.host && !strcmp(options->core.path, "-") &&
		 !strcmp(options->core.host, "-"))
		argp_error(state, "--core and --host-core cannot both be the standard input");
	if (options->limit && !wt_pattern_is(options->output))
		argp_error(state,
			   "%s counts traces of one pattern: name the output by one, as "
			   "-o crash-%%h-%%p.wtape",
			   options->limit);
	if (options->agent && !options->client)
		argp_error(state, "--agent says how a program is started: name it behind --");
	if (options->client && options->json)
		argp_error(state, "--json prints the summary of a --workload, --core or --pid: "
				  "what a client prints is its own");
}

static error_t options_parse(int key, char *argument, struct argp_state *state)
{
	struct wt_record_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->words;
		return 0;
	case 'o':
		options->output = argument;
		return 0;
	case 'w':
		options->workload.path = argument;
		return 0;
	case 'c':
		options->core.path = argument;
		return 0;
	case KEY_HOST_CORE:
		options->core.host = argument;
		return 0;
	case 'p':
		options->core.progress = true;
		return 0;
	case 'd':
		options->library = argument;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case 'm':
		options->limited = "--max-stops";
		options->workload.max_stops =
			options_parse_number(state, options->limited, argument, UINT32_MAX);
		return 0;
	case 't':
		options->limited = "--time-limit";
		options->workload.time_limit_ms =
			options_parse_number(state, options->limited, argument, UINT32_MAX / 1000) *
			1000;
		return 0;
	case 'a':
		options->agent = true;
		return 0;
	case KEY_PID:
		options->attach.process = options_parse_number(state, "--pid", argument, INT_MAX);
		if (!options->attach.process)
			argp_error(state, "--pid takes the number of a process");
		return 0;
	case KEY_SECONDS:
		options->attach.seconds =
			options_parse_number(state, "--seconds", argument, UINT32_MAX / 1000);
		return 0;
	case 'k':
		options->limit = "--keep";
		options->keep.files =
			options_parse_number(state, options->limit, argument, UINT32_MAX);
		return 0;
	case 'b':
		options->limit = "--keep-bytes";
		if (!wt_options_size(argument, &options->keep.bytes))
			argp_error(state, "%s takes a number of bytes (10G), not '%s'",
				   options->limit, argument);
		return 0;
	case KEY_SOURCE:
		if (!wt_source_maps_add(&options->sources, argument))
			argp_error(state, "--source: %s: not FROM=TO, or more than %d of them",
				   argument, WT_SOURCE_MAPS);
		return 0;
	case ARGP_KEY_ARG:
		options->client = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		options_check_together(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void wt_record_options_parse(int argc, char **argv, struct wt_record_options *options_ret)
{
	static const struct argp_option argp_options[] = {
		{"output", 'o', "FILE", 0,
		 "the trace to write (default: recording.wtape). In the name %h is the host, %p "
		 "the process, %r the rank, %j the job, %t the time, %e what is run; a file that "
		 "is there then stays, and the name gets a number",
		 0},
		{"keep", 'k', "N", 0,
		 "keep N traces of such a name in its directory, and remove the oldest", 0},
		{"keep-bytes", 'b', "SIZE", 0,
		 "keep so many bytes of them (10G), and remove the oldest", 0},
		{"core", 'c', "CORE", 0,
		 "read this core file, which has the state of GPUs (- is the standard input)", 0},
		{"host-core", KEY_HOST_CORE, "CORE", 0,
		 "with --core: the core file of the process itself, which has the list of code "
		 "objects, "
		 "where the GPUs' was not merged into it (gpucore.PID of AMD's runtime)",
		 0},
		{"progress", 'p', NULL, 0,
		 "with --core: show progress even where stderr is no terminal", 0},
		{"workload", 'w', "W.json", 0, "run this workload on the simulated GPU", 0},
		{"agent", 'a', NULL, 0,
		 "start what is behind -- with the agent in it, as is done by itself for a program "
		 "that is linked with AMD's runtime: needed for scripts, such as python's",
		 0},
		{"pid", KEY_PID, "PID", 0,
		 "attach to this process, take all waves where they stand, and let it go on", 0},
		{"seconds", KEY_SECONDS, "N", 0,
		 "with --pid: follow it for so long, or to its first fault, before that", 0},
		{"dbgapi", 'd', "LIB", 0,
		 "the library that the client is to use (default: WAVETAPE_DBGAPI, "
		 "then the next librocm-dbgapi.so.0 in the search order), or that is to read the "
		 "core (default: wavetape's own)",
		 0},
		{"max-stops", 'm', "N", 0,
		 "with --workload: give up after N stops (default 1000; 0: never)", 0},
		{"time-limit", 't', "SECONDS", 0,
		 "with --workload: give up after so long (0, the default: never)", 0},
		{"source", KEY_SOURCE, "FROM=TO", 0,
		 "when all is recorded, keep the source files that waves stand in: those whose "
		 "names begin with FROM are in TO. Up to 1 MiB each, 8 MiB together; may be "
		 "given several times",
		 0},
		{"json", 'j', NULL, 0,
		 "with --workload, --core or --pid: print the summary as JSON", 0},
		{0},
	};
	static const struct argp_child children[] = {{&wt_record_words_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = argp_options,
		.parser = options_parse,
		.children = children,
		.args_doc = "--workload W.json\n--core CORE\n--pid PID\n-- CLIENT "
			    "[ARGUMENT...]\n-- PROGRAM "
			    "[ARGUMENT...]",
		.doc = "Record a debug session. With --workload, wavetape's own agent runs it on "
		       "the simulated "
		       "GPU, stops everything at the first fault, and lets debug traps go on. "
		       "With --core, the state that a core file has of GPUs becomes a trace of one "
		       "stop. "
		       "Otherwise CLIENT "
		       "(gdb, rocgdb, any debugger API client) runs with the recording library in "
		       "front of "
		       "its own, and its exit status is passed on. A PROGRAM that uses AMD's "
		       "runtime "
		       "itself is started with the agent in it, which writes a trace when a kernel "
		       "faults."
		       "\v"
		       "Words in WAVETAPE_OPTIONS hold as well: they come first, the options of "
		       "the command behind them. Of what has a value the last one holds.",
	};

	*options_ret = (struct wt_record_options){
		.output = "recording.wtape",
		.words = wt_record_words_start(),
		.workload.max_stops = 1000,
	};
	wt_cli_parse(&argp, argc, argv, options_ret);
	options_ret->core.json = options_ret->attach.json = options_ret->workload.json =
		options_ret->json;
	options_ret->core.own_library = !options_ret->library;
}
