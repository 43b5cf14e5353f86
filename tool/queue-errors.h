/* SPDX-License-Identifier: MIT */
/*
 * The runtime tells the program of a queue that it gives up, by the callback that the program gave when it made the queue, and in
 * which HIP ends the program. There may be no wave to stop for it: a packet, a code object or a request for registers that
 * cannot be. The runtime's table of functions, which it shows to tools, lets our callback come first.
 */
#ifndef WT_TOOL_QUEUE_ERRORS_H
#define WT_TOOL_QUEUE_ERRORS_H

#include <stdbool.h>

#include "trace-format/state/host-facts.h"

/**
 * Called on the runtime's thread, before the program's callback.
 *
 * @error: with the runtime's words, for the call.
 */
typedef void (*wt_tool_queue_error_fn)(const struct wt_host_queue_error *error);

/**
 * Have it called for queues that are made from now on.
 *
 * @table: what the runtime gives to OnLoad.
 *
 * Return: false for a table of another version than those that are known, which is left as it is.
 */
bool wt_tool_queue_errors_watch(void *table, wt_tool_queue_error_fn told);

#endif /* WT_TOOL_QUEUE_ERRORS_H */
