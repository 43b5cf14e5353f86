/* SPDX-License-Identifier: MIT */
/*
 * The tool at work: it debugs its own process, records that in memory, and when there is something to show, it gives the trace
 * a file, takes the state, closes the trace and lets the program go on.
 *
 * `libwavetape-agent.so` is a tool of the HSA runtime (HSA_TOOLS_LIB), loaded into programs that use the GPU. This folder
 * has it:
 *
 *     runtime-entry.c  what the runtime calls, and the tool's thread
 *     tool-session.c   what that thread does
 *     requests.c       a snapshot is wanted: the control socket, and the signal
 *     hang.c           the program hangs
 *     tool-report.c    the line on standard error
 *     tool-options.c   WAVETAPE_AGENT, in recorder/agent/
 *     on-trace.c       a command that is run with each trace
 *     trapping.c       kernels whose arithmetic exceptions stop a wave
 *     raised.c         which of them count
 *     runtime-table.c, held-memory.c, call-stack.c, call-frame.c   what the program allocates, who called, and queues that the
 *                      runtime gives up
 *
 * It stands above the recorder, whose library it holds, and the replayer, by which it reads its own trace. It must not change
 * what the program does: no thread of the program waits for it but in OnLoad, at exit, and the runtime's where that tells of a
 * queue's error, each for a limited time.
 */
#ifndef WT_TOOL_TOOL_SESSION_H
#define WT_TOOL_TOOL_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/agent/follow-events.h"
#include "recorder/agent/tool-options.h"
#include "recorder/host/allocations.h"
#include "tool/hang.h"
#include "tool/requests.h"
#include "tool/runtime-table.h"

struct wt_tool {
	struct wt_tool_options options;
	char *(*variable)(const char *name); /* of the environment */
	const struct wt_allocation_source
		*allocations; /* what the program has allocated; NULL: that is not known */
	struct wt_runtime_queues queues;
	struct wt_tool_requests requests;
	/* Called once the program is watched, or will not be; and when a trace of a queue's error was taken, or will not be. */
	void (*ready)(void *opaque);
	void (*answered)(void *opaque);
	void *opaque;

	/* Only the tool's thread uses the rest. */
	struct wt_agent_follow follow;
	struct wt_tool_hang hang;
	uint64_t traces;     /* written */
	bool again;	     /* begin another session: this one's trace was written */
	bool at_attach;	     /* the next session's first stop is to be in a trace */
	bool told_imprecise; /* that memory cannot be precise */
	const struct wt_host_queue_error *queue_error; /* the next session's trace is of this */
	bool trapping;	  /* exceptions are on in kernels: see tool/trapping.h */
	bool raised;	  /* a wave has raised one, and there is no trace of it yet */
	bool told_raised; /* there was one: later ones are let pass */
	bool delivered;	  /* the runtime has heard of a fault: nothing is recorded any more */
	struct wt_recorder *recorder;
	char *path;	   /* of the trace that is being written; NULL: it has no file */
	const char *cause; /* why: for the line */
};

/** Watch the program until the requests say that it ends, or something of ours fails. Says what there is to say. */
void wt_tool_run(struct wt_tool *tool);

#endif /* WT_TOOL_TOOL_SESSION_H */
