/* SPDX-License-Identifier: MIT */
/*
 * verify and the comparison of traces without the command around them.
 *
 * Usage: trace-tool verify TRACE LIBRARY        in step
 *        trace-tool verify-all TRACE LIBRARY N  in every way; the client turns away N times, after other calls;
 *                                               for both WAVETAPE_TRACE or WAVETAPE_REPLAY name the trace for
 *                                               the library
 *        trace-tool compare TRACE TRACE
 * Exit code 0: no difference; 1: some, which are printed; 2: it could not be told.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replayer/verify/verify.h"

static int failed(struct wt_error *error)
{
	fprintf(stderr, "%s: %s: %s\n", error->what, error->where, error->why);
	wt_error_destroy(error);
	return 2;
}

static int report(const struct wt_differences *differences)
{
	for (size_t i = 0; i < differences->first_count; i++) {
		const struct wt_difference *difference = &differences->first[i];

		printf("call %" PRIu64 " %s: %s: recorded %s, replayed %s\n", difference->call,
		       difference->function, difference->what, difference->recorded,
		       difference->replayed);
	}
	printf("%" PRIu64 " differences\n", differences->count);
	return differences->count != 0;
}

/* One way to make the calls again. */
static int verify(const char *trace, const char *library, const struct wt_verify_options *how)
{
	struct wt_verify_result result = {0};
	struct wt_reader *reader = NULL;
	struct wt_api api;
	struct wt_error *error = wt_reader_open(trace, &reader);
	int code;

	if (how->from_state)
		setenv("WAVETAPE_REPLAY_OPTIONS", "from-state", 1);
	if (!error)
		error = wt_api_load(library, &api);
	if (!error)
		error = wt_verify_run(reader, &api, how, &result);
	wt_reader_close(reader);
	if (error)
		return failed(error);
	printf("%s, turned away after %" PRIu64 ": %" PRIu64 " calls, %" PRIu64
	       " callbacks, %" PRIu64 " bytes, %" PRIu64 " not driven, %s\n",
	       how->from_state ? "from state" : "in step", how->turn_at, result.calls,
	       result.callbacks, result.bytes, result.not_driven,
	       result.unfinished ? "unfinished" : "finished");
	code = report(&result.differences) || result.not_driven || result.unfinished;
	wt_verify_deinit(&result);
	return code;
}

/* Each way needs a library that nobody has used. */
static int verify_apart(const char *trace, const char *library, const struct wt_verify_options *how)
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	if (child < 0)
		return 2;
	if (!child)
		exit(verify(trace, library, how));
	if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
		return 2;
	return WEXITSTATUS(status);
}

static uint64_t count_calls(const char *trace)
{
	struct wt_trace_info info = {0};
	struct wt_reader *reader = NULL;
	struct wt_error *error = wt_reader_open(trace, &reader);

	if (error)
		return (uint64_t)failed(error);
	wt_reader_info(reader, &info);
	wt_reader_close(reader);
	return info.calls;
}

/* From state alone, and in step until the client turns away, here and there. */
static int verify_all(const char *trace, const char *library, uint64_t turns)
{
	struct wt_verify_options how = {.size = sizeof(how), .from_state = true};
	uint64_t calls = count_calls(trace), step = calls / turns + 1;
	int code = verify_apart(trace, library, &how);

	how.from_state = false;
	for (how.turn_at = 0; !code && how.turn_at < calls; how.turn_at += step)
		code = verify_apart(trace, library, &how);
	return code;
}

static int compare(const char *a, const char *b)
{
	struct wt_differences differences = {0};
	struct wt_reader *left = NULL, *right = NULL;
	struct wt_error *error = wt_reader_open(a, &left);
	int code;

	if (!error)
		error = wt_reader_open(b, &right);
	if (!error)
		error = wt_trace_compare(left, right, &differences);
	wt_reader_close(left);
	wt_reader_close(right);
	if (error)
		return failed(error);
	code = report(&differences);
	wt_differences_deinit(&differences);
	return code;
}

int main(int argc, char **argv)
{
	const struct wt_verify_options in_step = {.size = sizeof(in_step)};

	if (argc == 4 && !strcmp(argv[1], "verify"))
		return verify(argv[2], argv[3], &in_step);
	if (argc == 5 && !strcmp(argv[1], "verify-all") && strtoul(argv[4], NULL, 10))
		return verify_all(argv[2], argv[3], strtoul(argv[4], NULL, 10));
	if (argc == 4 && !strcmp(argv[1], "compare"))
		return compare(argv[2], argv[3]);
	fprintf(stderr, "usage: trace-tool verify TRACE LIBRARY | verify-all TRACE LIBRARY N | "
			"compare TRACE TRACE\n");
	return 2;
}
