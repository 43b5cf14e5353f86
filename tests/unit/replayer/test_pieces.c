/* SPDX-License-Identifier: MIT */
/* Memory of a core in pieces: overlaps, runs, reading, and room for what is added. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "replayer/core/pieces.h"

#define BASE UINT64_C(0x200000000000)

static uint8_t bytes(uint64_t address, int version)
{
	return (uint8_t)(address * 7 + (uint64_t)version * 31);
}

static void fill(uint8_t *data, uint64_t address, size_t size, int version)
{
	for (size_t i = 0; i < size; i++)
		data[i] = bytes(address + i, version);
}

/* What comes first stays, byte by byte, whatever comes after it. */
static void test_overlaps(void **state)
{
	enum { SIZE = 256, TRIES = 40 };
	static uint8_t data[TRIES][SIZE];
	int version[SIZE];
	struct wt_pieces pieces = {0};
	uint32_t random = 1;
	size_t present = 0, total = 0;
	uint8_t read[SIZE];

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		version[i] = -1;
	for (int i = 0; i < TRIES; i++) {
		size_t from, size;

		random = random * 1664525 + 1013904223;
		from = random >> 8 & (SIZE - 1);
		size = random >> 20 & 31;
		size = size < SIZE - from ? size : SIZE - from;
		fill(data[i], BASE + from, size, i);
		assert_null(wt_pieces_add(&pieces, BASE + from, data[i], size));
		for (size_t j = from; j < from + size; j++)
			version[j] = version[j] < 0 ? i : version[j];
	}
	assert_null(wt_pieces_join(&pieces));
	for (size_t i = 0; i < SIZE; i++) {
		size_t count = wt_pieces_read(&pieces, BASE + i, read, SIZE - i);
		size_t expected = 0;

		while (i + expected < SIZE && version[i + expected] >= 0)
			expected++;
		assert_int_equal(count, expected);
		for (size_t j = 0; j < count; j++)
			assert_int_equal(read[j], bytes(BASE + i + j, version[i + j]));
		present += version[i] >= 0;
	}
	for (size_t i = 0; i < pieces.run_count; i++) {
		assert_true(!i || pieces.runs[i - 1].address + pieces.runs[i - 1].size <
					  pieces.runs[i].address);
		total += pieces.runs[i].size;
	}
	assert_int_equal(total, present);
	assert_true(present > SIZE / 2 && present < SIZE);
	wt_pieces_deinit(&pieces);
}

/* At the end of all addresses nothing wraps. */
static void test_end(void **state)
{
	static const uint8_t data[64] = {0};
	struct wt_pieces pieces = {0};
	uint8_t read[64];

	(void)state;
	assert_null(wt_pieces_add(&pieces, UINT64_MAX - 15, data, sizeof(data)));
	assert_int_equal(wt_pieces_read(&pieces, UINT64_MAX - 15, read, sizeof(read)), 15);
	assert_int_equal(wt_pieces_read(&pieces, 0, read, sizeof(read)), 0);
	wt_pieces_deinit(&pieces);
}

static void assert_free(const struct wt_pieces *pieces, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < pieces->count; i++)
		assert_true(pieces->list[i].address + pieces->list[i].size <= address ||
			    pieces->list[i].address >= address + size);
	for (size_t i = 0; i < pieces->reserved_count; i++)
		assert_true(pieces->reserved[i].address + pieces->reserved[i].size <= address ||
			    pieces->reserved[i].address >= address + size);
}

static void test_room(void **state)
{
	static const uint8_t data[4096] = {0};
	const uint64_t size = UINT64_C(1) << 30;
	struct wt_pieces pieces = {0};
	struct wt_pieces_run reserved[2];
	uint64_t address, first;

	(void)state;
	assert_true(wt_pieces_find_room(&pieces, size, &first));
	/* What is there is avoided, and so is what is reserved. */
	assert_null(wt_pieces_add(&pieces, first + size / 2, data, sizeof(data)));
	assert_true(wt_pieces_find_room(&pieces, size, &address));
	assert_true(address > first);
	assert_free(&pieces, address, size);
	reserved[0] = (struct wt_pieces_run){address, 1};
	reserved[1] = (struct wt_pieces_run){address + 3 * size, size};
	pieces.reserved = reserved;
	pieces.reserved_count = 2;
	assert_true(wt_pieces_find_room(&pieces, 4 * size, &address));
	assert_free(&pieces, address, 4 * size);
	assert_int_equal(address % 4096, 0);
	/* More than there can be. */
	assert_false(wt_pieces_find_room(&pieces, UINT64_C(1) << 47, &address));
	reserved[0] = (struct wt_pieces_run){0, UINT64_C(1) << 47};
	assert_false(wt_pieces_find_room(&pieces, 1, &address));
	wt_pieces_deinit(&pieces);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
