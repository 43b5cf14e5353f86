/* SPDX-License-Identifier: MIT */
/* The encoding ROWS: what comes back, how small it is, and what is refused. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/cleanup.h"
#include "tests/unit/share.h"
#include "trace-format/state/rows.h"

#define HEAD_SIZE 5u
#define ROW_BYTES 256u

static struct wt_rows_seen seen;

static uint32_t draw(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed;
}

/* Encode into a block of just the bound's size, and move the result to one of just its own, so that nobody reads beyond it. */
static uint8_t *encode(const void *data, size_t size, size_t *used_ret)
{
	uint8_t *place = malloc(wt_rows_bound(size)), *copy;
	size_t used;

	assert_non_null(place);
	used = wt_rows_encode(&seen, data, size, place);
	assert_true(used <= wt_rows_bound(size));
	copy = malloc(used);
	assert_non_null(copy);
	memcpy(copy, place, used);
	free(place);
	*used_ret = used;
	return copy;
}

/* Return: bytes that @size bytes became, and from which they came back. */
static size_t expect_back(const void *data, size_t size)
{
	size_t used, length = SIZE_MAX;
	wt_cleanup_free uint8_t *encoded = encode(data, size, &used);
	wt_cleanup_free uint8_t *back = malloc(size + 1);

	assert_true(wt_rows_check(encoded, used, &length));
	assert_int_equal(length, size);
	assert_non_null(back);
	back[size] = 0x5a;
	wt_rows_decode(encoded, back);
	if (size)
		assert_memory_equal(back, data, size);
	assert_int_equal(back[size], 0x5a);
	return used;
}

/* A word of a register, as kernels have them. @kind: which register. */
static uint32_t make_word(uint32_t kind, uint32_t lane, uint32_t *seed)
{
	float number = 0.731f * (float)lane + (float)kind;
	uint32_t word;

	switch (kind % 8) {
	case 0:
		return 0;
	case 1:
		return 0xdeadbeef;
	case 2:
		return 0xfffff000u + lane * kind;
	case 3:
		return draw(seed);
	case 4:
		return draw(seed) >> 24 ? 0 : 0x80000000u;
	case 5:
		return draw(seed) & 1 ? 0x7fffffffu : 0x80000000u;
	case 6:
		return lane ? 0u - lane : UINT32_MAX;
	default:
		memcpy(&word, &number, sizeof(word));
		return word;
	}
}

/* Registers of @lanes lanes in @order, which may have some of them again. */
static void fill(uint8_t *data, size_t size, uint32_t lanes, uint32_t seed)
{
	for (size_t i = 0; i < size / 4; i++) {
		uint32_t register_ = (uint32_t)(i / lanes);
		uint32_t kind = register_ % 3 ? register_ : register_ / 3;
		uint32_t own = seed + kind, word = make_word(kind, (uint32_t)(i % lanes), &own);

		if (kind % 8 == 3)
			word = draw(&seed);
		memcpy(data + i * 4, &word, sizeof(word));
	}
	for (size_t i = size / 4 * 4; i < size; i++)
		data[i] = (uint8_t)i;
}

static void registers_come_back(void **state)
{
	const size_t most = 64 * ROW_BYTES + 300;
	wt_cleanup_free uint8_t *data = malloc(most);

	(void)state;
	assert_non_null(data);
	for (size_t size = 0; size <= most; size += size < 1100 ? 1 : 97 * test_share()) {
		fill(data, size, size % 2 ? 64 : 32, (uint32_t)size);
		expect_back(data, size);
	}
}

/* More rows than there are places for, all of them again: they are found or not, but come back. */
static void many_rows_come_back(void **state)
{
	const size_t half = 3 * WT_ROWS_SEEN * ROW_BYTES;
	wt_cleanup_free uint8_t *data = malloc(2 * half);
	uint32_t seed = 7;

	(void)state;
	assert_non_null(data);
	for (size_t i = 0; i < half; i += 4) {
		uint32_t word = draw(&seed);

		memcpy(data + i, &word, sizeof(word));
	}
	memcpy(data + half, data, half);
	assert_true(expect_back(data, 2 * half) < wt_rows_bound(2 * half));
}

/* Each form of a row, as FORMAT.md has it, to the byte. */
/* Neither from the calls before, nor where the numbers of their rows come to an end. */
static void nothing_is_kept_from_call_to_call(void **state)
{
	static const uint32_t befores[] = {UINT32_MAX - 40, UINT32_MAX, UINT32_MAX - 49,
					   UINT32_MAX - 48};
	const size_t size = 48 * ROW_BYTES;
	wt_cleanup_free uint8_t *data = malloc(size);
	size_t next = 0;

	(void)state;
	assert_non_null(data);
	for (uint32_t round = 0; round < 40; round++) {
		wt_cleanup_free uint8_t *fresh = NULL, *used = NULL;
		size_t fresh_size, used_size;
		struct wt_rows_seen kept;

		/* What is the same again comes after something else, too. */
		fill(data, size, 64, round / 3 % 4);
		if (round % 10 == 9)
			seen.before = befores[next++];
		used = encode(data, size, &used_size);
		kept = seen;
		memset(&seen, 0, sizeof(seen));
		fresh = encode(data, size, &fresh_size);
		seen = kept;
		assert_int_equal(used_size, fresh_size);
		assert_memory_equal(used, fresh, used_size);
	}
	/* The last one began anew. */
	assert_in_range(seen.before, 1, size / 64);
}

static void rows_are_what_the_format_says(void **state)
{
	static const uint8_t head[] = {
		/* length, words, and the heads: */
		0x08, 0x06, 0, 0, 64, 0 << 3 | 0, 1 << 3 | 0, 2 << 3 | 0, 4 << 3 | 0, 3 << 3 | 1,
		2 << 3 | 1,
		/* numbers: of 7 in each lane; of 100, 104...; a row that was there two rows before; of 0x1000 less the slope, and it */
		7, 0, 0, 0, 96, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0xf6, 0x0f, 0, 0, 10, 0, 0, 0};
	uint32_t words[6 * 64 + 2] = {0};
	uint8_t expected[sizeof(head) + 2 * 64 + 8];
	wt_cleanup_free uint8_t *encoded = NULL;
	uint32_t slope = 10;
	size_t used;

	(void)state;
	for (uint32_t i = 0; i < 64; i++) {
		words[64 + i] = words[192 + i] = 7;
		words[128 + i] = 100 + 4 * i;
		/* Twice the row above, less the one before it, and 1 or -1. */
		words[256 + i] = 14 - (100 + 4 * i) + (i % 2 ? 1 : -1u);
		words[320 + i] = i ? words[319 + i] + slope : 0x1000;
		slope += i && i % 2 ? 3 : 0;
	}
	memcpy(expected, head, sizeof(head));
	for (uint32_t i = 0; i < 64; i++) {
		expected[sizeof(head) + i] = i % 2 ? 2 : 1;
		/* The slope grows by three in front of each second lane from the third on. */
		expected[sizeof(head) + 64 + i] = i && i % 2 == 0 ? 6 : 0;
	}
	words[384] = 0x04030201;
	words[385] = 0x08070605;
	for (uint8_t i = 0; i < 8; i++)
		expected[sizeof(head) + 128 + i] = (uint8_t)(i + 1);
	encoded = encode(words, sizeof(words), &used);
	assert_int_equal(used, sizeof(expected));
	assert_memory_equal(encoded, expected, sizeof(expected));
}

/* Registers that kernels count or add up in take a small part of what they are; of waves of 32 lanes, too. */
static void what_lanes_and_rows_tell_is_not_kept(void **state)
{
	float rows[128][64];
	uint32_t ids[256][32];

	(void)state;
	for (uint32_t i = 0; i < 64; i++) {
		rows[0][i] = 100.5f + 0.011f * (float)i;
		for (uint32_t row = 1; row < 128; row++)
			rows[row][i] = rows[row - 1][i] + rows[0][i];
	}
	assert_in_range(expect_back(rows, sizeof(rows)), 1, sizeof(rows) / 3);
	for (uint32_t row = 0; row < 256; row++)
		for (uint32_t i = 0; i < 32; i++)
			ids[row][i] = row * row * 0x12345u + i * (row % 7);
	/* A head, first and slope of each, and nothing else. */
	assert_in_range(expect_back(ids, sizeof(ids)), 1, HEAD_SIZE + 256 * 9);
}

/* What is cut, longer, or changed in a byte is refused, or becomes as many bytes as it says. */
static void what_is_damaged_does_no_harm(void **state)
{
	uint8_t data[12 * ROW_BYTES + 9];
	wt_cleanup_free uint8_t *encoded = NULL, *longer = NULL;
	size_t used, length, refused = 0;

	(void)state;
	fill(data, sizeof(data), 64, 3);
	encoded = encode(data, sizeof(data), &used);
	longer = calloc(1, used + 1);
	assert_non_null(longer);
	memcpy(longer, encoded, used);
	assert_false(wt_rows_check(longer, used + 1, &length));
	for (size_t size = 0; size < used; size++) {
		wt_cleanup_free uint8_t *cut = malloc(size + 1);

		assert_non_null(cut);
		memcpy(cut + 1, encoded, size);
		assert_false(wt_rows_check(cut + 1, size, &length));
	}
	for (size_t bit = 0; bit < 8 * (HEAD_SIZE + 12 + 60); bit++) {
		encoded[bit / 8] ^= (uint8_t)(1u << bit % 8);
		if (wt_rows_check(encoded, used, &length)) {
			wt_cleanup_free uint8_t *back = malloc(length);

			assert_non_null(back);
			wt_rows_decode(encoded, back);
		} else {
			refused++;
		}
		encoded[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	assert_true(refused > 8 * (HEAD_SIZE + 6));
	assert_true(wt_rows_check(encoded, used, &length));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_come_back),
		cmocka_unit_test(many_rows_come_back),
		cmocka_unit_test(nothing_is_kept_from_call_to_call),
		cmocka_unit_test(rows_are_what_the_format_says),
		cmocka_unit_test(what_lanes_and_rows_tell_is_not_kept),
		cmocka_unit_test(what_is_damaged_does_no_harm),
	};

	return cmocka_run_group_tests_name("trace-format/rows", tests, NULL, NULL);
}
