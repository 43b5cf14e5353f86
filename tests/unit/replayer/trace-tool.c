/* SPDX-License-Identifier: MIT */
/*
 * verify and the comparison of traces without the command around them.
 *
 * Usage: trace-tool verify TRACE LIBRARY    (WAVETAPE_TRACE or WAVETAPE_REPLAY name the trace for
 * the library)
 *        trace-tool compare TRACE TRACE
 * Exit code 0: no difference; 1: some, which are printed; 2: it could not be told.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static int verify(const char *trace, const char *library)
{
	struct wt_verify_result result = {0};
	struct wt_reader *reader = NULL;
	struct wt_api api;
	struct wt_error *error = wt_reader_open(trace, &reader);
	int code;

	if (!error)
		error = wt_api_load(library, &api);
	if (!error)
		error = wt_verify_run(reader, &api, NULL, &result);
	wt_reader_close(reader);
	if (error)
		return failed(error);
	printf("%" PRIu64 " calls, %" PRIu64 " callbacks, %" PRIu64 " bytes, %" PRIu64
	       " not driven, %s\n",
	       result.calls, result.callbacks, result.bytes, result.not_driven,
	       result.unfinished ? "unfinished" : "finished");
	code = report(&result.differences) || result.not_driven || result.unfinished;
	wt_verify_deinit(&result);
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
	if (argc == 4 && !strcmp(argv[1], "verify"))
		return verify(argv[2], argv[3]);
	if (argc == 4 && !strcmp(argv[1], "compare"))
		return compare(argv[2], argv[3]);
	fprintf(stderr, "usage: trace-tool verify TRACE LIBRARY | compare TRACE TRACE\n");
	return 2;
}
