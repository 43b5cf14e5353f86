/* SPDX-License-Identifier: MIT */
/* By which argument the memory is named for which a loop waits. */

#include "tests/unit/with-cmocka.h"

#include "replayer/view/loop.h"

static void test_argument(void **state)
{
	struct wt_explain_argument parts[] = {
		{.pointer = true, .known = true, .value = 0x7000},
		{.pointer = true, .known = true, .value = 0x7010},
		{.pointer = false, .known = true, .value = 0x7018},
		{.pointer = true, .known = false, .value = 0x7018},
		{.pointer = true, .known = true, .hidden = true, .value = 0x7018},
		{.pointer = true, .known = true, .value = 0x7ffc},
	};
	const struct wt_explain_arguments arguments = {.parts = parts, .part_count = 6};

	(void)state;
	assert_null(wt_loop_argument(&arguments, 0x6fff));
	assert_ptr_equal(wt_loop_argument(&arguments, 0x700f), &parts[0]);
	/* The next below, of those that the program has set and that are pointers. */
	assert_ptr_equal(wt_loop_argument(&arguments, 0x7010), &parts[1]);
	assert_ptr_equal(wt_loop_argument(&arguments, 0x7018), &parts[1]);
	assert_ptr_equal(wt_loop_argument(&arguments, 0x7ffc), &parts[5]);
	/* In the next page may be something else. */
	assert_null(wt_loop_argument(&arguments, 0x8000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_argument),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
