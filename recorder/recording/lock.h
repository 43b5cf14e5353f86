/* SPDX-License-Identifier: MIT */
/*
 * The recorder's lock. Nearly every client calls from one thread, and a mutex then costs what its atomic operations
 * take: four of them in a call, eight if there is a callback. So the first thread to take the lock owns it, and
 * from then on holds it by plain stores. The first other thread that comes takes that away, for good, with the help
 * of membarrier(): after that, and where the kernel has no membarrier() or a filter of system calls is in force (as
 * in most containers), the lock is a mutex.
 *
 * It is not recursive: see wt_thread_lock(). A thread is identified by any address of its own. One that leaves by
 * longjmp(), out of a signal handler, while it holds the lock keeps it for ever.
 */
#ifndef WT_RECORDER_RECORDING_LOCK_H
#define WT_RECORDER_RECORDING_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define WT_LOCK_NOBODY ((uintptr_t)0)
#define WT_LOCK_SHARED UINTPTR_MAX

struct wt_lock {
	atomic_uintptr_t owner; /* or NOBODY: not taken yet; SHARED: for ever without an owner */
	atomic_bool held;	/* by the owner, who alone writes it */
	bool by_mutex;		/* is it held through that? Of who holds the lock */
	pthread_mutex_t mutex;
};

/** @shared: a mutex from the start. */
void wt_lock_init(struct wt_lock *lock, bool shared);

/** As wt_lock_take(), for every thread. */
void wt_lock_take_shared(struct wt_lock *lock, uintptr_t self);

/** As the owner of the lock: false if it is another's. */
static inline bool wt_lock_take_owned(struct wt_lock *lock, uintptr_t self)
{
	if (atomic_load_explicit(&lock->owner, memory_order_relaxed) != self)
		return false;
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

static inline void wt_lock_take(struct wt_lock *lock, uintptr_t self)
{
	if (!wt_lock_take_owned(lock, self))
		wt_lock_take_shared(lock, self);
}

/** Without waiting: false if somebody holds it, be it this very thread. */
bool wt_lock_try(struct wt_lock *lock, uintptr_t self);

static inline void wt_lock_drop(struct wt_lock *lock)
{
	if (lock->by_mutex)
		pthread_mutex_unlock(&lock->mutex);
	else
		atomic_store_explicit(&lock->held, false, memory_order_release);
}

#endif /* WT_RECORDER_RECORDING_LOCK_H */
