/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"

static void descriptors_are_closed(void **state)
{
	int kept;

	(void)state;
	{
		wt_cleanup_close int fd = open("/dev/null", O_RDONLY);
		wt_cleanup_close int none = -1;

		assert_true(fd >= 0);
		assert_int_equal(none, -1);
		kept = fd;
	}
	assert_int_equal(fcntl(kept, F_GETFD), -1);
	assert_int_equal(errno, EBADF);
}

static void *hand_on(void *pointer)
{
	wt_cleanup_free void *local = pointer;

	return wt_take(local);
}

static void what_is_taken_is_not_freed(void **state)
{
	char *memory = malloc(4);

	(void)state;
	assert_non_null(memory);
	memory[0] = 'x';
	assert_ptr_equal(hand_on(memory), memory);
	assert_int_equal(memory[0], 'x');
	free(memory);
}

static void errors_and_files_go_out_of_scope(void **state)
{
	wt_cleanup_error struct wt_error *error = wt_error_create(WT_ERROR_USAGE, "a", "b", "c");
	wt_cleanup_error struct wt_error *fine = NULL;
	wt_cleanup_fclose FILE *file = tmpfile();
	wt_cleanup_fclose FILE *none = NULL;

	(void)state;
	assert_non_null(error);
	assert_null(fine);
	assert_non_null(file);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_closed),
		cmocka_unit_test(what_is_taken_is_not_freed),
		cmocka_unit_test(errors_and_files_go_out_of_scope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
