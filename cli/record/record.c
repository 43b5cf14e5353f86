/* SPDX-License-Identifier: MIT */
/* `wavetape record`: our agent over the simulated GPU, or any client with the recording library in front. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/gate.h"
#include "cli/libraries.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/record/attach.h"
#include "cli/record/core.h"
#include "cli/record/output.h"
#include "cli/record/program.h"
#include "cli/record/words.h"
#include "device/device.h"
#include "recorder/agent/agent.h"
#include "recorder/naming/place.h"
#include "recorder/recording/unknown.h"
#include "replayer/code/needed.h"
#include "replayer/view/keep-sources.h"

#define WRITTEN 2u
/* Options without a letter. */
#define KEY_PID 1000
#define KEY_SECONDS 1001
#define KEY_SOURCE 1002

struct options {
	const char *output, *workload, *library;
	const char *pattern; /* that the output's name is made of; NULL: it is a name */
	struct wt_place_limits keep;
	const char *limit; /* the option of these that was given last */
	struct wt_record_words words;
	bool json, agent;
	uint64_t max_stops, time_limit_ms;
	const char *limited; /* the option of these two that was given last */
	struct wt_record_core core;
	struct wt_record_attach attach;
	struct wt_source_maps sources;
	char **client; /* NULL-terminated; NULL without one */
	/* The trace, and what it is called as long as an older one is kept: neither may be something that is read. */
	const char *written[WRITTEN];
};

static uint64_t parse_number(struct argp_state *state, const char *name, const char *text,
			     uint64_t most)
{
	uint64_t number = 0;

	if (!wt_cli_number(text, &number) || number > most)
		argp_error(state, "%s takes a number up to %llu, not '%s'", name,
			   (unsigned long long)most, text);
	return number;
}

/* What would have no effect is not what was meant. */
static void check_together(const struct options *options, struct argp_state *state)
{
	if (!!options->workload + !!options->client + !!options->core.path +
		    !!options->attach.process !=
	    1)
		argp_error(state, "name either a --workload, a --core, a --pid or, after --, a "
				  "client to run");
	if (options->attach.seconds && !options->attach.process)
		argp_error(state, "--seconds says for how long a --pid is followed");
	if (options->workload && options->library)
		argp_error(state,
			   "a --workload runs on the simulated GPU: --dbgapi is for clients");
	if (!options->workload && options->limited)
		argp_error(state, "%s ends a --workload early: nothing else can be",
			   options->limited);
	if (!options->core.path && options->core.progress)
		argp_error(state, "--progress shows how a --core is read: there is none");
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

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->words;
		return 0;
	case 'o':
		options->output = argument;
		return 0;
	case 'w':
		options->workload = argument;
		return 0;
	case 'c':
		options->core.path = argument;
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
		options->max_stops = parse_number(state, options->limited, argument, UINT32_MAX);
		return 0;
	case 't':
		options->limited = "--time-limit";
		options->time_limit_ms =
			parse_number(state, options->limited, argument, UINT32_MAX / 1000) * 1000;
		return 0;
	case 'a':
		options->agent = true;
		return 0;
	case KEY_PID:
		options->attach.process = parse_number(state, "--pid", argument, INT_MAX);
		if (!options->attach.process)
			argp_error(state, "--pid takes the number of a process");
		return 0;
	case KEY_SECONDS:
		options->attach.seconds =
			parse_number(state, "--seconds", argument, UINT32_MAX / 1000);
		return 0;
	case 'k':
		options->limit = "--keep";
		options->keep.files = parse_number(state, options->limit, argument, UINT32_MAX);
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
		check_together(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Preparing ---- */

/** Find out before the session whether the workload can be loaded, to say why in full. */
static struct wt_error *check_workload(const struct options *options)
{
	struct wt_device *device;
	struct wt_error *error = wt_simulated_create(options->workload, &device);

	if (error)
		return error;
	for (size_t i = 0; i < WRITTEN && !error; i++)
		error = wt_cli_check_workload_output(WT_RECORD_CANNOT_WRITE, options->written[i],
						     options->workload, device);
	device->operations->destroy(device);
	return error;
}

static struct wt_error *set_path(const char *variable, const char *path)
{
	wt_cleanup_free char *absolute = realpath(path, NULL);

	if (!absolute)
		return wt_error_errno(errno, "cannot find the file", path);
	return setenv(variable, absolute, 1) ? &wt_error_no_memory : NULL;
}

/* --dbgapi. The recording library could say what is wrong with it in the client's log only. */
static struct wt_error *take_library(const char *path)
{
	struct wt_error *error = set_path("WAVETAPE_DBGAPI", path);

	if (error || wt_needed_find(path, WT_CLI_SONAME).program)
		return error;
	return wt_error_create(WT_ERROR_USAGE, "cannot record the library", path,
			       "it is not a shared library: name the file " WT_CLI_SONAME
			       " itself");
}

/** A library of the name in a folder of a path with colons; NULL if there is none. */
static char *find_in_path(const char *path)
{
	wt_cleanup_free char *folders = path ? strdup(path) : NULL;
	char *rest = folders, *folder, *found = NULL;

	while (!found && rest && (folder = strsep(&rest, ":")))
		if (*folder && asprintf(&found, "%s/" WT_CLI_SONAME, folder) < 0)
			found = NULL;
		else if (found && access(found, R_OK)) {
			free(found);
			found = NULL;
		}
	return found;
}

/** The library that the client is linked with, and its run path leads to; NULL if it is not linked with any. */
static char *find_linked_library(const struct options *options)
{
	wt_cleanup_free char *program =
		options->client ? wt_cli_find_program(options->client[0]) : NULL;

	return program ? wt_cli_linked_library(program) : NULL;
}

/** The library that a client is going to use, as far as can be told before it runs; NULL if it cannot. */
static char *find_clients_library(const struct options *options)
{
	const char *named = getenv("WAVETAPE_DBGAPI");
	char *found;

	if (named && *named)
		return strdup(named);
	found = find_linked_library(options);
	if (!found)
		found = find_in_path(getenv("LD_LIBRARY_PATH"));
	if (!found)
		found = find_in_path("/opt/rocm/lib:/opt/rocm/core/lib");
	return found;
}

/** Of a process that is attached to: what the environment names, or the next in the search order. */
static struct wt_error *choose_attached(const struct options *options)
{
	wt_cleanup_free char *found = find_clients_library(options);

	return found ? take_library(found) : NULL;
}

/** The library to record in front of. */
static struct wt_error *choose_library(const struct options *options)
{
	wt_cleanup_free char *simulated = NULL;
	struct wt_error *error;

	if (options->library)
		return take_library(options->library);
	/* A client without --dbgapi takes what the environment or the search order has. */
	if (!options->workload && !options->core.path)
		return options->attach.process ? choose_attached(options) : NULL;
	error = wt_cli_library(WT_LIBRARY_SIMULATED, &simulated);
	if (!error)
		error = set_path("WAVETAPE_DBGAPI", simulated);
	/* The library takes what the core has, or nothing. */
	if (!error && options->core.path)
		return unsetenv("WAVETAPE_WORKLOAD") ? &wt_error_no_memory : NULL;
	return error ? error : set_path("WAVETAPE_WORKLOAD", options->workload);
}

/** What a trace must not take the place of, beside a workload and its files. */
static struct wt_error *check_inputs(const struct options *options)
{
	wt_cleanup_free char *client =
		options->client ? wt_cli_find_program(options->client[0]) : NULL;
	const char *core = options->core.path;
	const struct {
		const char *path, *is;
	} inputs[] = {
		{core && !strcmp(core, "-") ? "/dev/stdin" : core, "the core file that is read"},
		{client, "the client that is run"},
		{getenv("WAVETAPE_DBGAPI"), "the library that is recorded"},
	};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++)
		for (size_t j = 0; j < WRITTEN && !error; j++)
			error = wt_cli_check_output(WT_RECORD_CANNOT_WRITE, options->written[j],
						    inputs[i].path, inputs[i].is);
	return error;
}

/** Source files are kept with a trace that this command sees closed, and not with one that leaves content out. */
static struct wt_error *check_sources(const struct options *options)
{
	const struct wt_options *words = &options->words.parsed;
	const char *why = NULL;

	if (!options->sources.count)
		return NULL;
	if (words->policy.redact || words->policy.no_code || words->journal_only)
		why = "the trace is to leave out what source lines are found by, or content";
	return why ? wt_error_create(WT_ERROR_USAGE, "cannot keep source files", "--source", "%s",
				     why)
		   : NULL;
}

/** What is given, before anything is made. */
static struct wt_error *check(struct options *options)
{
	/*
	 * A core is no program to hold up: unless the user says otherwise, everything in it is taken. The host that reads
	 * it is not the one that it comes from.
	 */
	struct wt_error *error = wt_record_words_apply(
		&options->words, options->core.path ? "waves=all,no-host" : "");

	if (!error)
		error = check_sources(options);
	if (!error && options->workload)
		error = check_workload(options);
	if (!error)
		error = choose_library(options);
	if (!error)
		error = check_inputs(options);
	if (!error && options->attach.process)
		error = wt_record_attach_check(&options->attach);
	if (!error && options->core.path)
		error = wt_record_core_open(&options->core);
	for (size_t i = 0; i < WRITTEN && !error && options->core.path; i++)
		error = wt_record_core_check_output(&options->core, WT_RECORD_CANNOT_WRITE,
						    options->written[i]);
	return error;
}

/* What the letters of a pattern stand for. The executable is what is run, and not this command. */
static struct wt_name_facts name_facts(const struct options *options)
{
	struct wt_name_facts facts = wt_name_facts_find(getenv);
	const char *path = options->client	? options->client[0]
			   : options->workload	? options->workload
			   : options->core.path ? options->core.path
						: "process";
	const char *slash;
	char target[PATH_MAX], link[64];
	ssize_t length;

	if (options->attach.process) {
		snprintf(link, sizeof(link), "/proc/%llu/exe",
			 (unsigned long long)options->attach.process);
		length = readlink(link, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		path = length > 0 ? target : path;
		facts.process = (pid_t)options->attach.process;
	}
	slash = strrchr(path, '/');
	wt_name_word(slash && slash[1] ? slash + 1 : path, facts.executable);
	return facts;
}

/* A place for a trace that is named by a pattern. */
static struct wt_error *take_place(struct options *options, struct wt_record_output *output,
				   char **name)
{
	const struct wt_name_facts facts = name_facts(options);
	struct wt_error *error;
	char *path;

	if (!options->pattern)
		return NULL;
	error = wt_place_make(options->pattern, &facts, &options->keep, &path);
	if (error)
		return error;
	free(*name);
	*name = path;
	options->output = output->path = options->core.output = options->attach.output = path;
	output->made = true;
	return NULL;
}

/** The environment that the recording library reads. */
static struct wt_error *prepare(struct options *options, struct wt_record_output *output,
				char **name, char **library_ret)
{
	struct wt_error *error = wt_cli_library(WT_LIBRARY_RECORD, library_ret);

	/* Last, since it makes a file. */
	if (!error)
		error = take_place(options, output, name);
	if (!error)
		error = wt_record_output_open(output);
	return error ? error : set_path("WAVETAPE_TRACE", options->output);
}

/* ---- Our agent ---- */

static void show_progress(void *opaque, const struct wt_agent_summary *summary)
{
	wt_progress_update(opaque, "%u %s, %u debug %s", summary->counts.stops,
			   wt_plural(summary->counts.stops, "stop", "stops"),
			   summary->counts.debug_traps,
			   wt_plural(summary->counts.debug_traps, "trap", "traps"));
}

static void show_log(void *opaque, amd_dbgapi_log_level_t level, const char *text)
{
	(void)opaque;
	(void)level;
	wt_cli_say("the library", text);
}

/** In words, how the session ended. */
static void describe_end(const struct wt_agent_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	switch (summary->end) {
	case WT_AGENT_IDLE:
		printf("the workload ran to its end");
		break;
	case WT_AGENT_FAULT:
		if (summary->counts.faulted_waves)
			printf("%u %s stopped for a fault: %s", summary->counts.faulted_waves,
			       wt_plural(summary->counts.faulted_waves, "wave", "waves"),
			       wt_describe_reasons_plainly(summary->counts.fault_reasons, reasons));
		else
			printf("a queue reported an error");
		break;
	case WT_AGENT_STOP_LIMIT:
		printf("--max-stops was reached");
		break;
	case WT_AGENT_TIME_LIMIT:
		printf("--time-limit was reached");
		break;
	}
	printf("; %u %s\n", summary->counts.stops,
	       wt_plural(summary->counts.stops, "stop", "stops"));
}

static const char *end_name(enum wt_agent_end end)
{
	static const char *const names[] = {
		[WT_AGENT_IDLE] = "finished",
		[WT_AGENT_FAULT] = "fault",
		[WT_AGENT_TIME_LIMIT] = "time limit",
		[WT_AGENT_STOP_LIMIT] = "stop limit",
	};

	return names[end];
}

static int report(const struct options *options, const struct wt_agent_summary *summary)
{
	char reasons[WT_DESCRIBE_MAX];

	if (!options->json) {
		describe_end(summary);
		return WT_EXIT_FINE;
	}
	return wt_cli_json(json_pack(
		"{s:o, s:s, s:I, s:I, s:I, s:s}", "trace", wt_cli_json_text(options->output), "end",
		end_name(summary->end), "stops", (json_int_t)summary->counts.stops, "debug_traps",
		(json_int_t)summary->counts.debug_traps, "faulted_waves",
		(json_int_t)summary->counts.faulted_waves, "reasons",
		wt_describe_reasons(summary->counts.fault_reasons, reasons)));
}

/*
 * What records ends with the command, however that ends: nobody would take what it makes, and a workload may run for ever. A process
 * that is attached to must be let go first.
 */
static void end_with(pid_t command, const struct options *options)
{
	if (options->attach.process)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may be gone already. */
	if (getppid() != command)
		raise(SIGKILL);
}

/** The session, in a process of its own, so that the trace is closed when we look at it. */
static int run_agent(const struct options *options, const char *library)
{
	struct wt_progress progress = wt_progress_start("recording");
	const struct wt_agent_options agent_options = {
		.size = sizeof(agent_options),
		.reproducible = options->words.parsed.reproducible,
		.stop_limit = (uint32_t)options->max_stops,
		.time_limit_ms = options->time_limit_ms,
		.log_level = AMD_DBGAPI_LOG_LEVEL_WARNING,
		.progress = show_progress,
		.log = show_log,
		.opaque = &progress,
	};
	struct wt_agent_summary summary = {0};
	struct wt_error *error;
	struct wt_api api;

	error = wt_api_load(library, &api);
	if (!error)
		error = wt_agent_run(&api, &agent_options, &summary);
	wt_progress_end(&progress);
	return error ? wt_cli_fail(error) : report(options, &summary);
}

static int run_agent_apart(struct options *options, const char *library)
{
	pid_t child, command = getpid();
	int status;

	fflush(NULL);
	options->attach.owner = command;
	child = fork();
	if (child < 0)
		return wt_cli_fail(wt_error_errno(errno, "cannot start the session", "fork"));
	if (!child) {
		int code;

		end_with(command, options);
		code = options->core.path	 ? wt_record_core_run(&options->core, library)
		       : options->attach.process ? wt_record_attach_run(&options->attach, library)
						 : run_agent(options, library);

		/* exit(), since the recording library closes the trace when the process ends. */
		exit(wt_cli_finish(code));
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_cli_fail(wt_error_errno(errno, "lost the session", "waitpid"));
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return wt_cli_fail(wt_error_create(WT_ERROR_INTERNAL, "the session ended early",
					   options->output, "signal %d: %s", WTERMSIG(status),
					   strsignal(WTERMSIG(status))));
}

/* ---- A client ---- */

/**
 * A client of a library that is newer than all we know asks for symbols that ours does not have, and would not start with it in
 * that one's place: it gets its own library, and ours is preloaded.
 */
static struct wt_error *preload_beside(const char *clients_library)
{
	const char *name = strrchr(clients_library, '/');
	wt_cleanup_free char *ours = NULL;
	struct wt_error *error = wt_cli_preloaded_library(&ours);

	if (!error)
		error = wt_cli_preload(ours);
	if (error)
		return error;
	return name && !strcmp(name + 1, WT_CLI_SONAME) ? wt_cli_library_path(clients_library)
							: wt_cli_preload(clients_library);
}

/* Ours takes the place of the client's, which is named to it where the loader has told which one that is. */
static struct wt_error *take_place_of(const struct options *options, const char *library,
				      struct wt_cli_gate *gate)
{
	wt_cleanup_free char *linked = find_linked_library(options);
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (linked && !(named && *named) && setenv("WAVETAPE_DBGAPI", linked, 1))
		return &wt_error_no_memory;
	return wt_cli_gate_init(library, gate);
}

static struct wt_error *run_client(const struct options *options, const char *library,
				   int *code_ret)
{
	wt_cleanup_free char *clients = find_clients_library(options), *why = NULL;
	struct wt_cli_gate gate = {0};
	struct wt_error *error = clients && wt_unknown_functions(clients, NULL, NULL)
					 ? preload_beside(clients)
					 : take_place_of(options, library, &gate);

	if (!error)
		error = wt_cli_run_client(options->client, code_ret);
	if (!error && wt_cli_gate_look(&gate, &why) == WT_CLI_GATE_FAILED)
		error = wt_error_create(WT_ERROR_IO, "nothing was recorded", options->output,
					"the recording library could not be loaded: %s",
					why ? why : "out of memory");
	wt_cli_gate_deinit(&gate);
	return error;
}

/* The agent makes the trace, and says so; the program's exit status is passed on. */
static int run_program(const struct options *options, int code)
{
	const struct wt_record_program program = {
		.command = options->client,
		.output = options->pattern ? options->pattern : options->output,
		.keep = options->keep,
		.sources = &options->sources,
	};
	struct wt_error *error = wt_record_program_run(&program, &code);

	return error ? wt_cli_fail(error) : code;
}

/* What the trace is going to be called, if nothing of that name is there. */
static struct wt_error *name_by_pattern(struct options *options, char **name_ret)
{
	const struct wt_name_facts facts = name_facts(options);
	struct wt_error *error = wt_pattern_expand(options->output, &facts, name_ret);

	if (error)
		return error;
	options->pattern = options->output;
	options->output = *name_ret;
	return NULL;
}

int wt_command_record(int argc, char **argv)
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
		.parser = parse,
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
	struct options options = {
		.output = "recording.wtape",
		.words = wt_record_words_start(),
		.max_stops = 1000,
	};
	struct wt_record_output output;
	wt_cleanup_free char *library = NULL, *partial = NULL, *name = NULL;
	struct wt_error *error = NULL;
	int code = WT_EXIT_FINE;

	wt_cli_parse(&argp, argc, argv, &options);
	if (wt_pattern_is(options.output))
		error = name_by_pattern(&options, &name);
	if (error)
		return wt_cli_fail(error);
	options.core.output = options.output;
	options.core.json = options.attach.json = options.json;
	options.attach.output = options.output;
	options.core.own_library = !options.library;
	output = wt_record_output_none(options.output);
	error = wt_record_output_partial(options.output, &partial);
	options.written[0] = options.output;
	options.written[1] = partial;
	if (!error)
		error = check(&options);
	if (!error && options.client && (options.agent || wt_record_is_program(options.client)))
		return run_program(&options, code);
	if (!error)
		error = prepare(&options, &output, &name, &library);
	if (!error && !options.client)
		code = run_agent_apart(&options, library);
	else if (!error)
		error = run_client(&options, library, &code);
	wt_core_file_close(options.core.file);
	if (error) {
		wt_record_output_drop(&output);
		code = wt_cli_fail(error);
	} else {
		code = wt_record_output_check(&output, code);
		error = wt_sources_keep(options.output, &options.sources, false);
		if (error)
			wt_cli_fail(error);
		if (options.pattern)
			wt_place_tidy(options.pattern, options.output, &options.keep);
	}
	wt_record_output_deinit(&output);
	return code;
}
