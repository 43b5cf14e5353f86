/* SPDX-License-Identifier: MIT */
/* Where in the journal a client is: it finds its place again behind what cannot be repeated, however much that is. */
#include <stdlib.h>
#include <string.h>

#include "replayer/journal/cursor.h"
#include "session.h"

#define QUESTIONS 150000u /* more than twice what is looked at ahead */
#define FIRST_QUESTION 11u
#define KEPT 65536u

/* The session's client reads more than is kept, asks one thing very often, and detaches. */
static struct wt_reader *open_session(struct wt_call_cursor *cursor, unsigned int questions)
{
	const struct session_options options = {
		.journal = true, .long_read = true, .questions = questions};
	struct wt_reader *reader;

	session_must(wt_reader_open(session_write(&options), &reader));
	session_must(wt_call_cursor_open(cursor, reader));
	return reader;
}

/* The number of the recorded call that was made; 0 if there is none. */
static uint64_t make(struct wt_call_cursor *cursor, enum wt_function function,
		     const struct wt_argument *arguments)
{
	const struct wt_whole_call *call = wt_call_cursor_find(cursor, function, arguments);
	struct wt_call_cursor_entry *entry;
	uint64_t number = call ? call->number : 0;

	if (!call)
		return 0;
	entry = wt_call_cursor_take(cursor, call, arguments);
	assert_non_null(entry);
	wt_call_cursor_drop(cursor, entry);
	assert_in_range(cursor->entry_count, 0, KEPT);
	return number;
}

static uint64_t attach(struct wt_call_cursor *cursor)
{
	static amd_dbgapi_callbacks_t callbacks;
	static char client, process, events[2];
	const struct wt_argument level[WT_ARGUMENTS] = {{.number = AMD_DBGAPI_LOG_LEVEL_WARNING}};
	const struct wt_argument begin[WT_ARGUMENTS] = {{.pointer = &callbacks}};
	const struct wt_argument to[WT_ARGUMENTS] = {{.pointer = &client}, {.pointer = &process}};
	const struct wt_argument pump[WT_ARGUMENTS] = {
		{.number = SESSION_PROCESS}, {.pointer = &events[0]}, {.pointer = &events[1]}};

	/* All are set; none is called. */
	memset(&callbacks, 1, sizeof(callbacks));
	assert_int_equal(make(cursor, WT_FUNCTION_SET_LOG_LEVEL, level), 1);
	assert_int_equal(make(cursor, WT_FUNCTION_INITIALIZE, begin), 2);
	assert_int_equal(make(cursor, WT_FUNCTION_PROCESS_ATTACH, to), 3);
	assert_int_equal(make(cursor, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump), 4);
	return make(cursor, WT_FUNCTION_PROCESS_NEXT_PENDING_EVENT, pump);
}

static uint64_t ask(struct wt_call_cursor *cursor)
{
	static char text;
	const struct wt_argument arguments[WT_ARGUMENTS] = {{.number = 1},
							    {.number = AMD_DBGAPI_AGENT_INFO_NAME},
							    {.number = 3},
							    {.pointer = &text}};

	return make(cursor, WT_FUNCTION_AGENT_GET_INFO, arguments);
}

static uint64_t detach(struct wt_call_cursor *cursor)
{
	const struct wt_argument arguments[WT_ARGUMENTS] = {{.number = SESSION_PROCESS}};

	return make(cursor, WT_FUNCTION_PROCESS_DETACH, arguments);
}

static void close_session(struct wt_call_cursor *cursor, struct wt_reader *reader)
{
	wt_call_cursor_close(cursor);
	wt_reader_close(reader);
}

/* The read is never made, and stays behind the client. */
static void test_behind_one_that_cannot_be_repeated(void **state)
{
	struct wt_call_cursor cursor;
	struct wt_reader *reader = open_session(&cursor, QUESTIONS);

	(void)state;
	assert_int_equal(attach(&cursor), 5);
	assert_int_equal(ask(&cursor), 7);
	for (uint64_t i = 0; i < QUESTIONS; i++)
		if (ask(&cursor) != FIRST_QUESTION + i)
			fail_msg("question %u has no answer of its own", (unsigned int)i);
	assert_int_equal(detach(&cursor), FIRST_QUESTION + QUESTIONS);
	close_session(&cursor, reader);
}

/* Questions may be left out, any number of them. */
static void test_behind_what_is_left_out(void **state)
{
	struct wt_call_cursor cursor;
	struct wt_reader *reader = open_session(&cursor, QUESTIONS);

	(void)state;
	assert_int_equal(attach(&cursor), 5);
	assert_int_equal(detach(&cursor), FIRST_QUESTION + QUESTIONS);
	close_session(&cursor, reader);
}

/* What is no recorded call does not lead away from the questions that are still to come. */
static void test_a_question_of_its_own(void **state)
{
	static char list[4];
	const struct wt_argument other[WT_ARGUMENTS] = {{.number = SESSION_PROCESS},
							{.pointer = &list[0]},
							{.pointer = &list[1]},
							{.pointer = NULL}};
	struct wt_call_cursor cursor;
	struct wt_reader *reader = open_session(&cursor, QUESTIONS);

	(void)state;
	assert_int_equal(attach(&cursor), 5);
	assert_int_equal(ask(&cursor), 7);
	for (uint64_t i = 0; i < QUESTIONS; i++) {
		if (i % 1000 == 0)
			assert_int_equal(make(&cursor, WT_FUNCTION_PROCESS_AGENT_LIST, other), 0);
		if (ask(&cursor) != FIRST_QUESTION + i)
			fail_msg("question %u has no answer of its own", (unsigned int)i);
	}
	assert_int_equal(detach(&cursor), FIRST_QUESTION + QUESTIONS);
	close_session(&cursor, reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_behind_one_that_cannot_be_repeated),
		cmocka_unit_test(test_behind_what_is_left_out),
		cmocka_unit_test(test_a_question_of_its_own),
	};

	return cmocka_run_group_tests_name("cursor", tests, NULL, NULL);
}
