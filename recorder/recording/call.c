/* SPDX-License-Identifier: MIT */
#include "recorder/recording/call.h"

#include <errno.h>

#include "recorder/recording/enumerator.h"
#include "recorder/recording/environment.h"
#include "recorder/recording/redact.h"

bool wt_call_enter(struct wt_call *call, enum wt_function function)
{
	struct wt_recorder *recorder = wt_recorder_get();
	struct wt_thread *thread = wt_thread_self();

	/* One by one: to clear it as a whole takes longer. The rest is set when it is written. */
	call->recorder = recorder;
	call->api = recorder->has_api ? &recorder->api : NULL;
	call->thread = thread;
	call->function = function;
	call->number = call->begun = call->duration = 0;
	call->error_place = &errno;
	call->error = *call->error_place;
	call->locked = call->calling = false;
	if (thread->locking && wt_thread_has_left(thread, &recorder->lock, &call->anchor))
		wt_recorder_abandon(recorder);
	/* A call that a callback of ours makes has the lock held by this very thread. */
	if (!atomic_load_explicit(&recorder->recording, memory_order_relaxed) ||
	    !wt_recorder_is_owner(recorder) || wt_thread_is_busy(thread, &recorder->unrecorded))
		return false;
	call->locked = wt_thread_lock(thread, &recorder->lock, &call->anchor);
	if (!call->locked)
		wt_recorder_abandon(recorder);
	if (atomic_load(&recorder->recording))
		return true;
	wt_call_leave(call);
	return false;
}

static void unlock(struct wt_call *call)
{
	if (call->locked)
		wt_thread_unlock(call->thread, &call->recorder->lock);
	call->locked = false;
	*call->error_place = call->error;
}

/* What the journal may hold of values; see wt_redact(). */
static const struct wt_value *shown(const struct wt_call *call, const struct wt_value *values,
				    size_t count, struct wt_value store[WT_REDACT_VALUES])
{
	if (!call->recorder->options.policy.redact)
		return values;
	return wt_redact(call->recorder, wt_redact_function(call->function), values, count, store);
}

/* Now is when it begins. */
static void begin_now(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;

	if (recorder->options.reproducible)
		return;
	call->ticks = wt_clock_ticks(&recorder->clock);
	call->begun = wt_clock_time(&recorder->clock, call->ticks) - recorder->start_time;
}

static void write_intent(struct wt_call *call, const struct wt_value *inputs, size_t count)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_thread *thread = call->thread;
	struct wt_value store[WT_REDACT_VALUES];
	struct wt_call_begin begin;
	uint64_t stored;

	if (!thread->ordinal)
		wt_ordinal(&recorder->ordinals.threads, (uintptr_t)thread, &thread->ordinal);
	call->number = ++recorder->calls.last;
	begin_now(call);
	begin = (struct wt_call_begin){
		.number = call->number,
		.function = wt_number_function(&recorder->numbers, call->function),
		.thread = (uint32_t)thread->ordinal,
		.start = call->begun,
		.inputs = shown(call, inputs, count, store),
		.input_count = count,
	};
	if (!wt_recorder_check(recorder, wt_writer_call_begin(recorder->writer, &begin)))
		return;
	/* A chunk may have been compressed: that is not the call's time. */
	stored = wt_writer_stored(recorder->writer);
	if (stored != recorder->calls.stored)
		begin_now(call);
	recorder->calls.stored = stored;
}

void wt_call_start(struct wt_call *call, const struct wt_value *inputs, size_t count)
{
	struct wt_thread *thread = call->thread;

	call->client_unknown = false;
	/* A hook before it may have ended the recording. */
	if (atomic_load(&call->recorder->recording))
		write_intent(call, inputs, count);
	call->outer = thread->current;
	thread->current = call;
	call->calling = true;
	call->recorder->calls.inside++;
	unlock(call);
}

bool wt_call_returned(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	uint64_t ticks = recorder->options.reproducible ? 0 : wt_clock_ticks(&recorder->clock);

	call->error = *call->error_place;
	call->calling = false;
	call->thread->current = call->outer;
	/* The wrapped library may have forked us inside a callback. */
	if (!wt_recorder_is_owner(recorder))
		return false;
	call->locked = wt_thread_lock(call->thread, &recorder->lock, &call->anchor);
	if (!call->locked) {
		wt_recorder_abandon(recorder);
		return false;
	}
	recorder->calls.inside--;
	if (!call->number || !atomic_load(&recorder->recording))
		return false;
	if (!recorder->options.reproducible)
		call->duration = wt_clock_interval(&recorder->clock, call->ticks, ticks,
						   call->begun + recorder->start_time);
	return true;
}

void wt_call_finish(struct wt_call *call, int64_t status, const struct wt_value *outputs,
		    size_t count)
{
	struct wt_value store[WT_REDACT_VALUES];
	const struct wt_call_end end = {
		.number = call->number,
		.status = status,
		.duration = call->duration,
		.outputs = shown(call, outputs, count, store),
		.output_count = count,
	};

	wt_status_answered(call->recorder, status);
	if (atomic_load(&call->recorder->recording))
		wt_recorder_check(call->recorder, wt_writer_call_end(call->recorder->writer, &end));
}

void wt_call_leave(struct wt_call *call)
{
	unlock(call);
}
