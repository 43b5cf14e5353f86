/* SPDX-License-Identifier: MIT */
#include "recorder/recording/lock.h"

#include <linux/membarrier.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* While the owner holds the lock for the last time. */
#define LOOK_AGAIN_NS 50000
/* Longer than a processor keeps a store to itself. */
#define SETTLE_NS 10000000
/* How long to wait before it is looked whether the holder is still there, and each time again. */
#define HOLDER_NS 100000000

/*
 * A filter of system calls may end a process that makes one which it does not expect, and there is no way to
 * ask: where there is any filter, none is made.
 */
static bool membarrier(int command)
{
	return prctl(PR_GET_SECCOMP) <= 0 && !syscall(SYS_membarrier, command, 0, 0);
}

/* Unlike the library's function this is no point at which a thread can be cancelled. */
static void wait_ns(long ns)
{
	const long time[2] = {0, ns};

	syscall(SYS_nanosleep, time, NULL);
}

void wt_lock_init(struct wt_lock *lock, bool shared)
{
	pthread_mutexattr_t kind;

	/* A thread that has left it is told so, and does not wait for itself. */
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&lock->mutex, &kind);
	pthread_mutexattr_destroy(&kind);
	atomic_init(&lock->held, false);
	atomic_init(&lock->broken, false);
	wt_lock_clear_note(&lock->owner_note);
	wt_lock_clear_note(&lock->mutex_note);
	shared = shared || !membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
	atomic_init(&lock->owner, shared ? WT_LOCK_SHARED : WT_LOCK_NOBODY);
}

/*
 * With the mutex held. After the barrier the owner either has seen that it is none any more, or what it stored in
 * `held` can be seen here.
 */
static void settle_owner(struct wt_lock *lock, uintptr_t self)
{
	uintptr_t owner = atomic_load(&lock->owner);

	if (owner == WT_LOCK_NOBODY) {
		atomic_store(&lock->owner, self);
	} else if (owner != WT_LOCK_SHARED && owner != self) {
		atomic_store(&lock->owner, WT_LOCK_SHARED);
		/* It was granted when the lock was made; a filter may have come later. */
		if (!membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
			wait_ns(SETTLE_NS);
	}
}

/* The anchor of who holds the lock now; 0 if nobody does. @note: the owner's, or the mutex's. */
static uintptr_t anchor_of(const struct wt_lock *lock, const struct wt_lock_note *note)
{
	return note == &lock->owner_note && !atomic_load(&lock->held) ? 0
								      : atomic_load(&note->anchor);
}

static bool is_left(const struct wt_lock *lock, const struct wt_lock_note *note)
{
	const unsigned int turn = atomic_load(&note->turn);
	const struct wt_holder holder = {
		.anchor = anchor_of(lock, note),
		.frame = atomic_load(&note->frame),
		.thread = atomic_load(&note->thread),
	};

	if (!holder.anchor || turn != atomic_load(&note->turn) || !wt_holder_has_left(&holder))
		return false;
	/* It may have dropped the lock, and only then left. */
	wait_ns(SETTLE_NS);
	return turn == atomic_load(&note->turn) && holder.anchor == anchor_of(lock, note) &&
	       wt_holder_has_left(&holder);
}

/* Each time that HOLDER_NS are over. @note: of what is waited for. */
static bool is_broken(struct wt_lock *lock, const struct wt_lock_note *note)
{
	if (!atomic_load(&lock->broken) && is_left(lock, note))
		atomic_store(&lock->broken, true);
	return atomic_load(&lock->broken);
}

static bool take_mutex(struct wt_lock *lock)
{
	struct timespec until;
	int failure = pthread_mutex_trylock(&lock->mutex);

	while (failure) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += HOLDER_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		failure = pthread_mutex_clocklock(&lock->mutex, CLOCK_MONOTONIC, &until);
		if (failure == EDEADLK)
			atomic_store(&lock->broken, true);
		if (failure && is_broken(lock, &lock->mutex_note))
			return false;
	}
	return true;
}

/* With the mutex held: until the last owner has dropped the lock. */
static bool wait_for_owner(struct wt_lock *lock)
{
	for (unsigned int i = 1; atomic_load_explicit(&lock->held, memory_order_acquire); i++) {
		wait_ns(LOOK_AGAIN_NS);
		if (!(i % (HOLDER_NS / LOOK_AGAIN_NS)) && is_broken(lock, &lock->owner_note))
			return false;
	}
	return !atomic_load(&lock->broken);
}

static void let_mutex_go(struct wt_lock *lock)
{
	wt_lock_clear_note(&lock->mutex_note);
	pthread_mutex_unlock(&lock->mutex);
}

bool wt_lock_take_shared(struct wt_lock *lock, uintptr_t self, const struct wt_holder *holder)
{
	if (atomic_load(&lock->broken) || !take_mutex(lock))
		return false;
	wt_lock_write_note(&lock->mutex_note, holder);
	settle_owner(lock, self);
	if (!wait_for_owner(lock)) {
		let_mutex_go(lock);
		return false;
	}
	lock->by_mutex = true;
	return true;
}

bool wt_lock_try(struct wt_lock *lock, uintptr_t self, const struct wt_holder *holder)
{
	if (atomic_load(&lock->broken) ||
	    (atomic_load(&lock->owner) == self && atomic_load(&lock->held)))
		return false;
	if (pthread_mutex_trylock(&lock->mutex))
		return false;
	wt_lock_write_note(&lock->mutex_note, holder);
	settle_owner(lock, self);
	if (atomic_load_explicit(&lock->held, memory_order_acquire)) {
		let_mutex_go(lock);
		return false;
	}
	lock->by_mutex = true;
	return true;
}

static bool is_of(const struct wt_lock_note *note, const struct wt_holder *holder)
{
	return atomic_load(&note->anchor) == holder->anchor &&
	       atomic_load(&note->thread) == holder->thread;
}

bool wt_lock_break(struct wt_lock *lock, const struct wt_holder *left)
{
	bool owned = is_of(&lock->owner_note, left) && atomic_load(&lock->held);

	if (owned || is_of(&lock->mutex_note, left))
		atomic_store(&lock->broken, true);
	return atomic_load(&lock->broken);
}
