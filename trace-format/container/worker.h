/* SPDX-License-Identifier: MIT */
/*
 * A thread that does one thing and ends. There is none while there is nothing to do: a thread that waits would keep
 * a process whose main thread has left by pthread_exit() from ever ending.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_WORKER_H
#define WT_TRACE_FORMAT_CONTAINER_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* Zeroed: it has nothing to do. */
struct wt_worker {
	pthread_t thread;
	pid_t owner;
	bool started; /* and not waited for */
	atomic_bool done;
	void (*run)(void *argument);
	void *argument;
};

/**
 * Let a thread call @run; nothing else is being done. It takes no signals: they stay the program's. False where no
 * thread can be had.
 */
bool wt_worker_start(struct wt_worker *worker, void (*run)(void *argument), void *argument);

/** Is that done, if anything was started? Never waits. */
bool wt_worker_is_done(const struct wt_worker *worker);

/**
 * Wait until it is: what it wrote can then be read. Legal at any time, also in a child after fork(), where there is
 * no such thread and nothing is waited for.
 */
void wt_worker_wait(struct wt_worker *worker);

#endif /* WT_TRACE_FORMAT_CONTAINER_WORKER_H */
