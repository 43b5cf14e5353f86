/* SPDX-License-Identifier: MIT */
#include "recorder/call.h"

#include <errno.h>
#include <stdlib.h>

static __thread struct wt_call *current;
static __thread unsigned int own_depth;
static __thread bool own_failed;
/* Its address tells threads apart, without a system call. */
static __thread char thread_mark;

void wt_own_begin(void)
{
	own_depth++;
}

void wt_own_end(void)
{
	own_depth--;
}

bool wt_own_active(void)
{
	return own_depth > 0;
}

void *wt_own_allocate(size_t size)
{
	void *memory = malloc(size);

	own_failed |= !memory && size;
	return memory;
}

struct wt_error *wt_own_check(void)
{
	bool failed = own_failed;

	own_failed = false;
	return failed ? &wt_error_no_memory : NULL;
}

uint64_t wt_call_current(void)
{
	return current ? current->number : 0;
}

bool wt_call_enter(struct wt_call *call, enum wt_function function)
{
	struct wt_recorder *recorder = wt_recorder_get();

	*call = (struct wt_call){.recorder = recorder, .function = function, .error = errno};
	call->api = recorder->has_api ? &recorder->api : NULL;
	/* A call that a callback of ours makes has the lock held by this very thread. */
	if (!atomic_load_explicit(&recorder->recording, memory_order_relaxed) || wt_own_active() ||
	    !wt_recorder_is_owner(recorder))
		return false;
	pthread_mutex_lock(&recorder->lock);
	call->locked = true;
	if (atomic_load(&recorder->recording))
		return true;
	wt_call_leave(call);
	return false;
}

static void unlock(struct wt_call *call)
{
	if (call->locked)
		pthread_mutex_unlock(&call->recorder->lock);
	call->locked = false;
	errno = call->error;
}

void wt_call_start(struct wt_call *call, const struct wt_value *inputs, size_t count)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_call_begin begin = {.inputs = inputs, .input_count = count};
	uint64_t thread = 0;

	/* A hook before it may have ended the recording. */
	if (atomic_load(&recorder->recording)) {
		wt_ordinal(&recorder->threads, (uintptr_t)&thread_mark, &thread);
		call->number = ++recorder->calls;
		call->begun = wt_recorder_time(recorder);
		begin.number = call->number;
		begin.thread = (uint32_t)thread;
		begin.start = call->begun;
		begin.function = wt_number_function(&recorder->numbers, call->function);
		wt_recorder_check(recorder, wt_writer_call_begin(recorder->writer, &begin));
	}
	call->outer = current;
	current = call;
	call->calling = true;
	unlock(call);
	call->begun = wt_recorder_time(recorder);
}

bool wt_call_returned(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;

	call->error = errno;
	call->duration = wt_recorder_time(recorder) - call->begun;
	call->calling = false;
	current = call->outer;
	/* The wrapped library may have forked us inside a callback. */
	if (!wt_recorder_is_owner(recorder))
		return false;
	pthread_mutex_lock(&recorder->lock);
	call->locked = true;
	return call->number && atomic_load(&recorder->recording);
}

void wt_call_finish(struct wt_call *call, int64_t status, const struct wt_value *outputs,
		    size_t count)
{
	const struct wt_call_end end = {
		.number = call->number,
		.status = status,
		.duration = call->duration,
		.outputs = outputs,
		.output_count = count,
	};

	if (atomic_load(&call->recorder->recording))
		wt_recorder_check(call->recorder, wt_writer_call_end(call->recorder->writer, &end));
}

void wt_call_leave(struct wt_call *call)
{
	unlock(call);
}
