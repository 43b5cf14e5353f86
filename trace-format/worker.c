/* SPDX-License-Identifier: MIT */
#include "trace-format/worker.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct wt_worker {
	pthread_t thread;
	pid_t owner;
	sem_t wanted, finished;
	atomic_bool done;
	bool busy;		     /* started, and not waited for */
	void (*run)(void *argument); /* NULL: the thread ends */
	void *argument;
};

/* A signal handler of the program may interrupt a wait. */
static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		;
}

static void *work(void *argument)
{
	struct wt_worker *worker = argument;

	for (;;) {
		wait_for(&worker->wanted);
		if (!worker->run)
			return NULL;
		worker->run(worker->argument);
		atomic_store_explicit(&worker->done, true, memory_order_release);
		sem_post(&worker->finished);
	}
}

/* A thread has the mask of the one that makes it. */
static int start_thread(struct wt_worker *worker)
{
	sigset_t all, before;
	int result;

	sigfillset(&all);
	result = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (result)
		return result;
	result = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!result)
		pthread_setname_np(worker->thread, "wavetape");
	return result;
}

struct wt_worker *wt_worker_create(void)
{
	struct wt_worker *worker = calloc(1, sizeof(*worker));

	if (!worker)
		return NULL;
	worker->owner = getpid();
	sem_init(&worker->wanted, 0, 0);
	sem_init(&worker->finished, 0, 0);
	if (!start_thread(worker))
		return worker;
	free(worker);
	return NULL;
}

void wt_worker_destroy(struct wt_worker *worker)
{
	if (!worker || worker->owner != getpid())
		return;
	if (worker->busy)
		wt_worker_wait(worker);
	worker->run = NULL;
	sem_post(&worker->wanted);
	pthread_join(worker->thread, NULL);
	sem_destroy(&worker->wanted);
	sem_destroy(&worker->finished);
	free(worker);
}

void wt_worker_start(struct wt_worker *worker, void (*run)(void *argument), void *argument)
{
	worker->busy = true;
	worker->run = run;
	worker->argument = argument;
	atomic_store_explicit(&worker->done, false, memory_order_relaxed);
	sem_post(&worker->wanted);
}

bool wt_worker_is_done(const struct wt_worker *worker)
{
	return atomic_load_explicit(&worker->done, memory_order_acquire);
}

void wt_worker_wait(struct wt_worker *worker)
{
	wait_for(&worker->finished);
	worker->busy = false;
}
