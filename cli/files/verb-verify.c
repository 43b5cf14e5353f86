/* SPDX-License-Identifier: MIT */
/* `wavetape verify`: replay the journal, compare every answer; record the replay, compare the traces. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/libraries.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "replayer/verify/verify.h"
#include "replayer/view/missing.h"
#include "trace-format/reader/check.h"

struct options {
	struct wt_cli_trace trace;
	bool fixpoint;
	/* Found out on the way: */
	bool damaged;
	bool cut; /* the recording ended before the session did */
};

static error_t verify_parse(int key, char *argument, struct argp_state *state)
{
	struct options *options = state->input;

	(void)argument;
	switch (key) {
	case 'x':
		options->fixpoint = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void verify_show_progress(void *opaque, uint64_t calls)
{
	wt_progress_update(opaque, "%" PRIu64 " %s", calls, wt_plural(calls, "call", "calls"));
}

/** The results, in step and from state alone. */
struct results {
	struct wt_verify_result step, state;
	struct wt_differences fixpoint;
};

/**
 * Drive the journal of a trace against a library. The reader was checked: what is lost is known before the first call is made,
 * since no answer may build on it.
 */
static struct wt_error *verify_drive(struct wt_reader *reader, const char *library, bool from_state,
				     struct wt_verify_result *result_ret)
{
	struct wt_progress progress = wt_progress_start("verifying");
	const struct wt_verify_options verify_options = {
		.size = sizeof(verify_options),
		.progress = verify_show_progress,
		.opaque = &progress,
		.from_state = from_state,
	};
	struct wt_api api;
	struct wt_error *error = wt_api_load(library, &api);

	if (!error)
		error = wt_verify_run(reader, &api, &verify_options, result_ret);
	wt_progress_end(&progress);
	return error;
}

/* ---- The fixpoint: a recording of the replay ---- */

/** In a process of its own, which ends the second trace when it exits. */
static void replay_record(struct wt_reader *reader, const char *trace, const char *recorder,
			  const char *replayer)
{
	struct wt_verify_result result = {0};
	struct wt_error *error;

	if (setenv("WAVETAPE_TRACE", trace, 1) || setenv("WAVETAPE_DBGAPI", replayer, 1))
		exit(wt_cli_fail(&wt_error_no_memory));
	error = verify_drive(reader, recorder, false, &result);
	exit(error ? wt_cli_fail(error) : WT_EXIT_FINE);
}

static struct wt_error *replay_record_apart(const struct options *options, struct wt_reader *reader,
					    const char *trace)
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
		return wt_error_errno(errno, what, options->trace.path);
	if (!child)
		replay_record(reader, trace, recorder, replayer);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return wt_error_errno(errno, what, options->trace.path);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return NULL;
	return wt_error_create(WT_ERROR_INTERNAL, what, options->trace.path,
			       "the session ended with status 0x%x", (unsigned int)status);
}

static struct wt_error *verify_compare_traces(const struct options *options, const char *trace,
					      struct wt_differences *differences_ret)
{
	struct wt_reader *recorded = NULL, *again = NULL;
	struct wt_error *error = wt_reader_open(options->trace.path, &recorded);

	if (!error)
		error = wt_reader_open(trace, &again);
	if (!error)
		error = wt_trace_compare(recorded, again, differences_ret);
	wt_reader_close(recorded);
	wt_reader_close(again);
	return error;
}

static struct wt_error *verify_check_fixpoint(const struct options *options,
					      struct wt_reader *reader,
					      struct wt_differences *differences_ret)
{
	wt_cleanup_free char *trace = NULL;
	struct wt_error *error = wt_cli_temporary_trace("cannot record the replay", &trace);

	if (error)
		return error;
	error = replay_record_apart(options, reader, trace);
	if (!error)
		error = verify_compare_traces(options, trace, differences_ret);
	unlink(trace);
	return error;
}

/* ---- The result ---- */

static void differences_print(const struct wt_differences *differences, const char *recorded,
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

static void verify_print_counts(const char *how, const struct wt_verify_result *result)
{
	printf("%s: %" PRIu64 " %s, %" PRIu64 " %s, %" PRIu64 " output %s compared: %" PRIu64
	       " %s\n",
	       how, result->calls, wt_plural(result->calls, "call", "calls"), result->callbacks,
	       wt_plural(result->callbacks, "callback", "callbacks"), result->bytes,
	       wt_plural(result->bytes, "byte", "bytes"), result->differences.count,
	       wt_plural(result->differences.count, "difference", "differences"));
}

/** Print what the state cannot answer as the recorded library did: how much of it, and what. */
static void differences_print_kinds(const struct wt_differences *differences)
{
	for (size_t i = 0; i < differences->kind_count; i++) {
		const struct wt_difference_kind *kind = &differences->kinds[i];

		printf("  %" PRIu64 " x %s%s", kind->count, kind->function,
		       *kind->function ? ": " : "");
		wt_cli_put(stdout, kind->what);
		putchar('\n');
	}
}

static void verify_print_result(const struct options *options, const struct results *results)
{
	const struct wt_verify_result *result = &results->step;
	const struct wt_differences *fixpoint = &results->fixpoint;

	differences_print(&result->differences, "recorded", "replayed");
	verify_print_counts("in step", result);
	verify_print_counts("from state", &results->state);
	differences_print_kinds(&results->state.differences);
	if (result->lost) {
		printf("call %" PRIu64 " and those after it cannot be compared: ",
		       result->lost_call);
		wt_cli_put(stdout, result->lost_why);
		putchar('\n');
	}
	if (result->not_driven)
		printf("%" PRIu64 " %s could not be made again\n", result->not_driven,
		       wt_plural(result->not_driven, "call", "calls"));
	if (result->redacted)
		printf("%" PRIu64 " %s memory or code %s not compared: the trace was recorded "
		       "without memory\n",
		       result->redacted,
		       wt_plural(result->redacted, "call that reads or writes",
				 "calls that read or write"),
		       wt_plural(result->redacted, "was", "were"));
	if (result->unfinished)
		printf("the recording ends inside call %" PRIu64 ", %s\n", result->unfinished_call,
		       options->cut ? "whose end is not in it" : "which never returned");
	if (!options->fixpoint)
		return;
	differences_print(fixpoint, "trace", "recorded replay");
	printf("recording the replay gives the same trace: %s (%" PRIu64 " %s)\n",
	       fixpoint->count ? "no" : "yes", fixpoint->count,
	       wt_plural(fixpoint->count, "difference", "differences"));
}

static json_t *verify_state_json(const struct wt_verify_result *result)
{
	json_t *kinds = json_array();

	for (size_t i = 0; i < result->differences.kind_count; i++) {
		const struct wt_difference_kind *kind = &result->differences.kinds[i];

		json_array_append_new(kinds, json_pack("{s:o, s:o, s:I}", "function",
						       wt_cli_json_text(kind->function), "what",
						       wt_cli_json_text(kind->what), "count",
						       (json_int_t)kind->count));
	}
	return json_pack("{s:I, s:I, s:I, s:o, s:o}", "calls", (json_int_t)result->calls,
			 "callbacks", (json_int_t)result->callbacks, "bytes",
			 (json_int_t)result->bytes, "differences",
			 differences_json(&result->differences), "kinds", kinds);
}

static int verify_print_json(const struct options *options, const struct results *results)
{
	const struct wt_verify_result *result = &results->step;
	json_t *json = json_pack(
		"{s:I, s:I, s:I, s:I, s:b, s:o}", "calls", (json_int_t)result->calls, "callbacks",
		(json_int_t)result->callbacks, "bytes", (json_int_t)result->bytes, "not_driven",
		(json_int_t)result->not_driven, "unfinished", result->unfinished, "differences",
		differences_json(&result->differences));

	if (result->lost)
		json_object_set_new(json, "lost",
				    json_pack("{s:I, s:o}", "call", (json_int_t)result->lost_call,
					      "why", wt_cli_json_text(result->lost_why)));
	json_object_set_new(json, "redacted", json_integer((json_int_t)result->redacted));
	json_object_set_new(json, "from_state", verify_state_json(&results->state));
	if (options->fixpoint)
		json_object_set_new(json, "fixpoint_differences",
				    differences_json(&results->fixpoint));
	return wt_cli_json(options->trace.path, 0, json);
}

/**
 * The exit code says: a difference in step is a failure; what could not be compared is a partial result, and so is
 * what the state alone does not answer as it was recorded.
 */
static int results_exit_code(const struct results *results)
{
	const struct wt_verify_result *result = &results->step;

	if (result->differences.count || results->fixpoint.count)
		return WT_EXIT_FAILED;
	return results->state.differences.count || result->not_driven || result->redacted ||
			       result->unfinished || result->lost
		       ? WT_EXIT_PARTIAL
		       : WT_EXIT_FINE;
}

/**
 * A trace that begins within a session: without the calls before it none can be made again. What can be
 * compared is nothing, and what can be read is checked.
 */
static struct wt_error *verify_read_part(const struct options *options, struct wt_reader *reader,
					 const struct wt_trace_info *info,
					 struct wt_verify_result *result)
{
	struct wt_check check;
	struct wt_error *error;
	uint64_t states;

	if (options->fixpoint)
		return wt_error_create(WT_ERROR_USAGE, "cannot record the replay",
				       options->trace.path,
				       "the trace begins within its session, after call %" PRIu64
				       "; leave --fixpoint out",
				       info->part.calls_before);
	error = wt_reader_examine(reader, NULL, &check);
	if (error)
		return error;
	result->not_driven = info->calls;
	states = check.moments.count - check.moments.lost;
	fprintf(stderr,
		"wavetape: the trace begins within its session: %s: calls 1 to %" PRIu64
		" are not in it, so that no call can be made again; %" PRIu64 " %s read\n",
		options->trace.path, info->part.calls_before, states,
		wt_plural(states, "state was", "states were"));
	return NULL;
}

/** Count the calls. No call of a journal alone can be made again: there is nothing to answer it from. */
static struct wt_error *verify_count_calls(const struct options *options,
					   const struct wt_trace_info *info,
					   struct wt_verify_result *result)
{
	if (options->fixpoint)
		return wt_error_create(WT_ERROR_USAGE, "cannot record the replay",
				       options->trace.path,
				       "the trace has no state (journal-only); leave --fixpoint "
				       "out");
	result->not_driven = info->calls;
	fprintf(stderr, "wavetape: the trace has no state: ");
	wt_cli_put(stderr, options->trace.path);
	fprintf(stderr, ": it was recorded with journal-only, so that no call can be made again\n");
	return NULL;
}

/** Without all of a session it can be played back in part: recording that gives another trace. */
static struct wt_error *verify_check_fixpoint_makes_sense(const struct options *options,
							  const struct wt_trace_info *info)
{
	const char *why = NULL;

	if (info->redacted)
		why = "the trace was recorded without memory; leave --fixpoint out";
	else if (info->cut)
		why = "its recording ended early; leave --fixpoint out";
	else if (info->end_reason && !strcmp(info->end_reason, WT_END_TRIMMED))
		why = "it is a part of its session; leave --fixpoint out";
	if (!options->fixpoint || !why)
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, "cannot record the replay", options->trace.path,
			       "%s", why);
}

/** Find what only driving the journal tells: is there a replay that can be recorded to give the same trace? */
static struct wt_error *verify_check_replay(const struct options *options,
					    const struct wt_verify_result *result)
{
	static const char what[] = "cannot record the replay";

	if (!options->fixpoint)
		return NULL;
	/* A trace that has lost something may have no replay to record at all. */
	if (result->lost)
		return wt_error_create(WT_ERROR_INPUT, what, options->trace.path,
				       "something of the trace is lost; leave --fixpoint out");
	return NULL;
}

static struct wt_error *verify_drive_all(const struct options *options, struct wt_reader *reader,
					 const char *library, struct results *results)
{
	struct wt_error *recording =
		options->fixpoint ? verify_check_fixpoint(options, reader, &results->fixpoint)
				  : NULL;
	struct wt_error *error = verify_drive(reader, library, false, &results->step);

	if (!error)
		error = verify_check_replay(options, &results->step);
	if (!error && setenv("WAVETAPE_REPLAY_OPTIONS", "from-state", 1))
		error = &wt_error_no_memory;
	if (!error)
		error = verify_drive(reader, library, true, &results->state);
	if (!error)
		return recording;
	wt_error_destroy(recording);
	return error;
}

/** Tell the libraries of the trace. */
static struct wt_error *verify_set_variables(const struct options *options,
					     const struct wt_trace_info *info)
{
	wt_cleanup_free char *absolute = realpath(options->trace.path, NULL);
	wt_cleanup_free char *recorder_options = NULL;

	if (!absolute)
		return wt_error_errno(errno, "cannot read the trace", options->trace.path);
	if (asprintf(&recorder_options, "sync=none %s", info->policy) < 0) {
		recorder_options = NULL;
		return &wt_error_no_memory;
	}
	/* The replaying library reads this one first, so that a recorder can stand in front of it. */
	if (setenv("WAVETAPE_REPLAY", absolute, 1) || unsetenv("WAVETAPE_REPLAY_OPTIONS") ||
	    setenv("WAVETAPE_CONTROL", "off", 1) ||
	    (options->fixpoint && setenv("WAVETAPE_OPTIONS", recorder_options, 1)))
		return &wt_error_no_memory;
	return NULL;
}

static struct wt_error *verify_reader(struct options *options, struct wt_reader *reader,
				      struct results *results)
{
	struct wt_verify_result *result = &results->step;
	wt_cleanup_free char *library = NULL;
	struct wt_trace_info info;
	/* All of it will be read, so that all that is not whole can be told beforehand. */
	struct wt_error *error = wt_reader_check(reader);
	size_t told = 0;

	options->damaged = wt_reader_damage(reader) != NULL;
	wt_cli_damage(reader, options->trace.path, &told);
	options->cut = wt_cli_cut(reader, options->trace.path);
	wt_reader_info(reader, &info);
	if (error)
		return error;
	if (info.part.calls_before)
		return verify_read_part(options, reader, &info, result);
	if (wt_recorded_with(&info, "journal-only"))
		return verify_count_calls(options, &info, result);
	error = verify_check_fixpoint_makes_sense(options, &info);
	if (!error)
		error = verify_set_variables(options, &info);
	if (!error)
		error = wt_cli_library(WT_LIBRARY_REPLAY, &library);
	return error ? error : verify_drive_all(options, reader, library, results);
}

static struct wt_error *verify_run(struct options *options, struct results *results)
{
	struct wt_reader *reader = NULL;
	struct wt_error *error = wt_reader_open(options->trace.path, &reader);

	if (!error)
		error = verify_reader(options, reader, results);
	wt_reader_close(reader);
	return error;
}

int wt_command_verify(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{"fixpoint", 'x', NULL, 0,
		 "also record the replay, and compare that trace with this one", 0},
		{0},
	};
	static const struct wt_cli_verb verb = {
		.doc = "Make every recorded API call again, against the replaying library, and "
		       "compare every status, output byte and callback: once in step, where the "
		       "library follows the recorded calls, and once from the recorded state "
		       "alone, as for a client that asks something else. The exit code is 1 if "
		       "anything differs in step, and 3 if the state does not answer all as it "
		       "was recorded, or if not all could be compared: of a trace of which "
		       "something is lost, or whose recording ended early, what came before that.",
		.own = {.options = argp_options, .parser = verify_parse},
	};
	struct results results = {0};
	struct options options = {0};
	struct wt_error *error;
	int code;

	wt_cli_verb_parse(&verb, argc, argv, &options.trace, &options);
	error = verify_run(&options, &results);
	if (error) {
		code = wt_cli_fail(error);
	} else {
		code = results_exit_code(&results);
		if (!options.trace.json)
			verify_print_result(&options, &results);
		else if (verify_print_json(&options, &results))
			code = WT_EXIT_FAILED;
		if (code == WT_EXIT_FINE && (options.damaged || options.cut))
			code = WT_EXIT_PARTIAL;
	}
	wt_verify_deinit(&results.step);
	wt_verify_deinit(&results.state);
	wt_differences_deinit(&results.fixpoint);
	return code;
}
