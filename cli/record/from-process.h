/* SPDX-License-Identifier: MIT */
/* `wavetape record --pid`: a process that runs, from outside. */
#ifndef WT_CLI_RECORD_FROM_PROCESS_H
#define WT_CLI_RECORD_FROM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct wt_record_attach {
	uint64_t process;   /* 0: it is another recording */
	uint64_t seconds;   /* to follow it; 0: take a snapshot */
	const char *output; /* of the trace */
	pid_t owner;	    /* the command, as the parent of the process that records */
	bool json;
};

/** May the process be debugged? Before anything is written. The error has what is missing. */
struct wt_error *wt_record_attach_check(const struct wt_record_attach *attach);

/** Run the agent over it. The exit code; what happened is printed. */
int wt_record_attach_run(const struct wt_record_attach *attach, const char *library);

#endif /* WT_CLI_RECORD_FROM_PROCESS_H */
