/* SPDX-License-Identifier: MIT */
/*
 * One call of the client: the steps of every generated wrapper.
 *
 *   wt_call_enter     false: not recorded, pass it through. true: the lock is held.
 *   (hooks)
 *   wt_call_start     writes the begin to the journal and drops the lock. Next, the wrapped library is called.
 *   wt_call_returned  takes the lock again; false if the recording has ended meanwhile.
 *   wt_call_finish    writes the end to the journal.
 *   (hooks)
 *   wt_call_leave     drops the lock.
 *
 * The wrapped library sees the client's errno, and the client sees the wrapped library's.
 */
#ifndef WT_RECORDER_RECORDING_CALL_H
#define WT_RECORDER_RECORDING_CALL_H

#include "recorder/recording/recorder.h"
#include "recorder/recording/thread.h"
#include "recorder/recording/value.h"

struct wt_call {
	struct wt_recorder *recorder;
	const struct wt_api *api; /* NULL: there is no library to call */
	struct wt_thread *thread; /* that makes it */
	enum wt_function function;
	uint64_t number;
	uint64_t begun, duration; /* nanoseconds */
	uint64_t ticks;		  /* when it began, on recorder->clock */
	struct wt_call *outer;	  /* made by the same thread, if this one is made in a callback */
	int *error_place;	  /* where the thread has its errno */
	int error;		  /* errno to restore */
	bool locked;
	bool calling; /* the wrapped library is being called */
	/* The client did not tell the library its process's id, which it asks for in process_attach. */
	bool client_unknown;
	struct wt_anchor anchor;
};

bool wt_call_enter(struct wt_call *call, enum wt_function function);
void wt_call_start(struct wt_call *call, const struct wt_value *inputs, size_t count);
bool wt_call_returned(struct wt_call *call);
void wt_call_finish(struct wt_call *call, int64_t status, const struct wt_value *outputs,
		    size_t count);
void wt_call_leave(struct wt_call *call);

/** Does the recording have states, and not only a journal? For hooks. */
static inline bool wt_call_takes_state(const struct wt_call *call)
{
	return atomic_load(&call->recorder->recording) && !call->recorder->options.journal_only;
}

#endif /* WT_RECORDER_RECORDING_CALL_H */
