/* SPDX-License-Identifier: MIT */
#ifndef WT_DEVICE_WORKLOAD_DISPATCH_H
#define WT_DEVICE_WORKLOAD_DISPATCH_H

#include <jansson.h>

#include "base/error.h"
#include "device/workload/description.h"

/** Parse the field "dispatches". The agents, queues and buffers must have been parsed before. */
struct wt_error *wt_workload_parse_dispatches(struct wt_workload *workload, json_t *root);

#endif /* WT_DEVICE_WORKLOAD_DISPATCH_H */
