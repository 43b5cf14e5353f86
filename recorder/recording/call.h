/* SPDX-License-Identifier: MIT */
/*
 * One call of the client: the steps of every generated wrapper.
 *
 *   wt_call_enter     false: not recorded, pass it through. true: the lock is held.
 *   (hooks)
 *   wt_call_begin     the packet for the inputs, which the wrapper encodes itself: it knows their forms.
 *   wt_call_start     writes the begin to the journal and drops the lock. Next, the wrapped library is called.
 *   wt_call_returned  takes the lock again; false if the recording has ended.
 *   wt_call_end       the packet for the outputs.
 *   wt_call_finish    writes the end to the journal.
 *   (hooks)
 *   wt_call_leave     drops the lock.
 *
 * The wrapped library sees the client's errno, and the client sees the wrapped library's.
 */
#ifndef WT_RECORDER_RECORDING_CALL_H
#define WT_RECORDER_RECORDING_CALL_H

#include "recorder/recording/journal-value.h"
#include "recorder/recording/recorder.h"
#include "recorder/recording/redact.h"
#include "recorder/recording/thread.h"
#include "trace-format/writer/write-journal.h"

struct wt_call {
	struct wt_recorder *recorder;
	const struct wt_api *api; /* NULL: there is no library to call */
	struct wt_thread *thread; /* that makes it */
	enum wt_function function;
	uint64_t number;
	uint64_t begun, duration; /* nanoseconds */
	struct wt_call *outer;	  /* made by the same thread, if this one is made in a callback */
	int error;		  /* errno to restore */
	bool locked;
	bool calling; /* the wrapped library is being called */
	/* The client did not tell the library its process's id, which it asks for in process_attach. */
	bool client_unknown;
};

bool wt_call_enter(struct wt_call *call, enum wt_function function);

/**
 * Begin the packet with the inputs, or with the outputs.
 *
 * Return: where they are encoded, in order; NULL if nothing is to be written.
 */
struct wt_buffer *wt_call_begin(struct wt_call *call);
struct wt_buffer *wt_call_end(struct wt_call *call, int64_t status);

/** @packet: of wt_call_begin(). */
void wt_call_start(struct wt_call *call, const struct wt_buffer *packet);
bool wt_call_returned(struct wt_call *call);
/** @packet: of wt_call_end(). */
void wt_call_finish(struct wt_call *call, const struct wt_buffer *packet);
void wt_call_leave(struct wt_call *call);

/** The part of a value with bytes that the journal may hold: see wt_redact_value(). */
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
