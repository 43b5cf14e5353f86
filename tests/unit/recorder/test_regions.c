/* SPDX-License-Identifier: MIT */
/* Region files: which blocks are there, and which have gone. */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "recorder/host/regions.h"

/* The file that is made: its head, and batches behind it. */
static uint8_t file[4096];
static size_t size;

static void put(uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		file[size++] = (uint8_t)(value >> 8 * i);
}

static void begin(void)
{
	size = 0;
	memcpy(file, "HRRR\1\0\0\0", 8);
	size = 8;
}

static void begin_batch(uint32_t count)
{
	put(0xfffd, 2);
	put(0, 8);
	put(1, 8);
	put(0, 8);
	put(40 + 32 * count, 4);
	put(0, 2);
	put(count, 4);
	put(0, 4);
}

static void put_record(int operation, int kind, uint64_t base, uint64_t bytes, int64_t time)
{
	put((uint64_t)operation, 1);
	put((uint64_t)kind, 1);
	put(0, 2);
	put(7, 4);
	put(base, 8);
	put(bytes, 8);
	put((uint64_t)time, 8);
}

static void test_blocks(void **state)
{
	struct wt_regions regions;

	(void)state;
	begin();
	begin_batch(3);
	put_record(0, 1, 0x1000, 0x10000, 0); /* a segment */
	put_record(0, 0, 0x1000, 512, 0);
	put_record(0, 0, 0x3000, 256, 10);
	begin_batch(3);
	put_record(1, 0, 0x3000, 0, 20); /* asked to be freed, and freed */
	put_record(1, 0, 0x3000, 0, 25);
	put_record(0, 0, 0x2000, 64, 30);
	assert_true(wt_regions_parse(file, size, &regions));
	assert_int_equal(regions.count, 3);
	assert_int_equal(regions.list[0].base, 0x1000);
	assert_int_equal(regions.list[0].size, 512);
	assert_false(regions.list[0].freed);
	assert_int_equal(regions.list[1].base, 0x2000);
	assert_int_equal(regions.list[2].base, 0x3000);
	assert_true(regions.list[2].freed);
	assert_int_equal(regions.list[2].size, 256);
	assert_int_equal(regions.list[2].time, 10);
	assert_int_equal(regions.list[2].freed_time, 20);
	wt_regions_deinit(&regions);
}

static void test_handed_out_again(void **state)
{
	struct wt_regions regions;

	(void)state;
	begin();
	begin_batch(3);
	put_record(0, 0, 0x1000, 64, 10);
	put_record(1, 0, 0x1000, 64, 20);
	put_record(0, 0, 0x1000, 128, 20);
	assert_true(wt_regions_parse(file, size, &regions));
	assert_int_equal(regions.count, 1);
	assert_false(regions.list[0].freed);
	assert_int_equal(regions.list[0].size, 128);
	wt_regions_deinit(&regions);
}

/* A batch that was cut off costs itself, and no byte behind the file is read. */
static void test_cut(void **state)
{
	struct wt_regions regions;
	size_t whole;

	(void)state;
	begin();
	begin_batch(1);
	put_record(0, 0, 0x1000, 64, 10);
	whole = size;
	begin_batch(2);
	put_record(0, 0, 0x2000, 64, 10);
	put_record(0, 0, 0x3000, 64, 10);
	for (size_t cut = 0; cut < size; cut++) {
		bool fine = wt_regions_parse(file, cut, &regions);

		assert_int_equal(fine, cut >= 8);
		if (!fine)
			continue;
		assert_int_equal(regions.count, cut >= whole);
		wt_regions_deinit(&regions);
	}
}

static void test_wrong(void **state)
{
	struct wt_regions regions;

	(void)state;
	begin();
	file[4] = 2;
	assert_false(wt_regions_parse(file, size, &regions));
	/* More records than there are. */
	begin();
	begin_batch(UINT32_MAX);
	assert_true(wt_regions_parse(file, size, &regions));
	assert_int_equal(regions.count, 0);
	wt_regions_deinit(&regions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_handed_out_again),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
