/* SPDX-License-Identifier: MIT */
/* The recorder's lock: one thread's own, then everybody's, and at no time two threads'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "recorder/lock.h"

#define THREADS 3
#define ROUNDS 300
#define TURNS 400

struct work {
	struct wt_lock lock;
	atomic_bool inside; /* somebody is */
	atomic_uint together, waiting;
	uint64_t turns; /* what the lock guards */
};

struct worker {
	struct work *work;
	pthread_t thread;
};

static void take_turns(struct work *work, uintptr_t self, unsigned int turns)
{
	for (unsigned int i = 0; i < turns; i++) {
		wt_lock_take(&work->lock, self);
		if (atomic_exchange_explicit(&work->inside, true, memory_order_relaxed))
			atomic_fetch_add(&work->together, 1);
		work->turns++;
		if (!(i % 64))
			sched_yield();
		atomic_store_explicit(&work->inside, false, memory_order_relaxed);
		wt_lock_drop(&work->lock);
	}
}

static void *work_on(void *opaque)
{
	struct worker *worker = opaque;

	take_turns(worker->work, (uintptr_t)worker, TURNS);
	return NULL;
}

/* Is there an owner at all on this kernel? */
static bool init_owned(struct wt_lock *lock)
{
	wt_lock_init(lock, false);
	return atomic_load(&lock->owner) == WT_LOCK_NOBODY;
}

static void the_first_thread_owns_it(void **state)
{
	struct wt_lock lock;

	(void)state;
	if (!init_owned(&lock))
		skip();
	wt_lock_take(&lock, 8);
	wt_lock_drop(&lock);
	assert_true(wt_lock_take_owned(&lock, 8));
	assert_false(lock.by_mutex);
	wt_lock_drop(&lock);
	assert_false(wt_lock_take_owned(&lock, 16));
	assert_false(atomic_load(&lock.held));
}

static void the_second_thread_makes_it_everybodys(void **state)
{
	struct wt_lock lock;

	(void)state;
	wt_lock_init(&lock, false);
	wt_lock_take(&lock, 8);
	wt_lock_drop(&lock);
	wt_lock_take(&lock, 16);
	assert_true(lock.by_mutex);
	wt_lock_drop(&lock);
	assert_true(atomic_load(&lock.owner) == WT_LOCK_SHARED);
	assert_false(wt_lock_take_owned(&lock, 8));
	wt_lock_take(&lock, 8);
	assert_true(lock.by_mutex);
	wt_lock_drop(&lock);
}

/* Threads come while others are at work: in every round the lock is taken away from one of them. */
static void two_threads_are_never_inside(void **state)
{
	(void)state;
	for (unsigned int shared = 0; shared < 2; shared++)
		for (unsigned int round = 0; round < ROUNDS; round++) {
			struct work work = {.turns = 0};
			struct worker workers[THREADS];

			wt_lock_init(&work.lock, shared);
			for (size_t i = 0; i < THREADS; i++) {
				workers[i].work = &work;
				assert_int_equal(pthread_create(&workers[i].thread, NULL, work_on,
								&workers[i]),
						 0);
			}
			take_turns(&work, (uintptr_t)&work, TURNS);
			for (size_t i = 0; i < THREADS; i++)
				pthread_join(workers[i].thread, NULL);
			assert_int_equal(atomic_load(&work.together), 0);
			assert_int_equal(work.turns, (THREADS + 1) * TURNS);
		}
}

static void *wait_for_it(void *opaque)
{
	struct work *work = opaque;

	atomic_store(&work->waiting, 1);
	wt_lock_take(&work->lock, (uintptr_t)&opaque);
	work->turns *= 2;
	wt_lock_drop(&work->lock);
	return NULL;
}

static void the_owner_is_waited_for(void **state)
{
	struct work work = {.turns = 1};
	pthread_t thread;

	(void)state;
	wt_lock_init(&work.lock, false);
	wt_lock_take(&work.lock, 8);
	wt_lock_drop(&work.lock);
	wt_lock_take(&work.lock, 8);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_it, &work), 0);
	while (!atomic_load(&work.waiting) ||
	       (!work.lock.by_mutex && atomic_load(&work.lock.owner) != WT_LOCK_SHARED))
		sched_yield();
	for (unsigned int i = 0; i < 100; i++)
		sched_yield();
	work.turns += 4;
	wt_lock_drop(&work.lock);
	pthread_join(thread, NULL);
	assert_int_equal(work.turns, 10);
}

static void who_does_not_wait_gets_nothing_that_is_held(void **state)
{
	struct wt_lock lock;

	(void)state;
	wt_lock_init(&lock, false);
	assert_true(wt_lock_try(&lock, 8));
	assert_false(wt_lock_try(&lock, 8));
	assert_false(wt_lock_try(&lock, 16));
	wt_lock_drop(&lock);
	wt_lock_take(&lock, 8);
	assert_false(wt_lock_try(&lock, 8));
	assert_false(wt_lock_try(&lock, 16));
	wt_lock_drop(&lock);
	assert_true(wt_lock_try(&lock, 16));
	wt_lock_drop(&lock);
	assert_true(wt_lock_try(&lock, 8));
	wt_lock_drop(&lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_thread_owns_it),
		cmocka_unit_test(the_second_thread_makes_it_everybodys),
		cmocka_unit_test(two_threads_are_never_inside),
		cmocka_unit_test(the_owner_is_waited_for),
		cmocka_unit_test(who_does_not_wait_gets_nothing_that_is_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
