/* SPDX-License-Identifier: MIT */
/* Lines of the browser: what text may put on the terminal, columns, and searching in windows on lists. */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "cli/browse/line.h"
#include "cli/browse/pane.h"

static void assert_line(const struct wt_line *line, const char *text, size_t columns)
{
	char shown[WT_LINE_BYTES];

	assert_string_equal(wt_line_string(line, shown, NULL), text);
	assert_int_equal(line->columns, columns);
}

static void shows(const char *text, const char *shown, size_t columns)
{
	struct wt_line line;

	wt_line_clear(&line);
	wt_line_text(&line, WT_STYLE_PLAIN, text);
	assert_line(&line, shown, columns);
}

/* Nothing of a name acts on the terminal. */
static void test_hostile(void **state)
{
	(void)state;
	shows("\x1b]0;owned\x07", "\\x1b]0;owned\\x07", 16);
	shows("a\nb\tc\r", "a\\nb\\tc\\x0d", 11);
	shows("\xc2\x9b"
	      "31m",
	      "\\xc2\\x9b31m", 11);
	shows("\xff\xc0\xaf", "\\xff\\xc0\\xaf", 12);
	shows("\xed\xa0\x80", "\\xed\\xa0\\x80", 12);
	/* Turns what follows round; joins; has no width; stands on the letter before. */
	shows("a\xe2\x80\xae"
	      "b",
	      "a\\xe2\\x80\\xaeb", 14);
	shows("a\xe2\x80\x8d"
	      "b",
	      "a\\xe2\\x80\\x8db", 14);
	shows("\xef\xbb\xbf"
	      "a",
	      "\\xef\\xbb\\xbfa", 13);
	shows("e\xcc\x81", "e?", 2);
	shows(NULL, "", 0);
}

static void test_width(void **state)
{
	struct wt_line line;

	(void)state;
	shows("\xe6\xbc\xa2\xe5\xad\x97", "\xe6\xbc\xa2\xe5\xad\x97", 4);
	shows("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 2);
	wt_line_clear(&line);
	wt_line_field(&line, WT_STYLE_PLAIN, "\xe6\xbc\xa2\xe5\xad\x97", 4);
	assert_line(&line, "\xe6\xbc\xa2\xe5\xad\x97", 4);
	wt_line_field(&line, WT_STYLE_PLAIN, "abcdef", 4);
	assert_line(&line,
		    "\xe6\xbc\xa2\xe5\xad\x97"
		    "abc~",
		    8);
	wt_line_field(&line, WT_STYLE_PLAIN, "g", 3);
	assert_line(&line,
		    "\xe6\xbc\xa2\xe5\xad\x97"
		    "abc~g  ",
		    11);
	/* A wide character that does not fit is left out as a whole. */
	wt_line_clear(&line);
	wt_line_field(&line, WT_STYLE_PLAIN, "\xe6\xbc\xa2\xe5\xad\x97\xe5\xad\x97", 4);
	assert_line(&line, "\xe6\xbc\xa2~ ", 4);
}

static void test_window(void **state)
{
	struct wt_line line, whole;

	(void)state;
	wt_line_clear(&whole);
	wt_line_text(&whole, WT_STYLE_NAME, "a\xe6\xbc\xa2z");
	wt_line_clear(&line);
	wt_line_window(&line, &whole, 1, 4, WT_STYLE_CURSOR);
	assert_line(&line, "\xe6\xbc\xa2z ", 4);
	assert_int_equal(line.styles[0], WT_STYLE_NAME | WT_STYLE_CURSOR);
	assert_int_equal(line.styles[3], WT_STYLE_PLAIN | WT_STYLE_CURSOR);
	/* An edge cuts through the wide one. */
	wt_line_clear(&line);
	wt_line_window(&line, &whole, 2, 2, 0);
	assert_line(&line, " z", 2);
	wt_line_clear(&line);
	wt_line_window(&line, &whole, 0, 2, 0);
	assert_line(&line, "a ", 2);
}

static void test_long(void **state)
{
	char text[3 * WT_LINE_COLUMNS];
	struct wt_line line;

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	wt_line_clear(&line);
	wt_line_text(&line, WT_STYLE_PLAIN, text);
	assert_int_equal(line.columns, WT_LINE_COLUMNS);
	wt_line_put(&line, WT_STYLE_PLAIN, "%s", text);
	wt_line_field(&line, WT_STYLE_PLAIN, "", 2 * WT_LINE_COLUMNS);
	assert_int_equal(line.columns, WT_LINE_COLUMNS);
}

/* ---- A list that is read as it is looked at ---- */

struct numbers {
	size_t read, all;
	size_t made; /* lines */
};

static size_t count(void *opaque, size_t want)
{
	struct numbers *numbers = opaque;

	while (numbers->read <= want && numbers->read < numbers->all)
		numbers->read++;
	return numbers->read;
}

static void put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct numbers *numbers = opaque;

	assert_true(number < numbers->read);
	numbers->made++;
	wt_line_put(line, WT_STYLE_PLAIN, "line %zu", number);
}

static void test_moving(void **state)
{
	struct numbers numbers = {.all = 1000};
	const struct wt_list list = {count, put_line, &numbers};
	struct wt_pane pane = {.height = 10};

	(void)state;
	wt_pane_move(&pane, &list, -1);
	assert_int_equal(pane.cursor, 0);
	wt_pane_move(&pane, &list, 10);
	assert_int_equal(pane.cursor, 10);
	assert_int_equal(pane.top, 1);
	/* Nothing is read that is not seen. */
	assert_true(numbers.read < 30);
	assert_int_equal(numbers.made, 0);
	wt_pane_scroll(&pane, &list, 5);
	assert_int_equal(pane.cursor, 15);
	assert_int_equal(pane.top, 6);
	wt_pane_scroll(&pane, &list, -100);
	assert_int_equal(pane.cursor, 0);
	assert_int_equal(pane.top, 0);
	wt_pane_go(&pane, &list, SIZE_MAX);
	assert_int_equal(pane.cursor, 999);
	assert_int_equal(pane.top, 990);
	wt_pane_scroll(&pane, &list, 9);
	assert_int_equal(pane.cursor, 999);
	assert_int_equal(pane.top, 990);
	wt_pane_center(&pane, &list, 500);
	assert_int_equal(pane.cursor, 500);
	assert_int_equal(pane.top, 495);
	wt_pane_center(&pane, &list, 501);
	assert_int_equal(pane.top, 495);
	numbers = (struct numbers){.all = 0};
	wt_pane_go(&pane, &list, 7);
	assert_int_equal(pane.cursor, 0);
	wt_pane_scroll(&pane, &list, 3);
	assert_int_equal(pane.cursor, 0);
}

static bool stop_at_once(void *opaque)
{
	(void)opaque;
	return true;
}

static void finds(struct wt_pane *pane, const struct wt_list *list, const char *pattern,
		  bool forward, enum wt_found found, size_t cursor)
{
	regex_t regex;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
	assert_int_equal(wt_pane_search(pane, list, &regex, forward, NULL, NULL), found);
	assert_int_equal(pane->cursor, cursor);
	regfree(&regex);
}

static void test_search(void **state)
{
	struct numbers numbers = {.all = 300};
	const struct wt_list list = {count, put_line, &numbers};
	struct wt_pane pane = {.height = 10};
	regex_t regex;

	(void)state;
	finds(&pane, &list, "line 12$", true, WT_FOUND, 12);
	assert_true(numbers.read < 30);
	finds(&pane, &list, "line 12$", true, WT_FOUND_WRAPPED, 12);
	finds(&pane, &list, "^line [0-9]7$", true, WT_FOUND, 17);
	finds(&pane, &list, "7$", false, WT_FOUND, 7);
	finds(&pane, &list, "7$", false, WT_FOUND_WRAPPED, 297);
	finds(&pane, &list, "7$", true, WT_FOUND_WRAPPED, 7);
	finds(&pane, &list, "nowhere", true, WT_FOUND_NOTHING, 7);
	finds(&pane, &list, "nowhere", false, WT_FOUND_NOTHING, 7);
	assert_int_equal(regcomp(&regex, "nowhere", 0), 0);
	numbers.made = 0;
	assert_int_equal(wt_pane_search(&pane, &list, &regex, true, stop_at_once, NULL),
			 WT_FOUND_STOPPED);
	assert_true(numbers.made < 100);
	regfree(&regex);
	numbers = (struct numbers){.all = 0};
	finds(&pane, &list, "x", true, WT_FOUND_NOTHING, 7);
}

static void test_mark(void **state)
{
	struct wt_line line;
	regex_t regex;

	(void)state;
	wt_line_clear(&line);
	wt_line_text(&line, WT_STYLE_NAME, "\xe6\xbc\xa2 ab ab");
	assert_int_equal(regcomp(&regex, "b|x*", REG_EXTENDED), 0);
	wt_pane_mark(&line, &regex);
	for (size_t i = 0; i < line.columns; i++)
		assert_int_equal(line.styles[i],
				 WT_STYLE_NAME | (line.cells[i] == 'b' ? WT_STYLE_MATCH : 0));
	regfree(&regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile), cmocka_unit_test(test_width),
		cmocka_unit_test(test_window),	cmocka_unit_test(test_long),
		cmocka_unit_test(test_moving),	cmocka_unit_test(test_search),
		cmocka_unit_test(test_mark),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
