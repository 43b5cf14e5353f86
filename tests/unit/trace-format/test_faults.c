/* SPDX-License-Identifier: MIT */
/* The system calls of the writer fail, or the world ends between two of them. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "proof.h"
#include "world.h"

/* For all n: the process is killed before its n-th system call, or in the middle of it. */
static void kill_at_every_call(const struct sample *kind)
{
	struct sample whole = *kind, sample = *kind;
	const char *path = sample_path("every.wtape");

	sample_write_file(&whole, path);
	for (unsigned int torn = 0; torn < 2; torn++) {
		struct world world = {.fault = torn ? FAULT_TORN : FAULT_KILL, .at = 1};
		uint64_t count = 0;

		do {
			struct outcome outcome;

			unlink(path);
			outcome = world_record(&sample, path, &world);
			world_check(&whole, path, &outcome, false, world.at);
			count++;
			world = (struct world){.fault = world.fault,
					       .at = world.at + (1 + count / 60) * test_share(),
					       .dead = false,
					       .calls = world.calls};
			if (world.at > world.calls)
				break;
			world.calls = 0;
		} while (true);
		assert_true(count > 50 / test_share());
	}
	sample_deinit(&whole);
	sample_deinit(&sample);
}

/* A longer file is one again when three heads were written: of the second slot, the stage, and the gap. */
#define CALLS_TO_GROW 3u

/*
 * A file that was killed between two calls is a legal zstd file, but while it is being made longer.
 */
static void look_for_zstd(const struct sample *kind)
{
	struct sample whole = *kind, sample = *kind;
	const char *path = sample_path("legal.wtape");
	struct world world = {.fault = FAULT_KILL, .at = 5};

	sample_write_file(&whole, path);
	/* The first four calls make the file: length, stage, gap, head. */
	for (; !world.calls || world.at <= world.calls; world.at += test_share_is_small() ? 4 : 1) {
		struct outcome outcome;

		unlink(path);
		world.calls = world.grown = 0;
		world.dead = false;
		outcome = world_record(&sample, path, &world);
		world_check(&whole, path, &outcome,
			    world.calls < world.at || world.at - world.grown > CALLS_TO_GROW,
			    world.at);
	}
	assert_true(world.at > 30);
	sample_deinit(&whole);
	sample_deinit(&sample);
}

/* For all n: the n-th call fails, once or with all that follow. */
static void fail_every_call(const struct sample *kind)
{
	static const int errnums[] = {EIO, ENOSPC};
	struct sample whole = *kind, sample = *kind;
	const char *path = sample_path("fails.wtape");

	sample_write_file(&whole, path);
	for (unsigned int variant = 0; variant < 4; variant++) {
		struct world world = {
			.errnum = errnums[variant / 2], .lasting = variant % 2, .at = 1};
		bool failed = true;

		if (!proof_is_mine())
			continue;
		for (; failed; world.at++) {
			struct outcome outcome;

			unlink(path);
			world.calls = 0;
			outcome = world_record(&sample, path, &world);
			failed = world.calls >= world.at;
			/* Space that cannot be had generously may still be had exactly. */
			if (failed && !outcome.failed)
				assert_int_equal(world.errnum, ENOSPC);
			world_check(&whole, path, &outcome, false, world.at);
		}
		assert_true(world.at > 30);
	}
	sample_deinit(&whole);
	sample_deinit(&sample);
}

static void killed_at_every_call(void **state)
{
	const struct sample kind = {.seed = 50, .moments = 40, .register_bytes = 60000};

	(void)state;
	kill_at_every_call(&kind);
}

static void a_killed_file_is_zstd(void **state)
{
	const struct sample kind = {.seed = 51, .moments = 10, .register_bytes = 3000};

	(void)state;
	look_for_zstd(&kind);
}

static void every_call_fails(void **state)
{
	const struct sample kind = {.seed = 52, .moments = 12, .register_bytes = 20000};

	(void)state;
	fail_every_call(&kind);
}

/* Write the sample with threads and without: the bytes of both traces are the same. */
static void compare_with_no_thread(struct sample *with)
{
	struct sample without = *with;
	uint8_t *first, *second;
	size_t first_size, second_size;

	without.no_thread = true;
	sample_write_file(with, sample_path("with.wtape"));
	sample_write_file(&without, sample_path("without.wtape"));
	assert_int_equal(without.deferred + without.pooled, 0);
	first = sample_read(sample_path("with.wtape"), &first_size);
	second = sample_read(sample_path("without.wtape"), &second_size);
	assert_int_equal(first_size, second_size);
	assert_memory_equal(first, second, first_size);
	free(first);
	free(second);
	sample_deinit(&without);
}

/* A closed trace does not tell who compressed its chunks, nor when they came. */
static void the_same_trace_either_way(void **state)
{
	static const unsigned int lags[] = {1, 5, 1000};

	(void)state;
	for (size_t i = 0; i < sizeof(lags) / sizeof(lags[0]); i++) {
		struct sample with = {.seed = 60 + i,
				      .moments = 150,
				      .register_bytes = 3000,
				      .keyframes_as_they_pay = true,
				      .chunk_target = 2000,
				      .lag = lags[i]};

		compare_with_no_thread(&with);
		assert_true(with.deferred > 10);
		sample_deinit(&with);
	}
}

/* A few stops of several chunks each. */
static struct sample large_stops(unsigned int cores)
{
	return (struct sample){.seed = 64,
			       .moments = test_share_is_small() ? 4 : 6,
			       .register_bytes = 3000000,
			       .changes = 3,
			       .cores = cores};
}

/* Nor how many threads compressed the chunks of a stop: small ones, of which there are more than an index has, or usual ones. */
static void the_same_trace_with_any_number_of_threads(void **state)
{
	(void)state;
	for (unsigned int cores = test_share_is_small() ? WT_POOL_MAX : 2; cores <= WT_POOL_MAX;
	     cores += 2) {
		struct sample small = {.seed = 63,
				       .moments = 60,
				       .register_bytes = 3000,
				       .changes = 5,
				       .chunk_target = 500,
				       .lag = 5,
				       .cores = cores};
		struct sample large = large_stops(cores);

		compare_with_no_thread(&small);
		assert_true(small.pooled > 2 * WT_CHUNKS_PER_INDEX);
		sample_deinit(&small);
		compare_with_no_thread(&large);
		assert_true(large.pooled > 2 * WT_POOL_MAX);
		sample_deinit(&large);
	}
}

static void disturb_every_call(const struct sample *kind)
{
	kill_at_every_call(kind);
	look_for_zstd(kind);
	fail_every_call(kind);
}

/* The same where another thread compresses most chunks, some of them only just in time. */
static void the_same_while_chunks_are_on_their_way(void **state)
{
	static const unsigned int lags[] = {2, 1000, 1, 3, 7};

	(void)state;
	for (size_t i = 0; i < (proof_is_long()		? sizeof(lags) / sizeof(lags[0])
				: test_share_is_small() ? 1
							: 2);
	     i++) {
		struct sample kind = {.seed = 57 + i,
				      .moments = 14,
				      .register_bytes = 2000,
				      .chunk_target = 3000,
				      .lag = lags[i]};
		struct sample sample = kind;

		sample_write_file(&sample, sample_path("deferred.wtape"));
		assert_true(sample.deferred > 10);
		sample_deinit(&sample);
		disturb_every_call(&kind);
	}
}

/* The same where another thread compresses stops, after the call that wrote them has returned. */
static void the_same_while_stops_are_on_their_way(void **state)
{
	static const unsigned int lags[] = {3, 1000, 1, 2, 8};

	(void)state;
	for (size_t i = 0; i < (proof_is_long() ? sizeof(lags) / sizeof(lags[0]) : 1); i++) {
		struct sample kind = {.seed = 70 + i,
				      .moments = 14,
				      .register_bytes = 2000,
				      .one_stop_each = true,
				      .defer_min = 1,
				      .lag = lags[i],
				      .sync_every = i % 2 ? 5 : UINT32_MAX};
		struct sample sample = kind;

		compare_with_no_thread(&sample);
		/* The last one is counted, too, where what the client did later is written at once behind it. */
		assert_in_range(sample.deferred, kind.moments - 1, kind.moments - (kind.lag > 1));
		sample_deinit(&sample);
		disturb_every_call(&kind);
	}
}

static unsigned int cores_with(uint64_t max_memory)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	unsigned int cores;

	options.max_memory = max_memory;
	sample_must(wt_writer_create(sample_path("memory.wtape"), &options, &writer));
	cores = writer->tape->workers.cores;
	sample_must(wt_writer_close(writer, "detached"));
	return cores;
}

/* Each thread takes memory for a chunk: with little of it there are fewer. */
static void threads_are_as_many_as_memory_allows(void **state)
{
	const unsigned int all = cores_with(0);

	(void)state;
	assert_int_equal(all, wt_worker_cores() < WT_POOL_MAX ? wt_worker_cores() : WT_POOL_MAX);
	assert_true(all >= 1);
	assert_int_equal(cores_with(UINT64_C(1) << 30), all);
	assert_int_equal(cores_with(UINT64_C(64) << 20), all < 2 ? all : 2);
	assert_int_equal(cores_with(UINT64_C(63) << 20), 1);
	assert_int_equal(cores_with(UINT64_C(4) << 20), 0);
}

/* What they take counts towards the memory that a recording may have. */
static void memory_of_the_pool_counts(void **state)
{
	struct sample sample = large_stops(4);
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	(void)state;
	sample_must(wt_writer_create(sample_path("pool.wtape"), &options, &writer));
	sample_must(sample_record(&sample, writer));
	assert_true(sample.pooled > 2 * WT_POOL_MAX);
	assert_true(wt_tape_compression_size(writer->tape) >
		    4 * (WT_CHUNK_TARGET + ZSTD_compressBound(WT_CHUNK_TARGET)));
	sample_must(wt_writer_close(writer, "detached"));
	sample_deinit(&sample);
}

/* The same where several threads compress the chunks of a stop. */
static void the_same_while_a_pool_compresses(void **state)
{
	(void)state;
	for (unsigned int cores = 2; cores <= (proof_is_long() ? WT_POOL_MAX : 2); cores++) {
		struct sample kind = {.seed = 65 + cores,
				      .moments = 6,
				      .register_bytes = 3000,
				      .changes = 5,
				      .chunk_target = 1000,
				      .lag = 3,
				      .cores = cores};
		struct sample sample = kind;

		sample_write_file(&sample, sample_path("pooled.wtape"));
		assert_true(sample.pooled > 10);
		sample_deinit(&sample);
		disturb_every_call(&kind);
	}
}

static void expect_end(const char *path, const char *reason)
{
	const struct wt_journal_record *record;
	bool told = false;
	struct wt_trace_info info;
	struct wt_journal *journal;
	struct wt_reader *reader;

	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader));
	wt_reader_info(reader, &info);
	assert_true(info.complete);
	assert_string_equal(info.end_reason, reason);
	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		told |= record->kind == WT_JOURNAL_NOTICE && record->notice_kind == WT_NOTICE_LOST;
	}
	assert_true(told);
	wt_journal_close(journal);
	wt_reader_close(reader);
	assert_true(sample_is_zstd(path));
}

/* A disk of any size that takes the start of a trace: it ends in order, and says why. */
static void a_full_disk_ends_the_trace_in_order(void **state)
{
	struct sample whole = {.seed = 53, .moments = 120, .register_bytes = 100000};
	struct sample sample = {.seed = 53, .moments = 120, .register_bytes = 100000};
	const char *path = sample_path("full.wtape");
	uint32_t before = 0;

	(void)state;
	sample_write_file(&whole, path);
	for (uint64_t disk = 250000; disk < 3600000;
	     disk += (test_share_is_small() ? 3 : 1) * UINT64_C(149993)) {
		struct world world = {.disk = disk};
		struct outcome outcome = world_record(&sample, path, &world);

		assert_true(outcome.failed);
		assert_true(outcome.stops >= before);
		before = outcome.stops;
		world_check(&whole, path, &outcome, true, disk);
		expect_end(path, "disk full");
	}
	assert_true(before > 3);
	sample_deinit(&whole);
	sample_deinit(&sample);
}

static void a_disk_without_room_for_anything_is_an_error(void **state)
{
	struct wt_writer_options options = sample_options();
	struct world world = {.disk = 5000};
	struct wt_io_ops ops = world_ops(&world);
	const char *path = sample_path("tiny.wtape");
	struct wt_writer *writer = NULL;
	struct wt_error *error = wt_writer_create_with(path, &options, &ops, &writer);

	(void)state;
	assert_non_null(error);
	assert_null(writer);
	assert_int_equal(error->code, WT_ERROR_IO);
	wt_error_destroy(error);
	/* Nothing half-made is left behind. */
	assert_int_equal(access(path, F_OK), -1);
}

static void a_file_system_that_keeps_no_space(void **state)
{
	struct sample sample = {.seed = 54, .moments = 20, .register_bytes = 3000};
	const char *path = sample_path("sparse.wtape");
	struct world world = {.no_fallocate = true};
	struct wt_reader *reader;

	(void)state;
	world_record(&sample, path, &world);
	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 20);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

/* The limit on file sizes counts as a full disk, and its signal is not sent. */
static void a_limit_on_file_sizes_sends_no_signal(void **state)
{
	struct sample sample = {.seed = 55, .moments = 150, .register_bytes = 100000};
	const char *path = sample_path("limit.wtape");
	int status;
	pid_t child;

	(void)state;
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		struct rlimit limit = {.rlim_cur = 3000000, .rlim_max = 3000000};
		struct wt_writer_options options = sample_options();
		struct wt_writer *writer;
		struct wt_error *error;

		signal(SIGXFSZ, SIG_DFL);
		if (setrlimit(RLIMIT_FSIZE, &limit) || wt_writer_create(path, &options, &writer))
			_exit(2);
		error = sample_record(&sample, writer);
		_exit(error && error->code == WT_ERROR_IO ? 0 : 3);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	expect_end(path, "disk full");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_at_every_call),
		cmocka_unit_test(a_killed_file_is_zstd),
		cmocka_unit_test(every_call_fails),
		cmocka_unit_test(the_same_trace_either_way),
		cmocka_unit_test(the_same_trace_with_any_number_of_threads),
		cmocka_unit_test(the_same_while_chunks_are_on_their_way),
		cmocka_unit_test(the_same_while_stops_are_on_their_way),
		cmocka_unit_test(threads_are_as_many_as_memory_allows),
		cmocka_unit_test(memory_of_the_pool_counts),
		cmocka_unit_test(the_same_while_a_pool_compresses),
		cmocka_unit_test(a_full_disk_ends_the_trace_in_order),
		cmocka_unit_test(a_disk_without_room_for_anything_is_an_error),
		cmocka_unit_test(a_file_system_that_keeps_no_space),
		cmocka_unit_test(a_limit_on_file_sizes_sends_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
