/* SPDX-License-Identifier: MIT */
/* The recorder's lock: no two threads hold it at once, and nobody waits for one that cannot drop it any more. */
#include <stdint.h>

#include "tests/unit/with-cmocka.h"
#include <sched.h>
#include <unistd.h>

#include "base/clock.h"
#include "recorder/recording/lock.h"

#define THREADS 3
#define ROUNDS 100
#define TURNS 400
/* Several looks of who waits; a thread that only takes turns is never away for so long. */
#define PATIENCE_MS 2000u

struct work {
	struct wt_lock lock;
	atomic_bool inside; /* somebody is */
	atomic_uint together, stage;
	uint64_t turns; /* what the lock guards */
	bool ends;	/* the thread that holds it ends */
};

static void work_take_turns(struct work *work, unsigned int turns)
{
	for (unsigned int i = 0; i < turns; i++) {
		if (!wt_lock_take(&work->lock))
			return;
		if (atomic_exchange_explicit(&work->inside, true, memory_order_relaxed))
			atomic_fetch_add(&work->together, 1);
		work->turns++;
		if (!(i % 64))
			sched_yield();
		atomic_store_explicit(&work->inside, false, memory_order_relaxed);
		wt_lock_drop(&work->lock);
	}
}

static void *work_run(void *work)
{
	work_take_turns(work, TURNS);
	return NULL;
}

static void two_threads_are_never_inside(void **state)
{
	(void)state;
	for (unsigned int round = 0; round < ROUNDS; round++) {
		struct work work = {.turns = 0};
		pthread_t threads[THREADS];

		wt_lock_init(&work.lock, PATIENCE_MS);
		for (size_t i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&threads[i], NULL, work_run, &work), 0);
		work_take_turns(&work, TURNS);
		for (size_t i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		assert_int_equal(atomic_load(&work.together), 0);
		assert_int_equal(work.turns, (THREADS + 1) * TURNS);
	}
}

static void who_does_not_wait_gets_nothing_that_is_held(void **state)
{
	struct wt_lock lock;

	(void)state;
	wt_lock_init(&lock, PATIENCE_MS);
	assert_true(wt_lock_try(&lock));
	assert_false(wt_lock_try(&lock));
	wt_lock_drop(&lock);
	assert_true(wt_lock_take(&lock));
	assert_false(wt_lock_try(&lock));
	wt_lock_drop(&lock);
	assert_true(wt_lock_try(&lock));
	wt_lock_drop(&lock);
}

/* Takes the lock, and ends or stays without dropping it. */
static void *work_keep(void *opaque)
{
	struct work *work = opaque;

	wt_lock_take(&work->lock);
	atomic_store(&work->stage, 1);
	while (!work->ends && atomic_load(&work->stage) != 2)
		usleep(1000);
	return NULL;
}

static void wait_for_stage(struct work *work, unsigned int stage)
{
	while (atomic_load(&work->stage) < stage)
		usleep(1000);
}

static void a_holder_that_ends_breaks_it(void **state)
{
	struct work work = {.ends = true};
	uint64_t start = wt_clock_ms();
	pthread_t thread;

	(void)state;
	wt_lock_init(&work.lock, PATIENCE_MS);
	assert_int_equal(pthread_create(&thread, NULL, work_keep, &work), 0);
	pthread_join(thread, NULL);
	assert_false(wt_lock_take(&work.lock));
	assert_false(wt_lock_try(&work.lock));
	assert_false(wt_lock_take(&work.lock));
	assert_in_range(wt_clock_ms() - start, 0, PATIENCE_MS - 1);
}

static void a_holder_that_makes_no_progress_breaks_it(void **state)
{
	struct work work = {.ends = false};
	uint64_t start = wt_clock_ms();
	pthread_t thread;

	(void)state;
	wt_lock_init(&work.lock, PATIENCE_MS);
	assert_int_equal(pthread_create(&thread, NULL, work_keep, &work), 0);
	wait_for_stage(&work, 1);
	assert_false(wt_lock_take(&work.lock));
	assert_true(wt_clock_ms() - start >= PATIENCE_MS);
	assert_false(wt_lock_take(&work.lock));
	assert_false(wt_lock_try(&work.lock));
	atomic_store(&work.stage, 2);
	pthread_join(thread, NULL);
	assert_false(wt_lock_take(&work.lock));
}

/* Longer than anybody would wait, with a step now and then. */
static void *work_slowly(void *opaque)
{
	struct work *work = opaque;
	const uint64_t end = wt_clock_ms() + PATIENCE_MS + 500;

	wt_lock_take(&work->lock);
	atomic_store(&work->stage, 1);
	while (wt_clock_ms() < end) {
		usleep(100000);
		wt_lock_note_progress(&work->lock);
	}
	atomic_store(&work->stage, 2);
	wt_lock_drop(&work->lock);
	return NULL;
}

static void a_holder_that_works_is_waited_for(void **state)
{
	struct work work = {.turns = 0};
	pthread_t thread;

	(void)state;
	wt_lock_init(&work.lock, PATIENCE_MS);
	assert_int_equal(pthread_create(&thread, NULL, work_slowly, &work), 0);
	wait_for_stage(&work, 1);
	assert_true(wt_lock_take(&work.lock));
	assert_int_equal(atomic_load(&work.stage), 2);
	wt_lock_drop(&work.lock);
	pthread_join(thread, NULL);
}

static void a_thread_that_has_left_is_not_waited_for_by_itself(void **state)
{
	struct wt_lock lock;

	(void)state;
	wt_lock_init(&lock, PATIENCE_MS);
	assert_true(wt_lock_take(&lock));
	assert_false(wt_lock_take(&lock));
	assert_false(wt_lock_take(&lock));
	assert_false(wt_lock_try(&lock));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_are_never_inside),
		cmocka_unit_test(who_does_not_wait_gets_nothing_that_is_held),
		cmocka_unit_test(a_holder_that_ends_breaks_it),
		cmocka_unit_test(a_holder_that_makes_no_progress_breaks_it),
		cmocka_unit_test(a_holder_that_works_is_waited_for),
		cmocka_unit_test(a_thread_that_has_left_is_not_waited_for_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
