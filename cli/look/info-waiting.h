/* SPDX-License-Identifier: MIT */
/* `wavetape info` of a stop without a fault: queues that have work, and no wave, and one that the runtime has given up. */
#ifndef WT_CLI_LOOK_INFO_WAITING_H
#define WT_CLI_LOOK_INFO_WAITING_H

#include <jansson.h>

#include "replayer/view/waiting.h"

/**
 * Print which queue has failed, why, at which packet, and what the program was started with, nothing where there is none; and each
 * queue that waits with its first packets. Or give @json, if it is not NULL, members "queue_error" and "waiting".
 *
 * @error, @waiting: NULL for what is not to be shown. @stop: of the error.
 */
void wt_info_show_queues(const struct wt_queue_error *error, uint32_t stop,
			 const struct wt_waiting *waiting, json_t *json);

#endif /* WT_CLI_LOOK_INFO_WAITING_H */
