/* SPDX-License-Identifier: MIT */
/* Traces that were not closed: with holes in them, and replaced, written or cut off while they are read. */
#include "reads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/reader/check.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/writer.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

/* ---- Holes ---- */

static void make_longer(const char *path, uint64_t size)
{
	assert_int_equal(truncate(path, (off_t)size), 0);
}

static bool tells_holes(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	off_t data;

	assert_true(fd >= 0);
	data = lseek(fd, (off_t)(32 * GIB), SEEK_DATA);
	close(fd);
	return data != (off_t)(32 * GIB);
}

/* Opened and examined: nothing is missing, and no hole was read. */
static void expect_all(const struct sample *sample, const char *path, uint64_t most)
{
	struct wt_reader *reader = open_counted(path);
	struct wt_check check;

	assert_true(bytes_read() <= most);
	read_count = 0;
	sample_must(wt_reader_examine(reader, NULL, &check));
	/* Heads and payloads, and again the chunks that fell out of the cache. */
	assert_true(bytes_read() <= 3 * most);
	assert_int_equal(check.moments.lost + check.packets.lost + check.calls.lost, 0);
	assert_false(check.whole);
	assert_int_equal(sample_compare(sample, reader, SAMPLE_WHOLE), sample->moments);
	wt_reader_close(reader);
}

/* `truncate -s 64G` of a trace that was closed, and of one that was not. */
static void a_hole_at_the_end_is_not_read(void **state)
{
	struct sample sample = closed_sample(60, 50);
	const char *path = sample_path("hole.wtape");
	struct wt_block final;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	final = read_final(path);
	data = sample_read(path, &size);
	make_longer(path, 64 * GIB);
	if (!tells_holes(path)) {
		free(data);
		sample_deinit(&sample);
		skip();
	}
	expect_all(&sample, path, size + MIB);
	sample_save(path, data, final.offset);
	make_longer(path, 64 * GIB + 77);
	expect_all(&sample, path, size + MIB);
	free(data);
	sample_deinit(&sample);
}

/* The last chunk of a trace that was not closed, moved to the end of a hole. */
static void move_last_chunk(const char *path, uint64_t to)
{
	struct wt_reader *reader;
	struct wt_block block;
	size_t size;
	uint64_t from;
	uint8_t *data;
	FILE *file;

	sample_must(wt_reader_open(path, &reader));
	from = reader->places.at[reader->places.count - 1].entry.offset;
	wt_reader_close(reader);
	data = sample_read(path, &size);
	assert_int_equal(wt_block_decode(data + from, &block), WT_BLOCK_FINE);
	block.offset = to;
	wt_block_encode(&block, data + from);
	sample_save(path, data, from);
	make_longer(path, to + WT_BLOCK_SIZE + block.stored);
	file = fopen(path, "r+");
	assert_non_null(file);
	assert_int_equal(fseeko(file, (off_t)to, SEEK_SET), 0);
	assert_int_equal(fwrite(data + from, WT_BLOCK_SIZE + (size_t)block.stored, 1, file), 1);
	assert_int_equal(fclose(file), 0);
	free(data);
}

/* What lies behind a hole is found, be it told as one or read. */
static void a_chunk_behind_a_hole_is_found(void **state)
{
	struct sample sample = closed_sample(60, 50);
	const char *path = sample_path("hole.wtape");
	struct wt_block final;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	final = read_final(path);
	data = sample_read(path, &size);
	sample_save(path, data, final.offset);
	move_last_chunk(path, 64 * GIB + 3 * (uint64_t)WT_BLOCK_SIZE);
	if (tells_holes(path))
		expect_all(&sample, path, size + MIB);
	sample_save(path, data, final.offset);
	move_last_chunk(path, 8 * MIB + 3 * (uint64_t)WT_BLOCK_SIZE);
	holes_are_told = false;
	expect_all(&sample, path, size + 20 * MIB);
	/* The hole is what lies behind the other chunks. */
	assert_true(bytes_read() > 8 * MIB - size);
	holes_are_told = true;
	free(data);
	sample_deinit(&sample);
}

/* ---- Traces that are recorded meanwhile ---- */

/* What a recording leaves under its name while it goes on, and what is there then. */
static struct {
	char path[128], other[160];
	uint8_t *live, *then;
	size_t live_size, then_size;
	uint64_t used; /* of the first: behind that is reserved space */
	size_t at;     /* the read before which it happens */
} turn;

static void name_turn(void)
{
	strcpy(turn.path, sample_path("live.wtape"));
	snprintf(turn.other, sizeof(turn.other), "%s.ring", turn.path);
}

static void record_turn(struct sample *sample)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	name_turn();
	sample_must(wt_writer_create(turn.path, &options, &writer));
	sample_must(sample_record(sample, writer));
	sample_must(wt_tape_flush(writer->tape));
	turn.used = writer->tape->tail.end;
	turn.live = sample_read(turn.path, &turn.live_size);
	sample_must(wt_writer_close(writer, "detached"));
	turn.then = sample_read(turn.path, &turn.then_size);
	assert_true(turn.used < turn.live_size && turn.then_size < turn.live_size);
}

/* A ring puts a new file in the place of the old one, which gives its reserved space back. */
static void turn_ring(size_t number)
{
	if (number != turn.at)
		return;
	sample_save(turn.other, turn.then, turn.then_size);
	assert_int_equal(truncate(turn.path, (off_t)turn.used), 0);
	assert_int_equal(rename(turn.other, turn.path), 0);
}

/* A recording goes on. */
static void grow(size_t number)
{
	FILE *file;

	if (number != turn.at)
		return;
	file = fopen(turn.path, "r+");
	assert_non_null(file);
	assert_int_equal(fwrite(turn.then, turn.then_size, 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

/* A recording ends: what it has reserved is cut off. */
static void end_recording(size_t number)
{
	grow(number);
	if (number == turn.at)
		assert_int_equal(truncate(turn.path, (off_t)turn.then_size), 0);
}

/* Something happens before read @at of an examination, if there is one. Is the trace a closed one then? */
static bool examine_live(const struct sample *sample, void (*what)(size_t number), size_t at)
{
	struct wt_reader *reader = NULL;
	struct wt_check check;

	sample_save(turn.path, turn.live, turn.live_size);
	turn.at = at;
	read_count = 0;
	meanwhile = what;
	sample_must(wt_trace_examine(turn.path, NULL, &reader, &check));
	meanwhile = NULL;
	assert_int_equal(check.moments.count, sample->moments);
	assert_int_equal(check.moments.lost, 0);
	assert_int_equal(check.complete, check.whole);
	wt_reader_close(reader);
	return check.complete;
}

/* Before each of the reads: there is an answer each time, of what was there or of what is there now. */
static void examine_meanwhile(const struct sample *sample, void (*what)(size_t number))
{
	size_t count, anew = 0;

	assert_false(examine_live(sample, NULL, 0));
	count = read_count;
	for (size_t at = 1; at <= count; at++)
		anew += examine_live(sample, what, at);
	assert_true(anew > 2 && anew < count);
}

static void a_trace_that_is_replaced_is_opened_anew(void **state)
{
	struct sample sample = closed_sample(5, 50);

	(void)state;
	record_turn(&sample);
	examine_meanwhile(&sample, turn_ring);
	examine_meanwhile(&sample, end_recording);
	free(turn.live);
	free(turn.then);
	sample_deinit(&sample);
}

/* ---- Traces that grow meanwhile ---- */

/* From which of the calls of a recording on its file is the one that is opened, and how much later it is looked at. */
static struct {
	unsigned int calls, from, distance;
} growth;

static void keep_file(struct sample *sample)
{
	(void)sample;
	if (growth.calls == growth.from)
		turn.live = sample_read(turn.path, &turn.live_size);
	if (growth.calls == growth.from + growth.distance)
		turn.then = sample_read(turn.path, &turn.then_size);
	growth.calls++;
}

static void record_growth(struct sample *sample)
{
	turn.live = turn.then = NULL;
	growth.calls = 0;
	sample_write_file(sample, turn.path);
	assert_non_null(turn.live);
	assert_non_null(turn.then);
	assert_true(turn.live_size <= turn.then_size);
}

/* Something is written before read @at of the examination, if there is one. */
static void examine_growth(size_t at)
{
	struct wt_reader *reader = NULL;
	struct wt_check check;
	size_t losses = 0;

	sample_save(turn.path, turn.live, turn.live_size);
	sample_must(wt_reader_open(turn.path, &reader));
	for (size_t i = 0; i < wt_reader_damage_count(reader); i++)
		losses += wt_reader_damage_at(reader, i)->loss;
	turn.at = at;
	read_count = 0;
	meanwhile = at ? grow : NULL;
	sample_must(wt_reader_examine(reader, NULL, &check));
	meanwhile = NULL;
	/* That it was not closed, as when it was opened, and no more. */
	assert_int_equal(losses, 1);
	for (size_t i = 1; i < wt_reader_damage_count(reader); i++)
		assert_false(wt_reader_damage_at(reader, i)->loss);
	assert_int_equal(check.packets.lost + check.calls.lost + check.moments.lost, 0);
	assert_int_equal(check.chunks.lost, 0);
	wt_reader_close(reader);
}

static void examine_growing(struct sample *sample)
{
	size_t count;

	record_growth(sample);
	examine_growth(0);
	count = read_count;
	for (size_t at = 1; at <= count; at++)
		examine_growth(at);
	free(turn.live);
	free(turn.then);
}

/* What was not there when the file was opened is not lost: from a stage that is used, and from one that is not. */
static void what_comes_meanwhile_is_no_loss(void **state)
{
	struct sample sample = closed_sample(20, 50);

	(void)state;
	name_turn();
	sample.progress = keep_file;
	for (growth.distance = 2; growth.distance < 15; growth.distance += 6)
		for (growth.from = 20; growth.from < 24; growth.from++)
			examine_growing(&sample);
	sample_deinit(&sample);
}

static void cut_again(size_t number)
{
	if (number > 1)
		assert_int_equal(truncate(turn.path, number % 2 ? 0 : WT_BLOCK_SIZE), 0);
}

/* Once, not for ever. */
static void what_is_cut_again_is_told(void **state)
{
	struct sample sample = closed_sample(5, 50);
	struct wt_reader *reader = NULL;
	struct wt_check check;
	struct wt_error *error;

	(void)state;
	record_turn(&sample);
	read_count = 0;
	meanwhile = cut_again;
	error = wt_trace_examine(turn.path, NULL, &reader, &check);
	meanwhile = NULL;
	assert_non_null(error);
	assert_null(reader);
	assert_true(read_count < 6);
	wt_error_destroy(error);
	free(turn.live);
	free(turn.then);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hole_at_the_end_is_not_read),
		cmocka_unit_test(a_chunk_behind_a_hole_is_found),
		cmocka_unit_test(a_trace_that_is_replaced_is_opened_anew),
		cmocka_unit_test(what_comes_meanwhile_is_no_loss),
		cmocka_unit_test(what_is_cut_again_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
