/* SPDX-License-Identifier: MIT */
/* Traces that were damaged, forged or killed. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "proof.h"
#include "tests/unit/share.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"

static struct proof_found look(const struct sample *sample, const char *path, bool compare)
{
	return proof_look(sample, path, compare, SAMPLE_DAMAGED);
}

/* A long recording that was killed: its indexes spare the reader the walk. */
static void a_torn_file_is_not_walked_from_its_start(void **state)
{
	struct sample sample = {.seed = 23,
				.moments = 200,
				.register_bytes = 50,
				.one_stop_each = true,
				.no_blocks_of_noise = true};
	const char *path = sample_path("long.wtape");
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	struct wt_reader *reader;
	uint64_t index;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_tape_flush(writer->tape));
	index = writer->tape->index.newest;
	wt_writer_abandon(writer);
	sample_must(wt_reader_open(path, &reader));
	assert_true(reader->places.heads_read <= WT_CHUNKS_PER_INDEX + 16);
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 200);
	assert_int_equal(sample_count_begins(reader, false), sample.begins);
	wt_reader_close(reader);
	/* Without the newest index it takes longer and finds the same. */
	data = sample_read(path, &size);
	data[index + WT_BLOCK_SIZE + 100] ^= 1;
	sample_save(path, data, size);
	sample_must(wt_reader_open(path, &reader));
	assert_true(reader->places.heads_read > 200);
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 200);
	wt_reader_close(reader);
	free(data);
	sample_deinit(&sample);
}

/* A chunk that is damaged costs itself, and moments after the next keyframe open. */
static void damage_ends_at_the_next_keyframe(void **state)
{
	struct sample sample = {
		.seed = 33, .moments = 100, .register_bytes = 100, .one_stop_each = true};
	const char *path = sample_path("middle.wtape");
	const struct wt_journal_record *record;
	struct wt_journal *journal;
	struct wt_reader *reader;
	struct wt_state *found;
	struct wt_error *error;
	bool told = false;
	uint64_t offset;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	data = sample_read(path, &size);
	sample_drop_parity(data, size);
	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_check(reader));
	wt_reader_close(reader);
	/* The middle of the chunk of moment 50: found by its head. */
	for (offset = 0; offset + WT_BLOCK_SIZE <= size; offset += WT_BLOCK_SIZE) {
		struct wt_block block;

		if (wt_block_decode(data + offset, &block) == WT_BLOCK_FINE &&
		    block.kind == WT_BLOCK_CHUNK && block.chunk.first_moment <= 50 &&
		    block.chunk.first_moment + block.chunk.moments > 50)
			break;
	}
	data[offset + WT_BLOCK_SIZE + 20] ^= 0x10;
	sample_save(path, data, size);
	sample_must(wt_reader_open(path, &reader));
	assert_null(wt_reader_damage(reader)); /* nobody has looked yet */
	sample_must(wt_reader_state(reader, 49, &found));
	wt_state_destroy(found);
	for (uint32_t i = 50; i < 64; i++) {
		error = wt_reader_state(reader, i, &found);
		assert_non_null(error);
		assert_int_equal(error->code, WT_ERROR_INPUT);
		wt_error_destroy(error);
	}
	sample_must(wt_reader_state(reader, 64, &found));
	wt_state_destroy(found);
	assert_non_null(wt_reader_damage(reader));
	assert_non_null(strstr(wt_reader_damage(reader), "among them 1 moment from 50 and "));
	sample_must(wt_journal_open(reader, &journal));
	for (;;) {
		sample_must(wt_journal_next(journal, &record));
		if (!record)
			break;
		told |= record->kind == WT_JOURNAL_NOTICE && record->notice_kind == WT_NOTICE_LOST;
	}
	assert_true(told);
	wt_journal_close(journal);
	proof_positions(reader);
	wt_reader_close(reader);
	free(data);
	sample_deinit(&sample);
}

/* States are asked for in order, so that each could be built on the one before it. */
static void what_came_late_and_is_lost_is_missed_later(void **state)
{
	struct sample sample = {.seed = 34,
				.moments = 30,
				.register_bytes = 100,
				.one_stop_each = true,
				.no_blocks_of_noise = true,
				.no_thread = true,
				.chunk_target = 100};
	const char *path = sample_path("late.wtape");
	struct wt_writer_options options = sample_options();
	unsigned int lost = 0;
	struct wt_writer *writer;
	struct wt_block block;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_must(wt_writer_create(path, &options, &writer));
	sample_must(sample_record(&sample, writer));
	sample_must(wt_tape_close_chunk(writer->tape, false));
	wt_writer_abandon(writer);
	data = sample_read(path, &size);
	for (size_t offset = 0;
	     wt_block_decode(data + offset, &block) == WT_BLOCK_FINE && block.kind != WT_BLOCK_GAP;
	     offset += WT_BLOCK_SIZE + block.stored) {
		/* All of the chunk, then its payload. */
		for (size_t at = 0; at <= WT_BLOCK_SIZE; at += WT_BLOCK_SIZE) {
			if (block.kind != WT_BLOCK_CHUNK ||
			    !(block.chunk.contents & 1u << WT_PACKET_LATE))
				continue;
			data[offset + at + 20] ^= 1;
			sample_save(path, data, size);
			data[offset + at + 20] ^= 1;
			lost += look(&sample, path, true).given < sample.moments;
		}
	}
	assert_true(lost > 10);
	free(data);
	sample_deinit(&sample);
}

/* Does the text of what is damaged have a part, and of two parts only the one? */
static void expect_damage(const char *path, const char *part, const char * not )
{
	struct wt_reader *reader;

	sample_must(wt_reader_open(path, &reader));
	assert_non_null(wt_reader_damage(reader));
	assert_non_null(strstr(wt_reader_damage(reader), part));
	assert_null(strstr(wt_reader_damage(reader), not ));
	assert_false(wt_reader_has_loss(reader));
	wt_reader_close(reader);
}

/* Bytes behind the footer hide it, and do not damage it. */
static void bytes_behind_the_footer_are_told(void **state)
{
	static const char damaged[] = "the footer or the final index is damaged";
	struct sample sample = {.seed = 3, .moments = 2, .register_bytes = 20};
	const char *path = sample_path("behind.wtape");
	uint8_t *data, *longer;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	data = sample_read(path, &size);
	longer = calloc(1, size + 300);
	assert_non_null(longer);
	memcpy(longer, data, size);
	sample_save(path, longer, size + 1);
	expect_damage(path, "1 byte follows the footer; ", damaged);
	sample_save(path, longer, size + 300);
	expect_damage(path, "300 bytes follow the footer; ", damaged);
	longer[size - 20] ^= 1;
	sample_save(path, longer, size);
	expect_damage(path, damaged, "the footer; ");
	free(longer);
	free(data);
	sample_deinit(&sample);
}

/* One of something is no row of them. */
static void one_packet_is_named_as_one(void **state)
{
	struct wt_run run = {.first_packet = 7, .packets = 1, .first_moment = 2, .first_call = 3};
	char text[WT_LOST_TEXT_SIZE];

	(void)state;
	assert_string_equal(wt_run_lost(&run, text), "packet 7 is lost, among them 0 moments from "
						     "2 and 0 calls from 3");
	run.packets = 2;
	assert_string_equal(wt_run_lost(&run, text),
			    "packets 7 to 8 are lost, among them 0 moments "
			    "from 2 and 0 calls from 3");
}

static void expect_refusal(const char *path, const char *why)
{
	struct wt_reader *reader = NULL;
	struct wt_error *error = wt_reader_open(path, &reader);

	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_UNSUPPORTED);
	assert_non_null(strstr(error->why, why));
	wt_error_destroy(error);
}

static void newer_files_are_refused_by_name(void **state)
{
	struct sample sample = {.seed = 3, .moments = 2, .register_bytes = 20};
	const char *path = sample_path("newer.wtape");
	struct wt_reader *reader;
	uint8_t *data, *copy;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	data = sample_read(path, &size);
	copy = malloc(size);
	assert_non_null(copy);
	memcpy(copy, data, size);
	proof_forge(copy, 13, WT_FORMAT_MAJOR + 1);
	sample_save(path, copy, size);
	expect_refusal(path, "newer format");
	memcpy(copy, data, size);
	proof_forge(copy, 64, WT_FORMAT_MAJOR + 1);
	sample_save(path, copy, size);
	expect_refusal(path, "newer format");
	memcpy(copy, data, size);
	proof_forge(copy, 73, 1);
	sample_save(path, copy, size);
	expect_refusal(path, "mask 0x100");
	/* A larger minor version and optional features are none of our business. */
	memcpy(copy, data, size);
	proof_forge(copy, 66, 9);
	proof_forge(copy, 80, 1);
	sample_save(path, copy, size);
	sample_must(wt_reader_open(path, &reader));
	wt_reader_close(reader);
	free(copy);
	free(data);
	sample_deinit(&sample);
}

/* A block of a kind that does not exist yet, put behind the file's head of a torn trace. */
static void unknown_kinds_are_skipped_or_refused(void **state)
{
	struct sample sample = {.seed = 3, .moments = 2, .register_bytes = 20};
	struct wt_block block = {.kind = 77, .sequence = 99, .index = 0};
	const char *path = sample_path("unknown.wtape");
	struct proof_found found;
	uint8_t *data;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	data = sample_read(path, &size);
	/* In place of the footer, so that the reader walks. */
	block.offset = size - WT_BLOCK_SIZE;
	memcpy(&block.file_id, data + 48, 4);
	wt_block_encode(&block, data + size - WT_BLOCK_SIZE);
	sample_save(path, data, size);
	found = look(&sample, path, true);
	assert_int_equal(found.given, 2);
	block.flags = WT_BLOCK_REQUIRED;
	wt_block_encode(&block, data + size - WT_BLOCK_SIZE);
	sample_save(path, data, size);
	expect_refusal(path, "kind 77");
	free(data);
	sample_deinit(&sample);
}

/* Heads with good checksums and bad numbers. */
static void forged_heads_do_no_harm(void **state)
{
	struct sample sample = {
		.seed = 3, .moments = 6, .register_bytes = 60, .one_stop_each = true};
	const char *path = sample_path("forged.wtape");
	uint8_t *data, *copy;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	data = sample_read(path, &size);
	copy = malloc(size);
	assert_non_null(copy);
	for (size_t offset = 0; offset < size; offset += WT_BLOCK_SIZE) {
		struct wt_block block;

		if (wt_block_decode(data + offset, &block) != WT_BLOCK_FINE)
			continue;
		for (size_t at = 16; at < 124; at += test_share_is_small() ? 5 : 1) {
			for (unsigned int value = 0; value < 256; value += 85) {
				memcpy(copy, data, size);
				proof_forge(copy + offset, at, (uint8_t)value);
				/* Without the footer, so that heads are all there is. */
				copy[size - 1] ^= 1;
				sample_save(path, copy, size);
				proof_ask(path);
			}
		}
	}
	free(copy);
	free(data);
	sample_deinit(&sample);
}

/* All packets of a trace, decompressed. */
static uint8_t *read_packets(const char *path, size_t *size_ret)
{
	size_t size, capacity = (size_t)1 << 22;
	uint8_t *data = sample_read(path, &size), *raw = malloc(capacity);

	assert_non_null(raw);
	*size_ret = ZSTD_decompress(raw, capacity, data, size);
	assert_false(ZSTD_isError(*size_ret));
	free(data);
	return raw;
}

/* Packets with good checksums and bad content. */
static void forged_packets_do_no_harm(void **state)
{
	struct sample sample = {
		.seed = 35, .moments = 20, .register_bytes = 200, .no_blocks_of_noise = true};
	const char *path = sample_path("packets.wtape");
	unsigned int seed = 7;
	struct proof_found found;
	uint8_t *raw, *copy;
	size_t size;

	(void)state;
	sample_write_file(&sample, path);
	raw = read_packets(path, &size);
	copy = malloc(size);
	assert_non_null(copy);
	proof_save_stage(path, raw, size);
	found = look(&sample, path, true);
	assert_int_equal(found.given, sample.moments);
	assert_int_equal(found.begins, sample.begins);
	for (unsigned int round = 0; round < (test_share_is_small() ? 600 : 3000); round++) {
		memcpy(copy, raw, size);
		for (unsigned int i = 0; i < 1 + round % 4; i++)
			copy[(size_t)rand_r(&seed) % size] = (uint8_t)rand_r(&seed);
		proof_save_stage(path, copy, size);
		proof_ask(path);
	}
	free(copy);
	free(raw);
	sample_deinit(&sample);
}

/* The child tells of every call that returned; it is killed at some time. */
struct told {
	uint64_t begins;
	uint32_t stops;
};

static void tell_parent(struct sample *sample)
{
	struct told told = {.begins = sample->begins, .stops = sample->stops};

	if (write(sample->progress_fd, &told, sizeof(told)) != sizeof(told))
		_exit(1);
}

static pid_t start_child(struct sample *sample, const char *path, int *fd_ret)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;
	int pipes[2];
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (child) {
		close(pipes[1]);
		*fd_ret = pipes[0];
		return child;
	}
	close(pipes[0]);
	sample->progress = tell_parent;
	sample->progress_fd = pipes[1];
	options.reproducible = false;
	wt_error_destroy(wt_writer_create(path, &options, &writer));
	wt_error_destroy(sample_record(sample, writer));
	for (;;)
		pause();
}

static void kill_often(struct sample *kind)
{
	struct sample sample = *kind;
	const char *path = sample_path("kill.wtape");
	uint32_t most = 0;

	/* Once here, for what must be found. */
	sample_write_file(&sample, path);
	if (kind->defer_min)
		assert_true(sample.deferred > sample.moments / 2);
	else
		assert_true(kind->chunk_target ? sample.deferred + sample.pooled > 50
					       : !sample.deferred);
	assert_true(kind->cores ? sample.pooled > 50 : !sample.pooled);
	for (unsigned int round = 0; round < 40; round++) {
		struct told told = {0}, next;
		struct proof_found found;
		unsigned int reports = round * 7 + 1;
		int status, fd;
		pid_t child;

		unlink(path);
		child = start_child(&sample, path, &fd);
		while (reports-- && read(fd, &next, sizeof(next)) == sizeof(next)) {
			told = next;
			if (told.stops == sample.moments)
				break;
		}
		if (round % 2)
			usleep(round * 37 % 500);
		assert_int_equal(kill(child, SIGKILL), 0);
		assert_int_equal(waitpid(child, &status, 0), child);
		while (read(fd, &next, sizeof(next)) == sizeof(next))
			told = next;
		close(fd);
		found = look(&sample, path, true);
		assert_true(found.opened);
		assert_true(found.begins >= told.begins);
		assert_true(found.given >= told.stops);
		most = told.stops > most ? told.stops : most;
	}
	assert_true(most > 10);
	sample_deinit(&sample);
}

static void killed_at_any_time(void **state)
{
	struct sample kind = {.seed = 44, .moments = 60, .register_bytes = 3000};

	(void)state;
	kill_often(&kind);
}

static void killed_while_chunks_are_on_their_way(void **state)
{
	struct sample kind = {
		.seed = 44, .moments = 60, .register_bytes = 3000, .chunk_target = 3000};

	(void)state;
	kill_often(&kind);
}

static void killed_while_stops_are_on_their_way(void **state)
{
	struct sample kind = {.seed = 46, .moments = 60, .register_bytes = 3000, .defer_min = 1};

	(void)state;
	kill_often(&kind);
}

static void killed_while_a_pool_compresses(void **state)
{
	struct sample kind = {.seed = 45,
			      .moments = 60,
			      .changes = 3,
			      .register_bytes = 3000,
			      .chunk_target = 1000,
			      .cores = 3};

	(void)state;
	kill_often(&kind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_torn_file_is_not_walked_from_its_start),
		cmocka_unit_test(damage_ends_at_the_next_keyframe),
		cmocka_unit_test(what_came_late_and_is_lost_is_missed_later),
		cmocka_unit_test(newer_files_are_refused_by_name),
		cmocka_unit_test(bytes_behind_the_footer_are_told),
		cmocka_unit_test(one_packet_is_named_as_one),
		cmocka_unit_test(unknown_kinds_are_skipped_or_refused),
		cmocka_unit_test(forged_heads_do_no_harm),
		cmocka_unit_test(forged_packets_do_no_harm),
		cmocka_unit_test(killed_at_any_time),
		cmocka_unit_test(killed_while_chunks_are_on_their_way),
		cmocka_unit_test(killed_while_stops_are_on_their_way),
		cmocka_unit_test(killed_while_a_pool_compresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
