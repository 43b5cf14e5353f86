/* SPDX-License-Identifier: MIT */
/* What is read of a trace that was closed, and how much: to open it, and for a state. */
#include "reads.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/writer/writer.h"

#define MIB ((uint64_t)1 << 20)

/* A read that begins where the one before ended goes on at the same place. */
static size_t places_read(void)
{
	size_t places = 0;

	for (size_t i = 0; i < read_count; i++)
		places += !i || reads[i].offset != reads[i - 1].offset + reads[i - 1].size;
	return places;
}

static void expect_three_places(const char *path, size_t least_chunks)
{
	struct wt_block final = read_final(path);
	struct wt_reader *reader = open_counted(path);

	assert_true(reader->places.count >= least_chunks);
	assert_int_equal(places_read(), 3);
	assert_int_equal(bytes_read(), 3 * WT_BLOCK_SIZE + final.stored);
	assert_int_equal(reader->places.heads_read, 3);
	assert_int_equal(reads[0].offset, 0);
	assert_int_equal(reads[1].offset, reader->file.size - WT_BLOCK_SIZE);
	assert_int_equal(reads[2].offset, final.offset);
	wt_reader_close(reader);
}

/* Head, end and index, however many chunks there are and however much is in them. */
static void opening_reads_three_places(void **state)
{
	static const struct {
		uint32_t moments;
		size_t register_bytes, least_chunks;
	} sizes[] = {{1, 50, 1}, {10, 50, 10}, {200, 50, 200}, {200, 20000, 200}};
	const char *path = sample_path("closed.wtape");

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct sample sample = closed_sample(sizes[i].moments, sizes[i].register_bytes);

		sample_write_file(&sample, path);
		expect_three_places(path, sizes[i].least_chunks);
		sample_deinit(&sample);
	}
}

/* The place whose payload was read: no read of anything else is made for a state. */
static size_t place_of(const struct wt_reader *reader, size_t number)
{
	for (size_t i = 0; i < reader->places.count; i++)
		if (reader->places.at[i].entry.offset + WT_BLOCK_SIZE == reads[number].offset) {
			assert_int_equal(reads[number].size, reader->places.at[i].entry.stored);
			return i;
		}
	fail_msg("%llu bytes at %llu are no chunk's", (unsigned long long)reads[number].size,
		 (unsigned long long)reads[number].offset);
	return 0;
}

static bool holds(const struct wt_reader *reader, size_t place, enum wt_field_packet field)
{
	return reader->places.at[place].entry.chunk.contents & wt_packet_content(field);
}

/* The places that were read, each of them once. */
static void expect_each_once(const struct wt_reader *reader)
{
	for (size_t i = 0; i < read_count; i++)
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(place_of(reader, j), place_of(reader, i));
}

/* Facts hold at every moment: their chunks are read once for all of them, and no other. */
static void expect_chunks_of_facts(struct wt_reader *reader)
{
	struct wt_state *facts;
	size_t count = 0;

	read_count = 0;
	sample_must(wt_reader_facts(reader, &facts));
	wt_state_destroy(facts);
	expect_each_once(reader);
	for (size_t i = 0; i < reader->places.count; i++)
		count += holds(reader, i, WT_PACKET_FACTS);
	assert_int_equal(read_count, count);
	for (size_t i = 0; i < read_count; i++)
		assert_true(holds(reader, place_of(reader, i), WT_PACKET_FACTS));
}

/* Chunks of the changes from the keyframe on, and of the blobs that they name. */
static void expect_what_it_needs(const char *path, uint32_t moment)
{
	struct wt_reader *reader = open_counted(path);
	size_t first, last, changes = 0, blobs = 0;
	struct wt_state *found;

	expect_chunks_of_facts(reader);
	read_count = 0;
	sample_must(wt_reader_find_moment(reader, moment, &last));
	sample_must(wt_reader_find_moment(reader, reader->places.at[last].entry.chunk.keyframe,
					  &first));
	assert_int_equal(read_count, 0);
	sample_must(wt_reader_state(reader, moment, &found));
	expect_each_once(reader);
	for (size_t i = 0; i < read_count; i++) {
		size_t place = place_of(reader, i);

		/* What came late to a moment is in the chunk behind its own. */
		if (place >= first && place <= last + 1) {
			changes++;
			continue;
		}
		assert_true(place < first && holds(reader, place, WT_PACKET_BLOB));
		blobs++;
	}
	/* A keyframe is every 16th moment in a sample, and each moment of these closes a chunk. */
	assert_true(last - first <= 16);
	assert_true(changes <= last - first + 2);
	assert_true(blobs <= wt_state_count(found));
	wt_state_destroy(found);
	wt_reader_close(reader);
}

static void a_state_reads_what_it_is_made_of(void **state)
{
	struct sample sample = closed_sample(200, 50);
	const char *path = sample_path("closed.wtape");

	(void)state;
	sample_write_file(&sample, path);
	for (uint32_t moment = 0; moment < sample.moments; moment++)
		expect_what_it_needs(path, moment);
	sample_deinit(&sample);
}

static bool is_no_register(void *opaque, const struct wt_key *key)
{
	(void)opaque;
	return key->type != WT_ITEM_REGISTERS;
}

/* The state but for registers; how many bytes were read for it. */
static uint64_t expect_the_rest(struct wt_reader *reader, uint32_t moment)
{
	struct wt_state *whole, *rest;
	size_t at = 0;

	wt_reader_need(reader, NULL, NULL);
	sample_must(wt_reader_state(reader, moment, &whole));
	wt_reader_need(reader, is_no_register, NULL);
	read_count = 0;
	sample_must(wt_reader_state(reader, moment, &rest));
	for (size_t i = 0; i < wt_state_count(whole); i++)
		if (wt_state_at(whole, i)->key.type != WT_ITEM_REGISTERS)
			assert_true(wt_item_equal(wt_state_at(rest, at++), wt_state_at(whole, i)));
	assert_int_equal(wt_state_count(rest), at);
	wt_state_destroy(whole);
	wt_state_destroy(rest);
	return bytes_read();
}

/* Registers fill chunks of their own, which nobody has to read who does not need them. */
static void what_is_not_needed_is_not_read(void **state)
{
	struct sample sample = closed_sample(40, 3000000);
	const struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	const char *path = sample_path("closed.wtape");
	struct wt_reader *reader;
	struct wt_trace_info info;
	uint64_t read = 0;

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open_with(path, &options, &reader));
	wt_reader_info(reader, &info);
	assert_true(info.file_size > 20 * MIB);
	for (uint32_t moment = 0; moment < sample.moments; moment += 13)
		read += expect_the_rest(reader, moment);
	assert_true(read < MIB);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static bool is_registers(const struct wt_item *item)
{
	return item->key.type == WT_ITEM_REGISTERS;
}

/* All but registers is there, and registers once they are asked for. Return: how many there are. */
static size_t expect_deferred(struct wt_reader *reader, const struct wt_state *deferred,
			      const struct wt_state *whole)
{
	size_t count = wt_state_count(whole), registers = 0;

	assert_int_equal(wt_state_count(deferred), count);
	for (size_t i = 0; i < count; i++) {
		const struct wt_item *expected = wt_state_at(whole, i);
		const struct wt_item *found = wt_state_at(deferred, i);

		assert_int_equal(wt_key_compare(&found->key, &expected->key), 0);
		if (is_registers(expected))
			assert_int_equal(
				wt_reader_has_registers(reader, deferred, expected->key.owner),
				!expected->status && expected->handle_count);
		if (is_registers(expected))
			found = wt_reader_registers(reader, deferred, expected->key.owner);
		registers += is_registers(expected);
		assert_non_null(found);
		assert_true(wt_item_equal(found, expected));
	}
	return registers;
}

/* States are built on each other, and some of those before are still in use: with what was asked of them, and without. */
static void registers_are_read_when_they_are_asked_for(void **state)
{
	struct sample sample = closed_sample(40, 300000);
	const char *path = sample_path("closed.wtape");
	struct wt_state *whole[40], *deferred[40];
	struct wt_reader *reader, *other;
	size_t registers = 0;

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_open(path, &other));
	for (uint32_t i = 0; i < sample.moments; i++) {
		sample_must(wt_reader_state(other, i, &whole[i]));
		sample_must(wt_reader_state_deferred(reader, i, &deferred[i]));
		if (i % 5 == 1)
			registers += expect_deferred(reader, deferred[i], whole[i]);
		/* No other state has what this one has not. */
		if (i % 7 == 3) {
			wt_state_destroy(deferred[i]);
			deferred[i] = NULL;
		}
	}
	for (uint32_t i = 0; i < sample.moments; i++) {
		if (deferred[i])
			registers += expect_deferred(reader, deferred[i], whole[i]);
		wt_state_destroy(deferred[i]);
		wt_state_destroy(whole[i]);
	}
	assert_true(registers > 100);
	assert_null(wt_reader_damage(reader));
	wt_reader_close(reader);
	wt_reader_close(other);
	sample_deinit(&sample);
}

/* Of one wave at least, by what the state says of each. */
static bool has_any_registers(struct wt_reader *reader, const struct wt_state *state)
{
	size_t count = 0;

	for (size_t i = 0; i < wt_state_count(state); i++)
		if (is_registers(wt_state_at(state, i)))
			count += wt_reader_has_registers(reader, state,
							 wt_state_at(state, i)->key.owner);
	assert_false(wt_reader_has_registers(reader, state, UINT64_MAX));
	return count;
}

static void deferred_registers_are_not_read(void **state)
{
	struct sample sample = closed_sample(40, 3000000);
	const struct wt_reader_options options = {.size = sizeof(options), .small_caches = true};
	const char *path = sample_path("closed.wtape");
	struct wt_reader *reader;
	struct wt_state *found;

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open_with(path, &options, &reader));
	read_count = 0;
	for (uint32_t moment = 0; moment < sample.moments; moment += 13) {
		sample_must(wt_reader_state_deferred(reader, moment, &found));
		assert_true(has_any_registers(reader, found));
		wt_state_destroy(found);
	}
	assert_true(bytes_read() < MIB);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

static bool same_states(const struct wt_state *a, const struct wt_state *b)
{
	size_t count = wt_state_count(a), same = 0;

	for (size_t i = 0; i < count && count == wt_state_count(b); i++)
		same += wt_item_equal(wt_state_at(a, i), wt_state_at(b, i));
	return count == wt_state_count(b) && same == count;
}

/* Moments with nothing, with a change, and with something that came late; some of them in a chunk of their own. */
static const char *write_quiet_moments(uint32_t count)
{
	const char *path = sample_path("quiet.wtape");
	const struct wt_writer_options options = {.size = sizeof(options)};
	struct wt_state *state = wt_state_create();
	struct wt_writer *writer;

	assert_non_null(state);
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < count; i++) {
		const struct wt_moment moment = {.number = i,
						 .cause = i % 9 ? WT_MOMENT_PASS : WT_MOMENT_STOP};
		uint64_t number = i;
		const struct wt_item item = {.key = {.type = WT_ITEM_LIST, .owner = i % 3},
					     .handles = &number,
					     .handle_count = 1};
		const struct wt_item *late = &item;

		if (i % 5 == 1)
			sample_must(wt_state_set(state, &item));
		sample_must(wt_writer_moment(writer, &moment, state));
		if (i % 7 == 1)
			sample_must(wt_writer_late(writer, &late, 1));
	}
	sample_must(wt_writer_close(writer, "the end"));
	wt_state_destroy(state);
	return path;
}

static size_t place_of_moment(struct wt_reader *reader, uint32_t moment)
{
	size_t place = 0;

	sample_must(wt_reader_find_moment(reader, moment, &place));
	return place;
}

static void a_state_that_is_kept_is_the_same(void **unused)
{
	const uint32_t count = 60;
	struct wt_state *before = NULL, *state;
	struct wt_reader *reader;
	size_t kept = 0, same = 0, apart = 0;

	(void)unused;
	sample_must(wt_reader_open(write_quiet_moments(count), &reader));
	assert_int_equal(wt_reader_moment_count(reader), count);
	for (uint32_t i = 0; i < count; i++) {
		sample_must(wt_reader_state(reader, i, &state));
		if (i && same_states(before, state))
			same++;
		if (i && wt_reader_keeps_state(reader, i - 1, i)) {
			kept++;
			apart += place_of_moment(reader, i - 1) != place_of_moment(reader, i);
			assert_true(same_states(before, state));
		}
		wt_state_destroy(before);
		before = state;
	}
	wt_state_destroy(before);
	/* Of the last one in a chunk it is not known. */
	assert_true(kept >= 20 && kept < same && apart >= 3);
	assert_false(wt_reader_keeps_state(reader, count - 1, count));
	assert_false(wt_reader_keeps_state(reader, 3, 3));
	assert_false(wt_reader_keeps_state(reader, 3, 2));
	wt_reader_close(reader);
}

/* A call that has a chunk to itself. */
static void write_long_call(struct wt_writer *writer, uint64_t number)
{
	uint8_t *bytes = calloc(1, 2 * MIB);
	const struct wt_value input = {.form = WT_VALUE_DATA, .data = bytes, .size = 2 * MIB};
	const struct wt_call_begin begin = {.number = number, .inputs = &input, .input_count = 1};

	assert_non_null(bytes);
	sample_must(wt_writer_call_begin(writer, &begin));
	free(bytes);
}

/* Between two chunks with moments there may be others. One with what came late may be lost, and the state with it. */
static void what_lies_between_tells_whether_a_state_is_kept(void **unused)
{
	const char *path = sample_path("between.wtape");
	const struct wt_writer_options options = {.size = sizeof(options)};
	const struct wt_item item = {.key = {.type = WT_ITEM_LIST, .owner = 1}};
	const struct wt_item *late = &item;
	struct wt_state *empty = wt_state_create();
	struct wt_reader *reader;
	struct wt_writer *writer;

	(void)unused;
	assert_non_null(empty);
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < 6; i++) {
		const struct wt_moment moment = {.number = i,
						 .cause = i % 2 ? WT_MOMENT_PASS : WT_MOMENT_STOP};

		sample_must(wt_writer_moment(writer, &moment, empty));
		if (i == 2)
			sample_must(wt_writer_late(writer, &late, 1));
		if (i == 0 || i == 2)
			write_long_call(writer, i + 1);
	}
	sample_must(wt_writer_close(writer, "the end"));
	wt_state_destroy(empty);
	sample_must(wt_reader_open(path, &reader));
	assert_true(place_of_moment(reader, 0) + 2 <= place_of_moment(reader, 1));
	assert_true(place_of_moment(reader, 2) + 2 <= place_of_moment(reader, 3));
	assert_int_equal(place_of_moment(reader, 4) + 1, place_of_moment(reader, 5));
	assert_true(wt_reader_keeps_state(reader, 0, 1));
	assert_false(wt_reader_keeps_state(reader, 2, 3));
	/* But it is so of the last of all, since nothing tells that nothing came late for it. */
	assert_false(wt_reader_keeps_state(reader, 4, 5));
	wt_reader_close(reader);
}

/* Overwrite the payload of each chunk that has nothing but blobs. */
static void damage_blobs(const struct wt_reader *reader, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	for (size_t i = 0; i < reader->places.count; i++) {
		const struct wt_index_entry *entry = &reader->places.at[i].entry;

		if (entry->chunk.contents == 1u << WT_PACKET_BLOB)
			assert_int_equal(pwrite(fd, "damage", 6,
						(off_t)(entry->offset + WT_BLOCK_SIZE + 64)),
					 6);
	}
	close(fd);
}

static void deferred_registers_that_are_lost_are_named_once(void **state)
{
	struct sample sample = closed_sample(4, 3000000);
	const char *path = sample_path("closed.wtape");
	struct wt_reader *reader;
	struct wt_state *found;
	size_t lost = 0, named;

	(void)state;
	sample_write_file(&sample, path);
	sample_must(wt_reader_open(path, &reader));
	sample_must(wt_reader_state_deferred(reader, 3, &found));
	assert_null(wt_reader_damage(reader));
	damage_blobs(reader, path);
	for (size_t i = 0; i < wt_state_count(found); i++)
		if (is_registers(wt_state_at(found, i)))
			lost += !wt_reader_registers(reader, found,
						     wt_state_at(found, i)->key.owner);
	assert_true(lost > 0);
	assert_true(wt_reader_has_loss(reader));
	named = wt_reader_damage_count(reader);
	assert_true(named > lost);
	for (size_t i = 0; i < wt_state_count(found); i++)
		if (is_registers(wt_state_at(found, i)))
			lost -= !wt_reader_registers(reader, found,
						     wt_state_at(found, i)->key.owner);
	assert_int_equal(lost, 0);
	assert_int_equal(wt_reader_damage_count(reader), named);
	wt_state_destroy(found);
	wt_reader_close(reader);
	sample_deinit(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opening_reads_three_places),
		cmocka_unit_test(a_state_reads_what_it_is_made_of),
		cmocka_unit_test(what_is_not_needed_is_not_read),
		cmocka_unit_test(registers_are_read_when_they_are_asked_for),
		cmocka_unit_test(deferred_registers_are_not_read),
		cmocka_unit_test(a_state_that_is_kept_is_the_same),
		cmocka_unit_test(what_lies_between_tells_whether_a_state_is_kept),
		cmocka_unit_test(deferred_registers_that_are_lost_are_named_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
