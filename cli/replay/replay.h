/* SPDX-License-Identifier: MIT */
/*
 * `wavetape replay`: declarations that its files share. replay.c uses debugger.c, which uses client-kind.c. They share
 * this header, so they are a circle in the graph of files; no function calls back up.
 */
#ifndef WT_CLI_REPLAY_REPLAY_H
#define WT_CLI_REPLAY_REPLAY_H

#include "base/error.h"
#include "trace-format/reader/reader.h"

enum wt_replay_choice { WT_REPLAY_BY_CLIENT, WT_REPLAY_YES, WT_REPLAY_NO };

struct wt_replay_command {
	const char *path;
	char **client;
	enum wt_replay_choice host, extract, debug_frame;
	bool gdb; /* the client is one, whatever it looks like */
};

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

/**
 * Prepare the environment, and for GDB the command line.
 *
 * @arguments_ret: what to run, NULL-terminated; the caller frees it with
 * wt_replay_arguments_free().
 *
 * Errors: WT_ERROR_UNSUPPORTED for a GDB or an LLDB that does not use the library; those of the trace.
 */
struct wt_error *wt_replay_prepare(const struct wt_replay_command *command,
				   struct wt_reader *reader, char ***arguments_ret);

/** NULL is legal. */
void wt_replay_arguments_free(char **arguments);

#endif /* WT_CLI_REPLAY_REPLAY_H */
