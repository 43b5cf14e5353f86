/* SPDX-License-Identifier: MIT */
/* The recorder's lock: one thread's own, then everybody's, and at no time two threads'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/recording/lock.h"

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

/* From now on a process that calls membarrier() is ended. */
static bool forbid_membarrier(void)
{
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {.len = sizeof(steps) / sizeof(*steps), .filter = steps};

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* In a child: 0 if the lock was a mutex for both threads; 2: no filter can be set here. */
static int use_behind_a_filter(bool before)
{
	struct wt_lock lock;

	if (before && !forbid_membarrier())
		return 2;
	wt_lock_init(&lock, false);
	wt_lock_take(&lock, 8);
	wt_lock_drop(&lock);
	if (!before && !forbid_membarrier())
		return 2;
	wt_lock_take(&lock, 16);
	wt_lock_drop(&lock);
	return atomic_load(&lock.owner) == WT_LOCK_SHARED ? 0 : 1;
}

static void a_filter_of_system_calls_ends_nobody(void **state)
{
	(void)state;
	for (unsigned int before = 0; before < 2; before++) {
		pid_t child;
		int status;

		fflush(NULL);
		child = fork();
		assert_true(child >= 0);
		if (!child)
			_exit(use_behind_a_filter(before));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 2)
			skip();
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_thread_owns_it),
		cmocka_unit_test(the_second_thread_makes_it_everybodys),
		cmocka_unit_test(two_threads_are_never_inside),
		cmocka_unit_test(the_owner_is_waited_for),
		cmocka_unit_test(who_does_not_wait_gets_nothing_that_is_held),
		cmocka_unit_test(a_filter_of_system_calls_ends_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
