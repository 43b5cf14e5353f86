/* SPDX-License-Identifier: MIT */
/* Checking, recovering, packing: what is whole comes out as it was, and what is not is said. */
#include "proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/container/tape-file.h"
#include "trace-format/reader/check.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/rewrite/rewrite.h"

/* Paths that stay good. */
static char source[128], target[128];

static void name_files(void)
{
	strcpy(source, sample_path("source.wtape"));
	strcpy(target, sample_path("target.wtape"));
}

static struct sample long_sample(void)
{
	return (struct sample){.seed = 51,
			       .moments = 150,
			       .register_bytes = 200,
			       .one_stop_each = true,
			       .no_blocks_of_noise = true};
}

static void examine(const char *path, struct wt_check *check_ret)
{
	struct wt_reader *reader;

	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_examine(reader, NULL, check_ret));
	assert_int_equal(check_ret->whole, !wt_reader_damage(reader));
	assert_int_equal(check_ret->whole, !wt_reader_damage_count(reader));
	assert_int_equal(check_ret->loss, wt_reader_has_loss(reader));
	wt_reader_close(reader);
}

static struct wt_rewrite rewrite(bool pack)
{
	struct wt_rewrite result;
	struct wt_reader *reader;

	sample_must(wt_reader_open(source, &reader));
	if (pack)
		sample_must(wt_trace_repack(reader, target, NULL, &result));
	else
		sample_must(wt_trace_recover(reader, target, NULL, &result));
	wt_reader_close(reader);
	assert_true(sample_is_zstd(target));
	return result;
}

static void a_whole_trace_is_counted(void **state)
{
	struct sample sample = long_sample();
	struct wt_check check;

	(void)state;
	name_files();
	sample_write_file(&sample, source);
	examine(source, &check);
	assert_true(check.whole && check.complete && !check.loss);
	assert_int_equal(check.moments.count, 150);
	assert_int_equal(check.stops.count, 150);
	assert_int_equal(check.stops.lost, 0);
	assert_int_equal(check.calls.count, sample.begins);
	assert_int_equal(check.moments.lost + check.calls.lost + check.packets.lost, 0);
	assert_int_equal(check.indexes, check.chunks.count / 64);
	sample_deinit(&sample);
}

static void packing_keeps_everything(void **state)
{
	struct sample sample = long_sample();
	struct wt_rewrite result;
	struct wt_reader *reader;

	(void)state;
	name_files();
	sample_write_file(&sample, source);
	result = rewrite(true);
	assert_true(result.as_it_was);
	assert_true(result.new_size < result.old_size);
	sample_must(wt_reader_open(target, &reader));
	assert_int_equal(sample_compare(&sample, reader, SAMPLE_WHOLE), 150);
	assert_int_equal(sample_count_begins(reader, false), sample.begins);
	assert_null(wt_reader_damage(reader));
	wt_reader_close(reader);
	sample_deinit(&sample);
}

/* Cut anywhere: what comes out is a whole trace with what the torn one still gives. */
static void recovered_after_a_cut(void **state)
{
	struct sample sample = long_sample();
	uint32_t given, most = 0;
	uint8_t *data;
	size_t size;

	(void)state;
	name_files();
	sample_write_file(&sample, source);
	data = sample_read(source, &size);
	for (size_t cut = size / 20; cut < size; cut += size / 20) {
		struct wt_rewrite result;
		struct wt_reader *reader;
		struct wt_check check;

		sample_save(source, data, cut);
		result = rewrite(false);
		assert_true(result.as_it_was);
		assert_int_equal(result.check.loss, !result.check.complete);
		examine(target, &check);
		assert_true(check.whole && check.complete);
		assert_int_equal(check.moments.count, result.moments);
		sample_must(wt_reader_open(target, &reader));
		given = sample_compare(&sample, reader, SAMPLE_SHORTER);
		assert_int_equal(given, result.moments);
		assert_true(given >= most);
		most = given;
		assert_int_equal(sample_count_begins(reader, false), result.calls);
		wt_reader_close(reader);
	}
	assert_true(most > 100);
	free(data);
	sample_deinit(&sample);
}

/* The first moment of a chunk that is flipped, and of the file the chunk's offset. */
static uint64_t chunk_of(const uint8_t *data, size_t size, uint32_t moment)
{
	struct wt_block block;

	for (uint64_t offset = 0; offset + WT_BLOCK_SIZE <= size; offset += WT_BLOCK_SIZE)
		if (wt_block_decode(data + offset, &block) == WT_BLOCK_FINE &&
		    block.kind == WT_BLOCK_CHUNK && block.chunk.first_moment <= moment &&
		    block.chunk.first_moment + block.chunk.moments > moment)
			return offset;
	fail();
	return 0;
}

/* A state of the output against what was written as another moment. */
static void same_state(const struct sample *sample, struct wt_reader *reader, uint32_t number,
		       uint32_t written)
{
	struct wt_state *found;

	sample_must(wt_reader_state(reader, number, &found));
	for (size_t i = 0; i < wt_state_count(sample->states[written]); i++) {
		const struct wt_item *item = wt_state_at(sample->states[written], i);
		const struct wt_item *other = wt_state_get(found, &item->key);

		assert_non_null(other);
		assert_true(wt_item_equal(item, other));
	}
	wt_state_destroy(found);
}

/*
 * Moments 50 to 63 are lost with the chunk of 50, and with it what came late for 49. Moment 64
 * becomes 50, and what follows is as it was.
 */
static void recovered_around_a_damaged_chunk(void **state)
{
	struct sample sample = long_sample();
	const struct wt_moment *moment;
	struct wt_rewrite result;
	struct wt_reader *reader;
	struct wt_check check;
	uint8_t *data;
	size_t size;

	(void)state;
	name_files();
	sample.register_bytes = 5000;
	sample_write_file(&sample, source);
	data = sample_read(source, &size);
	sample_drop_parity(data, size);
	data[chunk_of(data, size, 50) + WT_BLOCK_SIZE + 20] ^= 4;
	sample_save(source, data, size);
	result = rewrite(false);
	assert_false(result.as_it_was);
	assert_true(result.check.loss);
	assert_int_equal(result.check.chunks.lost, 1);
	assert_int_equal(result.check.moments.lost, 14);
	assert_int_equal(result.moments, 136);
	assert_int_equal(result.calls, sample.begins - result.check.calls.lost);
	examine(target, &check);
	assert_true(check.whole && check.complete);
	sample_must(wt_reader_open(target, &reader));
	for (uint32_t i = 0; i < 49; i++)
		same_state(&sample, reader, i, i);
	for (uint32_t i = 64; i < 150; i++)
		same_state(&sample, reader, i - 14, i);
	sample_must(wt_reader_moment(reader, 50, &moment));
	assert_int_equal(moment->number, 50);
	assert_int_equal(sample_count_begins(reader, true), result.calls);
	wt_reader_close(reader);
	free(data);
	sample_deinit(&sample);
}

static bool names_damage(const struct wt_reader *reader, const char *text)
{
	for (size_t i = 0; i < wt_reader_damage_count(reader); i++)
		if (strstr(wt_reader_damage_at(reader, i)->text, text))
			return true;
	return false;
}

/* The chunk of the last moment is gone, and then one before it, with those up to the keyframe. */
static void lost_states_are_named(void **state)
{
	struct sample sample = long_sample();
	struct wt_reader *reader;
	struct wt_check check;
	uint8_t *data;
	size_t size;

	(void)state;
	name_files();
	sample.register_bytes = 5000;
	sample_write_file(&sample, source);
	data = sample_read(source, &size);
	sample_drop_parity(data, size);
	data[chunk_of(data, size, 149) + WT_BLOCK_SIZE + 20] ^= 4;
	sample_save(source, data, size);
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_int_equal(check.moments.lost, 1);
	assert_true(names_damage(reader, "the state at moment 149 is lost: it, or what it builds "
					 "on, lies in a damaged part"));
	wt_reader_close(reader);
	data[chunk_of(data, size, 50) + WT_BLOCK_SIZE + 20] ^= 4;
	sample_save(source, data, size);
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_reader_examine(reader, NULL, &check));
	assert_true(names_damage(reader, "the states at moments 50 to 63 are lost: they, or what "
					 "they build on, lie in damaged parts"));
	assert_true(names_damage(reader, "the state at moment 149 is lost"));
	wt_reader_close(reader);
	free(data);
	sample_deinit(&sample);
}

enum { LONG_NAMES = 66, LONG_NAME = 1 << 20 };

/* More bytes of names than a packet takes, each in a chunk of its own, of which one is damaged. */
static void write_long_names(char *text)
{
	struct wt_writer_options options = sample_options();
	struct wt_call_begin begin = {.thread = 1};
	struct wt_writer *writer;
	struct wt_reader *reader;
	uint64_t damaged;
	uint8_t *data;
	size_t size;

	sample_must(wt_writer_create(source, &options, &writer));
	while (begin.number++ < LONG_NAMES) {
		text[0] = (char)(' ' + begin.number);
		begin.function = wt_writer_name(writer, text);
		sample_must(wt_writer_call_begin(writer, &begin));
	}
	sample_must(wt_writer_close(writer, "done"));
	sample_must(wt_reader_open(source, &reader));
	damaged = reader->places.at[2].entry.offset + WT_BLOCK_SIZE;
	wt_reader_close(reader);
	data = sample_read(source, &size);
	sample_drop_parity(data, size);
	data[damaged] ^= 1;
	sample_save(source, data, size);
	free(data);
}

static void names_of_any_length_are_recovered(void **state)
{
	char *text = calloc(1, LONG_NAME + 1);
	struct wt_reader *reader;
	struct wt_check check;

	(void)state;
	assert_non_null(text);
	memset(text, 'n', LONG_NAME);
	name_files();
	write_long_names(text);
	assert_true(rewrite(false).calls < LONG_NAMES);
	examine(target, &check);
	assert_true(check.whole);
	sample_must(wt_reader_open(target, &reader));
	for (uint32_t number = 1; number <= LONG_NAMES; number++) {
		text[0] = (char)(' ' + number);
		assert_string_equal(wt_reader_name(reader, number), text);
	}
	wt_reader_close(reader);
	free(text);
}

/* A body that this version does not know, one with a number that takes two bytes, and no body at all. */
static void packets_of_later_versions_stay(void **state)
{
	static const uint8_t raw[] = {0x0a, 4,	  0x0a, 2,    0x30, 1,	  0x0a, 4, 0x6a,
				      2,    'a',  'b',	0x0a, 5,    0xa2, 0x01, 2, 'c',
				      'd',  0x0a, 0,	0x0a, 2,    0x52, 0};
	struct wt_rewrite result;
	struct wt_reader *reader;
	struct wt_check check;
	struct wt_chunk *chunk;

	(void)state;
	name_files();
	proof_save_stage(source, raw, sizeof(raw));
	sample_must(wt_reader_open(source, &reader));
	sample_must(wt_trace_recover(reader, target, NULL, &result));
	wt_reader_close(reader);
	examine(target, &check);
	assert_true(check.whole);
	/* Those five, what was lost, and the end. */
	assert_int_equal(check.packets.count, 7);
	sample_must(wt_reader_open(target, &reader));
	sample_must(wt_reader_load(reader, 0, &chunk));
	assert_true(chunk->size > sizeof(raw));
	assert_memory_equal(chunk->raw, raw, sizeof(raw));
	wt_chunk_release(chunk);
	wt_reader_close(reader);
}

/* Nothing is there under the name until all of it is. */
static void nothing_is_left_after_a_refusal(void **state)
{
	struct sample sample = {.seed = 3, .moments = 5, .register_bytes = 20};
	struct wt_reader *reader;
	struct wt_rewrite result;
	struct wt_error *error;
	uint8_t *data;
	size_t size;

	(void)state;
	name_files();
	unlink(target);
	sample_write_file(&sample, source);
	data = sample_read(source, &size);
	sample_drop_parity(data, size);
	sample_must(wt_reader_open(source, &reader));
	error = wt_trace_repack(reader, source, NULL, &result);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_USAGE);
	wt_error_destroy(error);
	wt_reader_close(reader);
	data[2 * WT_BLOCK_SIZE + 9] ^= 1;
	sample_save(source, data, size);
	sample_must(wt_reader_open(source, &reader));
	error = wt_trace_repack(reader, target, NULL, &result);
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_INPUT);
	wt_error_destroy(error);
	wt_reader_close(reader);
	assert_int_equal(access(target, F_OK), -1);
	free(data);
	sample_deinit(&sample);
}

/* What is at @path, a link to @leads: is it refused, and is it then still there? */
static bool is_refused(const char *path, const char *leads)
{
	struct wt_file file = {.fd = -1};
	struct wt_error *error;
	char found[128] = "";

	unlink(path);
	assert_int_equal(symlink(leads, path), 0);
	error = wt_file_create(path, &wt_io_system, &file);
	if (!error) {
		wt_file_close(&file);
		assert_int_equal(readlink(path, found, sizeof(found)), -1);
		return false;
	}
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->where, path);
	assert_non_null(strstr(error->why, "it is not a regular file; give another name"));
	wt_error_destroy(error);
	assert_int_equal(readlink(path, found, sizeof(found) - 1), strlen(leads));
	assert_string_equal(found, leads);
	return true;
}

/* Only a link to a file, or to nowhere, may be replaced by one. */
static void links_to_what_is_no_file_stay(void **state)
{
	char open_file[64];
	FILE *file;

	(void)state;
	name_files();
	file = fopen(source, "w");
	assert_non_null(file);
	snprintf(open_file, sizeof(open_file), "/proc/self/fd/%d", fileno(file));
	assert_true(is_refused(target, "/dev/null"));
	assert_true(is_refused(target, "/tmp"));
	assert_true(is_refused(target, open_file));
	assert_false(is_refused(target, source));
	assert_false(is_refused(target, "/no/such/file"));
	assert_false(is_refused(target, target));
	assert_int_equal(fclose(file), 0);
	assert_int_equal(access(source, F_OK), 0);
	unlink(target);
}

/* Behind a whole trace: heads that are whole, and after each of them one that is not. */
static void append_holes(const char *path, uint32_t count)
{
	uint8_t bad[WT_BLOCK_SIZE], head[WT_BLOCK_SIZE], *data;
	struct wt_block gap = {0};
	FILE *file;
	size_t size;

	memset(bad, 0xff, sizeof(bad));
	data = sample_read(path, &size);
	assert_int_equal(wt_block_decode(data, &gap), WT_BLOCK_FINE);
	free(data);
	file = fopen(path, "a");
	assert_non_null(file);
	gap.kind = WT_BLOCK_GAP;
	for (uint32_t i = 0; i < count; i++) {
		gap.offset = size + 2 * WT_BLOCK_SIZE * (uint64_t)i;
		wt_block_encode(&gap, head);
		assert_int_equal(fwrite(head, 1, sizeof(head), file), sizeof(head));
		assert_int_equal(fwrite(bad, 1, sizeof(bad), file), sizeof(bad));
	}
	assert_int_equal(fclose(file), 0);
}

/* Opening the file finds them, and a check finds them again: they count once. */
static void what_is_not_listed_is_counted(void **state)
{
	struct sample sample = {.seed = 3, .moments = 5, .register_bytes = 20};
	struct wt_reader *reader;
	struct wt_check check;

	(void)state;
	name_files();
	sample_write_file(&sample, source);
	append_holes(source, 4095);
	sample_must(wt_reader_open(source, &reader));
	assert_int_equal(wt_reader_damage_count(reader), 4096);
	assert_int_equal(wt_reader_damage_dropped(reader), 0);
	wt_reader_close(reader);
	append_holes(source, 2);
	sample_must(wt_reader_open(source, &reader));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(wt_reader_damage_count(reader), 4096);
		assert_int_equal(wt_reader_damage_dropped(reader), 2);
		sample_must(wt_reader_examine(reader, NULL, &check));
		assert_true(!check.whole && !check.loss);
	}
	wt_reader_close(reader);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_trace_is_counted),
		cmocka_unit_test(packing_keeps_everything),
		cmocka_unit_test(recovered_after_a_cut),
		cmocka_unit_test(recovered_around_a_damaged_chunk),
		cmocka_unit_test(lost_states_are_named),
		cmocka_unit_test(names_of_any_length_are_recovered),
		cmocka_unit_test(packets_of_later_versions_stay),
		cmocka_unit_test(nothing_is_left_after_a_refusal),
		cmocka_unit_test(what_is_not_listed_is_counted),
		cmocka_unit_test(links_to_what_is_no_file_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
