/* SPDX-License-Identifier: MIT */
#include "recorder/recording/thread.h"

#include <signal.h>
#include <stdlib.h>

#include "base/cancel.h"

static __thread struct wt_thread this_thread;

struct wt_thread *wt_thread_self(void)
{
	return &this_thread;
}

/*
 * A handler may come between any two of these steps, and make a call of its own: before the first it takes the lock and drops
 * it, from the first on it finds the thread inside. While the frame is not known it takes itself for one that comes back.
 */
static void thread_go_inside(struct wt_thread *thread, const void *frame)
{
	thread->inside = true;
	atomic_signal_fence(memory_order_seq_cst);
	thread->frame = (uintptr_t)frame;
}

static void thread_go_outside(struct wt_thread *thread)
{
	thread->frame = 0;
	atomic_signal_fence(memory_order_seq_cst);
	thread->inside = false;
}

bool wt_thread_lock(struct wt_thread *thread, struct wt_lock *lock, const void *frame)
{
	thread_go_inside(thread, frame);
	if (wt_lock_take(lock)) {
		thread->held = lock;
		return true;
	}
	thread_go_outside(thread);
	return false;
}

bool wt_thread_try_lock(struct wt_thread *thread, struct wt_lock *lock, const void *frame)
{
	if (thread->inside)
		return false;
	thread_go_inside(thread, frame);
	if (wt_lock_try(lock)) {
		thread->held = lock;
		return true;
	}
	thread_go_outside(thread);
	return false;
}

void wt_thread_unlock(struct wt_thread *thread, struct wt_lock *lock)
{
	thread->held = NULL;
	wt_lock_drop(lock);
	thread_go_outside(thread);
}

static bool is_on_signal_stack(void)
{
	stack_t stack;

	return !sigaltstack(NULL, &stack) && stack.ss_flags & SS_ONSTACK;
}

bool wt_thread_has_left(struct wt_thread *thread, struct wt_lock *lock, const void *frame)
{
	if (!thread->inside || !thread->frame || (uintptr_t)frame < thread->frame ||
	    is_on_signal_stack())
		return false;
	if (thread->own_depth || thread->own_held)
		wt_cancel_restore(thread->cancel_state);
	thread->own_depth = 0;
	thread->own_held = false;
	thread->own_failed = false;
	thread->held = NULL;
	wt_lock_break(lock);
	thread_go_outside(thread);
	return true;
}

bool wt_thread_is_busy(const struct wt_thread *thread, atomic_uint *unrecorded)
{
	if (thread->own_depth)
		return true;
	if (!thread->inside)
		return false;
	atomic_fetch_add_explicit(unrecorded, 1, memory_order_relaxed);
	return true;
}

void wt_own_begin(void)
{
	struct wt_thread *thread = &this_thread;

	if (thread->held)
		wt_lock_note_progress(thread->held);
	if (!thread->own_depth++ && !thread->own_held)
		thread->cancel_state = wt_cancel_disable();
}

void wt_own_end(void)
{
	struct wt_thread *thread = &this_thread;

	if (!--thread->own_depth && !thread->own_held)
		wt_cancel_restore(thread->cancel_state);
}

void wt_own_hold(void)
{
	this_thread.cancel_state = wt_cancel_disable();
	this_thread.own_held = true;
}

void wt_own_let_go(void)
{
	this_thread.own_held = false;
	wt_cancel_restore(this_thread.cancel_state);
}

void *wt_own_allocate(size_t size)
{
	void *memory = malloc(size);

	if (!memory && size)
		this_thread.own_failed = true;
	return memory;
}

struct wt_error *wt_own_check(void)
{
	bool failed = this_thread.own_failed;

	this_thread.own_failed = false;
	return failed ? &wt_error_no_memory : NULL;
}
