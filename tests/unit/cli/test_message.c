/* SPDX-License-Identifier: MIT */
/* Messages in streams of bytes, as they come and as they should not. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "cli/serve/message.h"

static void feed(struct wt_message_reader *reader, const char *text)
{
	wt_message_reader_feed(reader, text, strlen(text));
}

/* The next message is this number. */
static void expect_number(struct wt_message_reader *reader, json_int_t number)
{
	char why[WT_MESSAGE_WHY];
	json_t *message;

	assert_int_equal(wt_message_next(reader, &message, why), WT_MESSAGE_READ);
	assert_int_equal(json_integer_value(json_object_get(message, "n")), number);
	json_decref(message);
}

static void expect_wrong(struct wt_message_reader *reader, const char *begin)
{
	char why[WT_MESSAGE_WHY];
	json_t *message;

	assert_int_equal(wt_message_next(reader, &message, why), WT_MESSAGE_MALFORMED);
	assert_memory_equal(why, begin, strlen(begin));
	assert_null(message);
}

static void expect_none(struct wt_message_reader *reader)
{
	char why[WT_MESSAGE_WHY];
	json_t *message;

	assert_int_equal(wt_message_next(reader, &message, why), WT_MESSAGE_NONE);
}

static void test_lengths(void **state)
{
	static const char text[] = "Content-Length: 8\r\n\r\n{\"n\": 1}content-length:7\r\n"
				   "Content-Type: x\r\n\r\n{\"n\":2}";
	struct wt_message_reader reader = {.framing = WT_FRAMING_LENGTH};

	(void)state;
	feed(&reader, text);
	expect_number(&reader, 1);
	expect_number(&reader, 2);
	expect_none(&reader);
	/* Byte by byte it is the same. */
	for (size_t i = 0; text[i]; i++) {
		if (i < 29)
			expect_none(&reader);
		wt_message_reader_feed(&reader, text + i, 1);
	}
	expect_number(&reader, 1);
	expect_number(&reader, 2);
	wt_message_reader_deinit(&reader);
}

static void test_wrong_lengths(void **state)
{
	struct wt_message_reader reader = {.framing = WT_FRAMING_LENGTH};
	char *garbage = calloc(1, 10001);

	(void)state;
	assert_non_null(garbage);
	memset(garbage, 'x', 10000);
	feed(&reader, "Content-Length: 3\r\n\r\n{n}Content-Length: 7\r\n\r\n{\"n\":3}");
	expect_wrong(&reader, "a message is no JSON: ");
	expect_number(&reader, 3);
	feed(&reader, "Length: 7\r\n\r\nContent-Length: -1\r\n\r\nContent-Length: \r\n\r\n");
	expect_wrong(&reader, "bytes came that are no head");
	expect_none(&reader);
	/* Bytes that belong to nothing are told once, however many, and what follows is found. */
	feed(&reader, garbage);
	expect_none(&reader);
	feed(&reader, "Content-Length: 7\r\n\r\n{\"n\":4}");
	expect_number(&reader, 4);
	feed(&reader, garbage);
	expect_wrong(&reader, "bytes came that are no head");
	wt_message_reader_deinit(&reader);
	free(garbage);
}

/* A message that is too long is never in memory, and the one behind it is read. */
static void test_too_long(void **state)
{
	struct wt_message_reader reader = {.framing = WT_FRAMING_LENGTH};
	char block[1000];

	(void)state;
	memset(block, ' ', sizeof(block));
	feed(&reader, "Content-Length: 5000000\r\n\r\n12345");
	expect_wrong(&reader,
		     "a message of 5000000 bytes is longer than the 1048576 that are taken");
	for (size_t left = 5000000 - 5; left; left -= left < sizeof(block) ? left : sizeof(block)) {
		wt_message_reader_feed(&reader, block, left < sizeof(block) ? left : sizeof(block));
		expect_none(&reader);
		assert_true(reader.bytes.capacity < 10000);
	}
	feed(&reader, "Content-Length: 7\r\n\r\n{\"n\":5}");
	expect_number(&reader, 5);
	feed(&reader, "Content-Length: 9999999999999999999\r\n\r\n");
	expect_wrong(&reader, "a message of 9999999999999999999 bytes");
	wt_message_reader_deinit(&reader);
}

static void test_lines(void **state)
{
	struct wt_message_reader reader = {.framing = WT_FRAMING_LINE};
	char block[4096];

	(void)state;
	memset(block, 'x', sizeof(block));
	feed(&reader, "{\"n\":1}\n\r\n\n{\"n\":2}\r\n{\"n\"");
	expect_number(&reader, 1);
	expect_number(&reader, 2);
	expect_none(&reader);
	feed(&reader, ":3}\nx\n");
	expect_number(&reader, 3);
	expect_wrong(&reader, "a message is no JSON: ");
	expect_none(&reader);
	for (size_t size = 0; size <= WT_MESSAGE_MAX; size += sizeof(block))
		wt_message_reader_feed(&reader, block, sizeof(block));
	expect_wrong(&reader, "a message is longer than 1048576 bytes");
	for (size_t i = 0; i < 1000; i++) {
		wt_message_reader_feed(&reader, block, sizeof(block));
		expect_none(&reader);
	}
	feed(&reader, "x\n{\"n\":4}\n");
	expect_number(&reader, 4);
	wt_message_reader_deinit(&reader);
}

/* Texts of JSON may hold what is no character: the message is refused, and says which one it was. */
static void test_no_characters(void **state)
{
	static const struct {
		const char *text, *read; /* as it is read; NULL: it is a message */
	} cases[] = {
		{"\\u0000", "\xEF\xBF\xBD"},
		{"a\\ud83dz", "a\xEF\xBF\xBDz"},
		{"\\ud83d\\ud83d\\ude00", "\xEF\xBF\xBD\xF0\x9F\x98\x80"},
		{"\\uDE00\\\\u0000", "\xEF\xBF\xBD\\u0000"},
		{"\\ud83d", "\xEF\xBF\xBD"},
		{"\\ud83d\\ude00", NULL},
		{"\\\\u0000", NULL},
	};
	struct wt_message_reader reader = {.framing = WT_FRAMING_LINE};
	char why[WT_MESSAGE_WHY];
	json_t *message;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *read = cases[i].read;

		feed(&reader, "{\"n\": 7, \"");
		feed(&reader, cases[i].text);
		feed(&reader, "\": \"");
		feed(&reader, cases[i].text);
		feed(&reader, "\"}\n");
		assert_int_equal(wt_message_next(&reader, &message, why),
				 read ? WT_MESSAGE_MALFORMED : WT_MESSAGE_READ);
		assert_int_equal(json_integer_value(json_object_get(message, "n")), 7);
		if (read) {
			assert_string_equal(json_string_value(json_object_get(message, read)),
					    read);
			assert_non_null(strstr(why, "U+0000 or half of a surrogate pair"));
		}
		json_decref(message);
	}
	feed(&reader, "{\"n\": \\u0000}\n{\"n\": \"\\u00\n");
	expect_wrong(&reader, "a message is no JSON: ");
	expect_wrong(&reader, "a message is no JSON: ");
	wt_message_reader_deinit(&reader);
}

/* JSON has numbers of any size: the message is refused, and says which one it was. */
static void test_large_numbers(void **state)
{
	static const struct {
		const char *text;
		bool is_held;
	} cases[] = {
		{"9223372036854775807", true},
		{"9223372036854775808", false},
		{"-9223372036854775808", true},
		{"-9223372036854775809", false},
		{"1e308", true},
		{"1e309", false},
		{"-1.5E+400", false},
		{"\"9223372036854775808\"", true},
		{"\"\\\"9223372036854775808\"", true},
	};
	struct wt_message_reader reader = {.framing = WT_FRAMING_LINE};
	char why[WT_MESSAGE_WHY];
	json_t *message;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		feed(&reader, "{\"of\":[");
		feed(&reader, cases[i].text);
		feed(&reader, ",\"9223372036854775808\"],\"n\": 7}\n");
		assert_int_equal(wt_message_next(&reader, &message, why),
				 cases[i].is_held ? WT_MESSAGE_READ : WT_MESSAGE_MALFORMED);
		assert_int_equal(json_integer_value(json_object_get(message, "n")), 7);
		assert_string_equal(
			json_string_value(json_array_get(json_object_get(message, "of"), 1)),
			"9223372036854775808");
		if (!cases[i].is_held)
			assert_string_equal(why, "a number of the message is too large");
		json_decref(message);
	}
	feed(&reader, "{\"n\": 9223372036854775808\n");
	expect_wrong(&reader, "a message is no JSON: ");
	wt_message_reader_deinit(&reader);
}

/* Nothing that nests deeply ends it. */
static void test_deep(void **state)
{
	struct wt_message_reader reader = {.framing = WT_FRAMING_LINE};
	static char deep[1000001];

	(void)state;
	memset(deep, '[', 1000000);
	feed(&reader, deep);
	feed(&reader, "\n{\"n\":1}\n");
	expect_wrong(&reader, "a message is no JSON: ");
	expect_number(&reader, 1);
	wt_message_reader_deinit(&reader);
}

static void test_encode(void **state)
{
	json_t *message = json_pack("{s:s}", "a", "\xc3\xa4\n");
	struct wt_buffer bytes = {0};

	(void)state;
	assert_true(wt_message_encode(WT_FRAMING_LENGTH, message, &bytes));
	assert_true(wt_message_encode(WT_FRAMING_LINE, message, &bytes));
	assert_int_equal(bytes.size, 22 + 12 + 13);
	assert_memory_equal(
		bytes.data,
		"Content-Length: 12\r\n\r\n{\"a\":\"\xc3\xa4\\n\"}{\"a\":\"\xc3\xa4\\n\"}\n",
		bytes.size);
	assert_false(wt_message_encode(WT_FRAMING_LINE, NULL, &bytes));
	wt_buffer_deinit(&bytes);
	json_decref(message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lengths),	      cmocka_unit_test(test_wrong_lengths),
		cmocka_unit_test(test_too_long),      cmocka_unit_test(test_lines),
		cmocka_unit_test(test_large_numbers), cmocka_unit_test(test_deep),
		cmocka_unit_test(test_encode),	      cmocka_unit_test(test_no_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
