/* SPDX-License-Identifier: MIT */
/*
 * Others than the client may ask a replay where it is, and send it elsewhere: over a socket that
 * only the user can reach, served by a thread of the library's own.
 *
 * The thread never touches what the API works on. It has a reader of its own to find stops, and
 * leaves a wish behind; a call of the client's picks that up, and tells what became of it.
 */
#ifndef WT_REPLAYER_CONTROL_CONTROL_H
#define WT_REPLAYER_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct wt_control;

struct wt_control_options {
	const char *trace;		 /* path */
	const char *runtime, *temporary; /* as wt_control_directory() */
};

/* The process that is replayed, and where it is. */
struct wt_control_place {
	uint64_t process;
	uint32_t start;	   /* position of its ATTACH moment */
	uint32_t position; /* of the moment that was reached */
};

/**
 * Listen, and start the thread.
 *
 * @notifier: written to when there is a wish; duplicated.
 *
 * Errors: the directory cannot be had, the socket cannot be made, no thread.
 */
struct wt_error *wt_control_open(const struct wt_control_options *options,
				 const struct wt_control_place *place, int notifier,
				 struct wt_control **control_ret);

/** Stop the thread and remove the socket; in a child of fork(), which has neither, only free. */
void wt_control_close(struct wt_control *control);

/** Is there a wish to go to another moment? Each is given once. Cheap if there is none. */
bool wt_control_take(struct wt_control *control, uint32_t *destination_ret);

/** Where the client is by now. */
void wt_control_tell(struct wt_control *control, uint32_t position);

/**
 * The wish that was taken last was fulfilled, or cannot be.
 *
 * @why: it cannot; NULL if it was; not kept.
 * @running: no wave is stopped there.
 */
void wt_control_done(struct wt_control *control, const char *why, bool running);

#endif /* WT_REPLAYER_CONTROL_CONTROL_H */
