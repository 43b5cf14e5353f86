/* SPDX-License-Identifier: MIT */
/* Shared by the client's calls (control.c) and the thread of the socket (serve.c, answer.c). */
#ifndef WT_REPLAYER_CONTROL_INTERNAL_H
#define WT_REPLAYER_CONTROL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "replayer/control/name.h"
#include "replayer/control/request.h"
#include "replayer/timeline/itinerary.h"

#define WT_CONTROL_WHY 256u

struct wt_control {
	/* Set before the thread starts, and not changed after. */
	pthread_t thread;
	pid_t owner;
	int listener, notifier, wake, directory;
	bool bound;
	char file[WT_CONTROL_NAME_MAX];
	char *trace; /* absolute path */
	uint64_t device, inode;

	/* The thread's own. */
	bool surveyed;
	struct wt_itinerary itinerary;

	/* Shared, with the lock held. */
	pthread_mutex_t lock;
	struct wt_control_place place;
	atomic_bool requested; /* and not taken yet; also read without the lock */
	struct wt_control_request request;
	uint32_t wanted; /* position of the last destination; 0: there was none */
	/* Requests (journeys, in the protocol) are counted from 1: made, taken by the client's thread, over. */
	uint64_t asked, taken, done;
	uint64_t running; /* the last one to a stop at which no wave is stopped */
	uint64_t events;  /* the last one that the client has events of */
	uint64_t quiet;	  /* the last one that it has nothing of */
	uint64_t wave;	  /* to be shown at the end of the last one; 0: none */
	uint64_t failed;  /* the last one that could not be made, and why */
	char why[WT_CONTROL_WHY];
};

/** The function that the thread runs. */
void *wt_control_serve(void *control);

/**
 * Answer a request.
 *
 * @request: a line without its newline.
 * @answer_ret: text of at most WT_CONTROL_ANSWER bytes.
 *
 * Return: its length.
 */
size_t wt_control_answer(struct wt_control *control, const char *request,
			 char answer_ret[WT_CONTROL_ANSWER]);

#endif /* WT_REPLAYER_CONTROL_INTERNAL_H */
