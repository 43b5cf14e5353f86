/* SPDX-License-Identifier: MIT */
/* `wavetape verify`: replay the journal, compare every answer; record the replay, compare the traces. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/command.h"
#include "cli/progress.h"
#include "replayer/verify.h"
#include "trace-format/check.h"

struct options {
	const char *path;
	bool json, fixpoint;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'x':
		options->fixpoint = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			return ARGP_ERR_UNKNOWN;
		options->path = argument;
		return 0;
	case ARGP_KEY_END:
		if (!options->path)
			argp_error(state, "which trace? Name a FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void show_progress(void *opaque, uint64_t calls)
{
	wt_progress_update(opaque, "%" PRIu64 " calls", calls);
}

/** Drive the journal of a trace against a library. */
static struct wt_error *drive(const struct options *options, const char *library,
			      struct wt_verify_result *result_ret)
{
	struct wt_progress progress = wt_progress_start("verifying");
	const struct wt_verify_options verify_options = {
		.size = sizeof(verify_options),
		.progress = show_progress,
		.opaque = &progress,
	};
	struct wt_reader *reader = NULL;
	struct wt_api api;
	struct wt_error *error = wt_reader_open(options->path, &reader);

	if (!error)
		error = wt_api_load(library, &api);
	if (!error)
		error = wt_verify_run(reader, &api, &verify_options, result_ret);
	wt_progress_end(&progress);
	wt_reader_close(reader);
	return error;
}

/* ---- The fixpoint: a recording of the replay ---- */

/** In a process of its own, which ends the second trace when it exits. */
static void record_replay(const struct options *options, const char *trace, const char *recorder,
			  const char *replayer)
{
	struct wt_verify_result result = {0};
	struct wt_error *error;

	if (setenv("WAVETAPE_TRACE", trace, 1) || setenv("WAVETAPE_DBGAPI", replayer, 1))
		exit(wt_cli_fail(&wt_error_no_memory));
	error = drive(options, recorder, &result);
	exit(error ? wt_cli_fail(error) : WT_EXIT_FINE);
}

static struct wt_error *record_replay_apart(const struct options *options, const char *trace)
{
	static const char what[] = "cannot record the replay";
	wt_cleanup_free char *recorder = NULL;
	wt_cleanup_free char *replayer = NULL;
	struct wt_error *error = wt_cli_library(WT_LIBRARY_RECORD, &recorder);
	pid_t child;
	int status;

	if (!error)
		error = wt_cli_library(WT_LIBRARY_REPLAY, &replayer);
	if (error)
		return error;
	fflush(NULL);
	child = fork();
	if (child < 0)
		return wt_error_errno(errno, what, options->path);
	if (!child)
		record_replay(options, trace, recorder, replayer);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_error_errno(errno, what, options->path);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return NULL;
	return wt_error_create(WT_ERROR_INTERNAL, what, options->path,
			       "the session ended with status 0x%x", (unsigned int)status);
}

static struct wt_error *compare_traces(const struct options *options, const char *trace,
				       struct wt_differences *differences_ret)
{
	struct wt_reader *recorded = NULL, *again = NULL;
	struct wt_error *error = wt_reader_open(options->path, &recorded);

	if (!error)
		error = wt_reader_open(trace, &again);
	if (!error)
		error = wt_trace_compare(recorded, again, differences_ret);
	wt_reader_close(recorded);
	wt_reader_close(again);
	return error;
}

static struct wt_error *check_fixpoint(const struct options *options,
				       struct wt_differences *differences_ret)
{
	const char *folder = getenv("TMPDIR");
	wt_cleanup_free char *trace = NULL;
	struct wt_error *error;
	int fd;

	if (asprintf(&trace, "%s/wavetape-XXXXXX.wtape", folder && *folder ? folder : "/tmp") < 0) {
		trace = NULL;
		return &wt_error_no_memory;
	}
	fd = mkstemps(trace, (int)strlen(".wtape"));
	if (fd < 0)
		return wt_error_errno(errno, "cannot record the replay", trace);
	close(fd);
	error = record_replay_apart(options, trace);
	if (!error)
		error = compare_traces(options, trace, differences_ret);
	unlink(trace);
	return error;
}

/* ---- The result ---- */

static void print_differences(const struct wt_differences *differences, const char *recorded,
			      const char *replayed)
{
	for (size_t i = 0; i < differences->first_count; i++) {
		const struct wt_difference *difference = &differences->first[i];

		if (difference->call)
			printf("call %" PRIu64 " %s: ", difference->call, difference->function);
		printf("%s: %s ", difference->what, recorded);
		wt_cli_put(stdout, difference->recorded);
		printf(", %s ", replayed);
		wt_cli_put(stdout, difference->replayed);
		putchar('\n');
	}
	if (differences->count > differences->first_count)
		printf("and %" PRIu64 " more\n", differences->count - differences->first_count);
}

static json_t *differences_json(const struct wt_differences *differences)
{
	json_t *list = json_array();

	for (size_t i = 0; i < differences->first_count; i++)
		json_array_append_new(
			list,
			json_pack("{s:I, s:o, s:o, s:o, s:o}", "call",
				  (json_int_t)differences->first[i].call, "function",
				  wt_cli_json_text(differences->first[i].function), "what",
				  wt_cli_json_text(differences->first[i].what), "recorded",
				  wt_cli_json_text(differences->first[i].recorded), "replayed",
				  wt_cli_json_text(differences->first[i].replayed)));
	return json_pack("{s:I, s:o}", "count", (json_int_t)differences->count, "first", list);
}

static void print_result(const struct options *options, const struct wt_verify_result *result,
			 const struct wt_differences *fixpoint)
{
	print_differences(&result->differences, "recorded", "replayed");
	printf("%" PRIu64 " calls, %" PRIu64 " callbacks, %" PRIu64
	       " output bytes compared: %" PRIu64 " difference%s\n",
	       result->calls, result->callbacks, result->bytes, result->differences.count,
	       result->differences.count == 1 ? "" : "s");
	if (result->not_driven)
		printf("%" PRIu64 " calls could not be made again\n", result->not_driven);
	if (result->redacted)
		printf("%" PRIu64 " calls that read or write memory or code were not compared: the "
		       "trace was recorded without memory\n",
		       result->redacted);
	if (result->unfinished)
		printf("the recording ends inside call %" PRIu64 ", which never returned\n",
		       result->unfinished_call);
	if (!options->fixpoint)
		return;
	print_differences(fixpoint, "trace", "recorded replay");
	printf("recording the replay gives the same trace: %s (%" PRIu64 " difference%s)\n",
	       fixpoint->count ? "no" : "yes", fixpoint->count, fixpoint->count == 1 ? "" : "s");
}

static int print_json(const struct options *options, const struct wt_verify_result *result,
		      const struct wt_differences *fixpoint)
{
	json_t *json = json_pack(
		"{s:I, s:I, s:I, s:I, s:b, s:o}", "calls", (json_int_t)result->calls, "callbacks",
		(json_int_t)result->callbacks, "bytes", (json_int_t)result->bytes, "not_driven",
		(json_int_t)result->not_driven, "unfinished", result->unfinished, "differences",
		differences_json(&result->differences));

	json_object_set_new(json, "redacted", json_integer((json_int_t)result->redacted));
	if (options->fixpoint)
		json_object_set_new(json, "fixpoint_differences", differences_json(fixpoint));
	return wt_cli_json(json);
}

/** What the exit code says: a difference is a failure; what could not be compared is a partial result. */
static int exit_code(const struct wt_verify_result *result, const struct wt_differences *fixpoint)
{
	if (result->differences.count || fixpoint->count)
		return WT_EXIT_FAILED;
	return result->not_driven || result->redacted || result->unfinished ? WT_EXIT_PARTIAL
									    : WT_EXIT_FINE;
}

/**
 * A trace that begins within a session: without the calls before it none can be made again. What can be
 * compared is nothing, and what can be read is checked.
 */
static struct wt_error *read_part(const struct options *options, struct wt_reader *reader,
				  const struct wt_trace_info *info, struct wt_verify_result *result)
{
	struct wt_check check;
	struct wt_error *error;

	if (options->fixpoint)
		return wt_error_create(WT_ERROR_USAGE, "cannot record the replay", options->path,
				       "the trace begins within its session, after call %" PRIu64
				       "; leave --fixpoint out",
				       info->part.calls_before);
	error = wt_reader_examine(reader, NULL, &check);
	if (error)
		return error;
	result->not_driven = info->calls;
	fprintf(stderr,
		"wavetape: the trace begins within its session: %s: calls 1 to %" PRIu64
		" are not in it, so that no call can be made again; %" PRIu64 " states were read\n",
		options->path, info->part.calls_before, check.moments.count - check.moments.lost);
	return NULL;
}

/** Without its memory a session can be played back in part: recording that gives another trace. */
static struct wt_error *check_redacted(const struct options *options,
				       const struct wt_trace_info *info)
{
	if (!options->fixpoint || !info->redacted)
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, "cannot record the replay", options->path,
			       "the trace was recorded without memory; leave --fixpoint out");
}

static struct wt_error *verify(const struct options *options, struct wt_verify_result *result,
			       struct wt_differences *fixpoint, bool *damaged_ret)
{
	wt_cleanup_free char *absolute = realpath(options->path, NULL);
	wt_cleanup_free char *recorder_options = NULL;
	wt_cleanup_free char *library = NULL;
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct wt_error *error;
	size_t told = 0;
	bool part;

	if (!absolute)
		return wt_error_errno(errno, "cannot read the trace", options->path);
	error = wt_reader_open(options->path, &reader);
	if (error)
		return error;
	/* All of it will be read, so that all that is not whole can be told beforehand. */
	error = wt_reader_check(reader);
	*damaged_ret = wt_reader_damage(reader) != NULL;
	wt_cli_damage(reader, options->path, &told);
	wt_reader_info(reader, &info);
	part = info.part.calls_before;
	if (!error && part)
		error = read_part(options, reader, &info, result);
	else if (!error)
		error = check_redacted(options, &info);
	if (!error && asprintf(&recorder_options, "sync=none %s", info.policy) < 0) {
		recorder_options = NULL;
		error = &wt_error_no_memory;
	}
	wt_reader_close(reader);
	if (error || part)
		return error;
	/* The replaying library reads this one first, so that a recorder can stand in front of it. */
	if (setenv("WAVETAPE_REPLAY", absolute, 1) || unsetenv("WAVETAPE_REPLAY_OPTIONS") ||
	    setenv("WAVETAPE_CONTROL", "off", 1))
		return &wt_error_no_memory;
	error = wt_cli_library(WT_LIBRARY_REPLAY, &library);
	if (!error && options->fixpoint && setenv("WAVETAPE_OPTIONS", recorder_options, 1))
		error = &wt_error_no_memory;
	if (!error && options->fixpoint)
		error = check_fixpoint(options, fixpoint);
	return error ? error : drive(options, library, result);
}

int wt_command_verify(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"fixpoint", 'x', NULL, 0,
		 "also record the replay, and compare that trace with this one", 0},
		{"json", 'j', NULL, 0, "print JSON", 0},
		{0},
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = parse,
		.args_doc = "FILE",
		.doc = "Make every recorded API call again, against the replaying library, and "
		       "compare every "
		       "status, output byte and callback. The exit code is 1 if anything differs.",
	};
	struct wt_verify_result result = {0};
	struct wt_differences fixpoint = {0};
	struct options options = {0};
	struct wt_error *error;
	bool damaged = false;
	int code;

	wt_cli_parse(&argp, argc, argv, &options);
	error = verify(&options, &result, &fixpoint, &damaged);
	if (error) {
		code = wt_cli_fail(error);
	} else {
		code = exit_code(&result, &fixpoint);
		if (!options.json)
			print_result(&options, &result, &fixpoint);
		else if (print_json(&options, &result, &fixpoint))
			code = WT_EXIT_FAILED;
		if (code == WT_EXIT_FINE && damaged)
			code = WT_EXIT_PARTIAL;
	}
	wt_verify_deinit(&result);
	wt_differences_deinit(&fixpoint);
	return code;
}
