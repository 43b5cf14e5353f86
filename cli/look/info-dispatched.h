/* SPDX-License-Identifier: MIT */
/* Kernels that queues have run, in flight and before, in `wavetape info`. */
#ifndef WT_CLI_LOOK_INFO_DISPATCHED_H
#define WT_CLI_LOOK_INFO_DISPATCHED_H

#include <jansson.h>

#include "replayer/view/waiting.h"

/**
 * Print them, or add them to JSON.
 *
 * @failed: the dispatch of the wave that is shown; 0 if there is none.
 * @all: of every queue all that is known, and not only what is around the failed dispatch.
 * @json: NULL: print.
 */
struct wt_error *wt_info_show_dispatched(struct wt_view *view, struct wt_explainer *explainer,
					 uint64_t failed, bool all, json_t *json);

#endif /* WT_CLI_LOOK_INFO_DISPATCHED_H */
