/* SPDX-License-Identifier: MIT */
/* Any bytes as the packets of a trace that is recovered: what comes out is whole. */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "trace-format/rewrite.h"

static const char *output(void)
{
	static char directory[] = "/tmp/wavetape-fuzz-XXXXXX", path[64];

	if (!path[0]) {
		FUZZ_CHECK(mkdtemp(directory));
		snprintf(path, sizeof(path), "%s/out.wtape", directory);
	}
	return path;
}

static void leave_nothing(void)
{
	char directory[64];

	unlink(output());
	snprintf(directory, sizeof(directory), "%s", output());
	*strrchr(directory, '/') = '\0';
	rmdir(directory);
}

/* Recovered once, nothing is lost any more. */
static void check_output(const struct wt_rewrite *rewrite)
{
	struct wt_reader *reader;
	struct wt_check check;
	struct wt_error *error = wt_reader_open(output(), &reader);

	FUZZ_CHECK(!error && !wt_reader_damage(reader));
	error = wt_reader_examine(reader, NULL, &check);
	FUZZ_CHECK(!error && check.complete && check.whole);
	FUZZ_CHECK(check.moments.count == rewrite->moments && check.calls.count == rewrite->calls);
	wt_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct wt_rewrite_options options = {.size = sizeof(options), .compression = 1};
	static bool registered;
	struct wt_rewrite rewrite;
	struct wt_reader *reader;
	struct wt_error *error;

	if (!registered)
		atexit(leave_nothing);
	registered = true;
	error = wt_reader_open(fuzz_stage(data, size), &reader);
	if (error) {
		wt_error_destroy(error);
		return 0;
	}
	error = wt_trace_recover(reader, output(), &options, &rewrite);
	if (!error)
		check_output(&rewrite);
	wt_error_destroy(error);
	wt_reader_close(reader);
	return 0;
}
