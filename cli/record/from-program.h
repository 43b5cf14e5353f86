/* SPDX-License-Identifier: MIT */
/* `wavetape record -- PROGRAM`, where the program is no client of the debugger library: it is started with the agent in it. */
#ifndef WT_CLI_RECORD_FROM_PROGRAM_H
#define WT_CLI_RECORD_FROM_PROGRAM_H

#include <stdbool.h>

#include "recorder/naming/place.h"
#include "replayer/view/explain-lines.h"

struct wt_record_program {
	char **command;	    /* NULL-terminated */
	const char *output; /* a name, or a pattern of names */
	struct wt_place_limits keep;
	const struct wt_source_maps *sources; /* for the agent to keep source files by */
};

/**
 * Is a command a program that uses AMD's runtime itself, and no debugger? Only what is linked is looked at: of a script, or a
 * program that loads the runtime later, nobody can say.
 */
bool wt_record_is_program(char *const *command);

/**
 * Run it with the agent in it.
 *
 * @status_ret: the program's exit status.
 *
 * Errors: USAGE if the agent cannot be told the output; of the start.
 */
struct wt_error *wt_record_program_run(const struct wt_record_program *program, int *status_ret);

#endif /* WT_CLI_RECORD_FROM_PROGRAM_H */
