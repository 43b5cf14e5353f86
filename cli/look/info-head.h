/* SPDX-License-Identifier: MIT */
/* The head of `wavetape info`, before it comes to the waves of a trace: who recorded what, and where. */
#ifndef WT_CLI_LOOK_INFO_HEAD_H
#define WT_CLI_LOOK_INFO_HEAD_H

#include "cli/describe.h"
#include "cli/trace.h"
#include "replayer/view/missing.h"

/** Print file, recorder, command and timeline. @unknown: what says whether the trace is complete. */
void wt_info_print_trace(const struct wt_cli_trace *trace, const struct wt_trace_info *info,
			 const struct wt_missing *unknown);

/** The same as JSON. @unknown, @stops: how many; NULL before the trace is read, which leaves them out. */
json_t *wt_info_head_json(const char *path, const struct wt_trace_info *info,
			  const struct wt_missing *unknown, const uint32_t *stops);

/** Print the agents of a stop, and how many queues and code objects there are. */
void wt_info_print_device(struct wt_view *view);

/**
 * Tells the program that was debugged from others; `wavetape host` has the rest.
 *
 * @json: an object that gets "host", and "source_files" if any were kept; NULL to print it.
 * @host_ret: facts of the host, for wt_host_destroy(); NULL if the trace has none.
 *
 * Errors: no memory, the trace cannot be read.
 */
struct wt_error *wt_info_show_host(struct wt_cli_trace *trace, json_t *json,
				   struct wt_host **host_ret);

#endif /* WT_CLI_LOOK_INFO_HEAD_H */
