/* SPDX-License-Identifier: MIT */
/* `wavetape info` of a stop without a fault: queues that have work, and no wave. */
#ifndef WT_CLI_LOOK_INFO_WAITING_H
#define WT_CLI_LOOK_INFO_WAITING_H

#include <jansson.h>

#include "replayer/view/waiting.h"

/** Print each queue with its first packets. Nothing where none waits. */
void wt_info_print_waiting(const struct wt_waiting *waiting);

/** The same, as a value. */
json_t *wt_info_waiting_json(const struct wt_waiting *waiting);

#endif /* WT_CLI_LOOK_INFO_WAITING_H */
