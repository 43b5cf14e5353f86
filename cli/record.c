/* SPDX-License-Identifier: MIT */
/* `wavetape record`: our agent over the simulated GPU, or any client with the recording library in front. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/plural.h"
#include "cli/command.h"
#include "cli/describe.h"
#include "cli/progress.h"
#include "cli/record-core.h"
#include "cli/record-words.h"
#include "dbgapi/device.h"
#include "recorder/agent.h"

struct options {
	const char *output, *workload, *library;
	struct wt_record_words words;
	bool json;
	uint64_t max_stops, time_limit_ms;
	struct wt_record_core core;
	char **client; /* NULL-terminated; NULL without one */
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
		options->max_stops = parse_number(state, "--max-stops", argument, UINT32_MAX);
		return 0;
	case 't':
		options->time_limit_ms =
			parse_number(state, "--time-limit", argument, UINT32_MAX / 1000) * 1000;
		return 0;
	case ARGP_KEY_ARG:
		options->client = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (!!options->workload + !!options->client + !!options->core.path != 1)
			argp_error(state, "name either a --workload, a --core or, after --, a "
					  "client to run");
		if (options->workload && options->library)
			argp_error(
				state,
				"a --workload runs on the simulated GPU: --dbgapi is for clients");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* ---- Preparing ---- */

/**
 * Find out before the session whether the trace can be written: the recorder itself would stay silent.
 *
 * @before_ret: the file there is now, which the recorder puts a new one in place of. It stays open until the
 *	command ends, so that no file of the recorder's gets its number and is taken for it.
 */
static struct wt_error *check_output(const char *path, struct stat *before_ret)
{
	static const char what[] = "cannot write the trace";
	struct wt_error *error = NULL;
	/* Opening a pipe must not wait for somebody to read from it. */
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);

	if (fd < 0)
		return wt_error_errno(errno, what, path);
	if (fstat(fd, before_ret))
		error = wt_error_errno(errno, what, path);
	else if (!S_ISREG(before_ret->st_mode))
		error = wt_error_create(WT_ERROR_IO, what, path,
					"there is something that is not a file; give another name");
	if (error)
		close(fd);
	return error;
}

/** Find out before the session whether the workload can be loaded, to say why in full. */
static struct wt_error *check_workload(const char *path)
{
	struct wt_device *device;
	struct wt_error *error = wt_simulated_create(path, &device);

	if (!error)
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

/** The library to record in front of. */
static struct wt_error *choose_library(const struct options *options)
{
	wt_cleanup_free char *simulated = NULL;
	struct wt_error *error;

	if (options->library)
		return set_path("WAVETAPE_DBGAPI", options->library);
	/* A client without --dbgapi takes what the environment or the search order has. */
	if (!options->workload && !options->core.path)
		return NULL;
	error = wt_cli_library(WT_LIBRARY_SIMULATED, &simulated);
	if (!error)
		error = set_path("WAVETAPE_DBGAPI", simulated);
	/* The library takes what the core has, or nothing. */
	if (!error && options->core.path)
		return unsetenv("WAVETAPE_WORKLOAD") ? &wt_error_no_memory : NULL;
	return error ? error : set_path("WAVETAPE_WORKLOAD", options->workload);
}

/**
 * A core is no program to hold up: unless the user says otherwise, everything in it is taken. The host that reads it
 * is not the one that it comes from.
 */
static struct wt_error *set_words(const struct options *options)
{
	wt_cleanup_free char *words = NULL;

	if (asprintf(&words, "%s%s", options->core.path ? "waves=all,no-host," : "",
		     options->words.text) < 0) {
		words = NULL;
		return &wt_error_no_memory;
	}
	return setenv("WAVETAPE_OPTIONS", words, 1) ? &wt_error_no_memory : NULL;
}

/** The environment that the recording library reads. */
static struct wt_error *prepare(const struct options *options, struct stat *before_ret,
				char **library_ret)
{
	struct wt_error *error = choose_library(options);

	if (!error)
		error = set_words(options);
	if (!error)
		error = wt_cli_library(WT_LIBRARY_RECORD, library_ret);
	/* Last, since it makes a file. */
	if (!error)
		error = check_output(options->output, before_ret);
	return error ? error : set_path("WAVETAPE_TRACE", options->output);
}

/** What the recorder calls a trace that is to replace another: of an earlier session there must be none. */
static struct wt_error *remove_partial(const char *path, char **partial_ret)
{
	wt_cleanup_free char *absolute = realpath(path, NULL);

	if (!absolute || asprintf(partial_ret, "%s" WT_PARTIAL, absolute) < 0) {
		*partial_ret = NULL;
		return absolute ? &wt_error_no_memory
				: wt_error_errno(errno, "cannot write the trace", path);
	}
	unlink(*partial_ret);
	return NULL;
}

/* ---- Our agent ---- */

static void show_progress(void *opaque, const struct wt_agent_summary *summary)
{
	wt_progress_update(opaque, "%u %s, %u debug %s", summary->stops,
			   wt_plural(summary->stops, "stop", "stops"), summary->debug_traps,
			   wt_plural(summary->debug_traps, "trap", "traps"));
}

static void show_log(void *opaque, amd_dbgapi_log_level_t level, const char *text)
{
	(void)opaque;
	(void)level;
	fprintf(stderr, "wavetape: the library says: ");
	wt_cli_put_lines(stderr, text);
	putc('\n', stderr);
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
		if (summary->faulted_waves)
			printf("%u %s stopped for a fault: %s", summary->faulted_waves,
			       wt_plural(summary->faulted_waves, "wave", "waves"),
			       wt_describe_reasons_plainly(summary->fault_reasons, reasons));
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
	printf("; %u %s\n", summary->stops, wt_plural(summary->stops, "stop", "stops"));
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
	return wt_cli_json(json_pack("{s:o, s:s, s:I, s:I, s:I, s:s}", "trace",
				     wt_cli_json_text(options->output), "end",
				     end_name(summary->end), "stops", (json_int_t)summary->stops,
				     "debug_traps", (json_int_t)summary->debug_traps,
				     "faulted_waves", (json_int_t)summary->faulted_waves, "reasons",
				     wt_describe_reasons(summary->fault_reasons, reasons)));
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

static int run_agent_apart(const struct options *options, const char *library)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return wt_cli_fail(wt_error_errno(errno, "cannot start the session", "fork"));
	if (!child) {
		int code = options->core.path ? wt_record_core_run(&options->core, library)
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

static struct wt_error *run_client(const struct options *options, const char *library,
				   int *code_ret)
{
	struct wt_error *error = wt_cli_library_path(library);

	return error ? error : wt_cli_run_client(options->client, code_ret);
}

/** Nothing was recorded: say so, and leave no empty file behind. */
static int nothing_recorded(const char *path, const struct stat *before, int code)
{
	int failed = wt_cli_fail(
		wt_error_create(WT_ERROR_NOT_FOUND, "nothing was recorded", path,
				"the recording library was not loaded, or had no library to "
				"record: does the client "
				"use librocm-dbgapi.so.0, and is AMD's found (--dbgapi)?"));

	if (!before->st_size)
		unlink(path);
	return code ? code : failed;
}

/**
 * The recording ended before its first stop, and there was an older trace, which is still there.
 *
 * @partial: what there is of the new one.
 */
static int not_replaced(const char *path, const char *partial, int code)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_trace_info info = {.end_reason = "it cannot be read"};
	struct wt_reader *reader = NULL;
	int failed;

	error = wt_reader_open(partial, &reader);
	if (reader)
		wt_reader_info(reader, &info);
	failed = wt_cli_fail(wt_error_create(
		WT_ERROR_IO, "the recording ended before its first stop", partial,
		"%s; %s is the trace that was there before",
		info.end_reason ? info.end_reason : "the client ended without a word", path));
	wt_reader_close(reader);
	return code ? code : failed;
}

/** Whatever the recorder could not say while it recorded is said now. */
static int check_trace(const char *path, const char *partial, const struct stat *before, int code)
{
	struct wt_reader *reader;
	struct wt_error *error;
	struct stat now;
	size_t told = 0;

	if (!stat(path, &now) && now.st_dev == before->st_dev && now.st_ino == before->st_ino)
		return partial && !access(partial, F_OK) ? not_replaced(path, partial, code)
							 : nothing_recorded(path, before, code);
	if (access(path, F_OK))
		return wt_cli_fail(wt_error_create(WT_ERROR_IO, "nothing was recorded", path,
						   "the trace could not be begun; the library's "
						   "log, which the client gets, has the "
						   "reason"));
	error = wt_reader_open(path, &reader);
	if (error)
		return wt_cli_fail(error);
	wt_cli_damage(reader, path, &told);
	if (wt_reader_damage(reader) || wt_cli_cut(reader, path))
		code = code ? code : WT_EXIT_PARTIAL;
	wt_reader_close(reader);
	return code;
}

int wt_command_record(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"output", 'o', "FILE", 0, "the trace to write (default: recording.wtape)", 0},
		{"core", 'c', "CORE", 0,
		 "read this core file, which has the state of GPUs (- is the standard input)", 0},
		{"progress", 'p', NULL, 0,
		 "with --core: show progress even where stderr is no terminal", 0},
		{"workload", 'w', "W.json", 0, "run this workload on the simulated GPU", 0},
		{"dbgapi", 'd', "LIB", 0,
		 "the library that the client is to use (default: WAVETAPE_DBGAPI, "
		 "then the next librocm-dbgapi.so.0 in the search order), or that is to read the "
		 "core (default: wavetape's own)",
		 0},
		{"max-stops", 'm', "N", 0, "with --workload: give up after N stops (default 1000)",
		 0},
		{"time-limit", 't', "SECONDS", 0, "with --workload: give up after so long", 0},
		{"json", 'j', NULL, 0, "with --workload or --core: print the summary as JSON", 0},
		{0},
	};
	static const struct argp_child children[] = {{&wt_record_words_argp, 0, NULL, 0}, {0}};
	static const struct argp argp = {
		.options = argp_options,
		.parser = parse,
		.children = children,
		.args_doc = "--workload W.json\n--core CORE\n-- CLIENT [ARGUMENT...]",
		.doc = "Record a debug session. With --workload, wavetape's own agent runs it on "
		       "the simulated "
		       "GPU, stops everything at the first fault, and lets debug traps go on. "
		       "With --core, the state that a core file has of GPUs becomes a trace of one "
		       "stop. "
		       "Otherwise CLIENT "
		       "(gdb, rocgdb, any debugger API client) runs with the recording library in "
		       "front of "
		       "its own, and its exit status is passed on.",
	};
	struct options options = {
		.output = "recording.wtape",
		.words = wt_record_words_start(),
		.max_stops = 1000,
	};
	wt_cleanup_free char *library = NULL;
	wt_cleanup_free char *partial = NULL;
	struct wt_error *error = NULL;
	int code = WT_EXIT_FINE;
	struct stat before;

	wt_cli_parse(&argp, argc, argv, &options);
	options.core.output = options.output;
	options.core.json = options.json;
	options.core.own_library = !options.library;
	if (options.workload)
		error = check_workload(options.workload);
	if (options.core.path)
		error = wt_record_core_open(&options.core);
	if (!error)
		error = prepare(&options, &before, &library);
	if (!error)
		error = remove_partial(options.output, &partial);
	if (error) {
		wt_core_file_close(options.core.file);
		return wt_cli_fail(error);
	}
	if (!options.client)
		code = run_agent_apart(&options, library);
	else
		error = run_client(&options, library, &code);
	wt_core_file_close(options.core.file);
	if (!error)
		return check_trace(options.output, partial, &before, code);
	/* What was made to see whether it can be is of no use. */
	if (!before.st_size)
		unlink(options.output);
	return wt_cli_fail(error);
}
