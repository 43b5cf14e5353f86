/* SPDX-License-Identifier: MIT */
/*
 * `wavetape record`: our agent over a workload, a core or a process, a client with the recording library in front, or a program with
 * our agent in it. What each of the five needs has a file of its own.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/record/command-line.h"
#include "cli/record/from-client.h"
#include "cli/record/from-program.h"
#include "cli/record/recorded-library.h"
#include "cli/record/trace-output.h"
#include "recorder/naming/place.h"
#include "replayer/view/keep-sources.h"

/* ---- Preparing ---- */

/** A process that is attached to is taken to use what the environment names, or the next in the search order. */
static struct wt_error *library_choose_attached(void)
{
	struct wt_search search = wt_record_library_search(NULL);
	const struct wt_search_place *taken = wt_search_taken(&search);
	struct wt_error *error;

	error = taken ? wt_record_library_take(taken->path) : wt_record_library_not_found(&search);
	wt_search_deinit(&search);
	return error;
}

/** Choose the library to record in front of. */
static struct wt_error *library_choose(const struct wt_record_options *options)
{
	struct wt_error *error;

	if (options->library)
		return wt_record_library_take(options->library);
	/* A client without --dbgapi takes what the environment or the search order has. */
	if (!options->workload.path && !options->core.path)
		return options->attach.process ? library_choose_attached() : NULL;
	error = wt_record_library_take_simulated();
	/* The library takes what the core has, or nothing. */
	if (!error && options->core.path)
		return unsetenv("WAVETAPE_WORKLOAD") ? &wt_error_no_memory : NULL;
	return error ? error : wt_record_set_path("WAVETAPE_WORKLOAD", options->workload.path);
}

/** A trace must not take the place of what is read or run. A workload and its files are looked at with the workload. */
static struct wt_error *inputs_check(const struct wt_record_options *options)
{
	wt_cleanup_free char *client =
		options->client ? wt_cli_find_program(options->client[0]) : NULL;
	const char *core = options->core.path, *host = options->core.host;
	const struct {
		const char *path, *is;
	} inputs[] = {
		{core && !strcmp(core, "-") ? "/dev/stdin" : core, "the core file that is read"},
		{host && !strcmp(host, "-") ? "/dev/stdin" : host, "the core file that is read"},
		{client, "the client that is run"},
		{getenv("WAVETAPE_DBGAPI"), "the library that is recorded"},
	};
	struct wt_error *error = NULL;

	for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++)
		for (size_t j = 0; j < WT_RECORD_WRITTEN && !error; j++)
			error = wt_cli_check_output(WT_RECORD_CANNOT_WRITE, options->written[j],
						    inputs[i].path, inputs[i].is);
	return error;
}

/** Source files are kept with a trace that this command sees closed, and not with one that leaves content out. */
static struct wt_error *sources_check(const struct wt_record_options *options)
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

/** Look at all that is given, before anything is made. */
static struct wt_error *options_check(struct wt_record_options *options)
{
	/*
	 * A core is no program to hold up: unless the user says otherwise, everything in it is taken. The host that reads
	 * it is not the one that it comes from.
	 */
	struct wt_error *error = wt_record_words_apply(
		&options->words, options->core.path ? "waves=all,no-host" : "");

	options->workload.reproducible = options->words.parsed.reproducible;
	if (!error)
		error = sources_check(options);
	if (!error && options->workload.path)
		error = wt_record_workload_check(&options->workload, options->written,
						 WT_RECORD_WRITTEN);
	if (!error && options->attach.process)
		error = wt_record_attach_check(&options->attach);
	if (!error)
		error = library_choose(options);
	if (!error)
		error = inputs_check(options);
	if (!error && options->core.path)
		error = wt_record_core_open(&options->core);
	if (!error && options->core.path)
		error = wt_record_core_set_words(&options->core);
	for (size_t i = 0; i < WT_RECORD_WRITTEN && !error && options->core.path; i++)
		error = wt_record_core_check_output(&options->core, WT_RECORD_CANNOT_WRITE,
						    options->written[i]);
	return error;
}

/* Find what the letters of a pattern stand for. The executable is what is run, and not this command. */
static struct wt_name_facts name_find_facts(const struct wt_record_options *options)
{
	struct wt_name_facts facts = wt_name_facts_find(getenv);
	const char *path = options->client	    ? options->client[0]
			   : options->workload.path ? options->workload.path
			   : options->core.path	    ? options->core.path
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

/* Make a place for a trace that is named by a pattern. */
static struct wt_error *name_take_place(struct wt_record_options *options,
					struct wt_record_output *output, char **name)
{
	const struct wt_name_facts facts = name_find_facts(options);
	struct wt_error *error;
	char *path;

	if (!options->pattern)
		return NULL;
	error = wt_place_make(options->pattern, &facts, &options->keep, &path);
	if (error)
		return error;
	free(*name);
	*name = path;
	options->output = output->path = options->core.output = options->attach.output =
		options->workload.output = path;
	output->made = true;
	return NULL;
}

/** Set the environment that the recording library reads. */
static struct wt_error *session_prepare(struct wt_record_options *options,
					struct wt_record_output *output, char **name,
					char **library_ret)
{
	struct wt_error *error = wt_cli_library(WT_LIBRARY_RECORD, library_ret);

	/* Last, since it makes a file. */
	if (!error)
		error = name_take_place(options, output, name);
	if (!error)
		error = wt_record_output_open(output);
	return error ? error : wt_record_set_path("WAVETAPE_TRACE", options->output);
}

/* Find what the trace is going to be called, if nothing of that name is there. */
static struct wt_error *name_expand(struct wt_record_options *options, char **name_ret)
{
	const struct wt_name_facts facts = name_find_facts(options);
	struct wt_error *error = wt_pattern_expand(options->output, &facts, name_ret);

	if (error)
		return error;
	options->pattern = options->output;
	options->output = *name_ret;
	return NULL;
}

/* ---- The session ---- */

/*
 * The process that records ends with the command, however that ends: nobody would take what it makes, and a workload may run for
 * ever. A process that is attached to must be let go first.
 */
static void session_end_with(pid_t command, const struct wt_record_options *options)
{
	if (options->attach.process)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The command may be gone already. */
	if (getppid() != command)
		raise(SIGKILL);
}

static atomic_int session_process;
static atomic_bool session_interrupted;

/* A second interrupt ends the command at once, and the session with it. */
static void session_hand_on(int number)
{
	atomic_store(&session_interrupted, true);
	kill(atomic_load(&session_process), number);
}

/* The session of a workload closes its trace when it is interrupted: the command waits for that. */
static void session_catch_interrupt(pid_t child)
{
	const struct sigaction action = {.sa_handler = session_hand_on,
					 .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};
	struct sigaction before;

	atomic_store(&session_process, child);
	if (!sigaction(SIGINT, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(SIGINT, &action, NULL);
}

/** Run the session in a process of its own, so that the trace is closed when we look at it. */
static int session_run(struct wt_record_options *options, const char *library)
{
	pid_t child, command = getpid();
	sigset_t interrupt, before;
	int status;

	fflush(NULL);
	options->attach.owner = command;
	/* An interrupt waits until both processes know what to do with it. */
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, &before);
	child = fork();
	if (child > 0 && options->workload.path)
		session_catch_interrupt(child);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		return wt_cli_fail(wt_error_errno(errno, "cannot start the session", "fork"));
	if (!child) {
		int code;

		session_end_with(command, options);
		code = options->core.path ? wt_record_core_run(&options->core, library)
		       : options->attach.process
			       ? wt_record_attach_run(&options->attach, library)
			       : wt_record_workload_run(&options->workload, library);

		/* exit(), since the recording library closes the trace when the process ends. */
		exit(wt_cli_finish(code));
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_cli_fail(wt_error_errno(errno, "lost the session", "waitpid"));
	/* A script that waits for the command hears of the interrupt. */
	if (atomic_load(&session_interrupted))
		raise(SIGINT);
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return wt_cli_fail(wt_error_create(WT_ERROR_INTERNAL, "the session ended early",
					   options->output, "signal %d: %s", WTERMSIG(status),
					   strsignal(WTERMSIG(status))));
}

/* The agent makes the trace, and says so; the program's exit status is passed on. */
static int program_run(const struct wt_record_options *options, int code)
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

int wt_command_record(int argc, char **argv)
{
	struct wt_record_options options;
	struct wt_record_output output;
	wt_cleanup_free char *library = NULL, *partial = NULL, *name = NULL;
	struct wt_error *error = NULL;
	int code = WT_EXIT_FINE;

	wt_record_options_parse(argc, argv, &options);
	if (wt_pattern_is(options.output))
		error = name_expand(&options, &name);
	if (error)
		return wt_cli_fail(error);
	options.core.output = options.attach.output = options.workload.output = options.output;
	output = wt_record_output_none(options.output);
	error = wt_record_output_partial(options.output, &partial);
	options.written[0] = options.output;
	options.written[1] = partial;
	if (!error)
		error = options_check(&options);
	if (!error && options.client && (options.agent || wt_record_is_program(options.client)))
		return program_run(&options, code);
	if (!error)
		error = session_prepare(&options, &output, &name, &library);
	if (!error && !options.client)
		code = session_run(&options, library);
	else if (!error)
		error = wt_record_client_run(options.client, &output, library, &code);
	wt_core_file_close(options.core.file);
	if (error) {
		int failed = wt_cli_fail(error);

		wt_record_output_drop(&output);
		code = code ? code : failed;
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
