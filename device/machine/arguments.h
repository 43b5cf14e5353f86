/* SPDX-License-Identifier: MIT */
/* The kernel argument segment of a dispatch: the workload's values and the hidden ones. */
#ifndef WT_DEVICE_MACHINE_ARGUMENTS_H
#define WT_DEVICE_MACHINE_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/workload/json.h"
#include "device/code-object/metadata.h"
#include "device/workload/workload.h"

/* What hidden arguments say. */
struct wt_hidden_values {
	uint32_t grid[3], workgroup[3]; /* in work-items */
	uint32_t dynamic_group_bytes;
	uint64_t queue_address;		   /* of the queue's structure */
	uint64_t local_base, private_base; /* apertures */
};

/** "3 if the grid is deep, 2 if it is high, else 1": the dimensions that a runtime would count. */
uint32_t wt_grid_dimensions(const uint32_t grid[3]);

/**
 * Size of the segment in bytes: the kernel's, rounded up so that wide loads of the last ones do.
 */
uint64_t wt_arguments_size(const struct wt_kernel_metadata *kernel);

/**
 * Build the segment.
 *
 * @place: of the dispatch in the workload, for errors.
 * @buffer_addresses: of the workload's buffers, by index.
 * @data: wt_arguments_size() zeros.
 *
 * Errors: too few or too many arguments, one of the wrong kind or size, one that the kernel expects
 * and that cannot be given.
 */
struct wt_error *wt_arguments_build(const struct wt_place *place,
				    const struct wt_kernel_metadata *kernel,
				    const struct wt_workload_dispatch *dispatch,
				    const uint64_t *buffer_addresses,
				    const struct wt_hidden_values *hidden, uint8_t *data);

#endif /* WT_DEVICE_MACHINE_ARGUMENTS_H */
