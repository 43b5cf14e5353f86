/* SPDX-License-Identifier: MIT */
/*
 * A thread that runs one function and ends. No thread waits for work: it would keep a process alive whose main thread
 * has ended with pthread_exit().
 */
#ifndef WT_BASE_WORKER_H
#define WT_BASE_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* All zeros is an idle worker. */
struct wt_worker {
	pthread_t thread;
	pid_t owner;
	bool started; /* and not yet joined */
	atomic_bool done;
	void (*run)(void *argument);
	void *argument;
};

/**
 * Call @run in a new thread. The worker must be idle. The thread blocks all signals, so that the program's own threads
 * get them. False if no thread can be created.
 */
bool wt_worker_start(struct wt_worker *worker, void (*run)(void *argument), void *argument);

/** Has the function returned? True also if none was started. Never waits. */
bool wt_worker_is_done(const struct wt_worker *worker);

/**
 * Wait until the function has returned: what it wrote can then be read. Legal at any time. In a child after fork() there
 * is no such thread, and this returns at once.
 */
void wt_worker_wait(struct wt_worker *worker);

/** How many processor cores this process may run on; 1 if that cannot be found out. */
unsigned int wt_worker_cores(void);

#endif /* WT_BASE_WORKER_H */
