/* SPDX-License-Identifier: MIT */
/*
 * `wavetape record`: our agent over a workload, a core or a process, a client with the recording library in front, or a program with
 * our agent in it. What each of these needs has a file of its own; only the client is here.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/launcher.h"
#include "cli/libraries.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/preload.h"
#include "cli/record/command-line.h"
#include "cli/record/from-program.h"
#include "cli/record/trace-output.h"
#include "cli/trace.h"
#include "dbgapi/finding/search.h"
#include "recorder/naming/place.h"
#include "recorder/recording/claim.h"
#include "recorder/recording/options.h"
#include "recorder/recording/unknown.h"
#include "replayer/code/needed.h"
#include "replayer/view/keep-sources.h"

/* ---- Which debugger library is recorded in front of, and how it is told to the recording library ---- */

/* Set an environment variable to the absolute path of a file that is there. */
static struct wt_error *record_set_path(const char *variable, const char *path)
{
	wt_cleanup_free char *absolute = realpath(path, NULL);

	if (!absolute)
		return wt_error_errno(errno, "cannot find the file", path);
	return setenv(variable, absolute, 1) ? &wt_error_no_memory : NULL;
}

/* Record in front of this library. The recording library could say what is wrong with it in the client's log only. */
static struct wt_error *record_library_take(const char *path)
{
	struct wt_error *error = record_set_path("WAVETAPE_DBGAPI", path);
	enum wt_library_state state = wt_library_file_look(path, true).state;

	if (!error && state == WT_LIBRARY_OTHER_MACHINE)
		return wt_error_create(WT_ERROR_USAGE, "cannot record the library", path, "it %s",
				       wt_library_state_text(state));
	if (error || wt_needed_find(path, WT_CLI_SONAME).program)
		return error;
	return wt_error_create(WT_ERROR_USAGE, "cannot record the library", path,
			       "it is not a shared library: name the file " WT_CLI_SONAME
			       " itself");
}

/* Record in front of the library that reads cores and runs workloads. */
static struct wt_error *record_library_take_simulated(void)
{
	wt_cleanup_free char *simulated = NULL;
	struct wt_error *error = wt_cli_library(WT_LIBRARY_SIMULATED, &simulated);

	return error ? error : record_set_path("WAVETAPE_DBGAPI", simulated);
}

/* The library that a client is linked with, and its run path leads to; NULL if it is not linked with any. The caller frees it. */
static char *record_library_linked(char *const *client)
{
	wt_cleanup_free char *program = wt_cli_find_program(client[0]);

	return program ? wt_cli_linked_library(program, WT_CLI_SONAME) : NULL;
}

static void search_add_client(struct wt_search *search, char *const *client)
{
	wt_cleanup_free char *linked = wt_launcher_find_linked(client, WT_CLI_SONAME);
	wt_cleanup_free char *library =
		linked ? wt_cli_linked_library(linked, WT_CLI_SONAME) : NULL;
	wt_cleanup_free char *source = NULL;

	if (!library)
		return;
	if (asprintf(&source, "the loader, for %s", linked) < 0) {
		source = NULL;
		search->no_memory = true;
		return;
	}
	wt_search_add(search, library, source);
}

/*
 * Search for the library that a client is going to use, as far as can be told before it runs.
 *
 * @client: its command line; NULL for none.
 *
 * Return: the search, which the caller ends.
 */
static struct wt_search record_library_search(char *const *client)
{
	struct wt_search search = wt_search_begin(WT_SEARCH_DBGAPI);
	wt_cleanup_free char *program = NULL, *runtime = NULL;
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (named && *named) {
		wt_search_add(&search, named, "WAVETAPE_DBGAPI");
		return search;
	}
	if (client) {
		program = wt_cli_find_program(client[0]);
		search_add_client(&search, client);
		if (program)
			runtime = wt_cli_linked_library(program, WT_SEARCH_RUNTIME);
	}
	wt_search_add_known(&search, program, runtime);
	return search;
}

/* The error for a search that has found none: it says where was looked. */
static struct wt_error *record_library_not_found(const struct wt_search *search)
{
	wt_cleanup_free char *places = wt_search_text(search);

	if (!places || search->no_memory)
		return &wt_error_no_memory;
	return wt_error_create(WT_ERROR_NOT_FOUND, "cannot find AMD's debugger library",
			       WT_CLI_SONAME, "it is not in %s; name it with --dbgapi", places);
}

/* ---- The file of the trace, before and after the session. The recorder itself stays silent ---- */

struct wt_record_output {
	const char *path; /* as the user names it */
	char *name,
		*partial; /* without links; what the recorder calls the trace as long as an older one is kept */
	bool made;  /* there was nothing of that name, or only what was made for this session */
	bool older; /* there was something in it, which stays until the first stop */
	struct stat before; /* of what is at @name */
	struct stat idle;   /* of an empty file that the recorder replaces when it begins */
	int fd, idle_fd; /* both files, open: no file of the recorder's gets their numbers and is taken for them */
};

static struct wt_error *output_cannot_write(const struct wt_record_output *output)
{
	return wt_error_errno(errno, WT_RECORD_CANNOT_WRITE, output->path);
}

static bool output_is_same(const char *path, const struct stat *file)
{
	struct stat now;

	return !stat(path, &now) && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

/* ---- Before ---- */

/* An empty one, for record_output_deinit(). */
static struct wt_record_output record_output_none(const char *path)
{
	return (struct wt_record_output){.path = path, .fd = -1, .idle_fd = -1};
}

static struct wt_error *output_open_file(struct wt_record_output *output)
{
	struct stat *before = &output->before;
	struct wt_error *error = wt_cli_check_directory(WT_RECORD_CANNOT_WRITE, output->path);

	if (error)
		return error;
	output->made |= stat(output->path, before) != 0;
	/* A pipe could not be opened while nobody reads from it, a device might do something. */
	if (!output->made && !S_ISREG(before->st_mode) && !S_ISDIR(before->st_mode))
		return wt_error_create(WT_ERROR_IO, WT_RECORD_CANNOT_WRITE, output->path,
				       "it is not a regular file; give another name");
	output->fd = open(output->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	if (output->fd < 0 || fstat(output->fd, before))
		return output_cannot_write(output);
	output->older = before->st_size != 0;
	return NULL;
}

/*
 * Find what the recorder calls a trace of that name as long as an older one is kept. A file of this name is removed before
 * the session. To free().
 */
static struct wt_error *record_output_partial(const char *path, char **partial_ret)
{
	wt_cleanup_free char *name = realpath(path, NULL);

	if (asprintf(partial_ret, "%s" WT_PARTIAL, name ? name : path) >= 0)
		return NULL;
	*partial_ret = NULL;
	return &wt_error_no_memory;
}

static struct wt_error *output_find_names(struct wt_record_output *output)
{
	output->name = realpath(output->path, NULL);
	if (!output->name)
		return output_cannot_write(output);
	return record_output_partial(output->name, &output->partial);
}

/** No part of an earlier session must be there, so that what is there after this one is its own. */
static struct wt_error *output_make_idle(struct wt_record_output *output)
{
	if (wt_claim_is_held(output->name))
		return wt_error_create(WT_ERROR_USAGE, WT_RECORD_CANNOT_WRITE, output->path,
				       "another process records into it; give another name");
	unlink(output->partial);
	output->idle = output->before;
	if (!output->older)
		return NULL;
	output->idle_fd = open(output->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (output->idle_fd < 0 || fstat(output->idle_fd, &output->idle))
		return wt_error_errno(errno, WT_RECORD_CANNOT_WRITE, output->partial);
	return NULL;
}

/*
 * Find out before the session whether the trace can be written, and make what is looked at after it.
 *
 * Errors: IO; USAGE if another process records into that trace.
 */
static struct wt_error *record_output_open(struct wt_record_output *output)
{
	struct wt_error *error = output_open_file(output);

	if (!error)
		error = output_find_names(output);
	return error ? error : output_make_idle(output);
}

/* There was no session: remove what was made for it. */
static void record_output_drop(const struct wt_record_output *output)
{
	if (output->older && output_is_same(output->partial, &output->idle))
		unlink(output->partial);
	if (output->made && output->name && output_is_same(output->name, &output->before))
		unlink(output->name);
}

static void record_output_deinit(struct wt_record_output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	if (output->idle_fd >= 0)
		close(output->idle_fd);
	free(output->name);
	free(output->partial);
	*output = record_output_none(output->path);
}

/* ---- After ---- */

static int output_tell_nothing_recorded(const struct wt_record_output *output, const char *why)
{
	return wt_cli_fail(wt_error_create(WT_ERROR_NOT_FOUND, "nothing was recorded", output->path,
					   "%s", why));
}

static int output_tell_not_loaded(const struct wt_record_output *output)
{
	record_output_drop(output);
	return output_tell_nothing_recorded(
		output, "the client's calls went past the recording library, or that could not "
			"load the client's: it looks its functions up itself, or asks its own "
			"library first (RTLD_DEEPBIND)");
}

static int output_tell_not_begun(const struct wt_record_output *output)
{
	/* The recorder takes an empty file for none. */
	if (!output->made && !output->older) {
		int fd = open(output->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			      output->before.st_mode & 0777);

		if (fd >= 0)
			close(fd);
	}
	return output_tell_nothing_recorded(
		output, "the trace could not be begun; the library's log, which "
			"the client gets, has the reason");
}

/** The recording ended before its first stop, and there was an older trace, which is still there. */
static int output_tell_not_replaced(const struct wt_record_output *output)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_trace_info info = {.end_reason = "it cannot be read"};
	struct wt_reader *reader = NULL;

	error = wt_reader_open(output->partial, &reader);
	if (reader)
		wt_reader_info(reader, &info);
	wt_cli_fail(wt_error_create(WT_ERROR_IO,
				    info.cut ? "the recording ended early"
					     : "the recording ended before its first stop",
				    output->partial, "%s; %s is the trace that was there before",
				    info.end_reason ? info.end_reason
						    : "the client ended without a word",
				    output->path));
	wt_reader_close(reader);
	return WT_EXIT_PARTIAL;
}

static int output_check_trace(const char *path)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	int code = WT_EXIT_FINE;
	size_t told = 0;

	if (error)
		return wt_cli_fail(error);
	wt_cli_damage(reader, path, &told);
	if (wt_reader_damage(reader) || wt_cli_cut(reader, path))
		code = WT_EXIT_PARTIAL;
	wt_reader_close(reader);
	return code;
}

/* The new trace has a name of its own as long as there is an older one. */
static bool output_keeps_older(const struct wt_record_output *output)
{
	return output->older && output_is_same(output->name, &output->before);
}

/* After the session: has no recorder begun? */
static bool record_output_is_idle(const struct wt_record_output *output)
{
	return output_is_same(output_keeps_older(output) ? output->partial : output->name,
			      &output->idle);
}

/*
 * After the session: print what the recorder could not print while it recorded.
 *
 * @code: the exit code of the session.
 * @return: the exit code of the command.
 */
static int record_output_check(const struct wt_record_output *output, int code)
{
	bool kept = output_keeps_older(output);
	const char *new = kept ? output->partial : output->name;
	int found;

	if (record_output_is_idle(output))
		found = output_tell_not_loaded(output);
	else if (access(new, F_OK))
		found = output_tell_not_begun(output);
	else
		found = kept ? output_tell_not_replaced(output) : output_check_trace(output->path);
	return code ? code : found;
}

/* ---- A client of the debugger library, with the recording library in front of its own ---- */

/**
 * A client of a library that is newer than all we know asks for symbols that ours does not have, and would not start with it in
 * that one's place: it gets its own library, and ours is preloaded.
 */
static struct wt_error *client_preload_beside(const char *clients_library)
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
static struct wt_error *client_put_in_front(char *const *client, const char *library,
					    struct wt_cli_gate *gate)
{
	wt_cleanup_free char *linked = record_library_linked(client);
	const char *named = getenv("WAVETAPE_DBGAPI");

	if (linked && !(named && *named) && setenv("WAVETAPE_DBGAPI", linked, 1))
		return &wt_error_no_memory;
	return wt_cli_gate_init(library, gate);
}

/* The client has ended without a word of the recorder's: say what has kept it out. */
static struct wt_error *client_explain(const struct wt_cli_gate *gate, const char *output,
				       const struct wt_search *search)
{
	static const char what[] = "nothing was recorded";
	const struct wt_search_place *taken = wt_search_taken(search);
	wt_cleanup_free char *why = NULL, *places = NULL, *half = NULL;

	switch (wt_cli_gate_look(gate, &why)) {
	case WT_CLI_GATE_FAILED:
		return wt_error_create(WT_ERROR_IO, what, output,
				       "the recording library could not be loaded: %s",
				       why ? why : "out of memory");
	case WT_CLI_GATE_UNUSED:
		return wt_error_create(WT_ERROR_NOT_FOUND, what, output,
				       "the client made no call of the recording library: it does "
				       "not use " WT_CLI_SONAME
				       ", or loads another by its path, or runs where LD_PRELOAD "
				       "does not reach");
	case WT_CLI_GATE_USED:
		break;
	}
	half = taken ? wt_cli_try_library(taken->path) : NULL;
	if (half)
		return wt_error_create(WT_ERROR_IO, what, output,
				       "the client's library, %s (%s), could not be loaded: %s",
				       taken->path, taken->source, half);
	if (taken)
		return NULL;
	places = wt_search_text(search);
	return places ? wt_error_create(WT_ERROR_NOT_FOUND, what, output,
					"AMD's debugger library was not found: it is not in %s; "
					"name it with --dbgapi",
					places)
		      : &wt_error_no_memory;
}

/*
 * Run a client.
 *
 * @client: its command line, NULL-terminated.
 * @output: of the trace, which is open.
 * @library: the recording library.
 * @code_ret: the client's exit code.
 *
 * Errors: of the start; IO or NOT_FOUND if nothing was recorded, and why is known: then @code_ret is written all the same.
 */
static struct wt_error *record_client_run(char **client, const struct wt_record_output *output,
					  const char *library, int *code_ret)
{
	struct wt_search search = record_library_search(client);
	const struct wt_search_place *taken = wt_search_taken(&search);
	struct wt_cli_gate gate = {0};
	struct wt_error *error = taken && wt_unknown_functions(taken->path, NULL, NULL)
					 ? client_preload_beside(taken->path)
					 : client_put_in_front(client, library, &gate);

	if (!error)
		error = wt_cli_run_client(client, code_ret);
	if (!error && record_output_is_idle(output))
		error = client_explain(&gate, output->path, &search);
	wt_cli_gate_deinit(&gate);
	wt_search_deinit(&search);
	return error;
}

/* ---- Preparing ---- */

/** A process that is attached to is taken to use what the environment names, or the next in the search order. */
static struct wt_error *library_choose_attached(void)
{
	struct wt_search search = record_library_search(NULL);
	const struct wt_search_place *taken;
	struct wt_error *error;

	search.client_level = WT_SEARCH_LIVE_LEVEL;
	taken = wt_search_taken(&search);
	error = taken ? record_library_take(taken->path) : record_library_not_found(&search);
	wt_search_deinit(&search);
	return error;
}

/** Choose the library to record in front of. */
static struct wt_error *library_choose(const struct wt_record_options *options)
{
	struct wt_error *error;

	if (options->library)
		return record_library_take(options->library);
	/* A client without --dbgapi takes what the environment or the search order has. */
	if (!options->workload.path && !options->core.path)
		return options->attach.process ? library_choose_attached() : NULL;
	error = record_library_take_simulated();
	/* The library takes what the core has, or nothing. */
	if (!error && options->core.path)
		return unsetenv("WAVETAPE_WORKLOAD") ? &wt_error_no_memory : NULL;
	return error ? error : record_set_path("WAVETAPE_WORKLOAD", options->workload.path);
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
		error = record_output_open(output);
	return error ? error : record_set_path("WAVETAPE_TRACE", options->output);
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
static atomic_int session_signal; /* 0: none has come */

/* A second one ends the command at once, and the session with it. */
static void session_hand_on(int number)
{
	atomic_store(&session_signal, number);
	kill(atomic_load(&session_process), number);
}

/** Run the session in a process of its own, so that the trace is closed when we look at it. */
static int session_run(struct wt_record_options *options, const char *library)
{
	pid_t child, command = getpid();
	sigset_t ending, before;
	int status;

	fflush(NULL);
	options->attach.owner = command;
	/* A signal waits until both processes know what to do with it. */
	wt_record_ending_signals(&ending);
	sigprocmask(SIG_BLOCK, &ending, &before);
	child = fork();
	if (child > 0 && options->workload.path) {
		/* The session of a workload closes its trace when it is to end: the command waits for that. */
		atomic_store(&session_process, child);
		wt_cli_catch(&ending, session_hand_on, (int)(SA_RESTART | SA_RESETHAND));
	}
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
	/* A script that waits for the command hears of the signal. */
	if (atomic_load(&session_signal))
		raise(atomic_load(&session_signal));
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
	output = record_output_none(options.output);
	error = record_output_partial(options.output, &partial);
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
		error = record_client_run(options.client, &output, library, &code);
	wt_core_file_close(options.core.file);
	if (error) {
		int failed = wt_cli_fail(error);

		record_output_drop(&output);
		code = code ? code : failed;
	} else {
		code = record_output_check(&output, code);
		error = wt_sources_keep(options.output, &options.sources);
		if (error)
			wt_cli_fail(error);
		if (options.pattern)
			wt_place_tidy(options.pattern, options.output, &options.keep);
	}
	record_output_deinit(&output);
	return code;
}
