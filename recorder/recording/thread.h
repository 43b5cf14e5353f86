/* SPDX-License-Identifier: MIT */
/*
 * What the recorder knows of the calling thread: the API call it is in, whether it holds the recorder's lock, and
 * whether the library is answering a question of the recorder's own.
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

/*
 * Memory that the client gave the library in a call, and that the journal does not tell of yet: when the call has returned it
 * takes half as long, for the lock is taken for that anyhow. See wt_call_settle().
 */
struct wt_allocation {
	bool waits;  /* there is one */
	bool failed; /* the client gave none */
	size_t size; /* bytes that were asked for */
	uint64_t call;
};

/*
 * In one piece: in a shared library each thread-local variable costs a call to find. The address of this structure
 * identifies the thread, without a system call.
 */
struct wt_thread {
	struct wt_call *current; /* the innermost call it is in; NULL: none */
	uint64_t ordinal;	 /* in the trace; 0: none yet */
	uint16_t field;		 /* the same as a field of a call's begin; 0 if it has no such */
	unsigned int own_depth;	 /* nested questions of the recorder's own */
	int cancel_state;	 /* to restore after the outermost of them */
	bool own_held;		 /* many of them follow: see wt_own_hold() */
	bool own_failed;	 /* memory for an answer to one of them ran out */
	volatile bool locking;	 /* it holds the lock, or is about to, or is closed */
	struct wt_holder holder; /* as which, while it is */
	pid_t id;		 /* the kernel's; 0: not asked for yet */
	int *error_place;	 /* where it has its errno */
	struct wt_allocation allocation;
};

/** The calling thread's. */
struct wt_thread *wt_thread_self(void);

/** The thread's id, from the kernel the first time. */
pid_t wt_thread_id(struct wt_thread *thread);

/*
 * From here on the calls of signal handlers pass unrecorded. One that came just before `locking` was set has made itself the
 * holder: a later one would find its frames left, in place of ours. So the anchor is stored first, and looked at last.
 */
__attribute__((always_inline)) static inline void wt_thread_hold(struct wt_thread *thread,
								 struct wt_anchor *anchor, pid_t id)
{
	do {
		thread->holder.anchor = (uintptr_t)anchor;
		atomic_signal_fence(memory_order_seq_cst);
		thread->holder = wt_holder_here(anchor, id);
		atomic_signal_fence(memory_order_seq_cst);
		thread->locking = true;
		atomic_signal_fence(memory_order_seq_cst);
	} while (__builtin_expect(thread->holder.anchor != (uintptr_t)anchor, 0));
}

/*
 * Take the lock, and drop it. A signal handler that comes in between and makes a call finds `locking` set: it must
 * neither wait for its own thread nor write where that is writing, and wt_thread_is_busy() says so.
 *
 * @anchor: a local variable of who holds the lock.
 *
 * Return: false if the lock is broken, and not held: the recording is over.
 */
__attribute__((always_inline)) static inline bool
wt_thread_lock(struct wt_thread *thread, struct wt_lock *lock, struct wt_anchor *anchor)
{
	wt_thread_hold(thread, anchor, thread->id ? thread->id : wt_thread_id(thread));
	if (wt_lock_take(lock, (uintptr_t)thread, &thread->holder))
		return true;
	thread->locking = false;
	return false;
}

/**
 * The same as the holder that the thread was last, in frames below those that it held the lock in then, and without waiting.
 *
 * @anchor: of that.
 * Return: also false if the thread does not own the lock, or was another holder since, in a call within a callback, or in a
 *	signal handler: wt_thread_lock() is for these.
 */
__attribute__((always_inline)) static inline bool
wt_thread_lock_kept(struct wt_thread *thread, struct wt_lock *lock, const struct wt_anchor *anchor)
{
	/* From here on no handler changes what is compared next. */
	thread->locking = true;
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(thread->holder.anchor == (uintptr_t)anchor &&
				     wt_lock_take_kept(lock, (uintptr_t)thread, &thread->holder),
			     1))
		return true;
	thread->locking = false;
	return false;
}

/** As wt_thread_lock() without waiting: also false if somebody else holds it. */
bool wt_thread_try_lock(struct wt_thread *thread, struct wt_lock *lock, struct wt_anchor *anchor);

static inline void wt_thread_unlock(struct wt_thread *thread, struct wt_lock *lock)
{
	wt_lock_drop(lock);
	atomic_signal_fence(memory_order_seq_cst);
	thread->locking = false;
}

/**
 * Between these two the calls of signal handlers pass unrecorded, as if the lock were held: for what is the thread's alone.
 *
 * @anchor: of the recorded call that it is in, which may take the lock again as it did.
 */
__attribute__((always_inline)) static inline void wt_thread_close(struct wt_thread *thread,
								  struct wt_anchor *anchor)
{
	thread->locking = true;
	atomic_signal_fence(memory_order_seq_cst);
	/* Of another holder a handler could find that its frames were left. */
	if (__builtin_expect(thread->holder.anchor != (uintptr_t)anchor, 0))
		wt_thread_hold(thread, anchor, thread->id);
	/* What follows is not done before that is known. */
	atomic_signal_fence(memory_order_seq_cst);
}

static inline void wt_thread_open(struct wt_thread *thread)
{
	atomic_signal_fence(memory_order_seq_cst);
	thread->locking = false;
}

/**
 * Has a signal handler left the thread's work on the trace by longjmp()? Then the thread is as if it had never begun it.
 * Called only if `locking` is set.
 *
 * @anchor: as for wt_thread_lock(), which the caller is about to call.
 *
 * Return: whether it has, and held the lock: that is broken now.
 */
__attribute__((cold, noinline)) bool
wt_thread_has_left(struct wt_thread *thread, struct wt_lock *lock, struct wt_anchor *anchor);

/**
 * Must what this thread does now pass unrecorded? So it must if the wrapped library makes it in answer to the recorder,
 * or a signal handler that interrupted the recorder: that is counted, and the trace says how many there were.
 *
 * @unrecorded: the count.
 */
static inline bool wt_thread_is_busy(const struct wt_thread *thread, atomic_uint *unrecorded)
{
	if (thread->own_depth)
		return true;
	if (!thread->locking)
		return false;
	atomic_fetch_add_explicit(unrecorded, 1, memory_order_relaxed);
	return true;
}

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
