/* SPDX-License-Identifier: MIT */
/*
 * What other programs and the machine do to a file while it is recorded: a ring that cannot be turned, a
 * budget for two files, a file that is cut.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "ring.h"
#include "trace-format/rewrite/ring.h"

static uint64_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : (uint64_t)status.st_size;
}

/* ---- The disk is full for a time ---- */

static bool disk_is_full;
static struct wt_writer *watched;
static uint32_t most_stops, notices;

/* There is room in the file that there is, and none for another. */
static int full_fallocate(void *context, int fd, off_t offset, off_t size)
{
	(void)context;
	if (disk_is_full && !offset) {
		errno = ENOSPC;
		return -1;
	}
	return fallocate(fd, 0, offset, size);
}

static uint32_t count_notices(const char *text)
{
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;
	uint32_t count = 0;

	sample_must(wt_reader_open(ring_source, &reader));
	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		count += record->kind == WT_JOURNAL_NOTICE && strstr(record->notice, text);
	}
	wt_journal_close(journal);
	wt_reader_close(reader);
	return count;
}

static void fill_disk(struct sample *sample)
{
	if (sample->stops == 18 && disk_is_full)
		notices = count_notices("older stops could not be dropped, which is tried again");
	disk_is_full = sample->stops >= 6 && sample->stops < 18;
	if (sample->stops > RING_SAMPLE_STOPS - 6 && watched->stops > most_stops)
		most_stops = watched->stops;
}

/* What could not be done is done when there is room again, and told once. */
static void a_failed_turn_is_tried_again(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = wt_io_system;
	struct sample sample = ring_sample();

	(void)state;
	ring_name_files();
	sample.progress = fill_disk;
	ops.fallocate = full_fallocate;
	options.ring_stops = RING_STOPS;
	options.turn_ring = wt_ring_turn;
	sample_must(wt_writer_create_with(ring_source, &options, &ops, &watched));
	sample_must(sample_record(&sample, watched));
	assert_int_equal(notices, 1);
	assert_in_range(most_stops, RING_STOPS, 2 * RING_STOPS);
	assert_int_not_equal(access(ring_beside, F_OK), 0);
	sample_must(wt_writer_close(watched, "detached"));
	sample_deinit(&sample);
}

/* ---- There is no room for two slots, for a time ---- */

#define TWO_SLOTS                                                                                  \
	((off_t)5 << 19) /* make the file longer by more than that at once; one does not */

static unsigned int refusals, turns;

static int no_slots_fallocate(void *context, int fd, off_t offset, off_t size)
{
	(void)context;
	if (offset && size > TWO_SLOTS && !turns) {
		refusals++;
		errno = ENOSPC;
		return -1;
	}
	return fallocate(fd, 0, offset, size);
}

static struct wt_error *before_turn(void *opaque, const char *path)
{
	(void)opaque;
	(void)path;
	turns++;
	return NULL;
}

/* It is tried no more in that file, for it would be at every chunk; the files after it may have them again. */
static void no_room_for_slots_holds_for_one_file(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = wt_io_system;
	struct sample sample = ring_sample();

	(void)state;
	ring_name_files();
	sample.chunk_target = 1000;
	ops.fallocate = no_slots_fallocate;
	options.ring_stops = RING_STOPS;
	options.turn_ring = wt_ring_turn;
	options.ring_watch.before = before_turn;
	refusals = turns = 0;
	sample_must(wt_writer_create_with(ring_source, &options, &ops, &watched));
	assert_true(watched->tape->workers.may_defer);
	sample_must(sample_record(&sample, watched));
	assert_int_equal(refusals, 1);
	assert_true(turns > 2);
	assert_true(watched->tape->workers.may_defer);
	sample_must(wt_writer_close(watched, "detached"));
	sample_deinit(&sample);
}

/* ---- A budget for two files ---- */

static uint64_t most_bytes;

static void measure(void)
{
	uint64_t size = size_of(ring_source) + size_of(ring_beside);

	most_bytes = size > most_bytes ? size : most_bytes;
}

static ssize_t measured_pwrite(void *context, int fd, const void *data, size_t size, off_t offset)
{
	ssize_t done = pwrite(fd, data, size, offset);

	(void)context;
	measure();
	return done;
}

static int measured_fallocate(void *context, int fd, off_t offset, off_t size)
{
	int result = fallocate(fd, 0, offset, size);

	(void)context;
	measure();
	return result;
}

/* Return: stops that the trace has in the end. */
static uint32_t record_within_budget(size_t register_bytes)
{
	struct wt_writer_options options = sample_options();
	struct wt_io_ops ops = wt_io_system;
	struct sample sample = ring_sample();
	struct wt_trace_info info;
	struct wt_reader *reader;
	struct wt_writer *writer;
	uint32_t count;

	ring_name_files();
	most_bytes = 0;
	sample.register_bytes = register_bytes;
	ops.pwrite = measured_pwrite;
	ops.fallocate = measured_fallocate;
	options.ring_stops = RING_STOPS;
	options.turn_ring = wt_ring_turn;
	options.max_bytes = RING_BUDGET;
	sample_must(wt_writer_create_with(ring_source, &options, &ops, &writer));
	wt_error_destroy(sample_record(&sample, writer));
	wt_error_destroy(wt_writer_close(writer, "detached"));
	assert_in_range(most_bytes, RING_BUDGET / 8, RING_BUDGET);
	sample_must(wt_reader_open(ring_source, &reader));
	wt_reader_info(reader, &info);
	count = wt_reader_moment_count(reader);
	sample.first = (uint32_t)info.part.stops_before;
	sample_compare(&sample, reader, SAMPLE_SHORTER);
	wt_reader_close(reader);
	sample_deinit(&sample);
	return count;
}

/* Also where stops are so large that hardly two files have room, or not even one. */
static void both_files_fit_into_the_budget(void **state)
{
	(void)state;
	assert_int_equal(record_within_budget(3000), RING_STOPS);
	assert_int_equal(record_within_budget(20000), RING_STOPS);
	for (size_t bytes = 40000; bytes < 400000; bytes *= 2)
		assert_true(record_within_budget(bytes) > 0);
}

/* ---- The file is cut ---- */

/* Calls 2 ms apart; after the 50th somebody empties the file. Return: calls that were written. */
static uint64_t write_calls(struct wt_writer *writer, struct wt_error **error_ret)
{
	struct wt_call_begin begin = {.function = wt_writer_name(writer, "function"), .thread = 1};

	for (begin.number = 1; begin.number <= 100; begin.number++) {
		begin.start += 2000000;
		if (begin.number == 51)
			assert_int_equal(truncate(ring_source, 0), 0);
		*error_ret = wt_writer_call_begin(writer, &begin);
		if (*error_ret)
			break;
	}
	return begin.number - 1;
}

/* It is noticed before anything is stored where there is nothing any more, and left as it is. */
static void a_file_that_is_cut_ends_the_recording(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_error *error = NULL;
	struct wt_writer *writer;

	(void)state;
	ring_name_files();
	options.reproducible = false;
	sample_must(wt_writer_create(ring_source, &options, &writer));
	assert_non_null(writer->tape->mapping.data);
	assert_int_equal(write_calls(writer, &error), 50);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->why, "somebody made the file shorter while it was written");
	wt_error_destroy(error);
	assert_false(wt_writer_has_ended(writer));
	error = wt_writer_close(writer, "detached");
	assert_non_null(error);
	wt_error_destroy(error);
	assert_int_equal(size_of(ring_source), 0);
}

/* With system calls alone it does no harm, even if it is noticed late. */
static void without_a_mapping_nothing_can_fault(void **state)
{
	struct wt_writer_options options = sample_options();
	struct wt_error *error = NULL;
	struct wt_writer *writer;

	(void)state;
	ring_name_files();
	options.no_mapping = true;
	sample_must(wt_writer_create(ring_source, &options, &writer));
	/* A reproducible recording does not look at the clock, and so not at the file. */
	assert_int_equal(write_calls(writer, &error), 100);
	error = wt_writer_close(writer, "detached");
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	wt_error_destroy(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_turn_is_tried_again),
		cmocka_unit_test(no_room_for_slots_holds_for_one_file),
		cmocka_unit_test(both_files_fit_into_the_budget),
		cmocka_unit_test(a_file_that_is_cut_ends_the_recording),
		cmocka_unit_test(without_a_mapping_nothing_can_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
