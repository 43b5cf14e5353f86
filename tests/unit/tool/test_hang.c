/* SPDX-License-Identifier: MIT */
/* When a program hangs: the rule, and when it is looked at. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"

#include "tool/hang.h"

static void test_told_once(void **state)
{
	struct wt_tool_hang hang = wt_tool_hang_start(1000, 0);

	(void)state;
	assert_false(wt_tool_hang_note(&hang, 1, true, 100));
	assert_false(wt_tool_hang_note(&hang, 1, true, 1099));
	assert_true(wt_tool_hang_note(&hang, 1, true, 1100));
	assert_false(wt_tool_hang_note(&hang, 1, true, 9000));
	/* It goes on, and hangs again. */
	assert_false(wt_tool_hang_note(&hang, 2, true, 9100));
	assert_false(wt_tool_hang_note(&hang, 2, true, 10099));
	assert_true(wt_tool_hang_note(&hang, 2, true, 10100));
}

static void test_nothing_waits(void **state)
{
	struct wt_tool_hang hang = wt_tool_hang_start(1000, 0);

	(void)state;
	for (uint64_t now = 0; now < 10000; now += 500)
		assert_false(wt_tool_hang_note(&hang, 7, false, now));
	/* What came just now has not waited yet. */
	assert_false(wt_tool_hang_note(&hang, 7, true, 10000));
	assert_false(wt_tool_hang_note(&hang, 7, true, 10499));
	assert_true(wt_tool_hang_note(&hang, 7, true, 10500));
}

static void test_slow_is_no_hang(void **state)
{
	struct wt_tool_hang hang = wt_tool_hang_start(1000, 0);

	(void)state;
	for (uint64_t now = 0; now < 100000; now += 900)
		assert_false(wt_tool_hang_note(&hang, now, true, now));
}

static void test_looks(void **state)
{
	static const struct {
		uint64_t after;
		int wait;
	} rows[] = {{0, -1}, {1, 20}, {200, 50}, {60000, 15000}, {3600000, 15000}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct wt_tool_hang hang = wt_tool_hang_start(rows[i].after, 5000);

		assert_int_equal(wt_tool_hang_wait(&hang, 5000), rows[i].wait);
		if (rows[i].after)
			assert_int_equal(wt_tool_hang_wait(&hang, 5000000), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told_once),
		cmocka_unit_test(test_nothing_waits),
		cmocka_unit_test(test_slow_is_no_hang),
		cmocka_unit_test(test_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
