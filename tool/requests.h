/* SPDX-License-Identifier: MIT */
/*
 * Requests that reach the tool while it waits: for a snapshot, by another process of the same user over a socket or by a
 * signal; or to end, or to take a queue that the runtime gives up, by its own process.
 *
 * The socket has no file: it is the abstract name "wavetape-agent/PID", which goes with the process, however that ends. A
 * connection carries one request, a line, and one answer:
 *
 *   wavetape 1 snapshot              wavetape 1 ok
 *                                    path PATH
 *                                    waves N
 *                                 or
 *                                    wavetape 1 refused WHY
 */
#ifndef WT_TOOL_REQUESTS_H
#define WT_TOOL_REQUESTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "trace-format/state/host-facts.h"

struct wt_tool_requests {
	pid_t owner;
	int wake;     /* can be read when there is a request; for poll(); -1: none */
	int event;    /* of signals, and of the own process */
	int listener; /* -1: there is no socket */
	int client;   /* the connection that waits for an answer; -1: none */
	int signal;   /* that we have a handler for; 0: none */
	atomic_bool ends, signalled;
	/* The runtime's thread waits with this until the tool's lets it go on; NULL: there is nothing. */
	_Atomic(const struct wt_host_queue_error *) queue_error;
};

/**
 * Open them. Without a socket the rest works.
 *
 * @signal: 0 for none. A handler is installed only where the program has none and does not ignore the signal.
 * @signal_ret: false if that could not be.
 *
 * Errors: IO; then there are none.
 */
struct wt_error *wt_tool_requests_open(struct wt_tool_requests *requests, int signal,
				       bool *signal_ret);

/** Close them. A handler of ours that is still there is taken back. */
void wt_tool_requests_close(struct wt_tool_requests *requests);

/** In a child after fork(): the socket is the parent's alone. */
void wt_tool_requests_forget(struct wt_tool_requests *requests);

/** From any thread of the process: end. */
void wt_tool_requests_end(struct wt_tool_requests *requests);

/** From any thread of the process: the runtime gives a queue up. @error: until it is taken, NULL; it stays the caller's. */
void wt_tool_requests_queue_error(struct wt_tool_requests *requests,
				  const struct wt_host_queue_error *error);

/** Take what has come. Return: whether a snapshot is wanted. */
bool wt_tool_requests_take(struct wt_tool_requests *requests);

/** Answer the client that asked over the socket, if one did. @why: NULL if there is a trace at @path. */
void wt_tool_requests_answer(struct wt_tool_requests *requests, const char *path, uint64_t waves,
			     const char *why);

#endif /* WT_TOOL_REQUESTS_H */
