/* SPDX-License-Identifier: MIT */
#include "recorder/recording/thread.h"

#include <stdlib.h>

#include "base/cancel.h"

static __thread struct wt_thread this_thread;

struct wt_thread *wt_thread_self(void)
{
	return &this_thread;
}

void wt_own_begin(void)
{
	struct wt_thread *thread = &this_thread;

	if (!thread->own_depth++)
		thread->cancel_state = wt_cancel_disable();
}

void wt_own_end(void)
{
	struct wt_thread *thread = &this_thread;

	if (!--thread->own_depth)
		wt_cancel_restore(thread->cancel_state);
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
