/* SPDX-License-Identifier: MIT */
/*
 * Signal handlers interrupt a thread that is about to take the recorder's lock, and make calls of their own: after each of its
 * instructions, twice, and once it holds the lock. It holds it alone, and nobody takes it for one that was left.
 */

#include "tests/unit/with-cmocka.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "recorder/recording/thread.h"

#ifdef __x86_64__
#include "tests/unit/recorder/stepping.h"

/* Every which instruction is tried. With sanitizers there are many times as many of them. */
#if defined(__SANITIZE_ADDRESS__)
#define STRIDE 37u
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRIDE 37u
#endif
#endif
#ifndef STRIDE
#define STRIDE 1u
#endif
/* At most so many lie between the two handlers. */
#define MOST_BETWEEN 16u

/* One way to take the lock. */
typedef bool (*way_fn)(struct wt_thread *thread, struct wt_lock *lock, const void *frame);

static struct wt_thread *thread;
static struct wt_lock lock;
static atomic_uint passed; /* calls of handlers that are not recorded */
static struct {
	/* Instructions until the first handler, and from that to the second; 0: it was there. */
	volatile unsigned int left[2];
	volatile bool over;	/* the lock was taken before */
	volatile bool held;	/* by the thread, not by a handler */
	volatile bool together; /* a handler had it meanwhile */
	volatile bool broken;
} steps;

/* As every call does. */
static void make_call(void)
{
	const void *frame = __builtin_frame_address(0);

	if (wt_thread_has_left(thread, &lock, frame))
		steps.broken = true;
	if (wt_thread_is_busy(thread, &passed))
		return;
	if (!wt_thread_lock(thread, &lock, frame)) {
		steps.broken = true;
		return;
	}
	steps.together |= steps.held;
	wt_thread_unlock(thread, &lock);
}

/* A holder so far down that any later one is further up. */
__attribute__((noinline)) static void make_call_deep_inside(void)
{
	volatile char deeper[16384];

	deeper[0] = 0;
	make_call();
	(void)deeper[0];
}

static void step(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (steps.over)
		return;
	if (steps.left[0]) {
		if (--steps.left[0])
			return;
		make_call_deep_inside();
	} else if (!--steps.left[1]) {
		stepping_set(context, false);
		make_call();
	}
}

static void call_in_handler(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	make_call();
}

/* Return: whether both handlers were there before the lock was taken. */
static bool interrupt(way_fn way, unsigned int first, unsigned int gap)
{
	unsigned int before;
	bool taken;

	steps.left[0] = first;
	steps.left[1] = gap;
	steps.over = steps.held = false;
	raise(SIGUSR1);
	taken = way(thread, &lock, __builtin_frame_address(0));
	steps.held = true;
	steps.over = true;
	raise(SIGUSR2);
	before = atomic_load(&passed);
	raise(SIGURG);
	assert_true(taken);
	assert_int_equal(atomic_load(&passed), before + 1);
	assert_false(steps.broken);
	assert_false(steps.together);
	steps.held = false;
	wt_thread_unlock(thread, &lock);
	assert_false(thread->inside);
	return !steps.left[0] && !steps.left[1];
}

static void interrupt_everywhere(way_fn way)
{
	unsigned int count = 0;

	steps.broken = steps.together = false;
	wt_lock_init(&lock, WT_LOCK_PATIENCE_MS);
	thread = wt_thread_self();
	/* What the dynamic linker looks up once is known. */
	assert_true(wt_thread_lock(thread, &lock, __builtin_frame_address(0)));
	wt_thread_unlock(thread, &lock);
	stepping_prepare(step);
	stepping_handle(SIGURG, call_in_handler);
	for (unsigned int gap = 1; gap <= MOST_BETWEEN; gap *= 2)
		for (unsigned int first = gap; interrupt(way, first, gap); first += STRIDE)
			count++;
	assert_true(count > MOST_BETWEEN);
}

static void while_a_lock_is_taken(void **state)
{
	(void)state;
	interrupt_everywhere(wt_thread_lock);
}

static void while_a_lock_is_tried(void **state)
{
	(void)state;
	interrupt_everywhere(wt_thread_try_lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(while_a_lock_is_taken),
		cmocka_unit_test(while_a_lock_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
static void where_instructions_can_be_stepped(void **state)
{
	(void)state;
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_instructions_can_be_stepped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
