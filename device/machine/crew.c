/* SPDX-License-Identifier: MIT */
#include "device/machine/crew.h"

#include "base/cancel.h"

/* How often a thread looks whether there is something new before it goes to sleep: about as long as waking it takes. */
#define LOOKS 500u

void wt_crew_init(struct wt_crew *crew)
{
	*crew = (struct wt_crew){.size = 0};
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begun, NULL);
	pthread_cond_init(&crew->done, NULL);
}

static inline void look_again(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#endif
}

/* Wait a while for @value to be another than @seen. */
static void watch(const atomic_uint *value, unsigned int seen)
{
	for (unsigned int i = 0; i < LOOKS; i++) {
		if (atomic_load_explicit(value, memory_order_relaxed) != seen)
			return;
		look_again();
	}
}

/* Do jobs until none is left to begin. Called and left with the lock held. */
static void do_jobs(struct wt_crew *crew, unsigned int thread)
{
	while (crew->next < crew->jobs) {
		unsigned int job = crew->next++;

		pthread_mutex_unlock(&crew->lock);
		crew->run(crew->opaque, job, thread);
		pthread_mutex_lock(&crew->lock);
		if (--crew->left)
			continue;
		atomic_store_explicit(&crew->finished, crew->batch, memory_order_relaxed);
		pthread_cond_signal(&crew->done);
	}
}

static void work(void *argument)
{
	struct wt_crew *crew = argument;
	unsigned int thread, batch = 0;

	pthread_mutex_lock(&crew->lock);
	thread = ++crew->threads;
	while (!crew->over) {
		if (crew->batch != batch) {
			batch = crew->batch;
			do_jobs(crew, thread);
			continue;
		}
		pthread_mutex_unlock(&crew->lock);
		watch(&crew->batch, batch);
		pthread_mutex_lock(&crew->lock);
		while (crew->batch == batch && !crew->over)
			pthread_cond_wait(&crew->begun, &crew->lock);
	}
	pthread_mutex_unlock(&crew->lock);
}

static void recruit(struct wt_crew *crew, unsigned int threads)
{
	if (threads > WT_CREW_MAX)
		threads = WT_CREW_MAX;
	while (crew->size + 1 < threads && wt_worker_start(&crew->workers[crew->size], work, crew))
		crew->size++;
}

void wt_crew_run(struct wt_crew *crew, unsigned int threads,
		 void (*run)(void *opaque, unsigned int job, unsigned int thread), void *opaque,
		 unsigned int jobs)
{
	unsigned int batch;
	int state;

	if (!jobs)
		return;
	state = wt_cancel_disable();
	recruit(crew, threads < jobs ? threads : jobs);
	pthread_mutex_lock(&crew->lock);
	crew->run = run;
	crew->opaque = opaque;
	crew->jobs = crew->left = jobs;
	crew->next = 0;
	batch = ++crew->batch;
	if (crew->size && jobs > 1)
		pthread_cond_broadcast(&crew->begun);
	do_jobs(crew, 0);
	if (crew->left) {
		pthread_mutex_unlock(&crew->lock);
		watch(&crew->finished, batch - 1);
		pthread_mutex_lock(&crew->lock);
	}
	while (crew->left)
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	wt_cancel_restore(state);
}

void wt_crew_dismiss(struct wt_crew *crew)
{
	if (!crew->size)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	/* So that one that watches goes on at once. */
	crew->batch++;
	crew->finished = crew->batch;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	for (unsigned int i = 0; i < crew->size; i++)
		wt_worker_wait(&crew->workers[i]);
	crew->size = crew->threads = 0;
	crew->over = false;
}

void wt_crew_deinit(struct wt_crew *crew)
{
	pthread_cond_destroy(&crew->done);
	pthread_cond_destroy(&crew->begun);
	pthread_mutex_destroy(&crew->lock);
}
