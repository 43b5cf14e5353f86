/* SPDX-License-Identifier: MIT */
/* Finding the running replays of this user, and sending one a request over its control socket. */
#ifndef WT_CLI_REPLAY_RUNNING_H
#define WT_CLI_REPLAY_RUNNING_H

#include "base/error.h"
#include "replayer/control/name.h"

/* The answer of a replay to a request: see replayer/control/control.c. */
struct wt_replay_answer {
	char *trace, *why;
	uint32_t stop, first, last, wanted;
	uint64_t journey, done, failed;
};

void wt_replay_answer_deinit(struct wt_replay_answer *answer);

/**
 * Find all running replays. Sockets that nobody listens to any more are removed.
 *
 * @names_ret: in the order of process ids; the caller frees it.
 */
struct wt_error *wt_replays_list(struct wt_control_name **names_ret, size_t *count_ret);

/**
 * Find a replay by its process id or by the path of its trace.
 *
 * Errors: WT_ERROR_NOT_FOUND; WT_ERROR_USAGE if there are several of the trace, with their ids.
 */
struct wt_error *wt_replays_find(const char *text, struct wt_control_name *name_ret);

/**
 * Send a request: "info", "goto 3", "next" or "previous".
 *
 * Errors: the replay is gone, does not answer, or refused, with its reason.
 */
struct wt_error *wt_replay_ask(const struct wt_control_name *name, const char *request,
			       struct wt_replay_answer *answer_ret);

#endif /* WT_CLI_REPLAY_RUNNING_H */
