/* SPDX-License-Identifier: MIT */
/* Everything that writing and reading ask for fails once, at its n'th call, for all n. */
#include "fail-once.h"
#include "proof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "tests/unit/share.h"
#include "trace-format/rewrite/rewrite.h"
#include "trace-format/rewrite/ring.h"

#define RING 4u
/* The short form tries the first calls one by one, and so many of the others. */
#define SHORT_FIRST 12u
#define SHORT_OTHERS 150u

static struct sample whole; /* what is written when nothing fails */
static uint64_t runs;
static unsigned int scenarios;

static struct sample make_sample(void)
{
	return (struct sample){
		.seed = 71, .moments = 20, .register_bytes = 5000, .one_stop_each = true};
}

static int prepare(void **state)
{
	(void)state;
	whole = make_sample();
	sample_write_file(&whole, sample_path("whole.wtape"));
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	sample_deinit(&whole);
	return 0;
}

/* The call that fails next: each in the long form. @calls: how many there are. */
static uint64_t next_call(uint64_t at, uint64_t calls)
{
	uint64_t step = calls / SHORT_OTHERS * (test_share_is_small() ? 3 : 1);

	return at < SHORT_FIRST || proof_is_long() || !step ? at + 1 : at + step;
}

/* What the recorded program was told before the call that failed. */
struct told {
	uint32_t stops;
	uint64_t begins;
	uint64_t deferred;	 /* chunks that another thread compressed */
	uint64_t later_deferred; /* those of them in files that a ring went on in */
};

/* The number of the last call in a trace. */
static uint64_t last_call(struct wt_reader *reader)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	uint64_t last = 0;

	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		if (record->kind == WT_JOURNAL_BEGIN)
			last = record->begin.number;
	}
	wt_journal_close(journal);
	return last;
}

static void check_written(const char *path, const struct told *told, uint32_t ring, uint64_t at)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	struct wt_trace_info info;
	uint32_t given;

	if (error) {
		if (told->stops || told->begins)
			fail_msg("call %llu failed: %s", (unsigned long long)at, error->why);
		wt_error_destroy(error);
		return;
	}
	wt_reader_info(reader, &info);
	whole.first = (uint32_t)info.part.stops_before;
	given = sample_compare(&whole, reader, SAMPLE_SHORTER);
	if (whole.first + given < told->stops || (!ring && whole.first) ||
	    (ring && given < ring && whole.first))
		fail_msg("call %llu failed: a finished stop is lost", (unsigned long long)at);
	if (last_call(reader) < told->begins)
		fail_msg("call %llu failed: an intent is lost", (unsigned long long)at);
	whole.first = 0;
	wt_reader_close(reader);
	if (!sample_is_zstd(path) && told->stops)
		fail_msg("call %llu failed: no legal zstd file", (unsigned long long)at);
}

/* How a trace is written. */
struct way {
	uint32_t ring;
	bool no_mapping;
	bool deferred;	    /* another thread compresses most chunks */
	bool stops;	    /* ... those of stops, which nobody syncs, and no others */
	unsigned int cores; /* so many threads compress those of a stop */
	int file_errnum;
};

static struct told record(const char *path, const struct way *way)
{
	struct wt_writer_options options = sample_options();
	struct sample sample = make_sample();
	struct wt_writer *writer;
	struct told told = {0};
	struct wt_error *error;

	if (way->deferred) {
		sample.chunk_target = way->stops ? 0 : 3000;
		sample.defer_min = way->stops;
		sample.lag = 2;
		sample.cores = way->cores;
	}
	options.sync_every = !way->stops;
	options.ring_stops = way->ring;
	options.turn_ring = wt_ring_turn;
	options.no_mapping = way->no_mapping;
	error = wt_writer_create(path, &options, &writer);
	if (!error) {
		wt_error_destroy(sample_record(&sample, writer));
		wt_error_destroy(wt_writer_close(writer, "detached"));
	}
	wt_error_destroy(error);
	told.deferred = way->cores ? sample.pooled : sample.deferred;
	told.later_deferred = sample.later_deferred;
	told.stops = sample.stops;
	told.begins = sample.begins;
	sample_deinit(&sample);
	return told;
}

/*
 * Of a run in which nothing failed. How fast the thread is makes no difference: its chunks are settled at the lag of the sample, in the
 * files that a ring goes on in, too. Only a few stops fill several chunks, and the last stop is compressed when the trace is closed.
 */
static void check_deferred(const struct way *way, const struct told *told)
{
	if (!way->deferred) {
		assert_int_equal(told->deferred, 0);
		return;
	}
	assert_true(told->deferred >= (way->cores ? 3 : whole.moments - 1));
	assert_true(!way->ring || told->later_deferred > RING);
}

static void write_with(const struct way *way)
{
	const char *path = sample_path("once.wtape");
	uint64_t at = 0, calls, all;
	struct told told, first;

	fail_once_arm(0, 0);
	first = record(path, way);
	all = fail_once_disarm();
	assert_true(all > 300);
	scenarios++;
	do {
		char beside[160];

		at = next_call(at, all);
		unlink(path);
		fail_once_arm(at, way->file_errnum);
		told = record(path, way);
		calls = fail_once_disarm();
		check_written(path, &told, way->ring, at);
		snprintf(beside, sizeof(beside), "%s.ring", path);
		if (!access(beside, F_OK))
			fail_msg("call %llu failed: %s is left", (unsigned long long)at, beside);
		runs++;
	} while (calls >= at);
	/* A run without a failure ends it. */
	assert_int_equal(told.stops, whole.moments);
	check_deferred(way, &told);
	assert_int_equal(told.deferred, first.deferred);
	assert_int_equal(told.later_deferred, first.later_deferred);
}

static void writing_through_a_mapping(void **state)
{
	(void)state;
	write_with(&(struct way){.file_errnum = EIO});
}

static void writing_with_system_calls(void **state)
{
	(void)state;
	write_with(&(struct way){.no_mapping = true, .file_errnum = ENOSPC});
}

static void writing_a_ring(void **state)
{
	(void)state;
	write_with(&(struct way){.ring = RING, .file_errnum = EIO});
}

static void writing_with_another_thread(void **state)
{
	(void)state;
	write_with(&(struct way){.deferred = true, .file_errnum = EIO});
}

static void writing_with_a_thread_for_stops(void **state)
{
	(void)state;
	write_with(&(struct way){.deferred = true, .stops = true, .file_errnum = EIO});
}

/* A thread, memory for it, or its compression: the others go on, and this one does what is missing. */
static void writing_with_several_threads(void **state)
{
	(void)state;
	write_with(&(struct way){.deferred = true, .cores = 3, .file_errnum = ENOSPC});
}

static void writing_a_ring_with_another_thread(void **state)
{
	(void)state;
	write_with(&(struct way){.deferred = true, .ring = RING, .file_errnum = ENOSPC});
}

static bool is_fault(const struct wt_error *error)
{
	return error->code == WT_ERROR_MEMORY || error->code == WT_ERROR_IO;
}

/* An answer for want of memory is no answer; any other must be right. */
static bool ask_states(struct wt_reader *reader)
{
	bool all = true;

	for (uint32_t i = 0; i < wt_reader_moment_count(reader); i++) {
		struct wt_state *state;
		struct wt_error *error;

		fail_once_start();
		error = wt_reader_state(reader, i, &state);
		fail_once_stop();
		if (error) {
			if (!is_fault(error))
				fail_msg("moment %u: %s", i, error->why);
			wt_error_destroy(error);
			all = false;
			continue;
		}
		sample_compare_state(&whole, i, state, false);
		wt_state_destroy(state);
	}
	return all;
}

static bool ask_journal(struct wt_reader *reader)
{
	const struct wt_journal_record *record = NULL;
	struct wt_journal *journal = NULL;
	struct wt_error *error;
	uint64_t last = 0;

	fail_once_start();
	error = wt_journal_open(reader, &journal);
	while (!error) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		if (record->kind == WT_JOURNAL_BEGIN)
			assert_int_equal(record->begin.number, ++last);
		if (record->kind == WT_JOURNAL_NOTICE)
			fail_msg("the journal says: %s", record->notice);
	}
	if (journal)
		wt_journal_close(journal);
	fail_once_stop();
	if (!error) {
		assert_int_equal(last, whole.begins);
		return true;
	}
	if (!is_fault(error))
		fail_msg("the journal: %s", error->why);
	wt_error_destroy(error);
	return false;
}

static bool ask_check(struct wt_reader *reader)
{
	struct wt_check check;
	struct wt_error *error;

	fail_once_start();
	error = wt_reader_examine(reader, NULL, &check);
	fail_once_stop();
	if (error) {
		if (!is_fault(error))
			fail_msg("check: %s", error->why);
		wt_error_destroy(error);
		return false;
	}
	assert_true(check.whole);
	return true;
}

/* Read a trace; false if something could not be had. What failed once works when asked again. */
static bool read_with(const char *path, bool closed)
{
	struct wt_reader *reader = NULL;
	struct wt_error *error;
	bool all;

	fail_once_start();
	error = wt_reader_open(path, &reader);
	fail_once_stop();
	if (error) {
		if (!is_fault(error))
			fail_msg("it does not open: %s", error->why);
		wt_error_destroy(error);
		return false;
	}
	assert_int_equal(wt_reader_moment_count(reader), whole.moments);
	all = ask_states(reader);
	if (closed) {
		all &= ask_journal(reader);
		all &= ask_check(reader);
	}
	fail_once_disarm();
	assert_true(ask_states(reader));
	if (closed) {
		assert_true(ask_journal(reader));
		assert_true(ask_check(reader));
		assert_null(wt_reader_damage(reader));
	}
	wt_reader_close(reader);
	return all;
}

static void read_for_all_n(const char *path, bool closed)
{
	uint64_t at = 0, calls, all;

	fail_once_arm(0, 0);
	fail_once_start();
	read_with(path, closed);
	fail_once_stop();
	all = fail_once_disarm();
	scenarios++;
	do {
		bool fine;

		at = next_call(at, all);
		fail_once_arm(at, EIO);
		fine = read_with(path, closed);
		calls = fail_once_disarm();
		if (at > calls)
			assert_true(fine);
		runs++;
	} while (calls >= at);
	assert_true(all > 100);
}

static void reading(void **state)
{
	(void)state;
	read_for_all_n(sample_path("whole.wtape"), true);
}

static void reading_what_was_killed(void **state)
{
	struct wt_writer_options options = sample_options();
	struct sample sample = make_sample();
	const char *path = sample_path("killed.wtape");
	struct wt_writer *writer;

	(void)state;
	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(&sample, writer));
	wt_writer_abandon(writer);
	read_for_all_n(path, false);
	sample_deinit(&sample);
}

typedef struct wt_error *rewrite_function(struct wt_reader *reader, const char *path);

static struct wt_error *do_repack(struct wt_reader *reader, const char *path)
{
	struct wt_rewrite_options options = {.size = sizeof(options), .compression = 1};
	struct wt_rewrite result;

	return wt_trace_repack(reader, path, &options, &result);
}

static struct wt_error *do_recover(struct wt_reader *reader, const char *path)
{
	struct wt_rewrite result;

	return wt_trace_recover(reader, path, NULL, &result);
}

static struct wt_error *do_trim(struct wt_reader *reader, const char *path)
{
	struct wt_rewrite_options options = {.size = sizeof(options), .compression = 1};
	struct wt_rewrite result;

	return wt_trace_trim(reader, 9, whole.moments, path, &options, &result);
}

/* A whole new file, or none and what was there before. */
static bool rewrite_once(rewrite_function *rewrite, const char *source, const char *target,
			 uint32_t first)
{
	struct wt_reader *reader;
	struct wt_error *error;

	fail_once_start();
	error = wt_reader_open(source, &reader);
	if (!error) {
		error = rewrite(reader, target);
		wt_reader_close(reader);
	}
	fail_once_stop();
	fail_once_disarm();
	if (error) {
		if (!is_fault(error) && error->code != WT_ERROR_INTERNAL)
			fail_msg("%s: %s", error->what, error->why);
		wt_error_destroy(error);
		assert_int_equal(access(target, F_OK), -1);
		return false;
	}
	sample_must(wt_reader_open(target, &reader));
	whole.first = first;
	assert_int_equal(sample_compare(&whole, reader, SAMPLE_WHOLE), whole.moments - first);
	whole.first = 0;
	wt_reader_close(reader);
	return true;
}

static void rewrite_for_all_n(rewrite_function *rewrite, const char *name, uint32_t first)
{
	uint64_t at = 0, calls, all;
	char source[128], target[128];

	strcpy(source, sample_path(name));
	strcpy(target, sample_path("rewritten.wtape"));
	unlink(target);
	fail_once_arm(0, 0);
	rewrite_once(rewrite, source, target, first);
	all = fail_once_disarm();
	assert_true(all > 100);
	scenarios++;
	do {
		bool fine;

		at = next_call(at, all);
		unlink(target);
		fail_once_arm(at, EIO);
		fine = rewrite_once(rewrite, source, target, first);
		calls = fail_once_disarm();
		if (at > calls)
			assert_true(fine);
		runs++;
	} while (calls >= at);
}

static void rewriting(void **state)
{
	(void)state;
	rewrite_for_all_n(do_repack, "whole.wtape", 0);
	rewrite_for_all_n(do_trim, "whole.wtape", 8);
	rewrite_for_all_n(do_recover, "killed.wtape", 0);
}

/* Its number is 0, which is no name: the trace ends before anything refers to it. */
static void a_name_without_memory(void **state)
{
	const char *path = sample_path("name.wtape");
	struct wt_writer_options options = {.size = sizeof(options), .recorder = "test"};
	struct wt_call_begin begin = {.number = 1, .thread = 1};
	struct wt_trace_info info;
	struct wt_writer *writer;
	struct wt_reader *reader;
	struct wt_error *error;

	(void)state;
	assert_null(wt_writer_create(path, &options, &writer));
	begin.function = wt_writer_name(writer, "first");
	assert_null(wt_writer_call_begin(writer, &begin));
	fail_once_arm(1, 0);
	begin.function = wt_writer_name(writer, "second");
	assert_int_equal(fail_once_disarm(), 1);
	assert_int_equal(begin.function, 0);
	begin.number = 2;
	error = wt_writer_call_begin(writer, &begin);
	assert_ptr_equal(error, &wt_error_no_memory);
	assert_true(wt_writer_has_ended(writer));
	wt_writer_abandon(writer);
	assert_null(wt_reader_open(path, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_int_equal(info.calls, 1);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writing_through_a_mapping),
		cmocka_unit_test(writing_with_system_calls),
		cmocka_unit_test(writing_a_ring),
		cmocka_unit_test(writing_with_another_thread),
		cmocka_unit_test(writing_with_a_thread_for_stops),
		cmocka_unit_test(writing_with_several_threads),
		cmocka_unit_test(writing_a_ring_with_another_thread),
		cmocka_unit_test(reading),
		cmocka_unit_test(reading_what_was_killed),
		cmocka_unit_test(rewriting),
		cmocka_unit_test(a_name_without_memory),
	};
	int bad = cmocka_run_group_tests(tests, prepare, clean_up);

	if (!bad)
		proof_say("one call fails: %llu runs of %u scenarios; %llu allocations, %llu calls "
			  "of "
			  "files, %llu of compression, %llu of threads failed, every promise held",
			  (unsigned long long)runs, scenarios,
			  (unsigned long long)fail_once_failed(FAIL_ONCE_MEMORY),
			  (unsigned long long)fail_once_failed(FAIL_ONCE_FILE),
			  (unsigned long long)fail_once_failed(FAIL_ONCE_COMPRESSION),
			  (unsigned long long)fail_once_failed(FAIL_ONCE_THREAD));
	return bad;
}
