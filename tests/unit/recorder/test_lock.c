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
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "recorder/recording/lock.h"

/* Everything here is held in frames that are there until it is dropped, but where a test says otherwise. */
static struct wt_anchor anchor;

static bool take(struct wt_lock *lock, uintptr_t self)
{
	const struct wt_holder holder = wt_holder_here(&anchor, (pid_t)syscall(SYS_gettid));

	return wt_lock_take(lock, self, &holder);
}

static bool take_owned(struct wt_lock *lock, uintptr_t self)
{
	const struct wt_holder holder = wt_holder_here(&anchor, (pid_t)syscall(SYS_gettid));

	return wt_lock_take_owned(lock, self, &holder);
}

static bool try(struct wt_lock *lock, uintptr_t self)
{
	const struct wt_holder holder = wt_holder_here(&anchor, (pid_t)syscall(SYS_gettid));

	return wt_lock_try(lock, self, &holder);
}

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
		take(&work->lock, self);
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
	take(&lock, 8);
	wt_lock_drop(&lock);
	assert_true(take_owned(&lock, 8));
	assert_false(lock.by_mutex);
	wt_lock_drop(&lock);
	assert_false(take_owned(&lock, 16));
	assert_false(atomic_load(&lock.held));
}

/* As thread 8, which has held it before. */
static bool take_again(struct wt_lock *lock, const struct wt_holder *holder)
{
	return wt_lock_take_kept(lock, 8, holder) || wt_lock_take(lock, 8, holder);
}

/* Its note is written once, but where it was another's since, or the lock is not its own any more. */
static void a_holder_takes_it_again(void **state)
{
	static struct wt_anchor another;
	const pid_t thread = (pid_t)syscall(SYS_gettid);
	const struct wt_holder holder = wt_holder_here(&anchor, thread);
	const struct wt_holder nested = wt_holder_here(&another, thread);
	struct wt_lock lock;

	(void)state;
	if (!init_owned(&lock))
		skip();
	assert_true(wt_lock_take(&lock, 8, &holder));
	wt_lock_drop(&lock);
	assert_true(take_again(&lock, &holder));
	assert_true(atomic_load(&lock.held));
	assert_int_equal(atomic_load(&lock.owner_note.turn), 1);
	wt_lock_drop(&lock);
	assert_true(wt_lock_take(&lock, 8, &nested));
	wt_lock_drop(&lock);
	assert_true(take_again(&lock, &holder));
	assert_true(atomic_load(&lock.owner_note.anchor) == (uintptr_t)&anchor);
	wt_lock_drop(&lock);
	take(&lock, 16);
	wt_lock_drop(&lock);
	assert_true(take_again(&lock, &holder));
	assert_true(lock.by_mutex);
	wt_lock_drop(&lock);
}

static void the_second_thread_makes_it_everybodys(void **state)
{
	struct wt_lock lock;

	(void)state;
	wt_lock_init(&lock, false);
	take(&lock, 8);
	wt_lock_drop(&lock);
	take(&lock, 16);
	assert_true(lock.by_mutex);
	wt_lock_drop(&lock);
	assert_true(atomic_load(&lock.owner) == WT_LOCK_SHARED);
	assert_false(take_owned(&lock, 8));
	take(&lock, 8);
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
	take(&work->lock, (uintptr_t)&opaque);
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
	take(&work.lock, 8);
	wt_lock_drop(&work.lock);
	take(&work.lock, 8);
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
	assert_true(try(&lock, 8));
	assert_false(try(&lock, 8));
	assert_false(try(&lock, 16));
	wt_lock_drop(&lock);
	take(&lock, 8);
	assert_false(try(&lock, 8));
	assert_false(try(&lock, 16));
	wt_lock_drop(&lock);
	assert_true(try(&lock, 16));
	wt_lock_drop(&lock);
	assert_true(try(&lock, 8));
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
	take(&lock, 8);
	wt_lock_drop(&lock);
	if (!before && !forbid_membarrier())
		return 2;
	take(&lock, 16);
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

/* ---- Who leaves the lock without dropping it ---- */

struct leaving {
	struct wt_lock lock;
	sigjmp_buf back;
	atomic_uint stage; /* the other thread: 1 has left, 2 may go on */
	bool ends;	   /* it ends, instead of waiting */
};

/* Deeper than what follows it, so that nothing there lies over these frames. */
__attribute__((noinline)) static void take_and_leave(struct leaving *leaving, unsigned int deeper)
{
	volatile uint8_t room[512];

	room[0] = room[511] = 1;
	if (deeper) {
		take_and_leave(leaving, deeper - 1);
	} else {
		struct wt_anchor mine;
		const struct wt_holder holder = wt_holder_here(&mine, (pid_t)syscall(SYS_gettid));

		if (wt_lock_take(&leaving->lock, (uintptr_t)leaving, &holder))
			siglongjmp(leaving->back, 1);
	}
	room[1] = room[0];
}

static void *leave(void *opaque)
{
	struct leaving *leaving = opaque;

	if (!sigsetjmp(leaving->back, 1))
		take_and_leave(leaving, 4);
	atomic_store(&leaving->stage, 1);
	while (!leaving->ends && atomic_load(&leaving->stage) != 2)
		usleep(20000);
	return NULL;
}

static void a_lock_that_was_left_is_broken(void **state)
{
	(void)state;
	for (unsigned int shared = 0; shared < 2; shared++)
		for (unsigned int ends = 0; ends < 2; ends++) {
			struct leaving leaving = {.ends = ends};
			pthread_t thread;

			wt_lock_init(&leaving.lock, shared);
			/* Owned by that thread, or a mutex. */
			assert_int_equal(pthread_create(&thread, NULL, leave, &leaving), 0);
			while (!atomic_load(&leaving.stage))
				usleep(1000);
			assert_false(try(&leaving.lock, 8));
			assert_false(take(&leaving.lock, 8));
			assert_false(take(&leaving.lock, 16));
			assert_false(try(&leaving.lock, 16));
			atomic_store(&leaving.stage, 2);
			pthread_join(thread, NULL);
		}
}

static void *hold_for_long(void *opaque)
{
	struct leaving *leaving = opaque;

	take(&leaving->lock, (uintptr_t)leaving);
	atomic_store(&leaving->stage, 1);
	usleep(450000);
	atomic_store(&leaving->stage, 2);
	wt_lock_drop(&leaving->lock);
	return NULL;
}

/* In a frame of its own: the anchor is where the work is. */
static void *hold_in_a_frame(void *opaque)
{
	struct leaving *leaving = opaque;
	struct wt_anchor mine;
	const struct wt_holder holder = wt_holder_here(&mine, (pid_t)syscall(SYS_gettid));

	wt_lock_take(&leaving->lock, (uintptr_t)leaving, &holder);
	atomic_store(&leaving->stage, 1);
	usleep(450000);
	atomic_store(&leaving->stage, 2);
	wt_lock_drop(&leaving->lock);
	return NULL;
}

static void a_lock_that_is_held_for_long_is_waited_for(void **state)
{
	static void *(*const ways[])(void *) = {hold_for_long, hold_in_a_frame};

	(void)state;
	for (unsigned int shared = 0; shared < 2; shared++)
		for (unsigned int way = 0; way < 2; way++) {
			struct leaving leaving = {.ends = false};
			pthread_t thread;

			wt_lock_init(&leaving.lock, shared);
			assert_int_equal(pthread_create(&thread, NULL, ways[way], &leaving), 0);
			while (!atomic_load(&leaving.stage))
				usleep(1000);
			assert_true(take(&leaving.lock, 8));
			assert_int_equal(atomic_load(&leaving.stage), 2);
			wt_lock_drop(&leaving.lock);
			pthread_join(thread, NULL);
		}
}

/* Where a call is made again that was left: at the same place, above it, or below. */
__attribute__((noinline)) static bool finds_left(const struct wt_holder *left)
{
	struct wt_anchor mine;
	const struct wt_holder now = wt_holder_here(&mine, (pid_t)syscall(SYS_gettid));

	return wt_holder_have_left(left, &now);
}

__attribute__((noinline)) static void hold(struct wt_holder *holder_ret, bool *found_ret)
{
	struct wt_anchor mine;

	*holder_ret = wt_holder_here(&mine, (pid_t)syscall(SYS_gettid));
	*found_ret = finds_left(holder_ret);
}

static struct wt_holder held;
static int found_in_handler;

static void look_in_handler(int signal)
{
	(void)signal;
	found_in_handler = finds_left(&held);
}

static void the_thread_itself_knows(void **state)
{
	const struct sigaction action = {.sa_handler = look_in_handler, .sa_flags = SA_ONSTACK};
	uint8_t *room =
		mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const stack_t own = {.ss_sp = room, .ss_size = 1 << 16}, none = {.ss_flags = SS_DISABLE};
	struct wt_anchor mine;
	bool found;

	(void)state;
	hold(&held, &found);
	assert_false(found);
	/* The frame of hold() is gone, and this call is made where it was. */
	assert_true(finds_left(&held));
	/* A handler that interrupts the frames of the holder is not after them, on whichever stack. */
	held = wt_holder_here(&mine, (pid_t)syscall(SYS_gettid));
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	for (unsigned int i = 0; i < 2; i++) {
		assert_int_equal(sigaltstack(i ? &own : &none, NULL), 0);
		found_in_handler = -1;
		assert_int_equal(raise(SIGUSR1), 0);
		assert_int_equal(found_in_handler, false);
	}
	/* One that was interrupted there, and is left: this frame is on the other stack. */
	held.frame = held.anchor = (uintptr_t)room + 4096;
	memcpy(&room[4096], &held.anchor, sizeof(held.anchor));
	assert_true(finds_left(&held));
	assert_int_equal(sigaltstack(&none, NULL), 0);
	munmap(room, 1 << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_thread_owns_it),
		cmocka_unit_test(a_holder_takes_it_again),
		cmocka_unit_test(the_second_thread_makes_it_everybodys),
		cmocka_unit_test(two_threads_are_never_inside),
		cmocka_unit_test(the_owner_is_waited_for),
		cmocka_unit_test(who_does_not_wait_gets_nothing_that_is_held),
		cmocka_unit_test(a_filter_of_system_calls_ends_nobody),
		cmocka_unit_test(a_lock_that_was_left_is_broken),
		cmocka_unit_test(a_lock_that_is_held_for_long_is_waited_for),
		cmocka_unit_test(the_thread_itself_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
