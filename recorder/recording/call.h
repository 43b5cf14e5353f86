/* SPDX-License-Identifier: MIT */
/*
 * One call of the client's on its way through: the steps that every generated wrapper takes.
 *
 *   wt_call_enter     false: not recorded, pass it through. true: the lock is held.
 *   (hooks)
 *   wt_call_start     writes the intent and lets go of the lock; the wrapped library is called next.
 *   wt_call_returned  takes the lock again; false if the recording has ended meanwhile.
 *   wt_call_finish    writes the answer.
 *   (hooks)
 *   wt_call_leave     lets go of the lock.
 *
 * The client's errno is what the wrapped library sees, and what that leaves is what the client gets.
 */
#ifndef WT_RECORDER_RECORDING_CALL_H
#define WT_RECORDER_RECORDING_CALL_H

#include "recorder/recording/recorder.h"
#include "recorder/recording/value.h"

/*
 * What is known of a thread, in one piece: in a library each variable of a thread's is looked up by a call. Its
 * address tells threads apart, without a system call.
 */
struct wt_thread {
	struct wt_call *current; /* NULL: it is in none */
	uint64_t ordinal;	 /* in the trace; 0: not known yet */
	unsigned int own_depth;	 /* of questions of our own */
	int cancel_state;	 /* that the first of these goes back to */
	bool own_failed;
	volatile bool locking; /* it holds the lock, or is about to */
};

/** The calling thread's. */
struct wt_thread *wt_thread_self(void);

/*
 * Take the lock, and drop it. A signal handler that comes in between and makes a call finds `locking` set: it must
 * neither wait for its own thread nor write where that is writing, and wt_thread_is_busy() says so.
 */
static inline void wt_thread_lock(struct wt_thread *thread, struct wt_lock *lock)
{
	thread->locking = true;
	atomic_signal_fence(memory_order_seq_cst);
	wt_lock_take(lock, (uintptr_t)thread);
}

static inline void wt_thread_unlock(struct wt_thread *thread, struct wt_lock *lock)
{
	wt_lock_drop(lock);
	atomic_signal_fence(memory_order_seq_cst);
	thread->locking = false;
}

/**
 * Must what this thread does now pass unrecorded? So it is with what the wrapped library asks in answer to us, and
 * with what a signal handler does in the middle of our work: that is counted, and told at the end of the trace.
 */
static inline bool wt_thread_is_busy(const struct wt_thread *thread, struct wt_recorder *recorder)
{
	if (thread->own_depth)
		return true;
	if (!thread->locking)
		return false;
	atomic_fetch_add_explicit(&recorder->unrecorded, 1, memory_order_relaxed);
	return true;
}

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
	bool calling; /* the wrapped library is at work */
};

bool wt_call_enter(struct wt_call *call, enum wt_function function);
void wt_call_start(struct wt_call *call, const struct wt_value *inputs, size_t count);
bool wt_call_returned(struct wt_call *call);
void wt_call_finish(struct wt_call *call, int64_t status, const struct wt_value *outputs,
		    size_t count);
void wt_call_leave(struct wt_call *call);

/** Is there a state to look after: recording, and not the journal alone? For hooks. */
static inline bool wt_call_takes_state(const struct wt_call *call)
{
	return atomic_load(&call->recorder->recording) && !call->recorder->journal_only;
}

/*
 * Questions of our own: between these two, callbacks that the wrapped library makes on this thread are ours.
 * The lock is held.
 */
void wt_own_begin(void);
void wt_own_end(void);

/**
 * Memory for an answer to a question of our own. What the library answers without it is not what it would
 * have answered, so wt_own_check() then gives an error, once, in place of a false record.
 */
void *wt_own_allocate(size_t size);
struct wt_error *wt_own_check(void);

#endif /* WT_RECORDER_RECORDING_CALL_H */
