/* SPDX-License-Identifier: MIT */
/* `wavetape record --workload`: our agent over the simulated GPU. */
#ifndef WT_CLI_RECORD_FROM_WORKLOAD_H
#define WT_CLI_RECORD_FROM_WORKLOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wt_record_workload {
	const char *path;   /* of the workload; NULL: it is another recording */
	const char *output; /* of the trace */
	bool json, reproducible;
	uint64_t max_stops, time_limit_ms; /* 0: without limit */
};

/**
 * Find out before the session whether the workload can be loaded, to say why in full, and whether a file that is to be written is
 * one that it reads.
 *
 * @written: paths, @count of them.
 */
struct wt_error *wt_record_workload_check(const struct wt_record_workload *workload,
					  const char *const *written, size_t count);

/** The signals at which a recording ends in order: of a terminal, and of a scheduler some seconds before it kills a job. */
void wt_record_ending_signals(sigset_t *signals_ret);

/** Run the agent over it; an ending signal ends it in order, with a last stop that shows where the waves are. The exit code; how it ended is printed. */
int wt_record_workload_run(const struct wt_record_workload *workload, const char *library);

#endif /* WT_CLI_RECORD_FROM_WORKLOAD_H */
