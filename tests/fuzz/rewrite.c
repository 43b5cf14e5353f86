/* SPDX-License-Identifier: MIT */
/* Any bytes as the packets of a trace that is recovered: what comes out is whole. */
#include "fuzz.h"
#include "mutate.h"
#include "trace-format/rewrite.h"

/* Recovered once, nothing is lost any more. */
static void check_output(const struct wt_rewrite *rewrite)
{
	struct wt_reader *reader;
	struct wt_check check;
	struct wt_error *error = wt_reader_open(fuzz_place("out.wtape"), &reader);

	FUZZ_CHECK(!error && !wt_reader_damage(reader));
	fuzz_reached += rewrite->moments > 0;
	error = wt_reader_examine(reader, NULL, &check);
	FUZZ_CHECK(!error && check.complete && check.whole);
	FUZZ_CHECK(check.moments.count == rewrite->moments && check.calls.count == rewrite->calls);
	wt_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct wt_rewrite_options options = {.size = sizeof(options), .compression = 1};
	struct wt_rewrite rewrite;
	struct wt_reader *reader;
	struct wt_error *error;

	error = fuzz_open(fuzz_stage(data, size), &reader);
	if (error) {
		wt_error_destroy(error);
		return 0;
	}
	error = wt_trace_recover(reader, fuzz_place("out.wtape"), &options, &rewrite);
	if (!error)
		check_output(&rewrite);
	wt_error_destroy(error);
	wt_reader_close(reader);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	uint64_t state = seed;

	return mutate_packets(data, size, max_size, &state);
}
