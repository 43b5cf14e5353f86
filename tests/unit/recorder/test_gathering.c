/* SPDX-License-Identifier: MIT */
/* The time for facts of the host: what the thread itself has had of it. */
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/with-cmocka.h"

#include "base/clock.h"
#include "recorder/host/gathering.h"

#define WORK_MS 400u

static struct wt_gathering begin(uint64_t most_ms)
{
	struct wt_gathering gathering = {.host = wt_host_create()};

	assert_non_null(gathering.host);
	wt_gathering_begin(&gathering, most_ms);
	return gathering;
}

/* Others have the core meanwhile. */
static void what_others_work_does_not_count(void **state)
{
	struct wt_gathering gathering = begin(0);
	uint64_t until;

	(void)state;
	usleep((WORK_MS + 200) * 1000);
	assert_false(wt_gathering_is_over(&gathering));
	assert_int_equal(gathering.host->missing_count, 0);
	until = wt_clock_work_ns() + WORK_MS * UINT64_C(1000000);
	while (wt_clock_work_ns() < until)
		;
	assert_true(wt_gathering_is_over(&gathering));
	assert_true(wt_gathering_is_over(&gathering));
	assert_int_equal(gathering.host->missing_count, 1);
	assert_string_equal(gathering.host->missing[0],
			    "what comes after it: the time for it was over");
	wt_host_destroy(gathering.host);
}

/* Who says for how long a program may stand means all of it. */
static void a_limit_of_the_user_is_of_time(void **state)
{
	struct wt_gathering gathering = begin(50);

	(void)state;
	assert_false(wt_gathering_is_over(&gathering));
	usleep(60000);
	assert_true(wt_gathering_is_over(&gathering));
	wt_host_destroy(gathering.host);
}

/* Nothing is waited for for ever. */
static void all_of_it_has_an_end(void **state)
{
	struct wt_gathering gathering = begin(1000000);

	(void)state;
	assert_true(gathering.deadline < wt_clock_ns() + UINT64_C(5000000000));
	wt_host_destroy(gathering.host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_others_work_does_not_count),
		cmocka_unit_test(a_limit_of_the_user_is_of_time),
		cmocka_unit_test(all_of_it_has_an_end),
	};

	return cmocka_run_group_tests_name("gathering", tests, NULL, NULL);
}
