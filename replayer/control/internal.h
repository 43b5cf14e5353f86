/* SPDX-License-Identifier: MIT */
#ifndef WT_REPLAYER_CONTROL_INTERNAL_H
#define WT_REPLAYER_CONTROL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "replayer/control/control.h"
#include "replayer/control/name.h"
#include "replayer/timeline/itinerary.h"

#define WT_CONTROL_WHY 256u

struct wt_control {
	/* Set before there is a thread, and the same ever after. */
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

	/* What both have. */
	pthread_mutex_t lock;
	struct wt_control_place place;
	atomic_bool wished; /* and not taken yet; set with the lock held, looked at without */
	uint32_t destination;
	/* Journeys are counted from 1: asked for, taken by the client's thread, over. */
	uint64_t asked, taken, done;
	uint64_t running; /* the last one to a stop at which no wave is stopped */
	uint64_t failed;  /* the last one that could not be made, and why */
	char why[WT_CONTROL_WHY];
};

/** The thread. */
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
