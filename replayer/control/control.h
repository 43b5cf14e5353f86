/* SPDX-License-Identifier: MIT */
/*
 * Requests from the control socket: other processes of the same user ask a replay where it is, and send it to another
 * stop. A thread of the library's own serves the socket; name.h has its path and its protocol.
 *
 * The thread never uses the state of the API. It has its own reader to find stops, and stores the request. A call of the client
 * takes the request and reports its result.
 *
 * This room holds the socket, its protocol and its thread. It must not move the timeline.
 */
#ifndef WT_REPLAYER_CONTROL_CONTROL_H
#define WT_REPLAYER_CONTROL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/control/request.h"

struct wt_control;

struct wt_control_options {
	const char *trace;		 /* path */
	const char *runtime, *temporary; /* as wt_control_directory() */
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

/** Is there a request to be taken? */
bool wt_control_has_request(const struct wt_control *control);

/** Take the request, if there is one. Each is taken once. */
bool wt_control_take_request(struct wt_control *control, struct wt_control_request *request_ret);

/** The moment that the client has reached. */
void wt_control_set_position(struct wt_control *control, uint32_t position);

/* The result of a request. */
struct wt_control_result {
	const char *why; /* it could not be carried out; copied; NULL if it was */
	bool running;	 /* no wave is stopped at the destination */
	bool events;	 /* there are some for the client */
	bool quiet;	 /* there is nothing for the client, no other code objects either */
	uint64_t wave;	 /* to be shown there, as the client knows it; 0: none */
};

/** Report the result of the request that was taken last. */
void wt_control_complete(struct wt_control *control, const struct wt_control_result *result);

#endif /* WT_REPLAYER_CONTROL_CONTROL_H */
