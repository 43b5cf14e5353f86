/* SPDX-License-Identifier: MIT */
/* Facts that had the names of functions for keys before 1.6: whichever way a trace has them, a state has them once and alike. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "sample.h"
#include "trace-format/reader/reader.h"
#include "trace-format/state/state.h"

#define STOPPED 2u /* moments of the vectors */
#define LATER 3u

static struct wt_reader *open_vector(const char *name)
{
	struct wt_reader *reader;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.wtape", WT_VECTORS, name);
	sample_must(wt_reader_open(path, &reader));
	return reader;
}

/* The place in a state of its next item from @place on that is one of these facts. */
static size_t next_fact(const struct wt_state *state, size_t place)
{
	while (place < wt_state_count(state) &&
	       wt_state_at(state, place)->key.type < WT_ITEM_REFUSAL)
		place++;
	return place;
}

static void expect_numbers(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
	assert_int_equal(a_count, b_count);
	if (a_count)
		assert_memory_equal(a, b, a_count * sizeof(*a));
}

static void expect_same(struct wt_reader *a_reader, const struct wt_item *a,
			struct wt_reader *b_reader, const struct wt_item *b)
{
	assert_int_equal(a->key.type, b->key.type);
	assert_int_equal(a->key.owner, b->key.owner);
	assert_int_equal(!a->key.kind, !b->key.kind);
	if (a->key.kind)
		assert_string_equal(wt_reader_name(a_reader, a->key.kind),
				    wt_reader_name(b_reader, b->key.kind));
	assert_int_equal(a->status, b->status);
	expect_numbers(a->numbers, a->number_count, b->numbers, b->number_count);
	expect_numbers(a->handles, a->handle_count, b->handles, b->handle_count);
}

/* Return: how many of these facts both have. */
static size_t expect_same_facts(const char *a_name, const char *b_name, uint32_t moment)
{
	struct wt_reader *a = open_vector(a_name), *b = open_vector(b_name);
	struct wt_state *a_state, *b_state;
	size_t i, j, count = 0;

	sample_must(wt_reader_state(a, moment, &a_state));
	sample_must(wt_reader_state(b, moment, &b_state));
	i = next_fact(a_state, 0);
	j = next_fact(b_state, 0);
	for (; i < wt_state_count(a_state) && j < wt_state_count(b_state); count++) {
		expect_same(a, wt_state_at(a_state, i), b, wt_state_at(b_state, j));
		i = next_fact(a_state, i + 1);
		j = next_fact(b_state, j + 1);
	}
	assert_int_equal(i, wt_state_count(a_state));
	assert_int_equal(j, wt_state_count(b_state));
	/* Nothing of the older form is left. */
	for (i = 0; i < wt_state_count(b_state); i++)
		assert_int_not_equal(wt_state_at(b_state, i)->key.type, WT_ITEM_MAP);
	wt_state_destroy(a_state);
	wt_state_destroy(b_state);
	wt_reader_close(a);
	wt_reader_close(b);
	return count;
}

static void older_ones_are_read_as_those_of_today(void **unused)
{
	static const char *const others[] = {"facts-by-names-of-functions", "facts-by-both"};

	(void)unused;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		assert_int_equal(expect_same_facts("facts-by-types", others[i], STOPPED), 10);
		/* One was removed, and one changed. */
		assert_int_equal(expect_same_facts("facts-by-types", others[i], LATER), 9);
	}
}

static bool needs_precision(void *opaque, const struct wt_key *key)
{
	(void)opaque;
	return key->type == WT_ITEM_MEMORY_PRECISION;
}

/* Who needs a part of a state alone names it by the types of today. */
static void a_part_is_named_by_types_of_today(void **unused)
{
	const struct wt_key key = {.type = WT_ITEM_MEMORY_PRECISION, .owner = 1};
	struct wt_reader *reader = open_vector("facts-by-names-of-functions");
	const struct wt_item *item;
	struct wt_state *state;

	(void)unused;
	wt_reader_need(reader, needs_precision, NULL);
	sample_must(wt_reader_state(reader, LATER, &state));
	item = wt_state_get(state, &key);
	assert_non_null(item);
	assert_int_equal(item->number_count, 1);
	assert_int_equal(item->numbers[0], 0);
	assert_int_equal(item->handle_count, 0);
	wt_state_destroy(state);
	wt_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(older_ones_are_read_as_those_of_today),
		cmocka_unit_test(a_part_is_named_by_types_of_today),
	};

	return cmocka_run_group_tests_name("older items", tests, NULL, NULL);
}
