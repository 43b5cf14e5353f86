/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include "tests/unit/with-cmocka.h"
#include <string.h>

#include "recorder/recording/handle-set.h"

#define MOST 600u

/* Small numbers, as libraries count them, and some that share their low bits. */
static uint64_t handle_at(size_t i)
{
	return i % 3 ? i + 1 : (uint64_t)(i + 1) << 32;
}

static void assert_holds(const struct wt_handles *handles, const bool *held)
{
	size_t count = 0;

	for (size_t i = 0; i < MOST; i++) {
		assert_int_equal(wt_handles_has(handles, handle_at(i)), held[i]);
		count += held[i];
	}
	assert_int_equal(handles->count, count);
}

static void what_was_added_is_there_once_and_in_order(void **state)
{
	struct wt_handles handles = {0};

	(void)state;
	assert_false(wt_handles_has(&handles, 1));
	wt_handles_remove(&handles, 1);
	for (size_t i = 0; i < MOST; i++) {
		assert_false(wt_handles_has(&handles, handle_at(i)));
		assert_true(wt_handles_add(&handles, handle_at(i)));
		assert_true(wt_handles_add(&handles, handle_at(i / 2)));
		assert_int_equal(handles.count, i + 1);
	}
	for (size_t i = 0; i < MOST; i++)
		assert_int_equal(handles.values[i], handle_at(i));
	wt_handles_clear(&handles);
	assert_int_equal(handles.count, 0);
	for (size_t i = 0; i < MOST; i++)
		assert_false(wt_handles_has(&handles, handle_at(i)));
	wt_handles_deinit(&handles);
	assert_null(handles.values);
}

/* In an order that is the same each time. */
static void any_order_of_adding_and_removing_leaves_what_it_should(void **state)
{
	struct wt_handles handles = {0};
	bool held[MOST] = {false};
	uint32_t random = 1;

	(void)state;
	for (size_t step = 0; step < 6000; step++) {
		size_t i;

		random = random * 1664525u + 1013904223u;
		i = (random >> 8) % MOST;
		held[i] = random >> 30 ? true : false;
		if (held[i])
			assert_true(wt_handles_add(&handles, handle_at(i)));
		else
			wt_handles_remove(&handles, handle_at(i));
		if (step % 500 == 0)
			assert_holds(&handles, held);
	}
	assert_holds(&handles, held);
	/* As the recorder drops waves that are gone. */
	for (size_t i = handles.count; i-- > 0;)
		if (handles.values[i] & 1)
			wt_handles_remove(&handles, handles.values[i]);
	for (size_t i = 0; i < MOST; i++)
		held[i] &= !(handle_at(i) & 1);
	assert_holds(&handles, held);
	wt_handles_deinit(&handles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_there_once_and_in_order),
		cmocka_unit_test(any_order_of_adding_and_removing_leaves_what_it_should),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
