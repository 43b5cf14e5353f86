/* SPDX-License-Identifier: MIT */
/* Traces of every kind, cut at every byte: what is left is exactly what the format promises. */
#include "proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/rewrite/rewrite.h"
#include "trace-format/rewrite/ring.h"

static struct proof_promise promise;

static bool is_idle(uint64_t length)
{
	for (size_t i = 0; i < promise.idle_count; i++)
		if (length > promise.idle[i].start && length < promise.idle[i].end)
			return true;
	return false;
}

static void expect_refusal(const char *path, uint64_t length)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	char why[96];

	snprintf(why, sizeof(why), "it is not a wavetape trace: it has only %llu %s",
		 (unsigned long long)length, length == 1 ? "byte" : "bytes");
	if (!length)
		snprintf(why, sizeof(why), "it is not a wavetape trace: it is empty");
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_INPUT);
	assert_string_equal(error->why, why);
	wt_error_destroy(error);
}

/* @compare: look at every state too, not only at how many there are. */
static void check_cut(const struct sample *sample, const char *path, uint64_t length, bool compare)
{
	struct proof_unit wanted = proof_promise_at(&promise, length);
	struct proof_found found;

	assert_int_equal(truncate(path, (off_t)length), 0);
	proof_add(PROOF_TRIED, 1);
	if (length < WT_BLOCK_SIZE) {
		expect_refusal(path, length);
		return;
	}
	found = proof_look(sample, path, compare, SAMPLE_CUT);
	if (!found.opened || !found.noted)
		fail_msg("cut at %llu: not told", (unsigned long long)length);
	if (found.moments != wanted.moments)
		fail_msg("cut at %llu: %u moments, not %u", (unsigned long long)length,
			 found.moments, wanted.moments);
	if (compare && (found.given != wanted.moments || found.begins != wanted.calls))
		fail_msg("cut at %llu: %u states and %llu calls, not %u and %llu",
			 (unsigned long long)length, found.given, (unsigned long long)found.begins,
			 wanted.moments, (unsigned long long)wanted.calls);
}

/* From the longest on. @step: between the cuts of the short form. */
static void cut(const struct sample *sample, const char *path, uint64_t step)
{
	uint32_t last = UINT32_MAX;
	uint64_t sparse = proof_is_long() ? 64 : 8192;
	size_t size;
	uint8_t *data = sample_read(path, &size);

	proof_promise_read(data, size, &promise);
	free(data);
	assert_int_equal(proof_promise_at(&promise, size).moments, sample->moments - sample->first);
	step = proof_is_long() ? 1 : step;
	proof_add(PROOF_TRACES, proof_is_first());
	for (uint64_t length = size; length--;) {
		uint32_t moments = proof_promise_at(&promise, length).moments;
		bool changed = moments != last;

		if (!changed && length % (is_idle(length) ? sparse : step) &&
		    length > WT_BLOCK_SIZE)
			continue;
		last = moments;
		if (proof_is_mine())
			check_cut(sample, path, length, changed || length % (64 * step) == 0);
	}
}

static void record(struct sample *sample, const char *path, uint32_t ring, bool close)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	options.ring_stops = ring;
	options.turn_ring = wt_ring_turn;
	unlink(path);
	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(sample, writer));
	if (close) {
		sample_must(wt_writer_close(writer, "detached"));
		return;
	}
	sample_must(wt_tape_flush(writer->tape));
	wt_writer_abandon(writer);
}

static void find_first(struct sample *sample, const char *path)
{
	struct wt_trace_info info;
	struct wt_reader *reader;

	sample_must(wt_reader_open(path, &reader));
	wt_reader_info(reader, &info);
	sample->first = (uint32_t)info.part.stops_before;
	wt_reader_close(reader);
}

static void a_closed_trace(void **state)
{
	struct sample sample = {
		.seed = 21, .moments = 24, .register_bytes = 100, .no_blocks_of_noise = true};
	const char *path = sample_path("cut.wtape");

	(void)state;
	record(&sample, path, 0, true);
	cut(&sample, path, 1);
	sample_deinit(&sample);
}

static void a_killed_recording(void **state)
{
	struct sample sample = {
		.seed = 22, .moments = 12, .register_bytes = 100, .no_blocks_of_noise = true};
	const char *path = sample_path("killed.wtape");

	(void)state;
	record(&sample, path, 0, false);
	cut(&sample, path, 1);
	sample_deinit(&sample);
}

/* The last stop is still on its way. */
static void one_with_a_stop_on_its_way(void **state)
{
	struct sample sample = {.seed = 26,
				.moments = 12,
				.register_bytes = 100,
				.one_stop_each = true,
				.no_blocks_of_noise = true,
				.defer_min = 1,
				.lag = 1000};
	const char *path = sample_path("way.wtape");

	(void)state;
	record(&sample, path, 0, false);
	assert_int_equal(sample.deferred, sample.moments - 1);
	cut(&sample, path, 7);
	sample_deinit(&sample);
}

/* With indexes in the stream, closed and killed. */
static void long_ones(void **state)
{
	for (unsigned int closed = 0; closed < 2; closed++) {
		struct sample sample = {.seed = 23,
					.moments = 150,
					.register_bytes = 50,
					.one_stop_each = true,
					.no_blocks_of_noise = true};
		const char *path = sample_path("long.wtape");

		(void)state;
		record(&sample, path, 0, closed);
		cut(&sample, path, test_share_is_small() ? 797 : 199);
		sample_deinit(&sample);
	}
}

static void a_ring(void **state)
{
	for (unsigned int closed = 0; closed < 2; closed++) {
		struct sample sample = {.seed = 24,
					.moments = 47,
					.register_bytes = 60,
					.one_stop_each = true,
					.no_blocks_of_noise = true};
		const char *path = sample_path("ring.wtape");

		(void)state;
		record(&sample, path, 6, closed);
		find_first(&sample, path);
		assert_true(sample.first > 30);
		cut(&sample, path, closed ? 3 : 7);
		sample_deinit(&sample);
	}
}

static void parts_and_packed_ones(void **state)
{
	struct sample sample = {.seed = 25,
				.moments = 30,
				.register_bytes = 60,
				.one_stop_each = true,
				.no_blocks_of_noise = true};
	char source[128];
	const char *path;
	struct wt_rewrite result;
	struct wt_reader *reader;

	(void)state;
	strcpy(source, sample_path("source.wtape"));
	path = sample_path("part.wtape");
	record(&sample, source, 0, true);
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_trace_trim(reader, 12, 30, path, NULL, &result));
	find_first(&sample, path);
	assert_int_equal(sample.first, 11);
	cut(&sample, path, 1);
	sample.first = 0;
	sample_must(wt_trace_repack(reader, path, NULL, &result));
	cut(&sample, path, 3);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static int run(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_closed_trace),
		cmocka_unit_test(a_killed_recording),
		cmocka_unit_test(one_with_a_stop_on_its_way),
		cmocka_unit_test(long_ones),
		cmocka_unit_test(a_ring),
		cmocka_unit_test(parts_and_packed_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
	int failed = proof_run(run);

	if (!failed)
		proof_say("cut at every byte: %llu cuts of %llu traces%s, every promise held",
			  (unsigned long long)proof_total(PROOF_TRIED),
			  (unsigned long long)proof_total(PROOF_TRACES),
			  proof_is_long() ? "" : " (some of them at every third byte or fewer)");
	return failed;
}
