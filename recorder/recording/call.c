/* SPDX-License-Identifier: MIT */
#include "recorder/recording/call.h"

#include "recorder/recording/enumerator.h"
#include "recorder/recording/environment.h"

/* As wt_call_enter(). */
WT_PUT_INLINE bool enter(struct wt_call *call, enum wt_function function)
{
	struct wt_recorder *recorder = wt_recorder_get();
	struct wt_thread *thread = wt_thread_self();

	/* One by one: to clear it as a whole takes longer. The rest is set when it is written. */
	call->recorder = recorder;
	call->api = recorder->wrapped;
	call->thread = thread;
	call->function = function;
	call->number = 0;
	call->error = *thread->error_place;
	call->locked = call->quick = call->calling = call->client_unknown = false;
	if (thread->locking && wt_thread_has_left(thread, &recorder->lock, &call->anchor))
		wt_recorder_abandon(recorder);
	/* A call that a callback of ours makes has the lock held by this very thread. */
	if (!WT_LIKELY(atomic_load_explicit(&recorder->recording, memory_order_relaxed) &&
		       wt_recorder_is_owner(recorder)) ||
	    wt_thread_is_busy(thread, &recorder->unrecorded))
		return false;
	call->locked = wt_thread_lock(thread, &recorder->lock, &call->anchor);
	if (!call->locked)
		wt_recorder_abandon(recorder);
	wt_call_settle(recorder, thread);
	if (atomic_load(&recorder->recording))
		return true;
	wt_call_leave(call);
	return false;
}

bool wt_call_enter(struct wt_call *call, enum wt_function function)
{
	return enter(call, function);
}

/* Now is when it begins. */
WT_PUT_INLINE void begin_now(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;

	call->ticks = wt_clock_ticks(&recorder->clock);
	call->begun = wt_clock_time(&recorder->clock, call->ticks) - recorder->start_time;
}

/* With what may have to be asked or written before. */
__attribute__((cold, noinline)) static uint8_t *begin_long(struct wt_call *call, size_t count,
							   size_t data)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_thread *thread = call->thread;
	uint8_t *place = NULL;
	uint32_t function;

	if (!thread->ordinal) {
		wt_ordinal(&recorder->ordinals.threads, (uintptr_t)thread, &thread->ordinal);
		thread->field = thread->ordinal < 0x80
					? (uint16_t)(WT_BEGIN_THREAD << 3 | thread->ordinal << 8)
					: 0;
	}
	function = wt_number_function(&recorder->numbers, call->function);
	wt_recorder_check(recorder, wt_writer_open(recorder->writer, WT_PACKET_CALL_BEGIN, count,
						   data, &place));
	if (!place)
		return NULL;
	place = wt_put_number(place, WT_BEGIN_NUMBER, call->number);
	place = wt_put_number(place, WT_BEGIN_FUNCTION, function);
	place = wt_put_number(place, WT_BEGIN_THREAD, thread->ordinal);
	return wt_put_number(place, WT_BEGIN_START, call->begun);
}

/* None for a number that is too large for it. */
__attribute__((cold, noinline)) static struct wt_put_field number_field(uint64_t number)
{
	return number <= WT_PUT_FIELD_MAX ? wt_put_field_number(WT_BEGIN_NUMBER, number)
					  : (struct wt_put_field){0, 0};
}

/* The next number, counted as it is encoded. Word by word: two that were just stored are not soon read as one. */
WT_PUT_INLINE struct wt_put_field count_call(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_put_field field = recorder->calls.field;

	call->number = ++recorder->calls.last;
	/* A carry would go into the bit that says whether there is another byte. */
	if (WT_LIKELY((field.bytes & 0x7f00) != 0x7f00 && field.size))
		field.bytes += 0x100;
	else
		field = number_field(call->number);
	recorder->calls.field.bytes = call->number_field.bytes = field.bytes;
	recorder->calls.field.size = call->number_field.size = field.size;
	return field;
}

/* As wt_call_begin(), while it is recorded. */
WT_PUT_INLINE uint8_t *begin(struct wt_call *call, size_t count, size_t data)
{
	struct wt_recorder *recorder = call->recorder;
	const struct wt_put_field function = recorder->numbers.fields[call->function];
	const uint16_t thread = call->thread->field;
	struct wt_put_field number, start;
	uint8_t *place;

	number = count_call(call);
	begin_now(call);
	place = WT_LIKELY(function.size) && WT_LIKELY(thread) && WT_LIKELY(number.size) &&
				WT_LIKELY(wt_writer_is_quick_at(recorder->writer, call->begun))
			? wt_writer_quick(recorder->writer, count, data)
			: NULL;
	if (!WT_LIKELY(place))
		return begin_long(call, count, data);
	call->quick = true;
	start = wt_put_field_growing(&recorder->calls.start, WT_BEGIN_START, call->begun);
	place = wt_put_field(place, number);
	place = wt_put_field(place, function);
	place = wt_put_field(place, (struct wt_put_field){thread, sizeof(thread)});
	return wt_put_field(place, start);
}

uint8_t *wt_call_begin(struct wt_call *call, size_t count, size_t data)
{
	/* A hook before it may have ended the recording. */
	return atomic_load(&call->recorder->recording) ? begin(call, count, data) : NULL;
}

uint8_t *wt_call_open(struct wt_call *call, enum wt_function function, bool inspects, size_t count)
{
	if (!enter(call, function) || (inspects && wt_session_runs_on(&call->recorder->session)))
		return NULL;
	return begin(call, count, 0);
}

__attribute__((cold, noinline)) static void start_long(struct wt_call *call, const uint8_t *end)
{
	struct wt_recorder *recorder = call->recorder;
	uint64_t stored;

	if (!call->number || !atomic_load(&recorder->recording) ||
	    !wt_recorder_check(recorder, wt_writer_close_begin(recorder->writer, end, call->begun)))
		return;
	/* A chunk may have been compressed: that is not the call's time. */
	stored = wt_writer_stored(recorder->writer);
	if (stored != recorder->calls.stored)
		begin_now(call);
	recorder->calls.stored = stored;
}

void wt_call_start(struct wt_call *call, const uint8_t *end)
{
	struct wt_thread *thread = call->thread;

	if (WT_LIKELY(call->quick))
		wt_recorder_check(call->recorder,
				  wt_writer_quick_begin(call->recorder->writer, end));
	else
		start_long(call, end);
	call->outer = thread->current;
	thread->current = call;
	call->calling = true;
	call->recorder->calls.inside++;
	wt_call_leave(call);
}

_Static_assert((int)WT_CALLBACK_CALL == (int)WT_BEGIN_NUMBER, "a call's number is one field");

void wt_call_put_allocation(struct wt_recorder *recorder, struct wt_thread *thread)
{
	struct wt_allocation *allocation = &thread->allocation;
	const struct wt_value input = wt_value_number(allocation->size);
	struct wt_callback callback = {.call = allocation->call,
				       .inputs = &input,
				       .input_count = 1,
				       .result = !allocation->failed};

	allocation->waits = false;
	if (!atomic_load(&recorder->recording))
		return;
	callback.function = wt_number_callback(&recorder->numbers, WT_CALLBACK_ALLOCATE_MEMORY);
	wt_recorder_check(recorder, wt_writer_callback(recorder->writer, &callback));
}

/* As put_allocation(), of one whose packet is kept. Return: is it still recorded? */
WT_PUT_INLINE bool put_kept(const struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	const struct wt_put_allocation *kept = &recorder->calls.allocation;
	struct wt_allocation *allocation = &call->thread->allocation;
	uint8_t *place = NULL;

	if (WT_LIKELY(kept->size && !allocation->failed && allocation->call == call->number &&
		      call->number_field.size &&
		      wt_writer_has_call(recorder->writer, call->number)))
		place = wt_writer_quick(recorder->writer, 1, 0);
	if (!WT_LIKELY(place)) {
		wt_call_put_allocation(recorder, call->thread);
		return atomic_load(&recorder->recording);
	}
	allocation->waits = false;
	place = wt_put_field(place, call->number_field);
	memcpy(place, kept->bytes, WT_PUT_KEPT);
	return wt_recorder_check(
		recorder,
		wt_writer_quick_packet(recorder->writer, WT_PACKET_CALLBACK, place + kept->size));
}

/* The same of another size than the last, whose packet is kept from here on. */
__attribute__((noinline, hot)) static bool put_new(const struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_put_allocation *kept = &recorder->calls.allocation;
	uint8_t *end = kept->bytes;

	kept->asked = call->thread->allocation.size;
	end = wt_put_number(end, WT_CALLBACK_FUNCTION,
			    wt_number_callback(&recorder->numbers, WT_CALLBACK_ALLOCATE_MEMORY));
	end = wt_put_number_value(end, WT_CALLBACK_INPUT, kept->asked);
	end = wt_put_signed(end, WT_CALLBACK_RESULT, true);
	kept->size = (size_t)(end - kept->bytes);
	if (kept->size > WT_PUT_KEPT)
		kept->size = 0;
	return put_kept(call);
}

/* The last allocation of a call that has returned. Return: is it still recorded? */
__attribute__((noinline, hot)) static bool put_allocation(const struct wt_call *call)
{
	return WT_LIKELY(call->recorder->calls.allocation.asked == call->thread->allocation.size)
		       ? put_kept(call)
		       : put_new(call);
}

/* With the lock, which is held again. Return: as wt_call_returned(). @ticks: when it returned. */
WT_PUT_INLINE bool returned(struct wt_call *call, uint64_t ticks)
{
	struct wt_recorder *recorder = call->recorder;

	call->locked = true;
	recorder->calls.inside--;
	if (!WT_LIKELY(call->number && atomic_load(&recorder->recording)))
		return false;
	call->duration = wt_clock_interval(&recorder->clock, call->ticks, ticks,
					   call->begun + recorder->start_time);
	/* The last that is called here, so that nothing need be kept on the stack. */
	return WT_LIKELY(!call->thread->allocation.waits) || put_allocation(call);
}

/* As wt_call_returned(), of any call. It is the last that the other one calls, which so keeps nothing on the stack. */
__attribute__((cold, noinline)) static bool returned_long(struct wt_call *call, uint64_t ticks)
{
	struct wt_recorder *recorder = call->recorder;

	if (!recorder->clock.counter)
		ticks = wt_clock_ticks(&recorder->clock);
	/* The wrapped library may have forked us inside a callback. */
	if (!wt_recorder_is_owner(recorder))
		return false;
	if (wt_thread_lock(call->thread, &recorder->lock, &call->anchor))
		return returned(call, ticks);
	wt_recorder_abandon(recorder);
	return false;
}

bool wt_call_returned(struct wt_call *call)
{
	struct wt_recorder *recorder = call->recorder;
	struct wt_thread *thread = call->thread;
	const bool counted = recorder->clock.counter;
	const uint64_t ticks = WT_LIKELY(counted) ? wt_clock_ticks(&recorder->clock) : 0;

	call->error = *thread->error_place;
	call->calling = false;
	thread->current = call->outer;
	if (WT_LIKELY(counted && wt_recorder_has_page(recorder) &&
		      wt_thread_lock_kept(thread, &recorder->lock, &call->anchor)))
		return returned(call, ticks);
	return returned_long(call, ticks);
}

WT_PUT_INLINE uint8_t *put_answer(uint8_t *place, const struct wt_call *call, int64_t status)
{
	place = wt_put_signed(place, WT_END_STATUS, status);
	return wt_put_number(place, WT_END_DURATION, call->duration);
}

/* As wt_call_end(), of any call. */
__attribute__((cold, noinline)) static uint8_t *end_long(struct wt_call *call, int64_t status,
							 size_t count, size_t data)
{
	struct wt_recorder *recorder = call->recorder;
	uint8_t *place = NULL;

	wt_status_answered(recorder, status);
	if (!atomic_load(&recorder->recording) ||
	    !wt_writer_has_call(recorder->writer, call->number))
		return NULL;
	wt_recorder_check(recorder, wt_writer_open(recorder->writer, WT_PACKET_CALL_END, count,
						   data, &place));
	if (!place)
		return NULL;
	return put_answer(wt_put_number(place, WT_END_NUMBER, call->number), call, status);
}

/* As wt_call_end(). */
WT_PUT_INLINE uint8_t *end(struct wt_call *call, int64_t status, size_t count, size_t data)
{
	struct wt_recorder *recorder = call->recorder;
	uint8_t *place = NULL;

	if (WT_LIKELY(wt_status_is_known(status) && atomic_load(&recorder->recording) &&
		      wt_writer_has_call(recorder->writer, call->number) &&
		      call->number_field.size))
		place = wt_writer_quick(recorder->writer, count, data);
	call->quick = place;
	if (!WT_LIKELY(place))
		return end_long(call, status, count, data);
	return put_answer(wt_put_field(place, call->number_field), call, status);
}

uint8_t *wt_call_end(struct wt_call *call, int64_t status, size_t count, size_t data)
{
	return end(call, status, count, data);
}

uint8_t *wt_call_end_plain(struct wt_call *call, int64_t status, size_t count)
{
	return end(call, status, count, 0);
}

void wt_call_finish_long(struct wt_call *call, const uint8_t *end)
{
	struct wt_recorder *recorder = call->recorder;

	if (atomic_load(&recorder->recording) && wt_writer_has_call(recorder->writer, call->number))
		wt_recorder_check(recorder, wt_writer_close_packet(recorder->writer, end));
}
