/* SPDX-License-Identifier: MIT */
/* The client of a replay, a program that `wavetape replay` starts, or `wavetape record`: which kind it is. */
#ifndef WT_CLI_REPLAY_REPLAY_H
#define WT_CLI_REPLAY_REPLAY_H

#include <stdbool.h>

/* The kind of program that a client is (client-kind.c). */
struct wt_replay_client {
	bool gdb;	/* it is GDB, or starts it: it debugs a process, and gets wavetape-host */
	bool rocgdb;	/* and it is AMD's */
	bool maybe_gdb; /* not found to be GDB, but its command line names GDB */
	bool lldb;	/* it is LLDB, or starts it */
	char *program;	/* GDB's own, or LLDB's; NULL: not found */
};

/**
 * Find out what a client is.
 *
 * @arguments: its command line, NULL-terminated.
 * @forced: the user says that it is GDB.
 * @client: released by wt_replay_client_deinit().
 */
void wt_replay_client_find(char *const *arguments, bool forced, struct wt_replay_client *client);
void wt_replay_client_deinit(struct wt_replay_client *client);

#endif /* WT_CLI_REPLAY_REPLAY_H */
