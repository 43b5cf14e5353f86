/* SPDX-License-Identifier: MIT */
/* `wavetape record -- CLIENT`: a client of the debugger library, with the recording library in front of its own. */
#ifndef WT_CLI_RECORD_FROM_CLIENT_H
#define WT_CLI_RECORD_FROM_CLIENT_H

#include "base/error.h"

/**
 * Run a client.
 *
 * @client: its command line, NULL-terminated.
 * @output: what the trace is called, for errors.
 * @library: the recording library.
 * @code_ret: the client's exit code.
 *
 * Errors: of the start; IO if the client got no recording library.
 */
struct wt_error *wt_record_client_run(char **client, const char *output, const char *library,
				      int *code_ret);

#endif /* WT_CLI_RECORD_FROM_CLIENT_H */
