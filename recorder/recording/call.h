/* SPDX-License-Identifier: MIT */
/*
 * One call of the client: the steps of every generated wrapper.
 *
 *   wt_call_enter     false: not recorded, pass it through. true: the lock is held.
 *   (hooks)
 *   wt_call_begin     where the inputs go, which the wrapper encodes itself: it knows their forms.
 *   wt_call_start     writes the begin to the journal and drops the lock. Next, the wrapped library is called.
 *   wt_call_returned  takes the lock again, and writes an allocation that waits for that; false if the recording has ended.
 *   wt_call_end       where the outputs go.
 *   wt_call_finish    writes the end to the journal.
 *   (hooks)
 *   wt_call_leave     drops the lock.
 *
 * Most functions have no hook before the begin but one, and no inputs with data: wt_call_open() does for them what the first
 * three do.
 *
 * Those that every call goes through are `hot`: they lie together, so that the processor keeps them decoded as it does a loop.
 * Scattered over the library some push others out, as chance has it.
 *
 * The wrapped library sees the client's errno, and the client sees the wrapped library's.
 */
#ifndef WT_RECORDER_RECORDING_CALL_H
#define WT_RECORDER_RECORDING_CALL_H

#include "recorder/recording/recorder.h"
#include "recorder/recording/redact.h"
#include "recorder/recording/thread.h"
#include "recorder/recording/value.h"
#include "trace-format/writer/journal.h"

struct wt_call {
	struct wt_recorder *recorder;
	const struct wt_api *api; /* NULL: there is no library to call */
	struct wt_thread *thread; /* that makes it */
	enum wt_function function;
	uint64_t number;
	struct wt_put_field number_field; /* the same, as it begins each packet of the call */
	uint64_t begun, duration;	  /* nanoseconds */
	uint64_t ticks;			  /* when it began, on recorder->clock */
	struct wt_call *outer; /* made by the same thread, if this one is made in a callback */
	int error;	       /* errno to restore */
	bool locked;
	bool quick;   /* the packet that is being made takes the quick way */
	bool calling; /* the wrapped library is being called */
	/* The client did not tell the library its process's id, which it asks for in process_attach. */
	bool client_unknown;
	struct wt_anchor anchor;
};

bool wt_call_enter(struct wt_call *call, enum wt_function function);

/**
 * @count: of the inputs, or outputs. @data: bytes of data in them.
 *
 * Return: where they are encoded, in order; NULL if nothing is to be written.
 */
uint8_t *wt_call_begin(struct wt_call *call, size_t count, size_t data);
__attribute__((hot)) uint8_t *wt_call_end(struct wt_call *call, int64_t status, size_t count,
					  size_t data);
/* Without data. */
__attribute__((hot)) uint8_t *wt_call_end_plain(struct wt_call *call, int64_t status, size_t count);

/**
 * Enter a call, and begin it. @inspects: does it show the client something of a program that may run on?
 *
 * Return: as wt_call_begin(). If it is NULL: where `locked` is not set the call is passed through; where `number` is not set
 * it has not begun, but for what has to be written before, and wt_call_begin() follows that.
 */
__attribute__((hot)) uint8_t *wt_call_open(struct wt_call *call, enum wt_function function,
					   bool inspects, size_t count);

/* As wt_call_settle(), where there is something to write. */
__attribute__((cold, noinline)) void wt_call_put_allocation(struct wt_recorder *recorder,
							    struct wt_thread *thread);

/** Write what has to be in the journal before anything else of the thread. The lock is held. */
static inline void wt_call_settle(struct wt_recorder *recorder, struct wt_thread *thread)
{
	if (!WT_LIKELY(!thread->allocation.waits))
		wt_call_put_allocation(recorder, thread);
}

/** @end: behind the last of them; NULL if there was no place for them. */
__attribute__((hot)) void wt_call_start(struct wt_call *call, const uint8_t *end);
__attribute__((hot)) bool wt_call_returned(struct wt_call *call);
void wt_call_finish_long(struct wt_call *call, const uint8_t *end);

static inline void wt_call_leave(struct wt_call *call)
{
	if (call->locked)
		wt_thread_unlock(call->thread, &call->recorder->lock);
	call->locked = false;
	*call->thread->error_place = call->error;
}

static inline void wt_call_finish(struct wt_call *call, const uint8_t *end)
{
	struct wt_writer *writer = call->recorder->writer;

	if (WT_LIKELY(call->quick))
		wt_recorder_check(call->recorder,
				  wt_writer_quick_packet(writer, WT_PACKET_CALL_END, end));
	else
		wt_call_finish_long(call, end);
}

/** What the journal may hold of a value with bytes: see wt_redact(). */
static inline struct wt_value wt_call_shown(const struct wt_call *call, enum wt_function function,
					    struct wt_value value)
{
	return wt_redact_function(function) ? wt_redact_value(call->recorder, value) : value;
}

/** Does the recording have states, and not only a journal? For hooks. */
static inline bool wt_call_takes_state(const struct wt_call *call)
{
	return atomic_load(&call->recorder->recording) && !call->recorder->options.journal_only;
}

#endif /* WT_RECORDER_RECORDING_CALL_H */
