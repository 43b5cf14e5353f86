/* SPDX-License-Identifier: MIT */
/*
 * An agent that debugs a process from outside, as a debugger does: it attaches, takes all waves where they stand, or follows the
 * process for a while, and lets it go on.
 */
#ifndef WT_RECORDER_AGENT_ATTACH_H
#define WT_RECORDER_AGENT_ATTACH_H

#include <stdint.h>
#include <sys/types.h>

#include "recorder/agent/follow-events.h"

struct wt_attach_options {
	pid_t process;
	uint64_t follow_ms; /* 0: take a snapshot, and be done */
	pid_t owner; /* the parent that asked for it: without that it is not followed any more; 0: any */
};

enum wt_attach_end {
	WT_ATTACH_SNAPSHOT, /* the waves were taken where they stood */
	WT_ATTACH_FAULT,    /* of a wave; the runtime was told of it */
	WT_ATTACH_EXIT,	    /* the process ended */
};

struct wt_attach_summary {
	enum wt_attach_end end;
	struct wt_agent_counts counts;
	uint64_t waves; /* when the last stop was taken */
};

/**
 * Attach, take or follow, detach. The calling thread traces the process meanwhile, with ptrace, and hands its signals on.
 *
 * Errors: the process cannot be traced, with what is missing; as wt_agent_client_run().
 */
struct wt_error *wt_attach_run(const struct wt_api *api, const struct wt_attach_options *options,
			       struct wt_attach_summary *summary_ret);

#endif /* WT_RECORDER_AGENT_ATTACH_H */
