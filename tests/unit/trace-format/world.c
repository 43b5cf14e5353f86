/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

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
	if (!happens(world, &failed))
		return failed ? -1 : 0;
	world->grown = world->calls;
	return ftruncate(fd, offset + size);
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

struct wt_io_ops world_ops(struct world *world)
{
	return (struct wt_io_ops){
		.context = world,
		.pwrite = fault_pwrite,
		.fallocate = fault_fallocate,
		.ftruncate = fault_ftruncate,
		.fdatasync = fault_fdatasync,
	};
}

static struct world *watched;
static struct outcome seen;

static void watch(struct sample *sample)
{
	if (watched->dead)
		return;
	seen.begins = sample->begins;
	seen.stops = sample->stops;
}

struct outcome world_record(struct sample *sample, const char *path, struct world *world)
{
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = world_ops(world);
	struct wt_writer *writer;
	struct wt_error *error, *again;

	options.sync_every = sample->sync_every ? sample->sync_every : 1;
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

void world_check(struct sample *sample, const char *path, const struct outcome *outcome,
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
