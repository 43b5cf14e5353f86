/* SPDX-License-Identifier: MIT */
/* The browser over a book that is made up: keys, prompts, commands, marks, the way back, and rows of the screen. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "cli/browse/model.h"

#define LINES 100

/* Each page has as many lines; Enter on the waves opens the code. */
struct fake {
	uint64_t versions[WT_PAGES];
	uint32_t stop;
	int lines_made;
	size_t home;
	enum wt_page moved; /* where the cursor was put last, */
	size_t moved_to;    /* and on which line */
	int moves;
};

static size_t count(void *opaque, enum wt_page page, size_t want)
{
	(void)opaque;
	(void)page;
	(void)want;
	return LINES;
}

static void put_line(void *opaque, enum wt_page page, size_t number, struct wt_line *line)
{
	struct fake *fake = opaque;

	fake->lines_made++;
	wt_line_put(line, WT_STYLE_PLAIN, "%s line %zu Of stop %u", wt_page_name(page), number,
		    fake->stop);
}

static bool ended(void *opaque, enum wt_page page)
{
	(void)opaque;
	return page != WT_PAGE_CODE;
}

static void title(void *opaque, enum wt_page page, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "title %d", (int)page);
}

static void context(void *opaque, struct wt_line *line)
{
	const struct fake *fake = opaque;

	wt_line_put(line, WT_STYLE_PLAIN, "stop %u", fake->stop);
}

static uint64_t version(void *opaque, enum wt_page page)
{
	const struct fake *fake = opaque;

	return fake->versions[page];
}

static size_t home(void *opaque, enum wt_page page)
{
	const struct fake *fake = opaque;

	return page == WT_PAGE_CODE ? fake->home : 0;
}

static void look(void *opaque, enum wt_page page, size_t columns, size_t cursor)
{
	(void)opaque;
	(void)page;
	assert_true(columns > 0);
	assert_true(cursor < LINES);
}

static void moved(void *opaque, enum wt_page page, size_t line)
{
	struct fake *fake = opaque;

	fake->moved = page;
	fake->moved_to = line;
	fake->moves++;
}

static bool key(void *opaque, enum wt_page page, size_t line, int pressed,
		struct wt_outcome *outcome)
{
	struct fake *fake = opaque;

	if (pressed == ']') {
		fake->stop++;
		return true;
	}
	if (page != WT_PAGE_WAVES || pressed != WT_KEY_ENTER)
		return false;
	*outcome = (struct wt_outcome){.turn = true, .page = WT_PAGE_CODE};
	snprintf(outcome->message, sizeof(outcome->message), "of line %zu", line);
	return true;
}

static bool command(void *opaque, const char *word, const char *rest, struct wt_outcome *outcome)
{
	struct fake *fake = opaque;

	if (strcmp(word, "stop") != 0)
		return false;
	fake->stop = (uint32_t)strtoul(rest, NULL, 10);
	*outcome = (struct wt_outcome){.has_line = true, .line = 50};
	return true;
}

static void where(void *opaque, struct wt_looking *looking)
{
	const struct fake *fake = opaque;

	*looking = (struct wt_looking){.stop = fake->stop};
}

static void go_back(void *opaque, const struct wt_looking *looking)
{
	struct fake *fake = opaque;

	fake->stop = looking->stop;
}

/* cmocka 2 has a macro stop(). */
static bool model_stop(void *opaque)
{
	(void)opaque;
	return false;
}

static const char *hint(void *opaque, enum wt_page page)
{
	(void)opaque;
	return page == WT_PAGE_HELP ? "help hint" : "hint";
}

static struct fake fake;
static struct wt_model model;
static const struct wt_book book = {
	.opaque = &fake,
	.count = count,
	.line = put_line,
	.ended = ended,
	.title = title,
	.context = context,
	.version = version,
	.home = home,
	.look = look,
	.moved = moved,
	.key = key,
	.command = command,
	.where = where,
	.go_back = go_back,
	.stop = model_stop,
	.hint = hint,
};

static int setup(void **state)
{
	(void)state;
	fake = (struct fake){.stop = 1};
	wt_model_init(&model, &book);
	wt_model_resize(&model, 24, 80);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	wt_model_deinit(&model);
	return 0;
}

static void type(const char *keys)
{
	for (; *keys; keys++)
		wt_model_key(&model, (unsigned char)*keys);
}

static const char *row(size_t number)
{
	static char text[WT_LINE_BYTES];
	struct wt_line line;
	size_t end;

	wt_screen_row(&model, number, &line);
	assert_int_equal(line.columns, model.columns);
	end = strlen(wt_line_string(&line, text, NULL));
	while (end && text[end - 1] == ' ')
		text[--end] = '\0';
	return text;
}

static size_t cursor(void)
{
	return model.panes[wt_model_active(&model)].cursor;
}

static void test_screen(void **state)
{
	(void)state;
	assert_string_equal(
		row(0),
		" 1 Info  2 Stops 3 Waves 4 Code 5 Registers 6 Memory 7 Stack 8 Cause 9 Journal");
	assert_string_equal(row(1), "stop 1");
	assert_string_equal(row(2), "Info  title 0                                             "
				    "                 1/100");
	assert_string_equal(row(3), "Info line 0 Of stop 1");
	assert_string_equal(row(22), "Info line 19 Of stop 1");
	assert_string_equal(row(23), "hint");
	/* Only what is seen is made. */
	assert_true(fake.lines_made < 50);
	type("4");
	assert_string_equal(row(2), "Code  title 3                                             "
				    "                1/100+");
	wt_model_resize(&model, 12, 40);
	assert_string_equal(row(0), " 1 2 3 4 Code  5 6 7 8 9");
	assert_string_equal(row(10), "Code line 7 Of stop 1");
	assert_string_equal(row(11), "hint");
}

static void test_too_small(void **state)
{
	(void)state;
	wt_model_resize(&model, 7, 80);
	assert_string_equal(row(0), "too small: 80x7");
	assert_string_equal(row(1), "36x8 is needed; q quits");
	assert_string_equal(row(6), "");
	type("j2");
	assert_int_equal(model.page, WT_PAGE_OVERVIEW);
	assert_int_equal(cursor(), 0);
	type("q");
	assert_true(model.quit);
	wt_model_resize(&model, 1, 1);
	assert_string_equal(row(0), "t");
}

static void test_wide(void **state)
{
	(void)state;
	wt_model_resize(&model, 24, 120);
	type("3");
	assert_string_equal(row(3), "Waves line 0 Of stop 1                                      "
				    "|Code line 0 Of stop 1");
	type("\tjj");
	assert_int_equal(wt_model_active(&model), WT_PAGE_CODE);
	assert_int_equal(cursor(), 2);
	assert_int_equal(model.panes[WT_PAGE_WAVES].cursor, 0);
	/* Narrow again, the one that has the keys stays. */
	wt_model_resize(&model, 24, 80);
	assert_string_equal(row(5), "Code line 2 Of stop 1");
	assert_int_equal(cursor(), 2);
	type("\t");
	assert_int_equal(wt_model_active(&model), WT_PAGE_REGISTERS);
	wt_model_key(&model, WT_KEY_BACK_TAB);
	assert_int_equal(wt_model_active(&model), WT_PAGE_CODE);
}

static void test_moving(void **state)
{
	static const struct {
		const char *keys;
		size_t cursor, top;
	} cases[] = {
		{"j", 1, 0},	    {"jjk", 1, 0},    {"G", 99, 80},
		{"Gg", 0, 0},	    {"\x04", 10, 10}, {"\x04\x15", 0, 0},
		{"\x06", 19, 19},   {" ", 19, 19},    {"\x06\x06\x02", 19, 19},
		{"GG\x06", 99, 80}, {"k", 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		type("g");
		type(cases[i].keys);
		assert_int_equal(cursor(), cases[i].cursor);
		assert_int_equal(model.panes[0].top, cases[i].top);
	}
	type("g");
	wt_model_key(&model, WT_KEY_DOWN);
	wt_model_key(&model, WT_KEY_PAGE_DOWN);
	assert_int_equal(cursor(), 20);
	wt_model_key(&model, WT_KEY_END);
	assert_int_equal(cursor(), 99);
	wt_model_key(&model, WT_KEY_HOME);
	type("l");
	assert_string_equal(row(3), "e 0 Of stop 1");
	type("hh");
	assert_string_equal(row(3), "Info line 0 Of stop 1");
}

static void check_moved(const char *keys, enum wt_page page, size_t line, int moves)
{
	fake.moves = 0;
	type(keys);
	assert_int_equal(fake.moves, moves);
	if (!moves)
		return;
	assert_int_equal(fake.moved, page);
	assert_int_equal(fake.moved_to, line);
}

/* The page is told where the user puts its cursor; not where it goes by itself. */
static void test_moved(void **state)
{
	(void)state;
	check_moved("3", WT_PAGE_WAVES, 0, 0);
	check_moved("jj", WT_PAGE_WAVES, 2, 2);
	check_moved("/line 42\n", WT_PAGE_WAVES, 42, 1);
	check_moved(":7\n", WT_PAGE_WAVES, 42, 0); /* the fake knows no such command */
	check_moved("G", WT_PAGE_WAVES, LINES - 1, 1);
	check_moved("jG", WT_PAGE_WAVES, LINES - 1, 0);
	check_moved("4", WT_PAGE_CODE, 0, 0);
	fake.home = 12;
	fake.versions[WT_PAGE_CODE]++;
	check_moved("\x1b", WT_PAGE_WAVES, 0, 0);
	check_moved("4", WT_PAGE_CODE, 0, 0);
	/* From its home, to which it went when it came to show something else. */
	check_moved("k", WT_PAGE_CODE, 11, 1);
	wt_model_resize(&model, 24, 120);
	check_moved("3\tj", WT_PAGE_CODE, 12, 1);
}

static void test_search(void **state)
{
	(void)state;
	type("/LINE 42\n");
	assert_string_equal(row(23), "not found in Info");
	type("/line 42\n");
	assert_int_equal(cursor(), 42);
	type("/line [45]1\n");
	assert_int_equal(cursor(), 51);
	type("n");
	assert_int_equal(cursor(), 41);
	assert_string_equal(row(23), "from the other end");
	type("N");
	assert_int_equal(cursor(), 51);
	type("?line 7 \n");
	assert_int_equal(cursor(), 7);
	type("n");
	assert_string_equal(row(23), "from the other end");
	type("/[\n");
	assert_memory_equal(row(23), "[: ", 3);
	/* The pattern before is still there; an empty one is it, too. */
	type("/\n");
	assert_int_equal(cursor(), 7);
	assert_string_equal(row(23), "from the other end");
}

static void test_prompt(void **state)
{
	size_t at_row, column;

	(void)state;
	assert_false(wt_screen_cursor(&model, &at_row, &column));
	type("/ab");
	assert_string_equal(row(23), "/ab");
	assert_true(wt_screen_cursor(&model, &at_row, &column));
	assert_int_equal(at_row, 23);
	assert_int_equal(column, 3);
	wt_model_key(&model, 0x6f22);
	wt_model_key(&model, WT_KEY_BACKSPACE);
	assert_string_equal(row(23), "/ab");
	wt_model_key(&model, WT_CONTROL('u'));
	wt_model_key(&model, WT_KEY_BACKSPACE);
	assert_string_equal(row(23), "hint");
	type(":stop 9\x1b");
	assert_int_equal(fake.stop, 1);
	for (int i = 0; i < 500; i++)
		type(i ? "x" : ":");
	assert_true(model.input_size < WT_INPUT_MAX);
	wt_model_interrupt(&model);
	assert_false(model.quit);
	assert_int_equal(model.prompt, 0);
	wt_model_interrupt(&model);
	assert_true(model.quit);
}

static void test_help(void **state)
{
	(void)state;
	type("2?");
	assert_string_equal(row(23), "?    (search back; Enter alone: help)");
	type("\n");
	assert_string_equal(row(0), " 1 2 3 4 5 6 7 8 9 Help");
	assert_string_equal(row(23), "help hint");
	type("q");
	assert_int_equal(model.page, WT_PAGE_STOPS);
	wt_model_key(&model, WT_KEY_F1);
	assert_int_equal(model.page, WT_PAGE_HELP);
	type("q:help\n");
	assert_int_equal(model.page, WT_PAGE_HELP);
	type("qq");
	assert_true(model.quit);
}

static void test_commands(void **state)
{
	(void)state;
	type(":stop 3\n");
	assert_int_equal(fake.stop, 3);
	assert_int_equal(cursor(), 50);
	type(":nonsense 1\n");
	assert_string_equal(row(23), "nonsense: no such command; :help lists them");
	type(":\n");
	assert_string_equal(row(23), "hint");
	type("%");
	assert_string_equal(row(23), "% has no meaning here; F1 lists the keys");
	type(":q\n");
	assert_true(model.quit);
}

static void test_back(void **state)
{
	(void)state;
	type("3jjj\n");
	assert_int_equal(model.page, WT_PAGE_CODE);
	assert_string_equal(row(23), "of line 3");
	type("]]5");
	assert_int_equal(fake.stop, 3);
	wt_model_key(&model, WT_KEY_BACKSPACE);
	assert_int_equal(model.page, WT_PAGE_CODE);
	assert_int_equal(fake.stop, 3);
	wt_model_key(&model, WT_KEY_ESCAPE);
	assert_int_equal(model.page, WT_PAGE_WAVES);
	assert_int_equal(fake.stop, 1);
	assert_int_equal(cursor(), 3);
	type("\x1b\x1b");
	assert_int_equal(model.page, WT_PAGE_OVERVIEW);
	assert_string_equal(row(23), "there is no way further back; q quits");
	/* More than is remembered. */
	for (int i = 0; i < 100; i++)
		type("12");
	assert_int_equal(model.history_count, WT_HISTORY_MAX);
}

static void test_marks(void **state)
{
	(void)state;
	type("'a");
	assert_string_equal(row(23), "mark a is not set; ma sets it");
	type("5jjm");
	assert_string_equal(row(23), "set which mark, a to z?");
	type("a1]'a");
	assert_int_equal(model.page, WT_PAGE_REGISTERS);
	assert_int_equal(cursor(), 2);
	assert_int_equal(fake.stop, 1);
	type("mA");
	assert_string_equal(row(23), "marks are named a to z");
}

/* What a page shows is new: the cursor goes where it belongs. */
static void test_home(void **state)
{
	(void)state;
	fake.home = 60;
	type("4j");
	assert_int_equal(cursor(), 61);
	assert_string_equal(row(3), "Code line 50 Of stop 1");
	fake.versions[WT_PAGE_CODE]++;
	fake.home = 70;
	assert_string_equal(row(3), "Code line 60 Of stop 1");
	assert_int_equal(cursor(), 70);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_screen),   TEST(test_too_small), TEST(test_wide),   TEST(test_moving),
		TEST(test_moved),    TEST(test_search),	   TEST(test_prompt), TEST(test_help),
		TEST(test_commands), TEST(test_back),	   TEST(test_marks),  TEST(test_home),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
