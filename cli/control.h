/* SPDX-License-Identifier: MIT */
/* Running replays of this user: finding them, and talking to one. */
#ifndef WT_CLI_CONTROL_H
#define WT_CLI_CONTROL_H

#include "cli/command.h"
#include "replayer/control/name.h"

/* What a replay says of itself: see replayer/control/answer.c. */
struct wt_replay_answer {
	char *trace, *why;
	uint32_t stop, first, last, wanted;
	uint64_t journey, done, failed;
};

void wt_replay_answer_deinit(struct wt_replay_answer *answer);

/**
 * All running replays. Sockets that nobody listens to any more are removed.
 * @names_ret: in the order of process ids; the caller frees it.
 */
struct wt_error *wt_replays_list(struct wt_control_name **names_ret, size_t *count_ret);

/**
 * The one replay that a user means: a process id, or the path of a trace.
 * Errors: WT_ERROR_NOT_FOUND; WT_ERROR_USAGE if there are several of the trace, with their ids.
 */
struct wt_error *wt_replays_find(const char *text, struct wt_control_name *name_ret);

/**
 * Ask a replay: "info", "goto 3", "next", "previous".
 * Errors: it is gone, it does not answer, or it refused: then with its reason.
 */
struct wt_error *wt_replay_ask(const struct wt_control_name *name, const char *request,
			       struct wt_replay_answer *answer_ret);

#endif /* WT_CLI_CONTROL_H */
