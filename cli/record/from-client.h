/* SPDX-License-Identifier: MIT */
/* `wavetape record -- CLIENT`: a client of the debugger library, with the recording library in front of its own. */
#ifndef WT_CLI_RECORD_FROM_CLIENT_H
#define WT_CLI_RECORD_FROM_CLIENT_H

#include "base/error.h"
#include "cli/record/trace-output.h"

/**
 * Run a client.
 *
 * @client: its command line, NULL-terminated.
 * @output: of the trace, which is open.
 * @library: the recording library.
 * @code_ret: the client's exit code.
 *
 * Errors: of the start; IO or NOT_FOUND if nothing was recorded, and why is known: then @code_ret is written all the same.
 */
struct wt_error *wt_record_client_run(char **client, const struct wt_record_output *output,
				      const char *library, int *code_ret);

#endif /* WT_CLI_RECORD_FROM_CLIENT_H */
