/* SPDX-License-Identifier: MIT */
/* Unit tests of base/file.c. The system calls are ours: they do what the test has in its list. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

#include "tests/unit/with-cmocka.h"

#include "base/file.h"

#define FD 1234

/* What each call in turn does: moves so many bytes at most, or fails with a number below zero. */
static const int *script;
static char file[32];
static size_t position;
static int calls;

static ssize_t next(size_t size)
{
	int step = *script++;

	calls++;
	if (step < 0) {
		errno = -step;
		return -1;
	}
	return (size_t)step < size ? step : (ssize_t)size;
}

ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_pwrite64(int fd, const void *data, size_t size, off_t offset);
ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t offset);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	ssize_t done = next(size);

	assert_int_equal(fd, FD);
	if (done > 0) {
		memcpy(file + position, data, (size_t)done);
		position += (size_t)done;
	}
	return done;
}

ssize_t __wrap_pwrite64(int fd, const void *data, size_t size, off_t offset)
{
	ssize_t done = next(size);

	assert_int_equal(fd, FD);
	if (done > 0)
		memcpy(file + offset, data, (size_t)done);
	return done;
}

ssize_t __wrap_pread64(int fd, void *data, size_t size, off_t offset)
{
	ssize_t done = next(size);

	assert_int_equal(fd, FD);
	if (done > 0)
		memcpy(data, file + offset, (size_t)done);
	return done;
}

static int setup(void **state)
{
	(void)state;
	memset(file, 0, sizeof(file));
	position = 0;
	calls = 0;
	return 0;
}

static void assert_fails(struct wt_error *error, int errnum)
{
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_IO);
	assert_string_equal(error->what, "cannot write it");
	assert_string_equal(error->where, "a.file");
	assert_string_equal(error->why, strerror(errnum));
	wt_error_destroy(error);
}

static void test_write_goes_on_after_parts_and_signals(void **state)
{
	(void)state;
	script = (const int[]){3, -EINTR, 1, -EINTR, 99};
	assert_null(wt_file_write_all(FD, "recorded", 8, "cannot write it", "a.file"));
	assert_int_equal(calls, 5);
	assert_string_equal(file, "recorded");
	script = (const int[]){-EINTR, 5, 2, 99};
	assert_null(wt_file_write_at(FD, 10, "replayed", 8, "cannot write it", "a.file"));
	assert_int_equal(calls, 9);
	assert_string_equal(file + 10, "replayed");
}

static void test_write_tells_why_it_cannot(void **state)
{
	(void)state;
	script = (const int[]){3, -ENOSPC};
	assert_fails(wt_file_write_all(FD, "recorded", 8, "cannot write it", "a.file"), ENOSPC);
	script = (const int[]){3, -EIO};
	assert_fails(wt_file_write_at(FD, 0, "recorded", 8, "cannot write it", "a.file"), EIO);
	assert_string_equal(file, "rec");
}

static void test_write_of_nothing_is_a_full_disk(void **state)
{
	(void)state;
	script = (const int[]){3, 0};
	assert_fails(wt_file_write_all(FD, "recorded", 8, "cannot write it", "a.file"), ENOSPC);
	script = (const int[]){0};
	assert_fails(wt_file_write_at(FD, 0, "recorded", 8, "cannot write it", "a.file"), ENOSPC);
}

static void test_no_bytes_take_no_call(void **state)
{
	char nothing;

	(void)state;
	assert_null(wt_file_write_all(FD, "", 0, "cannot write it", "a.file"));
	assert_null(wt_file_write_at(FD, 7, "", 0, "cannot write it", "a.file"));
	assert_int_equal(wt_file_read_at(FD, 7, &nothing, 0), 0);
	assert_int_equal(calls, 0);
}

static void test_read_goes_on_to_the_end_of_the_file(void **state)
{
	char data[9] = "";

	(void)state;
	strcpy(file, "a recorded wave");
	script = (const int[]){1, -EINTR, 4, 99};
	assert_int_equal(wt_file_read_at(FD, 2, data, 8), 8);
	assert_string_equal(data, "recorded");
	script = (const int[]){4, 0};
	assert_int_equal(wt_file_read_at(FD, 11, data, 8), 4);
	assert_memory_equal(data, "wave", 4);
	assert_int_equal(calls, 6);
}

static void test_read_tells_why_it_cannot(void **state)
{
	char data[8];

	(void)state;
	script = (const int[]){4, -EIO};
	assert_int_equal(wt_file_read_at(FD, 0, data, 8), -1);
	assert_int_equal(errno, EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_write_goes_on_after_parts_and_signals, setup),
		cmocka_unit_test_setup(test_write_tells_why_it_cannot, setup),
		cmocka_unit_test_setup(test_write_of_nothing_is_a_full_disk, setup),
		cmocka_unit_test_setup(test_no_bytes_take_no_call, setup),
		cmocka_unit_test_setup(test_read_goes_on_to_the_end_of_the_file, setup),
		cmocka_unit_test_setup(test_read_tells_why_it_cannot, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
