/* SPDX-License-Identifier: MIT */
/*
 * Requests from the control socket: other processes of the same user ask a replay where it is, and send it to another
 * stop. A thread of the library's own serves the socket; name.h has its path and its protocol.
 *
 * The thread never touches what the API works on. It has a reader of its own to find stops, and leaves the request; a
 * call of the client's takes it, and reports how it ended.
 *
 * This room holds the socket, its protocol and its thread. It must not move the timeline.
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
 * @notifier: written to when there is a request; duplicated.
 *
 * Errors: the directory cannot be had, the socket cannot be made, no thread.
 */
struct wt_error *wt_control_open(const struct wt_control_options *options,
				 const struct wt_control_place *place, int notifier,
				 struct wt_control **control_ret);

/** Stop the thread and remove the socket; in a child of fork(), which has neither, only free the memory. */
void wt_control_close(struct wt_control *control);

/** Take a request to go to another moment, if there is one; each is taken once. Cheap if there is none. */
bool wt_control_take_request(struct wt_control *control, uint32_t *destination_ret);

/** The moment that the client has reached. */
void wt_control_set_position(struct wt_control *control, uint32_t position);

/**
 * The request that was taken last is over.
 *
 * @why: the reason why it could not be carried out, which is copied; NULL if it was.
 * @running: no wave is stopped at the destination.
 */
void wt_control_complete(struct wt_control *control, const char *why, bool running);

#endif /* WT_REPLAYER_CONTROL_CONTROL_H */
