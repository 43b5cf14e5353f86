/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "tests/unit/with-cmocka.h"

#include "base/error.h"

static void an_error_has_its_three_parts(void **state)
{
	struct wt_error *error = wt_error_create(WT_ERROR_INPUT, "cannot read", "file.json",
						 "line %d is %s", 7, "odd");

	(void)state;
	assert_int_equal(error->code, WT_ERROR_INPUT);
	assert_string_equal(error->what, "cannot read");
	assert_string_equal(error->where, "file.json");
	assert_string_equal(error->why, "line 7 is odd");
	wt_error_destroy(error);
}

static void a_place_may_be_absent(void **state)
{
	struct wt_error *error = wt_error_create(WT_ERROR_USAGE, "cannot", NULL, "why");

	(void)state;
	assert_string_equal(error->where, "");
	error = wt_error_prefix(error, "here");
	assert_string_equal(error->where, "here");
	wt_error_destroy(error);
}

static void a_prefix_comes_first(void **state)
{
	struct wt_error *error = wt_error_create(WT_ERROR_LIMIT, "cannot", "inner", "why");

	(void)state;
	error = wt_error_prefix(error, "outer");
	assert_string_equal(error->where, "outer: inner");
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
}

static void the_system_explains_its_numbers(void **state)
{
	struct wt_error *error = wt_error_errno(ENOENT, "cannot open", "x");

	(void)state;
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->why, "No such file or directory");
	wt_error_destroy(error);
}

static void the_static_one_and_none_may_be_passed_around(void **state)
{
	(void)state;
	wt_error_destroy(NULL);
	assert_null(wt_error_prefix(NULL, "here"));
	assert_ptr_equal(wt_error_prefix(&wt_error_no_memory, "here"), &wt_error_no_memory);
	wt_error_destroy(&wt_error_no_memory);
	assert_int_equal(wt_error_no_memory.code, WT_ERROR_MEMORY);
	assert_string_equal(wt_error_no_memory.where, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_error_has_its_three_parts),
		cmocka_unit_test(a_place_may_be_absent),
		cmocka_unit_test(a_prefix_comes_first),
		cmocka_unit_test(the_system_explains_its_numbers),
		cmocka_unit_test(the_static_one_and_none_may_be_passed_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
