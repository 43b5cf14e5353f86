/* SPDX-License-Identifier: MIT */
#include "recorder/recording/lock.h"

#include <linux/membarrier.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* While the owner holds the lock for the last time. */
#define LOOK_AGAIN_NS 50000
/* Longer than a processor keeps a store to itself. */
#define SETTLE_NS 10000000

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
	pthread_mutex_init(&lock->mutex, NULL);
	atomic_init(&lock->held, false);
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

void wt_lock_take_shared(struct wt_lock *lock, uintptr_t self)
{
	pthread_mutex_lock(&lock->mutex);
	settle_owner(lock, self);
	while (atomic_load_explicit(&lock->held, memory_order_acquire))
		wait_ns(LOOK_AGAIN_NS);
	lock->by_mutex = true;
}

bool wt_lock_try(struct wt_lock *lock, uintptr_t self)
{
	if (atomic_load(&lock->owner) == self && atomic_load(&lock->held))
		return false;
	if (pthread_mutex_trylock(&lock->mutex))
		return false;
	settle_owner(lock, self);
	if (atomic_load_explicit(&lock->held, memory_order_acquire)) {
		pthread_mutex_unlock(&lock->mutex);
		return false;
	}
	lock->by_mutex = true;
	return true;
}
