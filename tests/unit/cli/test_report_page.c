/* SPDX-License-Identifier: MIT */
/* The page of a report: what text of a trace becomes in it, and that it never grows past its limit. */
#include <stdint.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "cli/report/page.h"

static size_t frame_size(void)
{
	return strlen(wt_report_head) + strlen(wt_report_tail);
}

static void check_escaped(const char *json, const char *expected)
{
	struct wt_buffer buffer = {0};

	wt_report_append_json(&buffer, json, strlen(json));
	assert_false(buffer.failed);
	assert_int_equal(buffer.size, strlen(expected));
	assert_memory_equal(buffer.data, expected, buffer.size);
	wt_buffer_deinit(&buffer);
}

static void test_escapes(void **state)
{
	(void)state;
	check_escaped("\"\"", "\"\"");
	check_escaped("[1,\"plain \\\" \\\\ text\"]", "[1,\"plain \\\" \\\\ text\"]");
	check_escaped("\"</script><img onerror=x>\"",
		      "\"\\u003c/script\\u003e\\u003cimg onerror=x\\u003e\"");
	check_escaped("\"<!--<script>&amp;]]>\"",
		      "\"\\u003c!--\\u003cscript\\u003e\\u0026amp;]]\\u003e\"");
	check_escaped("<", "\\u003c");
}

/* Every byte that a name may have comes back as it was, and none of it is markup. */
static void test_round_trip(void **state)
{
	char text[0x80] = {0};
	struct wt_report_page page;
	const char *begin, *end;
	char *block;
	json_t *back;
	size_t size;
	bool added;

	(void)state;
	for (char c = 1; c < 0x7f; c++)
		text[c - 1] = c;
	wt_report_page_init(&page, frame_size() + 4096, 0);
	assert_null(wt_report_page_add(&page, "name", json_string(text), SIZE_MAX, &added));
	assert_true(added);
	block = strndup((char *)page.bytes.data + strlen(wt_report_head),
			page.bytes.size - strlen(wt_report_head));
	assert_non_null(block);
	begin = strchr(block, '>') + 1;
	end = strchr(begin, '<');
	assert_string_equal(end, "</script>\n");
	size = (size_t)(end - begin);
	assert_null(memchr(begin, '>', size));
	assert_null(memchr(begin, '&', size));
	back = json_loadb(begin, size, JSON_DECODE_ANY, NULL);
	assert_string_equal(json_string_value(back), text);
	json_decref(back);
	free(block);
	wt_report_page_deinit(&page);
}

/* What is no UTF-8 is no string of JSON: jansson makes none of it, and a page without it is no page. */
static void test_no_memory(void **state)
{
	struct wt_report_page page;
	bool added = false;

	(void)state;
	wt_report_page_init(&page, frame_size() + 4096, 0);
	assert_ptr_equal(wt_report_page_add(&page, "name", json_string("\xff"), SIZE_MAX, &added),
			 &wt_error_no_memory);
	assert_false(added);
	wt_report_page_deinit(&page);
}

static void add(struct wt_report_page *page, size_t length, size_t room, bool expected)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	size_t before = page->bytes.size;
	bool added;

	for (size_t i = 0; i < length; i++)
		wt_buffer_append(&text, "x", 1);
	assert_null(wt_report_page_add(
		page, "b", json_stringn(length ? (char *)text.data : "", length), room, &added));
	assert_int_equal(added, expected);
	/* What does not fit leaves nothing behind. */
	if (!added)
		assert_int_equal(page->bytes.size, before);
}

static void test_limits(void **state)
{
	static const char empty[] = "<script type=\"application/json\" id=\"b\">\"\"</script>\n";
	const size_t block = strlen(empty);
	struct wt_report_page page;
	struct wt_error *error;

	(void)state;
	wt_report_page_init(&page, frame_size() + 2000, 500);
	assert_int_equal(wt_report_page_room(&page), 1500);
	assert_int_equal(wt_report_page_share(&page, 100), 1500);
	add(&page, 100, block + 99, false);
	add(&page, 100, block + 100, true);
	assert_int_equal(wt_report_page_room(&page), 1400 - block);
	/* What is kept for the end is not taken. */
	add(&page, 1401 - 2 * block, SIZE_MAX, false);
	add(&page, 1400 - 2 * block, SIZE_MAX, true);
	assert_int_equal(wt_report_page_room(&page), 0);
	add(&page, 0, SIZE_MAX, false);
	assert_null(wt_report_page_must_add(&page, "b", json_string("")));
	error = wt_report_page_must_add(&page, "b", json_integer(INT64_MAX));
	for (int i = 0; !error && i < 100; i++)
		error = wt_report_page_must_add(&page, "b", json_integer(INT64_MAX));
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	assert_null(wt_report_page_end(&page));
	assert_true(page.bytes.size <= page.limit);
	wt_report_page_deinit(&page);
}

/* A limit below what every page has. */
static void test_too_small(void **state)
{
	struct wt_report_page page;
	struct wt_error *error;

	(void)state;
	wt_report_page_init(&page, 100, 50);
	assert_int_equal(wt_report_page_room(&page), 0);
	assert_int_equal(wt_report_page_share(&page, 50), 0);
	add(&page, 0, SIZE_MAX, false);
	error = wt_report_page_must_add(&page, "b", json_null());
	assert_non_null(error);
	assert_int_equal(error->code, WT_ERROR_LIMIT);
	wt_error_destroy(error);
	wt_report_page_deinit(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escapes),	  cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_no_memory), cmocka_unit_test(test_limits),
		cmocka_unit_test(test_too_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
