/* SPDX-License-Identifier: MIT */
/* Exceptions that are turned on in a code object, which is one that clang has linked. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "tool/trapping.h"

#define LARGEST 1000000u

static uint8_t *image, *before;
static size_t size;

static int load(void **state)
{
	const char *path = getenv("WT_KERNEL");
	FILE *file = fopen(path ? path : "", "rb");

	(void)state;
	image = malloc(LARGEST);
	before = malloc(LARGEST);
	if (!file || !image || !before)
		return -1;
	size = fread(image, 1, LARGEST, file);
	fclose(file);
	return size ? 0 : -1;
}

static size_t difference(size_t *place_ret)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		if (image[i] != before[i]) {
			count++;
			*place_ret = i;
		}
	return count;
}

/* One kernel: one byte, of which bit 7 is none of an exception. */
static void test_bits(void **state)
{
	size_t place = 0;

	(void)state;
	memcpy(before, image, size);
	assert_int_equal(wt_trapping_set(image, size, WT_TRAPPED_INVALID | WT_TRAPPED_OVERFLOW), 1);
	assert_int_equal(difference(&place), 1);
	assert_int_equal(before[place], 0);
	assert_int_equal(image[place], 9);
	assert_int_equal(wt_trapping_set(image, size, UINT32_MAX), 1);
	assert_int_equal(difference(&place), 1);
	assert_int_equal(image[place], 0x7f);
	memcpy(image, before, size);
}

/* A file that is cut off, or is no code object, stays as it is or is changed where its tables are; nothing outside is touched. */
static void test_cuts(void **state)
{
	(void)state;
	for (size_t length = 0; length < size; length += length < 4096 ? 1 : 61) {
		uint8_t *part = malloc(length ? length : 1);

		assert_non_null(part);
		memcpy(part, image, length);
		assert_true(wt_trapping_set(part, length, WT_TRAPPED_ALL) <= 1);
		free(part);
	}
}

/* Any byte of the headers may be anything. */
static void test_flips(void **state)
{
	(void)state;
	memcpy(before, image, size);
	for (size_t at = 0; at < size && at < 4096; at++) {
		memcpy(image, before, size);
		image[at] ^= 0xff;
		assert_true(wt_trapping_set(image, size, WT_TRAPPED_ALL) <= size);
	}
	memcpy(image, before, size);
}

/* A copy is made while they are armed, the same one for the same code object. */
static void test_copies(void **state)
{
	const uint8_t *copy;
	size_t place = 0;

	(void)state;
	assert_null(wt_trapping_copy(image, size));
	wt_trapping_arm(WT_TRAPPED_DIVISION);
	copy = wt_trapping_copy(image, size);
	assert_non_null(copy);
	assert_ptr_equal(wt_trapping_copy(image, size), copy);
	memcpy(before, copy, size);
	assert_int_equal(difference(&place), 1);
	assert_int_equal(copy[place], 4);
	assert_null(wt_trapping_copy("no code object", 14));
	wt_trapping_arm(0);
	assert_null(wt_trapping_copy(image, size));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_flips),
		cmocka_unit_test(test_copies),
	};

	return cmocka_run_group_tests(tests, load, NULL);
}
