/* SPDX-License-Identifier: MIT */
#include "recorder/recording/call.h"

#include <errno.h>

#include "recorder/recording/enumerator.h"
#include "recorder/recording/environment.h"

bool wt_call_enter(struct wt_call *call, enum wt_function function)
{
	const int error = errno;
	struct wt_recorder *recorder = wt_recorder_get();
	struct wt_thread *thread = wt_thread_self();
	const void *frame = __builtin_frame_address(0);

	*call = (struct wt_call){
		.recorder = recorder,
		.api = recorder->wrapped,
		.thread = thread,
		.function = function,
		.error = error,
	};
	if (wt_thread_has_left(thread, &recorder->lock, frame))
		wt_recorder_abandon(recorder);
	/* A call that a callback of ours makes has the lock held by this very thread. */
	if (!atomic_load(&recorder->recording) || !wt_recorder_is_owner(recorder) ||
	    wt_thread_is_busy(thread, &recorder->unrecorded))
		return false;
	call->locked = wt_thread_lock(thread, &recorder->lock, frame);
	if (!call->locked)
		wt_recorder_abandon(recorder);
	if (atomic_load(&recorder->recording))
		return true;
	wt_call_leave(call);
	return false;
}

struct wt_buffer *wt_call_begin(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_thread *thread = call->thread;
	struct wt_buffer *packet = NULL;
	struct wt_call_begin begin;

	/* A hook before it may have ended the recording. */
	if (!atomic_load(&recorder->recording))
		return NULL;
	call->number = ++recorder->calls.last;
	call->begun = wt_recorder_time(recorder);
	if (!thread->ordinal)
		wt_ordinal(&recorder->ordinals.threads, (uintptr_t)thread, &thread->ordinal);
	begin = (struct wt_call_begin){
		.number = call->number,
		.function = wt_number_function(&recorder->numbers, call->function),
		.thread = (uint32_t)thread->ordinal,
		.start = call->begun,
	};
	wt_recorder_check(recorder, wt_writer_open_begin(recorder->writer, &begin, &packet));
	return packet;
}

static void call_write_begin(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	uint64_t stored;

	if (!wt_recorder_check(recorder, wt_writer_close_begin(recorder->writer, call->begun)))
		return;
	/* A chunk may have been compressed: that is not the call's time. */
	stored = wt_writer_stored(recorder->writer);
	if (stored != recorder->calls.stored)
		call->begun = wt_recorder_time(recorder);
	recorder->calls.stored = stored;
}

void wt_call_start(struct wt_call *call, const struct wt_buffer *packet)
{
	struct wt_thread *thread = call->thread;

	if (packet)
		call_write_begin(call);
	call->outer = thread->current;
	thread->current = call;
	call->calling = true;
	call->recorder->calls.inside++;
	wt_call_leave(call);
}

bool wt_call_returned(struct wt_call *call)
{
	const int error = errno;
	const uint64_t now = wt_recorder_time(call->recorder);
	struct wt_recorder *recorder = call->recorder;
	struct wt_thread *thread = call->thread;

	call->error = error;
	call->calling = false;
	thread->current = call->outer;
	/* The wrapped library may have forked us inside a callback. */
	if (!wt_recorder_is_owner(recorder))
		return false;
	call->locked = wt_thread_lock(thread, &recorder->lock, __builtin_frame_address(0));
	if (!call->locked) {
		wt_recorder_abandon(recorder);
		return false;
	}
	recorder->calls.inside--;
	call->duration = now > call->begun ? now - call->begun : 0;
	return call->number && atomic_load(&recorder->recording);
}

struct wt_buffer *wt_call_end(struct wt_call *call, int64_t status)
{
	struct wt_recorder *recorder = call->recorder;
	const struct wt_call_end end = {
		.number = call->number, .status = status, .duration = call->duration};
	struct wt_buffer *packet = NULL;

	wt_status_answered(recorder, status);
	if (!atomic_load(&recorder->recording) ||
	    !wt_writer_has_call(recorder->writer, call->number))
		return NULL;
	wt_recorder_check(recorder, wt_writer_open_end(recorder->writer, &end, &packet));
	return packet;
}

void wt_call_finish(struct wt_call *call, const struct wt_buffer *packet)
{
	if (packet)
		wt_recorder_check(call->recorder, wt_writer_close_packet(call->recorder->writer));
}

void wt_call_leave(struct wt_call *call)
{
	if (call->locked)
		wt_thread_unlock(call->thread, &call->recorder->lock);
	call->locked = false;
	errno = call->error;
}
