/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "base/buffer.h"

static void appends_and_grows(void **state)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0};

	(void)state;
	for (unsigned int i = 0; i < 1000; i++) {
		uint8_t byte = (uint8_t)i;

		wt_buffer_append(&buffer, &byte, 1);
	}
	assert_false(buffer.failed);
	assert_int_equal(buffer.size, 1000);
	assert_true(buffer.capacity >= 1000);
	for (unsigned int i = 0; i < 1000; i++)
		assert_int_equal(buffer.data[i], (uint8_t)i);
}

static void appends_nothing(void **state)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0};

	(void)state;
	wt_buffer_append(&buffer, NULL, 0);
	assert_int_equal(buffer.size, 0);
	assert_null(buffer.data);
}

static void numbers_are_little_endian(void **state)
{
	static const uint8_t expected[] = {0x02, 0x01, 0x06, 0x05, 0x04, 0x03, 0x0e,
					   0x0d, 0x0c, 0x0b, 0x0a, 0x09, 0x08, 0x07};
	wt_cleanup_buffer struct wt_buffer buffer = {0};

	(void)state;
	wt_buffer_append_u16(&buffer, 0x0102);
	wt_buffer_append_u32(&buffer, 0x03040506);
	wt_buffer_append_u64(&buffer, UINT64_C(0x0708090a0b0c0d0e));
	assert_int_equal(buffer.size, sizeof(expected));
	assert_memory_equal(buffer.data, expected, sizeof(expected));
}

static void a_buffer_that_cannot_grow_stays_as_it_was(void **state)
{
	wt_cleanup_buffer struct wt_buffer buffer = {0};

	(void)state;
	wt_buffer_append(&buffer, "abc", 3);
	assert_null(wt_buffer_extend(&buffer, SIZE_MAX));
	assert_true(buffer.failed);
	assert_int_equal(buffer.size, 3);
	wt_buffer_append(&buffer, "d", 1);
	assert_int_equal(buffer.size, 3);
	assert_memory_equal(buffer.data, "abc", 3);
	wt_buffer_clear(&buffer);
	assert_false(buffer.failed);
	wt_buffer_append(&buffer, "d", 1);
	assert_memory_equal(buffer.data, "d", 1);
}

static void texts_are_appended_and_taken(void **state)
{
	struct wt_buffer buffer = {0};
	char *text;

	(void)state;
	wt_buffer_append_text(&buffer, "a ");
	wt_buffer_append_format(&buffer, "%s of %u", "buffer", 64);
	wt_buffer_append_format(&buffer, "%s", "");
	assert_int_equal(buffer.size, 14);
	text = wt_buffer_take_text(&buffer);
	assert_string_equal(text, "a buffer of 64");
	assert_null(buffer.data);
	assert_int_equal(buffer.size, 0);
	free(text);
	text = wt_buffer_take_text(&buffer);
	assert_string_equal(text, "");
	free(text);
	wt_buffer_append_text(&buffer, "lost");
	buffer.failed = true;
	wt_buffer_append_format(&buffer, "%d", 1);
	assert_null(wt_buffer_take_text(&buffer));
	assert_null(buffer.data);
	assert_false(buffer.failed);
}

static void a_cursor_takes_what_is_there(void **state)
{
	static const uint8_t input[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	struct wt_cursor cursor = wt_cursor_init(input, sizeof(input));
	const uint8_t *data;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	(void)state;
	assert_true(wt_cursor_u16(&cursor, &u16));
	assert_int_equal(u16, 0x0201);
	assert_true(wt_cursor_u32(&cursor, &u32));
	assert_int_equal(u32, 0x06050403);
	assert_true(wt_cursor_u64(&cursor, &u64));
	assert_true(u64 == UINT64_C(0x0e0d0c0b0a090807));
	assert_int_equal(cursor.remaining, 1);
	assert_true(wt_cursor_take(&cursor, 1, &data));
	assert_ptr_equal(data, input + 14);
	assert_int_equal(cursor.remaining, 0);
	assert_true(wt_cursor_take(&cursor, 0, &data));
}

static void a_cursor_takes_nothing_past_its_end(void **state)
{
	static const uint8_t input[] = {1, 2, 3, 4, 5, 6, 7};
	struct wt_cursor cursor = wt_cursor_init(input, 1);
	const uint8_t *data = NULL;
	uint16_t u16 = 0xaaaa;
	uint32_t u32 = 0xaaaa;
	uint64_t u64 = 0xaaaa;

	(void)state;
	assert_false(wt_cursor_u16(&cursor, &u16));
	assert_false(wt_cursor_take(&cursor, 2, &data));
	assert_false(wt_cursor_take(&cursor, SIZE_MAX, &data));
	cursor = wt_cursor_init(input, 3);
	assert_false(wt_cursor_u32(&cursor, &u32));
	cursor = wt_cursor_init(input, 7);
	assert_false(wt_cursor_u64(&cursor, &u64));
	assert_int_equal(cursor.remaining, 7);
	assert_ptr_equal(cursor.data, input);
	assert_null(data);
	assert_int_equal(u16, 0xaaaa);
	assert_int_equal(u32, 0xaaaa);
	assert_int_equal(u64, 0xaaaa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends_and_grows),
		cmocka_unit_test(appends_nothing),
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(a_buffer_that_cannot_grow_stays_as_it_was),
		cmocka_unit_test(texts_are_appended_and_taken),
		cmocka_unit_test(a_cursor_takes_what_is_there),
		cmocka_unit_test(a_cursor_takes_nothing_past_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
