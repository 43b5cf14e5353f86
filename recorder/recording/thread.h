/* SPDX-License-Identifier: MIT */
/*
 * The recorder knows of the calling thread: the API call it is in, whether it holds the recorder's lock, and whether
 * the library is answering a question of the recorder's own.
 */
#ifndef WT_RECORDER_RECORDING_THREAD_H
#define WT_RECORDER_RECORDING_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/recording/lock.h"

struct wt_call;

/* The address of this structure identifies the thread. */
struct wt_thread {
	struct wt_call *current;  /* the innermost call it is in; NULL: none */
	uint64_t ordinal;	  /* in the trace; 0: none yet */
	unsigned int own_depth;	  /* nested questions of the recorder's own */
	int cancel_state;	  /* to restore after the outermost of them */
	bool own_held;		  /* many of them follow: see wt_own_hold() */
	bool own_failed;	  /* memory for an answer to one of them ran out */
	volatile bool inside;	  /* it holds the lock, or is about to */
	struct wt_lock *held;	  /* which, once it does; NULL: none */
	volatile uintptr_t frame; /* as which frame; 0: not known */
};

/** The calling thread's. */
struct wt_thread *wt_thread_self(void);

/**
 * Take the lock, and drop it. A signal handler that comes in between and makes a call finds `inside` set: it must neither
 * wait for its own thread nor write where that is writing, and wt_thread_is_busy() says so.
 *
 * @frame: __builtin_frame_address(0) of a function that is called where the lock is dropped, too: an API function, or a
 *	callback.
 * Return: false if the lock is broken, and not held: the recording is over.
 */
bool wt_thread_lock(struct wt_thread *thread, struct wt_lock *lock, const void *frame);

/** Does what wt_thread_lock() does, without waiting: also false if somebody else holds the lock. */
bool wt_thread_try_lock(struct wt_thread *thread, struct wt_lock *lock, const void *frame);

void wt_thread_unlock(struct wt_thread *thread, struct wt_lock *lock);

/**
 * Has a signal handler left the thread's work on the trace by longjmp()? It has if the thread is now in a frame at or above
 * the one that took the lock; a handler that has interrupted it is below, or on the stack for signals. Then the thread is as
 * if it had never begun that work, and the lock is broken.
 *
 * @frame: as for wt_thread_lock().
 */
bool wt_thread_has_left(struct wt_thread *thread, struct wt_lock *lock, const void *frame);

/**
 * Must what this thread does now pass unrecorded? So it must if the wrapped library makes it in answer to the recorder,
 * or a signal handler that interrupted the recorder: that is counted, and the trace says how many there were.
 *
 * @unrecorded: the count.
 */
bool wt_thread_is_busy(const struct wt_thread *thread, atomic_uint *unrecorded);

/*
 * The recorder's own questions: between these two, callbacks that the wrapped library makes on this thread are answered
 * by the recorder, not by the client. The lock is held.
 */
void wt_own_begin(void);
void wt_own_end(void);

/* Around many of them, so that the thread's cancellation is held off once, and not for each. They do not nest. */
void wt_own_hold(void);
void wt_own_let_go(void);

/**
 * Memory for an answer to a question of the recorder's own. What the library answers without it is not what it would
 * have answered, so wt_own_check() then gives an error, once, in place of a false record.
 */
void *wt_own_allocate(size_t size);
struct wt_error *wt_own_check(void);

#endif /* WT_RECORDER_RECORDING_THREAD_H */
