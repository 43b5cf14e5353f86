/* SPDX-License-Identifier: MIT */
/* The power fails: of what was not synced a disk has any part, written in any order. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "proof.h"
#include "world.h"

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
	bool has_synced; /* since the last progress */
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
	disk->has_synced = true;
	return 0;
}

static struct disk disk;

static void stop_is_synced(struct sample *sample)
{
	if (disk.has_synced)
		disk.synced[disk.sync_count - 1].stops = sample->stops;
	disk.has_synced = false;
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

static void fail_power_often(const struct sample *kind, const char *how)
{
	struct sample sample = *kind;
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

	disk.count = disk.sync_count = 0;
	disk.has_synced = false;
	sample.progress = stop_is_synced;
	options.sync_every = sample.sync_every ? sample.sync_every : 1;
	sample_must(wt_writer_create_with(path, &options, &ops, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_writer_close(writer, "detached"));
	for (unsigned int round = 1; round <= rounds; round++) {
		unsigned int seed = round;
		struct outcome outcome = {.stops = fail_power(path, &seed)};

		world_check(&sample, path, &outcome, false, round);
		most = outcome.stops > most ? outcome.stops : most;
	}
	assert_true(most > 30);
	proof_say("the power fails%s: %u orders and drops of blocks that were not synced (seeds 1 "
		  "to %u), nothing that was synced is lost",
		  how, rounds, rounds);
	for (size_t i = 0; i < disk.count; i++)
		free(disk.writes[i].data);
	assert_true(kind->lag ? sample.deferred + sample.pooled > 20 : !sample.deferred);
	assert_true(kind->cores ? sample.pooled > 20 : !sample.pooled);
	sample_deinit(&sample);
}

static void nothing_synced_is_lost_with_the_power(void **state)
{
	const struct sample kind = {.seed = 56, .moments = 60, .register_bytes = 5000};

	(void)state;
	fail_power_often(&kind, "");
}

static void the_same_while_chunks_are_on_their_way(void **state)
{
	const struct sample kind = {
		.seed = 58, .moments = 60, .register_bytes = 2000, .chunk_target = 3000, .lag = 2};

	(void)state;
	fail_power_often(&kind, " while another thread compresses");
}

/* What a stop is made of is longer than a chunk may be, so that its packets close chunks by themselves. */
static void the_same_where_a_stop_is_longer_than_a_chunk(void **state)
{
	const struct sample kind = {
		.seed = 59, .moments = 60, .register_bytes = 2000, .chunk_target = 100, .lag = 2};

	(void)state;
	fail_power_often(&kind, " where a stop is longer than a chunk");
}

/* Of stops that need not be on the disk when the call returns. */
static void the_same_while_stops_are_on_their_way(void **state)
{
	const struct sample kind = {.seed = 61,
				    .moments = 120,
				    .register_bytes = 2000,
				    .one_stop_each = true,
				    .defer_min = 1,
				    .lag = 3,
				    .sync_every = 3};

	(void)state;
	fail_power_often(&kind, " while another thread compresses stops");
}

static void the_same_while_a_pool_compresses(void **state)
{
	const struct sample kind = {.seed = 62,
				    .moments = 60,
				    .register_bytes = 2000,
				    .chunk_target = 500,
				    .lag = 2,
				    .cores = 2};

	(void)state;
	fail_power_often(&kind, " while several threads compress");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_synced_is_lost_with_the_power),
		cmocka_unit_test(the_same_while_chunks_are_on_their_way),
		cmocka_unit_test(the_same_where_a_stop_is_longer_than_a_chunk),
		cmocka_unit_test(the_same_while_stops_are_on_their_way),
		cmocka_unit_test(the_same_while_a_pool_compresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
