/* SPDX-License-Identifier: MIT */
/* That verify finds nothing where there is nothing, and everything where there is something. */
#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replayer/verify/verify.h"

static struct wt_verify_result verify_as(const struct session_options *options, bool from_state)
{
	const struct wt_verify_options how = {.size = sizeof(how), .from_state = from_state};
	const char *path = session_write(options);
	const struct wt_api *api = session_api(path);
	struct wt_verify_result result;
	struct wt_reader *reader;

	session_must(wt_reader_open(path, &reader));
	if (from_state)
		setenv("WAVETAPE_REPLAY_OPTIONS", "from-state", 1);
	session_must(wt_verify_run(reader, api, &how, &result));
	unsetenv("WAVETAPE_REPLAY_OPTIONS");
	wt_reader_close(reader);
	api->set_log_level(AMD_DBGAPI_LOG_LEVEL_NONE);
	/* A journal without an end leaves the library initialized. */
	api->finalize();
	return result;
}

static struct wt_verify_result verify(const struct session_options *options)
{
	return verify_as(options, true);
}

static void print(const struct wt_verify_result *result)
{
	for (size_t i = 0; i < result->differences.first_count; i++) {
		const struct wt_difference *difference = &result->differences.first[i];

		print_message("call %lu %s: %s: %s, %s\n", difference->call, difference->function,
			      difference->what, difference->recorded, difference->replayed);
	}
}

static void test_no_difference(void **state)
{
	const struct session_options options = {.journal = true};
	struct wt_verify_result result = verify(&options);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 11);
	/* The client's process id, two allocations, a log message. */
	assert_int_equal(result.callbacks, 4);
	assert_int_equal(result.not_driven, 0);
	assert_false(result.unfinished);
	assert_true(result.bytes > 0);
	wt_verify_deinit(&result);
}

/* The only difference is @what, in call @call. */
static void one_difference(const struct session_options *options, uint64_t call, const char *what)
{
	struct wt_verify_result result = verify(options);

	print(&result);
	assert_int_equal(result.differences.count, 1);
	assert_int_equal(result.differences.first[0].call, call);
	assert_string_equal(result.differences.first[0].what, what);
	wt_verify_deinit(&result);
}

static void test_differences(void **state)
{
	const struct session_options status = {.journal = true, .wrong_status = true};
	const struct session_options output = {.journal = true, .wrong_output = true};
	const struct session_options allocation = {.journal = true, .wrong_allocation = true};

	(void)state;
	one_difference(&status, 6, "status");
	one_difference(&output, 6, "output value");
	one_difference(&allocation, 6, "callback allocate_memory: input 0");
}

/* A function that the recorded library did not have was not refused by it; one that it had and refused is compared. */
static void test_newer_function(void **state)
{
	const struct session_options newer = {.journal = true, .newer_function = true};
	const struct session_options had = {
		.journal = true, .newer_function = true, .library_version = "0.79.0"};
	struct wt_verify_result result = verify(&newer);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 12);
	wt_verify_deinit(&result);
	result = verify(&had);
	assert_int_not_equal(result.differences.count, 0);
	assert_string_equal(result.differences.first[0].what, "status");
	wt_verify_deinit(&result);
}

/* Before 0.78 there is one status for memory that is none and for memory that was not kept, which a client gets of a replay, too. */
static void test_memory_that_was_not_kept(void **state)
{
	const struct session_options older = {.journal = true, .vain_read = true};
	const struct session_options newer = {
		.journal = true, .vain_read = true, .library_version = "0.79.0"};
	struct wt_verify_result result = verify(&older);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 12);
	wt_verify_deinit(&result);
	one_difference(&newer, 10, "status");
}

/* How much more a library allocates than it has to say is no answer: what it says has room in less. */
static void test_room(void **state)
{
	const struct session_options options = {.journal = true, .roomy_allocation = true};
	struct wt_verify_result result = verify(&options);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 11);
	wt_verify_deinit(&result);
}

/* What the recorded library answered is what is answered, whatever the state would have made of it. */
static void test_in_step(void **state)
{
	const struct session_options sessions[] = {
		{.journal = true},
		{.journal = true, .refused = true},
		{.journal = true, .wrong_output = true},
		{.journal = true, .roomy_allocation = true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sessions) / sizeof(*sessions); i++) {
		struct wt_verify_result result = verify_as(&sessions[i], false);

		print(&result);
		assert_int_equal(result.differences.count, 0);
		assert_int_equal(result.calls, 11);
		wt_verify_deinit(&result);
	}
}

/* There is nothing to compare it with, and no state holds so much of what a client reads. */
static void test_long_answer(void **state)
{
	const struct session_options options = {.journal = true, .long_read = true};
	struct wt_verify_result result = verify(&options);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 11);
	assert_int_equal(result.not_driven, 1);
	wt_verify_deinit(&result);
}

static void test_killed(void **state)
{
	const struct session_options options = {.journal = true, .no_end = true, .abandoned = true};
	struct wt_verify_result result = verify(&options);

	(void)state;
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 10);
	assert_true(result.unfinished);
	assert_int_equal(result.unfinished_call, 11);
	wt_verify_deinit(&result);
}

/* Killed behind the attach's answer and before the state that it attached to: there is nothing to replay. */
static void test_killed_in_attach(void **state)
{
	const struct session_options killed = {
		.journal = true, .attach_alone = true, .abandoned = true};
	const struct session_options recovered = {.journal = true, .attach_alone = true};
	struct wt_verify_result result = verify(&killed);

	(void)state;
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 2);
	assert_true(result.unfinished);
	assert_int_equal(result.unfinished_call, 3);
	wt_verify_deinit(&result);
	result = verify(&recovered);
	print(&result);
	assert_int_equal(result.differences.count, 0);
	assert_int_equal(result.calls, 2);
	assert_true(result.lost);
	assert_int_equal(result.lost_call, 3);
	assert_string_equal(result.lost_why, "the state that it attached to is not in the trace");
	wt_verify_deinit(&result);
}

static void compare(const struct session_options *a, const struct session_options *b,
		    struct wt_differences *differences_ret)
{
	struct wt_reader *left, *right;

	session_must(wt_reader_open(session_write(a), &left));
	session_must(wt_reader_open(session_write(b), &right));
	session_must(wt_trace_compare(left, right, differences_ret));
	wt_reader_close(left);
	wt_reader_close(right);
}

static void test_compare(void **state)
{
	const struct session_options same = {.journal = true}, full = {0}, cut = {.last_moment = 4};
	const struct session_options output = {.journal = true, .wrong_output = true};
	const struct session_options hostile = {.hostile = true};
	struct wt_differences differences;

	(void)state;
	compare(&same, &same, &differences);
	assert_int_equal(differences.count, 0);
	wt_differences_deinit(&differences);
	compare(&same, &output, &differences);
	assert_int_equal(differences.count, 1);
	assert_int_equal(differences.first[0].call, 6);
	wt_differences_deinit(&differences);
	compare(&full, &cut, &differences);
	assert_int_equal(differences.count, 1);
	assert_string_equal(differences.first[0].what, "number of moments");
	wt_differences_deinit(&differences);
	compare(&full, &hostile, &differences);
	assert_true(differences.count > WT_VERIFY_DIFFERENCES);
	assert_int_equal(differences.first_count, WT_VERIFY_DIFFERENCES);
	wt_differences_deinit(&differences);
}

/* Seconds of the processor that it takes in step: the least of three, so that others on the machine do not count. */
static double time_in_step(const struct session_options *options)
{
	double least = 0;

	for (int i = 0; i < 3; i++) {
		clock_t begin = clock();
		struct wt_verify_result result = verify_as(options, false);
		double took = (double)(clock() - begin) / CLOCKS_PER_SEC;

		assert_int_equal(result.differences.count, 0);
		assert_int_equal(result.calls, 11 + options->questions + options->polls);
		wt_verify_deinit(&result);
		least = !i || took < least ? took : least;
	}
	return least;
}

/* Eight times the calls take about eight times as long; what looks at all of them for each would take 64 times. */
static void test_growth(void **state)
{
	const struct session_options few[] = {{.journal = true, .questions = 4000},
					      {.journal = true, .polls = 4000}};
	const struct session_options many[] = {{.journal = true, .questions = 32000},
					       {.journal = true, .polls = 32000}};

	(void)state;
	for (size_t i = 0; i < sizeof(few) / sizeof(*few); i++)
		assert_true(time_in_step(&many[i]) < 20 * time_in_step(&few[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_difference),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_newer_function),
		cmocka_unit_test(test_memory_that_was_not_kept),
		cmocka_unit_test(test_long_answer),
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_killed_in_attach),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_in_step),
		cmocka_unit_test(test_growth),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
