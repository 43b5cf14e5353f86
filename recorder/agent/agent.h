/* SPDX-License-Identifier: MIT */
/*
 * Our own client of the debugger API: it attaches, lets the program run, and asks only why waves stop. Over the
 * recording library each of its stops becomes a stop of the trace.
 *
 * A wave at a debug trap is resumed. At a fault (memory violation, assert or other trap, illegal instruction,
 * arithmetic exception, queue error) every other wave is stopped too, so that the last stop holds the
 * whole program; then the agent detaches. So every wave is stopped when the program has run for too long, or the user wants its end.
 *
 * This room holds our own clients: this one runs a program, core-agent.h reads a GPU core dump. They use the API alone, of
 * whatever library they are given, and must not know whether it records.
 */
#ifndef WT_RECORDER_AGENT_AGENT_H
#define WT_RECORDER_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "recorder/agent/follow-events.h"

struct wt_agent_summary;

/* Growth: the size says which fields the caller knows. */
struct wt_agent_options {
	size_t size;		/* of this structure */
	bool reproducible;	/* the library is given 1 as the process id */
	uint64_t time_limit_ms; /* 0: none */
	uint32_t stop_limit;	/* stops after which the agent gives up; 0: none */
	/* Called after each stop and now and then between; may be NULL. */
	void (*progress)(void *opaque, const struct wt_agent_summary *summary);
	/* Takes what the library logs; may be NULL. */
	void (*log)(void *opaque, amd_dbgapi_log_level_t level, const char *text);
	amd_dbgapi_log_level_t log_level;
	void *opaque; /* of both */
	/* Asked now and then: is the program to be ended where it is? May be NULL. */
	bool (*is_interrupted)(void);
};

enum wt_agent_end {
	WT_AGENT_IDLE,	     /* the program is done */
	WT_AGENT_FAULT,	     /* it faulted */
	WT_AGENT_TIME_LIMIT, /* it ran too long */
	WT_AGENT_STOP_LIMIT, /* it stopped too often */
	WT_AGENT_INTERRUPTED,
};

struct wt_agent_summary {
	enum wt_agent_end end;
	struct wt_agent_counts counts;
};

/**
 * Run the agent until the program ends or faults, is interrupted, or a limit is reached; then detach and finalize.
 *
 * One agent at a time in a process: the API's callbacks have no context.
 *
 * @api: an implementation, from wt_api_load().
 * @options: NULL for none.
 * @summary_ret: what happened.
 *
 * Errors: WT_ERROR_INTERNAL with the function and status that failed; what the library logged last is in
 * the text, since that is usually the reason.
 */
struct wt_error *wt_agent_run(const struct wt_api *api, const struct wt_agent_options *options,
			      struct wt_agent_summary *summary_ret);

#endif /* WT_RECORDER_AGENT_AGENT_H */
