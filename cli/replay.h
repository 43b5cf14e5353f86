/* SPDX-License-Identifier: MIT */
/* `wavetape replay`: what its files share. */
#ifndef WT_CLI_REPLAY_H
#define WT_CLI_REPLAY_H

#include "base/error.h"
#include "trace-format/reader/reader.h"

enum wt_replay_choice { WT_REPLAY_BY_CLIENT, WT_REPLAY_YES, WT_REPLAY_NO };

struct wt_replay_command {
	const char *path;
	char **client;
	enum wt_replay_choice host, extract, debug_frame;
};

/**
 * Is the client GDB or ROCgdb, by its name: they debug a process, and get wavetape-host. A script
 * that starts one of them under another name is told by --host.
 */
bool wt_replay_is_gdb(const char *client);
bool wt_replay_is_rocgdb(const char *client);

/**
 * Prepare the environment, and for GDB the command line.
 *
 * @library: path of the replaying library, already in front of LD_LIBRARY_PATH.
 * @arguments_ret: what to run, NULL-terminated; the caller frees it with
 * wt_replay_arguments_free().
 *
 * Errors: WT_ERROR_UNSUPPORTED for a GDB that has no use for the library; those of the trace.
 */
struct wt_error *wt_replay_prepare(const struct wt_replay_command *command, const char *library,
				   struct wt_reader *reader, char ***arguments_ret);

/** NULL is legal. */
void wt_replay_arguments_free(char **arguments);

#endif /* WT_CLI_REPLAY_H */
