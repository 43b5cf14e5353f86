/* SPDX-License-Identifier: MIT */
/* What a moment stores of its state: when all of it, and how what changed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/state/held.h"

#define STATE_BYTES 10000u

/* A number that looks like no other. */
static uint32_t scatter(uint32_t number)
{
	number = (number ^ number >> 16) * 0x45d9f3bu;
	number = (number ^ number >> 16) * 0x45d9f3bu;
	return number ^ number >> 16;
}

static void put_bytes(struct wt_state *state, enum wt_item_type type, const uint8_t *data,
		      size_t size)
{
	struct wt_item item = {.key = {.type = type, .owner = 1},
			       .bytes = wt_bytes_create(data, size)};

	assert_non_null(item.bytes);
	sample_must(wt_state_set(state, &item));
	wt_bytes_release(item.bytes);
}

/* Moments with @changed bytes new in each; the first is an ATTACH, the others stops. */
static void write_moments(const char *path, uint32_t interval, uint32_t moments, size_t changed)
{
	struct wt_writer_options options = sample_options();
	uint8_t data[STATE_BYTES] = {0};
	struct wt_writer *writer;

	options.keyframe_interval = interval;
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < moments; i++) {
		struct wt_moment moment = {.cause = i ? WT_MOMENT_STOP : WT_MOMENT_ATTACH};
		struct wt_state *state = wt_state_create();

		assert_non_null(state);
		for (uint32_t k = 0; k < changed; k++)
			data[k] = (uint8_t)scatter(i << 16 | k);
		put_bytes(state, WT_ITEM_MEMORY, data, sizeof(data));
		sample_must(wt_writer_moment(writer, &moment, state));
		wt_state_destroy(state);
	}
	sample_must(wt_writer_close(writer, "detached"));
}

/* The keyframes of a trace in which each moment has a chunk: how many, and which. */
static size_t read_keyframes(const char *path, uint32_t keyframes[16])
{
	struct wt_reader *reader;
	size_t count = 0;

	sample_must(wt_reader_open(path, &reader));
	for (size_t i = 0; i < reader->places.count; i++) {
		uint32_t newest = reader->places.at[i].entry.chunk.keyframe;

		if (newest == WT_NO_MOMENT || (count && keyframes[count - 1] == newest))
			continue;
		assert_true(count < 16);
		/* Of the two in one chunk only the second is told. */
		keyframes[count++] = newest;
	}
	wt_reader_close(reader);
	return count;
}

static void keyframes_come_as_they_pay(void **state)
{
	const char *path = sample_path("keyframes.wtape");
	uint32_t found[16];

	(void)state;
	/* Little changes: the first stop, and the 64th moment after it. */
	write_moments(path, 0, 140, 10);
	assert_int_equal(read_keyframes(path, found), 3);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 65);
	assert_int_equal(found[2], 129);
	/* All of it changes each time: but never before the 8th. */
	write_moments(path, 0, 30, STATE_BYTES);
	assert_int_equal(read_keyframes(path, found), 4);
	assert_int_equal(found[1], 9);
	assert_int_equal(found[3], 25);
	/* A third of it, as patches: when they take four times the whole. */
	write_moments(path, 0, 30, STATE_BYTES / 3);
	assert_int_equal(read_keyframes(path, found), 3);
	assert_int_equal(found[1], 14);
	assert_int_equal(found[2], 27);
}

static void keyframes_come_as_asked_for(void **state)
{
	const char *path = sample_path("keyframes.wtape");
	uint32_t found[16];

	(void)state;
	write_moments(path, 4, 14, 10);
	assert_int_equal(read_keyframes(path, found), 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(found[i], 4 * i);
}

/* Words of a register in the lanes of a wave: from a number of the lane, or all alike, or neither. */
enum pattern { AFFINE, EQUAL, SCATTERED, PATTERNS };

static uint32_t word_of(enum pattern pattern, uint32_t moment, uint32_t lane)
{
	if (pattern == AFFINE)
		return scatter(moment) + lane * scatter(moment + 1000);
	return scatter(pattern == EQUAL ? moment : moment << 16 | lane);
}

/* One value of @size bytes, of which each moment changes @length from an offset of its own on. */
static struct wt_state *change_words(uint8_t *data, size_t size, enum pattern pattern,
				     uint32_t moment, size_t offset, size_t length)
{
	struct wt_state *state = wt_state_create();

	assert_non_null(state);
	for (size_t i = 0; i < length; i++)
		data[offset + i] =
			(uint8_t)(word_of(pattern, moment, (uint32_t)i / 4) >> 8 * (i % 4));
	put_bytes(state, WT_ITEM_REGISTERS, data, size);
	put_bytes(state, WT_ITEM_MEMORY, data, size);
	return state;
}

/* Whatever the words are, and wherever the changes begin and end. */
static void changed_words_come_back(void **unused)
{
	const char *path = sample_path("words.wtape");
	const struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_writer_options options = sample_options();
	enum { MOMENTS = 90, SIZE = 1027 };
	struct wt_state *states[MOMENTS], *found;
	uint8_t data[SIZE] = {0};
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)unused;
	options.keyframe_interval = 20;
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < MOMENTS; i++) {
		size_t length = 20 + i % 29 * 7, offset = (scatter(i) % (SIZE - length));

		/* Some of them reach to the end, which is in no word. */
		states[i] = change_words(data, SIZE, (enum pattern)(i % PATTERNS), i,
					 i % 5 ? offset : SIZE - length, length);
		sample_must(wt_writer_moment(writer, &moment, states[i]));
	}
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_reader_open(path, &reader));
	for (uint32_t i = 0; i < MOMENTS; i++) {
		sample_must(wt_reader_state(reader, i, &found));
		assert_int_equal(wt_state_count(found), 2);
		for (size_t k = 0; k < 2; k++)
			assert_true(
				wt_item_equal(wt_state_at(found, k), wt_state_at(states[i], k)));
		wt_state_destroy(found);
		wt_state_destroy(states[i]);
	}
	assert_null(wt_reader_damage(reader));
	wt_reader_close(reader);
}

/* What 49 moments take that each change a register of 64 lanes, and nothing else. */
static uint64_t measure(enum pattern pattern)
{
	const struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_writer_options options = sample_options();
	uint64_t first = 0, stored, raw;
	uint8_t data[4096] = {0};
	struct wt_writer *writer;

	options.keyframe_interval = 64;
	sample_must(wt_writer_create(sample_path("lanes.wtape"), &options, &writer));
	for (uint32_t i = 0; i < 50; i++) {
		struct wt_state *state = wt_state_create();

		assert_non_null(state);
		for (uint32_t lane = 0; lane < 64; lane++) {
			uint32_t word = word_of(pattern, i, lane);

			memcpy(data + 1024 + 4 * lane, &word, sizeof(word));
		}
		put_bytes(state, WT_ITEM_REGISTERS, data, sizeof(data));
		sample_must(wt_writer_moment(writer, &moment, state));
		wt_state_destroy(state);
		wt_writer_sizes(writer, &stored, &raw);
		first = i ? first : stored;
	}
	sample_must(wt_writer_close(writer, "detached"));
	return stored - first;
}

/* A chunk's head and the least payload are 256 bytes; new words of 64 lanes are as many more. */
static void lanes_that_follow_a_rule_cost_little(void **state)
{
	(void)state;
	assert_int_equal(measure(AFFINE), 49 * 256);
	assert_int_equal(measure(EQUAL), 49 * 256);
	assert_true(measure(SCATTERED) > 49 * (256 + 128));
}

static struct wt_state *answered(uint32_t moment)
{
	struct wt_state *state = wt_state_create();
	uint8_t name[300], number[8] = {(uint8_t)moment};
	const struct wt_answer answers[] = {
		{.query = 1, .value = name, .size = sizeof(name)},
		{.query = 2, .value = number, .size = moment % 8},
		{.query = 2, .value = number, .size = 8},
		{.query = 3, .status = moment % 3 ? -2 : 0},
		{.query = 4, .value = name, .size = sizeof(name)},
	};
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT, .kind = 1, .owner = 7},
			       .answers = (struct wt_answer *)(uintptr_t)answers,
			       .answer_count = moment % 20 == 19 ? 4 : 5};

	assert_non_null(state);
	for (uint32_t i = 0; i < sizeof(name); i++)
		name[i] = (uint8_t)scatter(i);
	sample_must(wt_state_set(state, &item));
	return state;
}

/* Those that did not change are not written again, as long as there are as many. */
static void changed_answers_come_back(void **unused)
{
	const char *path = sample_path("answers.wtape");
	const struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_writer_options options = sample_options();
	uint64_t first = 0, stored, raw;
	struct wt_state *state, *found;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)unused;
	options.keyframe_interval = 64;
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < 40; i++) {
		state = answered(i);
		sample_must(wt_writer_moment(writer, &moment, state));
		wt_state_destroy(state);
		wt_writer_sizes(writer, &stored, &raw);
		first = i ? first : raw;
		/* The first time that there are four is behind them. */
		if (i == 18)
			assert_true(raw - first < 18 * 60);
	}
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_reader_open(path, &reader));
	for (uint32_t i = 0; i < 40; i++) {
		state = answered(i);
		sample_must(wt_reader_state(reader, i, &found));
		assert_int_equal(wt_state_count(found), 1);
		assert_true(wt_item_equal(wt_state_at(found, 0), wt_state_at(state, 0)));
		wt_state_destroy(found);
		wt_state_destroy(state);
	}
	wt_reader_close(reader);
}

/* Two of five have a query each, three one in common: any of them change. */
static struct wt_state *answered_alike(uint32_t changed)
{
	static const uint32_t queries[] = {1, 2, 1, 1, 3};
	struct wt_state *state = wt_state_create();
	struct wt_answer answers[5] = {0};
	struct wt_item item = {.key = {.type = WT_ITEM_OBJECT, .kind = 1, .owner = 7},
			       .answers = answers,
			       .answer_count = 5};
	uint8_t values[5];

	assert_non_null(state);
	for (uint32_t i = 0; i < 5; i++) {
		values[i] = (uint8_t)(i | (changed >> i & 1) << 4);
		answers[i] = (struct wt_answer){
			.query = queries[i], .value = &values[i], .size = sizeof(values[i])};
	}
	sample_must(wt_state_set(state, &item));
	return state;
}

static void repeated_queries_keep_their_answers_apart(void **unused)
{
	const char *path = sample_path("alike.wtape");
	const struct wt_moment moment = {.cause = WT_MOMENT_STOP};
	struct wt_writer_options options = sample_options();
	enum { SETS = 1 << 5 };
	struct wt_state *state, *found;
	struct wt_writer *writer;
	struct wt_reader *reader;

	(void)unused;
	options.keyframe_interval = SETS;
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < 2 * SETS; i++) {
		state = answered_alike(i % 2 ? i / 2 : 0);
		sample_must(wt_writer_moment(writer, &moment, state));
		wt_state_destroy(state);
	}
	sample_must(wt_writer_close(writer, "detached"));
	sample_must(wt_reader_open(path, &reader));
	for (uint32_t i = 0; i < 2 * SETS; i++) {
		state = answered_alike(i % 2 ? i / 2 : 0);
		sample_must(wt_reader_state(reader, i, &found));
		assert_int_equal(wt_state_count(found), 1);
		assert_true(wt_item_equal(wt_state_at(found, 0), wt_state_at(state, 0)));
		wt_state_destroy(found);
		wt_state_destroy(state);
	}
	wt_reader_close(reader);
}

/* Items of one key: values of which the first two are equal, the others differ in a few bytes or in all. */
enum { VALUES = 5, KEYS = 12 };

static struct wt_held_item *make_value(uint32_t key, uint32_t value)
{
	uint8_t data[3000], number[8] = {(uint8_t)(value > 1 ? value : 0)};
	const struct wt_answer answers[] = {{.query = 1, .value = number, .size = sizeof(number)},
					    {.query = 2, .value = data, .size = 20}};
	struct wt_item item = {
		.key = {.type = (enum wt_item_type)(WT_ITEM_OBJECT + key % 6), .owner = key}};
	struct wt_held_item *held;

	for (uint32_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)scatter(value == VALUES - 1 ? i << 8 : key << 16 | i);
	data[1000] = number[0];
	item.bytes = item.key.type == WT_ITEM_OBJECT || item.key.type == WT_ITEM_LIST
			     ? NULL
			     : wt_bytes_create(data, sizeof(data));
	if (item.key.type == WT_ITEM_OBJECT) {
		item.answers = (struct wt_answer *)(uintptr_t)answers;
		item.answer_count = 2;
	}
	held = wt_held_item_create(&item);
	assert_non_null(held);
	wt_bytes_release(item.bytes);
	return held;
}

/* Moments of those items, some of which are gone for a while and come back. */
static void write_values(const char *path, struct wt_held_item *values[KEYS][VALUES], bool shares)
{
	struct wt_writer_options options = sample_options();
	struct wt_writer *writer;

	options.shares_items = shares;
	sample_must(wt_writer_create(path, &options, &writer));
	for (uint32_t i = 0; i < 100; i++) {
		const struct wt_moment moment = {.cause = i % 3 ? WT_MOMENT_STOP : WT_MOMENT_PASS};
		const struct wt_item *late = &values[i % KEYS][i % VALUES]->item;
		struct wt_state *state = wt_state_create();

		assert_non_null(state);
		for (uint32_t key = 0; key < KEYS; key++) {
			uint32_t value = scatter(i / 2 << 8 | key) % (VALUES + 3);

			if (value < VALUES || i % 7)
				sample_must(wt_state_hold(
					state, values[key][value < VALUES ? value : i % 2]));
		}
		sample_must(wt_writer_moment(writer, &moment, state));
		if (i % 5 == 4)
			sample_must(wt_writer_late(writer, &late, 1));
		wt_state_destroy(state);
	}
	sample_must(wt_writer_close(writer, "detached"));
}

/* A trace is the same whether its writer copies items or shares them, also if they were in another trace before. */
static void shared_items_are_written_as_copies_are(void **unused)
{
	const char *names[] = {"copied.wtape", "shared.wtape", "again.wtape"};
	struct wt_held_item *values[KEYS][VALUES];
	uint8_t *files[3];
	size_t sizes[3];

	(void)unused;
	for (uint32_t i = 0; i < KEYS * VALUES; i++)
		values[i / VALUES][i % VALUES] = make_value(i / VALUES, i % VALUES);
	for (size_t i = 0; i < 3; i++) {
		write_values(sample_path(names[i]), values, i);
		files[i] = sample_read(sample_path(names[i]), &sizes[i]);
		assert_int_equal(sizes[i], sizes[0]);
		assert_memory_equal(files[i], files[0], sizes[0]);
	}
	for (size_t i = 0; i < 3; i++)
		free(files[i]);
	for (uint32_t i = 0; i < KEYS * VALUES; i++)
		wt_held_item_release(values[i / VALUES][i % VALUES]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changed_words_come_back),
		cmocka_unit_test(lanes_that_follow_a_rule_cost_little),
		cmocka_unit_test(changed_answers_come_back),
		cmocka_unit_test(repeated_queries_keep_their_answers_apart),
		cmocka_unit_test(shared_items_are_written_as_copies_are),
		cmocka_unit_test(keyframes_come_as_they_pay),
		cmocka_unit_test(keyframes_come_as_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
