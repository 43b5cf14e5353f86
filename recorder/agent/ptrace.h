/* SPDX-License-Identifier: MIT */
/* Another process under ptrace: the driver answers a debugger only if the calling thread traces the process. */
#ifndef WT_RECORDER_AGENT_PTRACE_H
#define WT_RECORDER_AGENT_PTRACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/**
 * Trace a process. It runs on; only its signals stop it until wt_trace_serve() hands them on.
 *
 * Errors: NOT_FOUND, USAGE, IO; the text says what is missing: another user, another tracer, the ptrace scope, a capability.
 */
struct wt_error *wt_trace_begin(pid_t process);

/** Hand on the signals that have come. Return: false if the process has ended. */
bool wt_trace_serve(pid_t process);

/** Let go of it; it runs on. */
void wt_trace_end(pid_t process);

#endif /* WT_RECORDER_AGENT_PTRACE_H */
