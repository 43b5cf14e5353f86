/* SPDX-License-Identifier: MIT */
/* Time from a counter: what readings mean, and when the counter is no longer believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "recorder/recording/clock.h"

#define THIRD ((UINT64_C(1) << 32) / 3) /* a rate: three ticks in a nanosecond */

/* A counter that stood at 1000 when the time was 5000, and is not compared again for long. */
static struct wt_clock counting(void)
{
	return (struct wt_clock){
		.counter = true, .ticks = 1000, .ns = 5000, .rate = THIRD, .window = 1u << 30};
}

static void without_a_counter_ticks_are_nanoseconds(void **state)
{
	struct wt_clock clock = {0};
	uint64_t before = wt_clock_monotonic(), ticks = wt_clock_ticks(&clock);

	(void)state;
	assert_in_range(ticks, before, wt_clock_monotonic());
	assert_int_equal(wt_clock_time(&clock, 77), 77);
	assert_int_equal(wt_clock_interval(&clock, 70, 77, 70), 7);
	assert_int_equal(wt_clock_interval(&clock, 77, 70, 77), 0);
}

static void a_still_clock_shows_no_time(void **state)
{
	struct wt_clock clock;

	(void)state;
	wt_clock_init(&clock, true);
	assert_int_equal(wt_clock_ticks(&clock), 0);
	assert_int_equal(wt_clock_time(&clock, wt_clock_ticks(&clock)), 0);
	assert_int_equal(wt_clock_interval(&clock, 0, wt_clock_ticks(&clock), 0), 0);
}

static void ticks_are_told_by_their_rate(void **state)
{
	struct wt_clock clock = counting();

	(void)state;
	assert_int_equal(wt_clock_time(&clock, 1000), 5000);
	assert_int_equal(wt_clock_time(&clock, 1000 + 3001), 6000);
	assert_int_equal(wt_clock_interval(&clock, 100, 400, 0), 99);
	assert_int_equal(wt_clock_interval(&clock, 400, 100, 0), 0);
	/* A call may last for days. */
	assert_in_range(wt_clock_interval(&clock, 1, 3000000000000001, 0), 999999999000000,
			1000000000000000);
}

static void time_does_not_go_back(void **state)
{
	struct wt_clock clock = counting();

	(void)state;
	assert_int_equal(wt_clock_time(&clock, 1000 + 3001), 6000);
	assert_int_equal(wt_clock_time(&clock, 1000), 6000);
	/* What follows a call does not begin before its end, of which only the rate tells. */
	clock = counting();
	assert_int_equal(wt_clock_interval(&clock, 1000, 13001, 5000), 4000);
	assert_int_equal(wt_clock_time(&clock, 1000 + 3001), 9000);
	clock.last = UINT64_MAX - 1;
	assert_true(wt_clock_compare(&clock) == UINT64_MAX - 1);
}

/* Before a rate is known, and whenever a window is over, the kernel is asked. */
static void the_kernel_has_the_last_word(void **state)
{
	struct wt_clock clock, begun;
	uint64_t before = wt_clock_monotonic(), time, since;

	(void)state;
	wt_clock_init(&clock, false);
	assert_int_equal(clock.rate, 0);
	time = wt_clock_time(&clock, wt_clock_ticks(&clock));
	assert_in_range(time, before, wt_clock_monotonic());
	begun = (struct wt_clock){.counter = true};
	since = wt_clock_interval(&begun, 0, 0, time);
	assert_in_range(since, 0, wt_clock_monotonic() - time);
	clock = counting();
	clock.window = 10;
	time = wt_clock_time(&clock, 1010);
	assert_in_range(time, before, wt_clock_monotonic());
}

/* A clock that was started so many nanoseconds ago and has counted so many ticks since. */
static struct wt_clock started(uint64_t ns, uint64_t ticks)
{
	struct wt_clock clock = {.counter = true};

	clock.first_ns = wt_clock_monotonic() - ns;
	clock.first_ticks = wt_clock_ticks(&clock) - ticks;
	clock.ticks = 1;
	return clock;
}

static void a_rate_is_learned(void **state)
{
	const uint64_t hour = UINT64_C(3600) * 1000000000;
	struct wt_clock clock = started(hour, 3 * hour);

	(void)state;
	wt_clock_compare(&clock);
	assert_in_range(clock.rate, THIRD - THIRD / 1000, THIRD + THIRD / 1000);
	assert_true(clock.window > 1);
	/* After such a time the next rate is taken from here. */
	assert_int_equal(clock.first_ticks, clock.ticks);
	assert_int_equal(clock.first_ns, clock.ns);
}

/* So that the first calls do not all ask the kernel; a rate of such a time holds no longer than that. */
static void a_rate_is_learned_soon(void **state)
{
	struct wt_clock clock = started(900000, 2700000);

	(void)state;
	while (!clock.rate)
		wt_clock_compare(&clock);
	assert_in_range(clock.ns - clock.first_ns, 1000000, UINT64_MAX);
	assert_in_range(clock.window, 1, clock.ticks - clock.first_ticks + 1);
}

static void a_counter_that_was_set_is_started_anew(void **state)
{
	const uint64_t hour = UINT64_C(3600) * 1000000000;
	struct wt_clock clock = started(hour, 3 * hour);

	(void)state;
	/* It ran faster than it did before: the machine was asleep, and the counter was not. */
	clock.rate = THIRD / 2;
	clock.window = 5;
	wt_clock_compare(&clock);
	assert_int_equal(clock.rate, 0);
	assert_int_equal(clock.window, 0);
	assert_int_equal(clock.first_ticks, clock.ticks);
	/* It went back: this is another machine. */
	clock = started(hour, 3 * hour);
	clock.rate = THIRD;
	clock.ticks = UINT64_MAX;
	wt_clock_compare(&clock);
	assert_int_equal(clock.rate, 0);
	assert_true(clock.ticks < UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_counter_ticks_are_nanoseconds),
		cmocka_unit_test(a_still_clock_shows_no_time),
		cmocka_unit_test(ticks_are_told_by_their_rate),
		cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(the_kernel_has_the_last_word),
		cmocka_unit_test(a_rate_is_learned),
		cmocka_unit_test(a_rate_is_learned_soon),
		cmocka_unit_test(a_counter_that_was_set_is_started_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
