/* SPDX-License-Identifier: MIT */
/* `wavetape info` of a stop without a fault: queues that have work, and no wave, and one that the runtime has given up. */
#ifndef WT_CLI_LOOK_INFO_WAITING_H
#define WT_CLI_LOOK_INFO_WAITING_H

#include <jansson.h>

#include "replayer/view/waiting.h"

/** Print each queue with its first packets, nothing where none waits; or give @json, if it is not NULL, a member "waiting". */
void wt_info_show_waiting(const struct wt_waiting *waiting, json_t *json);

/**
 * Print which queue has failed, why, at which packet, and what the program was started with, nothing where there is none; or give
 * @json, if it is not NULL, a member "queue_error".
 */
void wt_info_show_queue_error(const struct wt_queue_error *error, uint32_t stop, json_t *json);

#endif /* WT_CLI_LOOK_INFO_WAITING_H */
