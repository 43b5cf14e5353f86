/* SPDX-License-Identifier: MIT */
/* A thread that does one thing after the other for its owner. */
#ifndef WT_TRACE_WORKER_H
#define WT_TRACE_WORKER_H

#include <stdbool.h>

struct wt_worker;

/**
 * Start a thread, which takes no signals: they stay the program's. NULL without memory or where no thread can be
 * had.
 */
struct wt_worker *wt_worker_create(void);

/**
 * End the thread, after what it is doing; NULL does nothing. In a child after fork() there is no such thread, and
 * nothing is done.
 */
void wt_worker_destroy(struct wt_worker *worker);

/** Let it call @run. Whatever it was given before is done, and wt_worker_wait() was called for it. */
void wt_worker_start(struct wt_worker *worker, void (*run)(void *argument), void *argument);

/** Is that done? Never waits. */
bool wt_worker_is_done(const struct wt_worker *worker);

/** Wait until it is, once for each start: what it wrote can then be read. */
void wt_worker_wait(struct wt_worker *worker);

#endif /* WT_TRACE_WORKER_H */
