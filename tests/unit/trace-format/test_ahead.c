/* SPDX-License-Identifier: MIT */
/* Registers that another thread encodes: the file is the same, and whatever fails, what is written is right. */
#include "fail-once.h"
#include "proof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "tests/unit/share.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/internal.h"
#include "trace-format/writer/writer.h"

#define WAVES 150u
#define REGISTER_BYTES 17000u
#define FEW_BYTES 4100u

/* The registers of a wave at a moment; a few are too short, too long, or those of another wave. */
static struct wt_bytes *make_registers(uint64_t wave, uint32_t moment)
{
	const size_t size = wave % 29 == 3 ? 700 : wave % 31 == 4 ? 600000 : REGISTER_BYTES;
	struct wt_bytes *bytes = wt_bytes_create(NULL, size);
	uint32_t seed = (uint32_t)wave * 977 + (wave % 3 ? 0 : moment);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++) {
		if (i % 256 == 0)
			seed = seed * 1664525u + 1013904223u;
		bytes->data[i] = (uint8_t)(seed >> 8 * (i % 4));
	}
	return bytes;
}

/* Waves from @first on. Each second moment some come, others go, and a third of those that stay have other registers. */
static struct wt_state *make_state(uint32_t moment)
{
	struct wt_state *state = wt_state_create();
	struct wt_bytes *shared = NULL;

	assert_non_null(state);
	for (uint64_t wave = 1 + moment * 40; wave <= WAVES + moment * 40; wave++) {
		struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave}};

		item.bytes = wave % 10 == 7 && shared ? wt_bytes_reference(shared)
						      : make_registers(wave, moment);
		sample_must(wt_state_set(state, &item));
		wt_bytes_release(shared);
		shared = item.bytes;
	}
	wt_bytes_release(shared);
	return state;
}

#define MOMENTS 3u

/* Return: how many moments the writer was told are written. */
static uint32_t record(const char *path, struct wt_state *const states[MOMENTS], unsigned int cores,
		       uint64_t *ahead_ret)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	uint32_t written = 0;
	struct wt_error *error;

	*ahead_ret = 0;
	options.reproducible = true;
	error = wt_writer_create(path, &options, &writer);
	if (error) {
		wt_error_destroy(error);
		return 0;
	}
	writer->tape->workers.cores = cores;
	for (; written < MOMENTS; written++) {
		struct wt_moment moment = {.cause = WT_MOMENT_STOP};

		error = wt_writer_moment(writer, &moment, states[written]);
		if (error)
			break;
	}
	*ahead_ret = writer->taken_ahead;
	wt_error_destroy(error);
	wt_error_destroy(wt_writer_close(writer, "detached"));
	return written;
}

static struct wt_state *states[MOMENTS];

static int prepare(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MOMENTS; i++)
		states[i] = make_state(i);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MOMENTS; i++)
		wt_state_destroy(states[i]);
	return 0;
}

/* What is there of a trace is right, and at least @written moments are. */
static void check(const char *path, uint32_t written)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);

	if (error && !written) {
		wt_error_destroy(error);
		return;
	}
	sample_must(error);
	assert_true(wt_reader_moment_count(reader) >= written);
	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++) {
		struct wt_state *found;

		sample_must(wt_reader_state(reader, i, &found));
		assert_int_equal(wt_state_count(found), wt_state_count(states[i]));
		for (size_t k = 0; k < wt_state_count(found); k++)
			assert_true(
				wt_item_equal(wt_state_at(found, k), wt_state_at(states[i], k)));
		wt_state_destroy(found);
	}
	wt_reader_close(reader);
}

static void the_file_is_the_same(void **state)
{
	const char *alone = sample_path("alone.wtape"), *ahead = sample_path("ahead.wtape");
	wt_cleanup_free uint8_t *expected = NULL, *found = NULL;
	size_t expected_size, found_size;
	uint64_t taken;

	(void)state;
	assert_int_equal(record(alone, states, 1, &taken), MOMENTS);
	assert_int_equal(taken, 0);
	assert_int_equal(record(ahead, states, 2, &taken), MOMENTS);
	/* Of the first moment nearly half; of the others only what is new in them. */
	assert_in_range(taken, WAVES / 3, WAVES);
	expected = sample_read(alone, &expected_size);
	found = sample_read(ahead, &found_size);
	assert_int_equal(found_size, expected_size);
	assert_memory_equal(found, expected, expected_size);
	check(ahead, MOMENTS);
}

/* Starting a thread would take longer than it saves. */
static void few_registers_are_not_worth_a_thread(void **state)
{
	struct wt_state *few = wt_state_create();
	struct wt_state *const all[MOMENTS] = {few, few, few};
	uint64_t taken;

	(void)state;
	assert_non_null(few);
	for (uint64_t wave = 1; wave <= WAVES; wave++) {
		struct wt_item item = {.key = {.type = WT_ITEM_REGISTERS, .owner = wave}};

		item.bytes = wt_bytes_create(NULL, FEW_BYTES);
		assert_non_null(item.bytes);
		memset(item.bytes->data, (int)wave, FEW_BYTES);
		sample_must(wt_state_set(few, &item));
		wt_bytes_release(item.bytes);
	}
	assert_int_equal(record(sample_path("few.wtape"), all, 2, &taken), MOMENTS);
	assert_int_equal(taken, 0);
	wt_state_destroy(few);
}

static void what_fails_leaves_what_is_right(void **state)
{
	const char *path = sample_path("ahead-fails.wtape");
	const uint64_t threads = fail_once_failed(FAIL_ONCE_THREAD);
	uint64_t at = 0, calls, taken, step, all;
	uint32_t written;

	(void)state;
	fail_once_arm(0, 0);
	record(path, states, 2, &taken);
	all = fail_once_disarm();
	step = proof_is_long() ? 1 : all / (test_share_is_small() ? 10 : 40);
	/* One after the other to the first thread, then the others in steps. */
	do {
		at += fail_once_failed(FAIL_ONCE_THREAD) > threads ? step : 1;
		unlink(path);
		fail_once_arm(at, EIO);
		written = record(path, states, 2, &taken);
		calls = fail_once_disarm();
		check(path, written);
	} while (calls >= at);
	assert_int_equal(written, MOMENTS);
	assert_true(fail_once_failed(FAIL_ONCE_THREAD) > threads);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_is_the_same),
		cmocka_unit_test(few_registers_are_not_worth_a_thread),
		cmocka_unit_test(what_fails_leaves_what_is_right),
	};

	return cmocka_run_group_tests_name("trace-format/ahead", tests, prepare, clean_up);
}
