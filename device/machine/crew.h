/* SPDX-License-Identifier: MIT */
/*
 * Threads that do jobs side by side with the one that has them. They exist while the device runs: a thread that waited for work
 * any longer would keep a process alive whose main thread has ended.
 */
#ifndef WT_DEVICE_MACHINE_CREW_H
#define WT_DEVICE_MACHINE_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/worker.h"

#define WT_CREW_MAX 4u /* threads, the caller's included */

struct wt_crew {
	struct wt_worker workers[WT_CREW_MAX - 1];
	unsigned int size; /* of the threads that were made */
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	void (*run)(void *opaque, unsigned int job, unsigned int thread);
	void *opaque;
	unsigned int jobs, next, left, threads; /* threads: that have a number */
	atomic_uint batch;    /* how many calls of wt_crew_run() there have been */
	atomic_uint finished; /* the last of them whose jobs are all done */
	bool over;
};

void wt_crew_init(struct wt_crew *crew);

/**
 * Call @run for jobs 0 to @jobs - 1, each once, on up to @threads threads, and return when all are done. Threads that
 * cannot be made are done without.
 *
 * @run: gets @opaque, the job, and the number of its thread, below @threads: no two jobs have the same one at once. 0 is the
 *       caller's.
 */
void wt_crew_run(struct wt_crew *crew, unsigned int threads,
		 void (*run)(void *opaque, unsigned int job, unsigned int thread), void *opaque,
		 unsigned int jobs);

/** End the threads. wt_crew_run() makes new ones. */
void wt_crew_dismiss(struct wt_crew *crew);

/** Free what wt_crew_init() made, after wt_crew_dismiss(). */
void wt_crew_deinit(struct wt_crew *crew);

#endif /* WT_DEVICE_MACHINE_CREW_H */
