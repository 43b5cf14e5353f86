/* SPDX-License-Identifier: MIT */
#include "recorder/recording/lock.h"

#include <errno.h>
#include <time.h>

/* How long to wait at once, before the progress of the holder is looked at. */
#define LOOK_MS 100u

void wt_lock_init(struct wt_lock *lock, unsigned int patience_ms)
{
	pthread_mutexattr_t kind;

	/* The kernel tells of a holder that has ended, and the C library of one that is this very thread. */
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock->mutex, &kind);
	pthread_mutexattr_destroy(&kind);
	atomic_init(&lock->progress, 0);
	atomic_init(&lock->broken, false);
	lock->patience_ms = patience_ms;
}

void wt_lock_break(struct wt_lock *lock)
{
	atomic_store(&lock->broken, true);
}

/* @failure: of the mutex. Return: whether it is held, by a thread that may work with what it guards. */
static bool mutex_is_taken(struct wt_lock *lock, int failure)
{
	if (failure == EOWNERDEAD || failure == EDEADLK)
		wt_lock_break(lock);
	/* A mutex that is dropped without being made consistent can never be taken again. */
	if (failure == EOWNERDEAD)
		pthread_mutex_unlock(&lock->mutex);
	if (failure || !atomic_load(&lock->broken))
		return !failure;
	pthread_mutex_unlock(&lock->mutex);
	return false;
}

static int mutex_wait(struct wt_lock *lock)
{
	struct timespec until;

	/* The C library has had one by the other clock since 2.30 only. If somebody sets this one, a look comes early or late. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOOK_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return pthread_mutex_timedlock(&lock->mutex, &until);
}

bool wt_lock_take(struct wt_lock *lock)
{
	int failure = pthread_mutex_trylock(&lock->mutex);
	unsigned int progress = atomic_load(&lock->progress), waited = 0;

	while ((failure == EBUSY || failure == ETIMEDOUT) && !atomic_load(&lock->broken)) {
		failure = mutex_wait(lock);
		waited += LOOK_MS;
		if (progress != atomic_load(&lock->progress))
			waited = 0;
		progress = atomic_load(&lock->progress);
		if (failure == ETIMEDOUT && waited >= lock->patience_ms)
			wt_lock_break(lock);
	}
	return mutex_is_taken(lock, failure);
}

bool wt_lock_try(struct wt_lock *lock)
{
	const int failure = pthread_mutex_trylock(&lock->mutex);

	/* Whether its holder is this thread, in frames that it has not left, is for wt_thread_try_lock() to know. */
	return failure == EDEADLK ? false : mutex_is_taken(lock, failure);
}

void wt_lock_drop(struct wt_lock *lock)
{
	wt_lock_note_progress(lock);
	pthread_mutex_unlock(&lock->mutex);
}
