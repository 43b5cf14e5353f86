/* SPDX-License-Identifier: MIT */
/* Queues in `wavetape info`: those that have work and no wave, which kernels queues have run, and one that the runtime has given up. */
#ifndef WT_CLI_LOOK_INFO_WAITING_H
#define WT_CLI_LOOK_INFO_WAITING_H

#include <jansson.h>

#include "replayer/view/waiting.h"

/**
 * Print them, or add them to JSON: of a stop without a fault each queue that waits, with its first packets; and kernels in flight and
 * before.
 *
 * @failed_wave: the wave with a fault that is shown first; 0 if there is none.
 * @all: of every queue all that is known, and not only what is around the failed kernel.
 * @json: NULL: print.
 */
struct wt_error *wt_info_show_queues(struct wt_view *view, struct wt_explainer *explainer,
				     uint64_t failed_wave, bool all, json_t *json);

/**
 * Print which queue has failed, why, at which packet, and what the program was started with; or give @json, if it is not NULL, a member
 * "queue_error". Nothing where there is none. @stop: of the error.
 */
void wt_info_show_queue_error(const struct wt_queue_error *error, uint32_t stop, json_t *json);

#endif /* WT_CLI_LOOK_INFO_WAITING_H */
