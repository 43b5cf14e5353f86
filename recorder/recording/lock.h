/* SPDX-License-Identifier: MIT */
/*
 * The recorder's lock: a mutex that is given up where its holder cannot go on. A thread that ends while it holds the lock, or
 * that a signal handler of the client's takes away from it by longjmp(), leaves the work on the trace in the middle: the lock
 * is broken then, for ever. Nobody holds it from then on, and nobody waits for it.
 *
 * It is not recursive: see wt_thread_lock().
 */
#ifndef WT_RECORDER_RECORDING_LOCK_H
#define WT_RECORDER_RECORDING_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct wt_lock {
	pthread_mutex_t mutex;
	atomic_uint progress; /* changes while its holder works */
	atomic_bool broken;   /* for ever */
	unsigned int patience_ms;
};

/* Nobody waits longer for a holder that makes no progress: its work takes steps far shorter than this, but for a disk's. */
#define WT_LOCK_PATIENCE_MS 10000u

/** @patience_ms: WT_LOCK_PATIENCE_MS, or less where a test knows how long its holders work. */
void wt_lock_init(struct wt_lock *lock, unsigned int patience_ms);

/** Wait for the lock. False if it is broken, or becomes so meanwhile: it is not held then. */
bool wt_lock_take(struct wt_lock *lock);

/** Without waiting: false if somebody holds it, be it this very thread, or if it is broken. */
bool wt_lock_try(struct wt_lock *lock);

/** The holder has done a step of its work: who waits goes on waiting. */
static inline void wt_lock_note_progress(struct wt_lock *lock)
{
	atomic_fetch_add_explicit(&lock->progress, 1, memory_order_relaxed);
}

void wt_lock_drop(struct wt_lock *lock);

/** The calling thread holds the lock, and has left the frames that were to drop it. */
void wt_lock_break(struct wt_lock *lock);

#endif /* WT_RECORDER_RECORDING_LOCK_H */
