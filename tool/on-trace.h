/* SPDX-License-Identifier: MIT */
/*
 * A command of the user's that is run when a trace is whole, with its path: to upload it, to write a ticket.
 *
 * A program does not notice that it has a child more: the one that it has is ended without a signal and found by no wait() of the program's.
 * That one is a process without a program of its own, in the memory of this one; it starts the command, waits, and ends it in time.
 */
#ifndef WT_TOOL_ON_TRACE_H
#define WT_TOOL_ON_TRACE_H

#include <stddef.h>
#include <stdint.h>

/**
 * Run a command and wait for its end, or end it with all of its process group.
 *
 * @command: a path, or a name that is looked for in PATH. Its argument is @trace. It has no standard streams, none of the program's files,
 *	and none of the variables that would watch it, too.
 * @within_ms: how long it may take.
 * @why_ret: why it did not end with 0, a text of @size bytes; "" if it did.
 */
void wt_on_trace_run(const char *command, const char *trace, uint64_t within_ms, char *why_ret,
		     size_t size);

#endif /* WT_TOOL_ON_TRACE_H */
