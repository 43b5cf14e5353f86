/* SPDX-License-Identifier: MIT */
#include "recorder/recording/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cancel.h"

static __thread struct wt_thread this_thread;

struct wt_thread *wt_thread_self(void)
{
	struct wt_thread *thread = &this_thread;

	/* It is kept: the compiler takes the address for free, and would call for it again at each use. */
	__asm__("" : "+r"(thread));
	if (__builtin_expect(!thread->error_place, 0))
		thread->error_place = &errno;
	return thread;
}

pid_t wt_thread_id(struct wt_thread *thread)
{
	if (!thread->id)
		thread->id = (pid_t)syscall(SYS_gettid);
	return thread->id;
}

bool wt_thread_try_lock(struct wt_thread *thread, struct wt_lock *lock, struct wt_anchor *anchor)
{
	bool taken;

	if (thread->locking)
		return false;
	wt_thread_hold(thread, anchor, wt_thread_id(thread));
	taken = wt_lock_try(lock, (uintptr_t)thread, &thread->holder);
	if (!taken)
		thread->locking = false;
	return taken;
}

bool wt_thread_has_left(struct wt_thread *thread, struct wt_lock *lock, struct wt_anchor *anchor)
{
	const struct wt_holder now = wt_holder_here(anchor, wt_thread_id(thread));
	const struct wt_holder holder = thread->holder;

	if (!wt_holder_have_left(&holder, &now))
		return false;
	if (thread->own_depth || thread->own_held)
		wt_cancel_restore(thread->cancel_state);
	thread->own_depth = 0;
	thread->own_held = false;
	thread->own_failed = false;
	thread->locking = false;
	return wt_lock_break(lock, &holder);
}

void wt_own_begin(void)
{
	struct wt_thread *thread = &this_thread;

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
