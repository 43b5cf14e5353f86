/* SPDX-License-Identifier: MIT */
/*
 * The recorder's lock. Nearly every client calls from one thread, and a mutex then costs what its atomic operations
 * take: four of them in a call, eight if there is a callback. So the first thread to take the lock owns it, and
 * from then on holds it by plain stores. The first other thread that comes takes that away, for good, with the help
 * of membarrier(): after that, and where the kernel has no membarrier() or a filter of system calls is in force (as
 * in most containers), the lock is a mutex.
 *
 * It is not recursive: see wt_thread_lock(). A thread is identified by any address of its own.
 *
 * A thread may leave the frames that hold the lock without dropping it (holder.h). Whoever finds that out breaks the
 * lock: from then on nobody holds it, and nobody waits for it.
 */
#ifndef WT_RECORDER_RECORDING_LOCK_H
#define WT_RECORDER_RECORDING_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/recording/holder.h"

#define WT_LOCK_NOBODY ((uintptr_t)0)
#define WT_LOCK_SHARED UINTPTR_MAX

/* Who holds it, for those who wait: a struct wt_holder, and another turn for each. The owner's stays when it drops the lock. */
struct wt_lock_note {
	atomic_uint turn;
	atomic_uintptr_t anchor, frame;
	atomic_int thread;
};

struct wt_lock {
	atomic_uintptr_t owner; /* or NOBODY: not taken yet; SHARED: for ever without an owner */
	atomic_bool held;	/* by the owner, who alone writes it */
	atomic_bool broken;	/* for ever */
	bool by_mutex;		/* is it held through that? Of who holds the lock */
	pthread_mutex_t mutex;
	struct wt_lock_note owner_note, mutex_note; /* each written by who holds what it is of */
};

/** @shared: a mutex from the start. */
void wt_lock_init(struct wt_lock *lock, bool shared);

/** As wt_lock_take(), for every thread. */
__attribute__((cold, noinline)) bool wt_lock_take_shared(struct wt_lock *lock, uintptr_t self,
							 const struct wt_holder *holder);

static inline void wt_lock_write_note(struct wt_lock_note *note, const struct wt_holder *holder)
{
	unsigned int turn = atomic_load_explicit(&note->turn, memory_order_relaxed);

	atomic_store_explicit(&note->turn, turn + 1, memory_order_relaxed);
	atomic_store_explicit(&note->frame, holder->frame, memory_order_relaxed);
	atomic_store_explicit(&note->thread, holder->thread, memory_order_relaxed);
	atomic_store_explicit(&note->anchor, holder->anchor, memory_order_relaxed);
}

static inline void wt_lock_clear_note(struct wt_lock_note *note)
{
	atomic_store_explicit(&note->anchor, 0, memory_order_relaxed);
}

/* As the owner of the lock, whose note is written. */
static inline bool wt_lock_take_noted(struct wt_lock *lock, uintptr_t self)
{
	atomic_store_explicit(&lock->held, true, memory_order_relaxed);
	/* Both in this order; for other processors it is membarrier() that sees to it. */
	atomic_signal_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&lock->owner, memory_order_relaxed) == self) {
		lock->by_mutex = false;
		return true;
	}
	atomic_store_explicit(&lock->held, false, memory_order_release);
	return false;
}

/** As the owner of the lock: false if it is another's. */
static inline bool wt_lock_take_owned(struct wt_lock *lock, uintptr_t self,
				      const struct wt_holder *holder)
{
	if (atomic_load_explicit(&lock->owner, memory_order_relaxed) != self)
		return false;
	wt_lock_write_note(&lock->owner_note, holder);
	return wt_lock_take_noted(lock, self);
}

/** Wait for the lock. False if it is broken, or becomes so meanwhile: it is not held then. */
static inline bool wt_lock_take(struct wt_lock *lock, uintptr_t self,
				const struct wt_holder *holder)
{
	return wt_lock_take_owned(lock, self, holder) || wt_lock_take_shared(lock, self, holder);
}

/** As the owner of the lock, if its note is still there from when it held it last: else false. */
static inline bool wt_lock_take_kept(struct wt_lock *lock, uintptr_t self,
				     const struct wt_holder *holder)
{
	return atomic_load_explicit(&lock->owner, memory_order_relaxed) == self &&
	       atomic_load_explicit(&lock->owner_note.anchor, memory_order_relaxed) ==
		       holder->anchor &&
	       wt_lock_take_noted(lock, self);
}

/** Without waiting: false if somebody holds it, be it this very thread, or if it is broken. */
bool wt_lock_try(struct wt_lock *lock, uintptr_t self, const struct wt_holder *holder);

static inline void wt_lock_drop(struct wt_lock *lock)
{
	if (lock->by_mutex) {
		wt_lock_clear_note(&lock->mutex_note);
		pthread_mutex_unlock(&lock->mutex);
	} else {
		atomic_store_explicit(&lock->held, false, memory_order_release);
	}
}

/**
 * Does a holder of the calling thread's hold the lock, whose frames it has left? Then the lock is broken.
 *
 * Return: whether it is.
 */
bool wt_lock_break(struct wt_lock *lock, const struct wt_holder *left);

#endif /* WT_RECORDER_RECORDING_LOCK_H */
