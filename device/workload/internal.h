/* SPDX-License-Identifier: MIT */
/* What the two halves of the workload parser share. */
#ifndef WT_DEVICE_WORKLOAD_INTERNAL_H
#define WT_DEVICE_WORKLOAD_INTERNAL_H

#include "device/workload/json.h"
#include "device/workload/workload.h"

/**
 * Room for @count elements of @size bytes, all zero, never nothing: a workload may have no buffers.
 * @array_ret: a pointer to the array's pointer.
 */
struct wt_error *wt_workload_allocate(size_t count, size_t size, void *array_ret);

/** A number that counts something from 0, of which there are @count; left alone if it is absent. */
struct wt_error *wt_workload_parse_number(const struct wt_place *parent, json_t *object,
					  const char *name, size_t count, bool *present_ret,
					  size_t *number_ret);

/** The field "dispatches". Architecture, agents, queues and buffers are there already. */
struct wt_error *wt_workload_parse_dispatches(struct wt_workload *workload, json_t *root);

#endif /* WT_DEVICE_WORKLOAD_INTERNAL_H */
