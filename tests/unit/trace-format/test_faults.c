/* SPDX-License-Identifier: MIT */
/* The system calls of the writer fail, or the world ends between two of them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proof.h"

enum fault {
	FAULT_ERROR, /* the call fails, and so do all writes after it if `lasting` */
	FAULT_KILL,  /* the call and all after it do nothing: nobody is there to make them */
	FAULT_TORN,  /* of the call a part is done, of those after it nothing */
};

struct world {
	enum fault fault;
	int errnum;
	bool lasting, no_fallocate;
	uint64_t at;	/* the call that it happens to; counted from 1 */
	uint64_t calls; /* so far */
	uint64_t disk;	/* bytes a file can have; 0: any number */
	bool dead;
};

/* What becomes of a call: true if it is to be made. */
static bool happens(struct world *world, bool *failed_ret)
{
	bool now = ++world->calls == world->at;

	*failed_ret = false;
	if (world->dead)
		return false;
	if (world->fault == FAULT_ERROR) {
		*failed_ret = world->at && (now || (world->lasting && world->calls > world->at));
		errno = world->errnum;
		return !*failed_ret;
	}
	world->dead = now;
	return !now;
}

static ssize_t fault_pwrite(void *context, int fd, const void *data, size_t size, off_t offset)
{
	struct world *world = context;
	bool failed, torn = world->fault == FAULT_TORN && !world->dead;

	if (happens(world, &failed))
		return pwrite(fd, data, size, offset);
	if (failed)
		return -1;
	if (torn && pwrite(fd, data, size / 2, offset) < 0)
		return -1;
	return (ssize_t)size;
}

static int fault_fallocate(void *context, int fd, off_t offset, off_t size)
{
	struct world *world = context;
	bool failed;

	if (world->no_fallocate) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (world->disk && (uint64_t)(offset + size) > world->disk) {
		errno = ENOSPC;
		return -1;
	}
	if (happens(world, &failed))
		return ftruncate(fd, offset + size);
	return failed ? -1 : 0;
}

static int fault_ftruncate(void *context, int fd, off_t size)
{
	bool failed;

	if (happens(context, &failed))
		return ftruncate(fd, size);
	return failed ? -1 : 0;
}

static int fault_fdatasync(void *context, int fd)
{
	bool failed;

	(void)fd;
	return happens(context, &failed) || !failed ? 0 : -1;
}

static struct wt_io_ops make_ops(struct world *world)
{
	return (struct wt_io_ops){
		.context = world,
		.pwrite = fault_pwrite,
		.fallocate = fault_fallocate,
		.ftruncate = fault_ftruncate,
		.fdatasync = fault_fdatasync,
	};
}

/* What the program being recorded was told before the world ended. */
struct outcome {
	uint64_t begins;
	uint32_t stops;
	bool failed;
};

static struct world *watched;
static struct outcome seen;

static void watch(struct sample *sample)
{
	if (watched->dead)
		return;
	seen.begins = sample->begins;
	seen.stops = sample->stops;
}

static struct outcome run(struct sample *sample, const char *path, struct world *world)
{
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = make_ops(world);
	struct wt_writer *writer;
	struct wt_error *error, *again;

	options.sync_stops = true;
	watched = world;
	seen = (struct outcome){0};
	sample->progress = watch;
	sample->written = sample->stops = 0;
	sample->begins = 0;
	error = wt_writer_create_with(path, &options, &ops, &writer);
	if (error) {
		wt_error_destroy(error);
		seen.failed = true;
		return seen;
	}
	error = sample_record(sample, writer);
	if (error) {
		/* From now on every call says the same and does nothing. */
		again = wt_writer_notice(writer, WT_NOTICE_CONTEXT, 0, "more");
		assert_non_null(again);
		assert_int_equal(again->code, error->code);
		wt_error_destroy(again);
	}
	seen.failed = error;
	wt_error_destroy(error);
	error = wt_writer_close(writer, "detached");
	seen.failed |= error != NULL;
	wt_error_destroy(error);
	return seen;
}

static void check(struct sample *sample, const char *path, const struct outcome *outcome,
		  bool strict, uint64_t at)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);

	if (error) {
		if (outcome->begins || outcome->stops)
			fail_msg("fault at call %llu: %s", (unsigned long long)at, error->why);
		wt_error_destroy(error);
		return;
	}
	if (sample_compare(sample, reader, SAMPLE_SHORTER) < outcome->stops)
		fail_msg("fault at call (or seed) %llu: a finished stop is lost",
			 (unsigned long long)at);
	if (sample_count_begins(reader, true) < outcome->begins)
		fail_msg("fault at call %llu: an intent is lost", (unsigned long long)at);
	if (strict && !sample_is_zstd(path))
		fail_msg("fault at call %llu: no legal zstd file", (unsigned long long)at);
	wt_reader_close(reader);
}

/* For all n: the process is killed before its n-th system call, or in the middle of it. */
static void killed_at_every_call(void **state)
{
	struct sample whole = {.seed = 50, .moments = 40, .register_bytes = 60000};
	struct sample sample = {.seed = 50, .moments = 40, .register_bytes = 60000};
	const char *path = sample_path("every.wtape");

	(void)state;
	sample_write_file(&whole, path);
	for (unsigned int torn = 0; torn < 2; torn++) {
		struct world world = {.fault = torn ? FAULT_TORN : FAULT_KILL, .at = 1};
		uint64_t count = 0;

		do {
			struct outcome outcome;

			unlink(path);
			outcome = run(&sample, path, &world);
			check(&whole, path, &outcome, false, world.at);
			count++;
			world = (struct world){.fault = world.fault,
					       .at = world.at + 1 + count / 60,
					       .dead = false,
					       .calls = world.calls};
			if (world.at > world.calls)
				break;
			world.calls = 0;
		} while (true);
		assert_true(count > 50);
	}
	sample_deinit(&whole);
	sample_deinit(&sample);
}

/*
 * A file that was killed between two calls is a legal zstd file, but while it is being made longer.
 */
static void a_killed_file_is_zstd(void **state)
{
	struct sample whole = {.seed = 51, .moments = 10, .register_bytes = 3000};
	struct sample sample = {.seed = 51, .moments = 10, .register_bytes = 3000};
	const char *path = sample_path("legal.wtape");
	struct world world = {.fault = FAULT_KILL, .at = 5};

	(void)state;
	sample_write_file(&whole, path);
	/* The first four calls make the file: length, stage, gap, head. */
	for (; !world.calls || world.at <= world.calls; world.at++) {
		struct outcome outcome;

		unlink(path);
		world.calls = 0;
		world.dead = false;
		outcome = run(&sample, path, &world);
		check(&whole, path, &outcome, true, world.at);
	}
	assert_true(world.at > 30);
	sample_deinit(&whole);
	sample_deinit(&sample);
}

/* For all n: the n-th call fails, once or with all that follow. */
static void every_call_fails(void **state)
{
	static const int errnums[] = {EIO, ENOSPC};
	struct sample whole = {.seed = 52, .moments = 12, .register_bytes = 20000};
	struct sample sample = {.seed = 52, .moments = 12, .register_bytes = 20000};
	const char *path = sample_path("fails.wtape");

	(void)state;
	sample_write_file(&whole, path);
	for (unsigned int variant = 0; variant < 4; variant++) {
		struct world world = {
			.errnum = errnums[variant / 2], .lasting = variant % 2, .at = 1};
		bool failed = true;

		for (; failed; world.at++) {
			struct outcome outcome;

			unlink(path);
			world.calls = 0;
			outcome = run(&sample, path, &world);
			failed = world.calls >= world.at;
			/* Space that cannot be had generously may still be had exactly. */
			if (failed && !outcome.failed)
				assert_int_equal(world.errnum, ENOSPC);
			check(&whole, path, &outcome, false, world.at);
		}
		assert_true(world.at > 30);
	}
	sample_deinit(&whole);
	sample_deinit(&sample);
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
	for (uint64_t disk = 250000; disk < 3600000; disk += 149993) {
		struct world world = {.disk = disk};
		struct outcome outcome = run(&sample, path, &world);

		assert_true(outcome.failed);
		assert_true(outcome.stops >= before);
		before = outcome.stops;
		check(&whole, path, &outcome, true, disk);
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
	struct wt_io_ops ops = make_ops(&world);
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
	run(&sample, path, &world);
	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 20);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

/* What was written, in order, and which of it a disk has for certain. */
struct write {
	uint64_t offset;
	size_t size; /* SIZE_MAX: the file got the length `offset` */
	uint8_t *data;
};

#define WRITES_MAX 4096u

struct disk {
	struct write writes[WRITES_MAX];
	size_t count;
	struct {
		size_t writes;
		uint32_t stops; /* finished when the sync was over */
	} synced[WRITES_MAX];
	size_t sync_count;
};

static void keep_write(struct disk *disk, uint64_t offset, const void *data, size_t size)
{
	struct write *kept = &disk->writes[disk->count++];

	assert_true(disk->count < WRITES_MAX);
	*kept = (struct write){.offset = offset, .size = data ? size : SIZE_MAX};
	if (!data)
		return;
	kept->data = malloc(size + 1);
	assert_non_null(kept->data);
	memcpy(kept->data, data, size);
}

static ssize_t disk_pwrite(void *context, int fd, const void *data, size_t size, off_t offset)
{
	(void)fd;
	keep_write(context, (uint64_t)offset, data, size);
	return (ssize_t)size;
}

static int disk_fallocate(void *context, int fd, off_t offset, off_t size)
{
	(void)fd;
	keep_write(context, (uint64_t)(offset + size), NULL, 0);
	return 0;
}

static int disk_ftruncate(void *context, int fd, off_t size)
{
	(void)fd;
	keep_write(context, (uint64_t)size, NULL, 0);
	return 0;
}

/* A STOP syncs before its call returns: it counts from the next progress on. */
static int disk_fdatasync(void *context, int fd)
{
	struct disk *disk = context;

	(void)fd;
	assert_true(disk->sync_count < WRITES_MAX);
	disk->synced[disk->sync_count].writes = disk->count;
	disk->synced[disk->sync_count++].stops = 0;
	return 0;
}

static struct disk disk;

static void stop_is_synced(struct sample *sample)
{
	if (disk.sync_count)
		disk.synced[disk.sync_count - 1].stops = sample->stops;
}

static void apply(int fd, const struct write *write)
{
	if (write->size == SIZE_MAX)
		assert_int_equal(ftruncate(fd, (off_t)write->offset), 0);
	else
		assert_int_equal(pwrite(fd, write->data, write->size, (off_t)write->offset),
				 write->size);
}

/* A block of a write: what a disk has or has not. */
struct piece {
	uint64_t offset;
	size_t size;
	const uint8_t *data;
};

#define PIECES_MAX 65536u
static struct piece pieces[PIECES_MAX];

/* Blocks of the writes from @first to before @last, of 512 or 4,096 bytes. Return: how many. */
static size_t split_writes(size_t first, size_t last, uint64_t block)
{
	size_t count = 0;

	for (size_t i = first; i < last; i++) {
		const struct write *write = &disk.writes[i];

		for (size_t at = 0; write->size != SIZE_MAX && at < write->size;) {
			size_t part = (size_t)(block - (write->offset + at) % block);

			part = part < write->size - at ? part : write->size - at;
			assert_true(count < PIECES_MAX);
			pieces[count++] = (struct piece){.offset = write->offset + at,
							 .size = part,
							 .data = write->data + at};
			at += part;
		}
	}
	return count;
}

/* Any of them, in any order, some twice. */
static void apply_pieces(int fd, size_t count, unsigned int *seed)
{
	unsigned int kept = (unsigned int)rand_r(seed) % 101;

	for (size_t i = count; i > 1; i--) {
		size_t other = (size_t)rand_r(seed) % i;
		struct piece piece = pieces[i - 1];

		pieces[i - 1] = pieces[other];
		pieces[other] = piece;
	}
	for (size_t i = 0; i < count; i++) {
		const struct piece *piece =
			&pieces[(unsigned int)rand_r(seed) % 8 ? i : (size_t)rand_r(seed) % count];

		if ((unsigned int)rand_r(seed) % 100 >= kept)
			continue;
		assert_int_equal(pwrite(fd, piece->data, piece->size, (off_t)piece->offset),
				 piece->size);
	}
}

/* Lengths come from the journal of the file system: in order, up to any of them. */
static void apply_lengths(int fd, size_t first, size_t last, unsigned int *seed)
{
	for (size_t i = first; i < last && (unsigned int)rand_r(seed) % 8; i++)
		if (disk.writes[i].size == SIZE_MAX)
			apply(fd, &disk.writes[i]);
}

/* The power fails: what was synced is there, and of the rest anything, in any order. */
static uint32_t fail_power(const char *path, unsigned int *seed)
{
	size_t sync = (size_t)rand_r(seed) % disk.sync_count, first, last;
	size_t after = sync + 1 < disk.sync_count ? disk.synced[sync + 1].writes : disk.count;
	uint32_t stops = 0;
	bool early = rand_r(seed) % 2;
	int fd;

	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	first = disk.synced[sync].writes;
	last = first + (size_t)rand_r(seed) % (after - first + 1);
	for (size_t i = 0; i <= sync; i++)
		stops = disk.synced[i].stops > stops ? disk.synced[i].stops : stops;
	for (size_t i = 0; i < first; i++)
		apply(fd, &disk.writes[i]);
	if (early)
		apply_lengths(fd, first, last, seed);
	apply_pieces(fd, split_writes(first, last, rand_r(seed) % 2 ? 512 : 4096), seed);
	if (!early)
		apply_lengths(fd, first, last, seed);
	close(fd);
	return stops;
}

static void nothing_synced_is_lost_with_the_power(void **state)
{
	struct sample sample = {
		.seed = 56, .moments = 60, .register_bytes = 5000, .progress = stop_is_synced};
	const char *path = sample_path("power.wtape");
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = {.context = &disk,
				.pwrite = disk_pwrite,
				.fallocate = disk_fallocate,
				.ftruncate = disk_ftruncate,
				.fdatasync = disk_fdatasync};
	struct wt_writer *writer;
	unsigned int rounds = proof_is_long() ? 1000 : 100;
	uint32_t most = 0;

	(void)state;
	options.sync_stops = true;
	sample_must(wt_writer_create_with(path, &options, &ops, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
	for (unsigned int round = 1; round <= rounds; round++) {
		unsigned int seed = round;
		struct outcome outcome = {.stops = fail_power(path, &seed)};

		check(&sample, path, &outcome, false, round);
		most = outcome.stops > most ? outcome.stops : most;
	}
	assert_true(most > 30);
	proof_say("the power fails: %u orders and drops of blocks that were not synced (seeds 1 to "
		  "%u), "
		  "nothing that was synced is lost",
		  rounds, rounds);
	for (size_t i = 0; i < disk.count; i++)
		free(disk.writes[i].data);
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
		cmocka_unit_test(a_full_disk_ends_the_trace_in_order),
		cmocka_unit_test(a_disk_without_room_for_anything_is_an_error),
		cmocka_unit_test(a_file_system_that_keeps_no_space),
		cmocka_unit_test(nothing_synced_is_lost_with_the_power),
		cmocka_unit_test(a_limit_on_file_sizes_sends_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
