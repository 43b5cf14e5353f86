/* SPDX-License-Identifier: MIT */
/* Tables of objects: what is found by which number, and how far one looks for it. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include "dbgapi/simulated/entries.h"

#define COUNT 4096u
#define FAR 12u /* in so short a chain everything must stand */

static struct wt_api_entry entries[COUNT];

static void add(struct wt_api_table *table, enum wt_api_key key, size_t index, uint64_t number)
{
	entries[index] = (struct wt_api_entry){.handle = number, .number = (uint32_t)number};
	assert_true(wt_table_add(table, key, &entries[index]));
}

static void empty(struct wt_api_table *table, enum wt_api_key key, size_t first)
{
	for (size_t i = first; i < COUNT; i++)
		wt_table_remove(table, key, &entries[i]);
	assert_int_equal(table->count, 0);
	wt_table_deinit(table);
	assert_null(wt_table_find(table, key, entries[0].handle));
}

static void test_finds_what_is_there(void **state)
{
	(void)state;
	for (int key = 0; key < WT_API_KEYS; key++) {
		struct wt_api_table table = {0};

		assert_null(wt_table_find(&table, (enum wt_api_key)key, 1));
		for (size_t i = 0; i < COUNT; i++)
			add(&table, (enum wt_api_key)key, i, 3 * i);
		for (size_t i = 0; i < COUNT; i += 2)
			wt_table_remove(&table, (enum wt_api_key)key, &entries[i]);
		assert_int_equal(table.count, COUNT / 2);
		for (size_t i = 0; i < 3 * COUNT; i++)
			assert_ptr_equal(wt_table_find(&table, (enum wt_api_key)key, i),
					 i % 6 == 3 ? &entries[i / 3] : NULL);
		for (size_t i = 0; i < COUNT; i += 2)
			add(&table, (enum wt_api_key)key, i, 3 * i);
		empty(&table, (enum wt_api_key)key, 0);
	}
}

/* The device may use a number again before the object that had it is gone. */
static void test_finds_the_newest_of_a_number(void **state)
{
	struct wt_api_table table = {0};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		add(&table, WT_BY_NUMBER, i, 7);
	for (size_t i = 3; i < COUNT; i++)
		add(&table, WT_BY_NUMBER, i, 1000 + i);
	for (size_t i = 3; i-- > 0;) {
		assert_ptr_equal(wt_table_find(&table, WT_BY_NUMBER, 7), &entries[i]);
		wt_table_remove(&table, WT_BY_NUMBER, &entries[i]);
	}
	empty(&table, WT_BY_NUMBER, 3);
}

static size_t longest_chain(const struct wt_api_table *table)
{
	size_t longest = 0;

	for (size_t i = 0; i < (size_t)1 << table->bits; i++) {
		size_t length = 0;

		for (const struct wt_api_entry *entry = table->chains[i]; entry;
		     entry = entry->chained[WT_BY_HANDLE])
			length++;
		longest = length > longest ? length : longest;
	}
	return longest;
}

/* Of every so many handles one is left, as of workgroups of so many waves, or of stops. */
static void test_chains_stay_short(void **state)
{
	(void)state;
	for (uint64_t distance = 1; distance <= UINT64_C(1) << 40; distance *= 2)
		for (uint64_t more = 0; more < 2; more++) {
			struct wt_api_table table = {0};

			for (size_t i = 0; i < COUNT; i++)
				add(&table, WT_BY_HANDLE, i, 1 + i * (distance + more));
			assert_in_range(longest_chain(&table), 1, FAR);
			empty(&table, WT_BY_HANDLE, 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_what_is_there),
		cmocka_unit_test(test_finds_the_newest_of_a_number),
		cmocka_unit_test(test_chains_stay_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
