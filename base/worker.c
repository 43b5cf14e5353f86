/* SPDX-License-Identifier: MIT */
#include "base/worker.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/cancel.h"

/*
 * The stack of our threads: they need a small part of it; what the C library keeps for each thread of the program is in
 * it, too.
 */
#define STACK_SIZE ((size_t)1 << 20)

static void *worker_work(void *argument)
{
	struct wt_worker *worker = argument;

	prctl(PR_SET_NAME, "wavetape");
	worker->run(worker->argument);
	atomic_store_explicit(&worker->done, true, memory_order_release);
	return NULL;
}

/* A thread has the signal mask of the one that makes it. */
static bool worker_create_thread(struct wt_worker *worker, const pthread_attr_t *attributes)
{
	sigset_t all, before;
	bool made;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return false;
	made = !pthread_create(&worker->thread, attributes, worker_work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return made;
}

bool wt_worker_start(struct wt_worker *worker, void (*run)(void *argument), void *argument)
{
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes))
		return false;
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	worker->run = run;
	worker->argument = argument;
	worker->owner = getpid();
	atomic_store_explicit(&worker->done, false, memory_order_relaxed);
	worker->started = worker_create_thread(worker, &attributes);
	pthread_attr_destroy(&attributes);
	return worker->started;
}

bool wt_worker_is_done(const struct wt_worker *worker)
{
	return !worker->started || atomic_load_explicit(&worker->done, memory_order_acquire);
}

/*
 * The last thread of a process runs exit(), and that may be the worker: then it waits for itself, which is an
 * error at once, and it is done.
 */
void wt_worker_wait(struct wt_worker *worker)
{
	int state = wt_cancel_disable();

	if (worker->started && worker->owner == getpid())
		pthread_join(worker->thread, NULL);
	worker->started = false;
	wt_cancel_restore(state);
}

unsigned int wt_worker_cores(void)
{
	cpu_set_t set;
	long online;

	if (!sched_getaffinity(0, sizeof(set), &set))
		return (unsigned int)CPU_COUNT(&set);
	/* The kernel knows more cores than fit into the set. */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 1 ? (unsigned int)online : 1;
}
