/* SPDX-License-Identifier: MIT */
/* The kernel argument segment of a dispatch: explicit arguments from the workload, and hidden ones. */
#ifndef WT_DEVICE_MACHINE_KERNEL_ARGUMENTS_H
#define WT_DEVICE_MACHINE_KERNEL_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/workload/json.h"
#include "device/code-object/metadata.h"
#include "device/workload/workload.h"

/* The values of hidden arguments. */
struct wt_hidden_values {
	uint32_t grid[3], workgroup[3]; /* in work-items */
	uint32_t dynamic_group_bytes;
	uint64_t queue_address;		   /* of amd_queue_t */
	uint64_t local_base, private_base; /* apertures */
};

/** The number of dimensions that a runtime gives for a grid: without trailing ones of size 1. */
uint32_t wt_grid_dimensions(const uint32_t grid[3]);

/**
 * The size of the segment in bytes: the kernel's, rounded up so that wide loads of the last arguments succeed.
 */
uint64_t wt_arguments_size(const struct wt_kernel_metadata *kernel);

/**
 * Build the segment.
 *
 * @place: of the dispatch in the workload, for errors.
 * @buffer_addresses: of the workload's buffers, by index.
 * @data: wt_arguments_size() zero bytes, which are filled in.
 *
 * Errors: too few or too many arguments, one of the wrong kind or size, and one that the kernel expects but that is not
 * supported.
 */
struct wt_error *wt_arguments_build(const struct wt_place *place,
				    const struct wt_kernel_metadata *kernel,
				    const struct wt_workload_dispatch *dispatch,
				    const uint64_t *buffer_addresses,
				    const struct wt_hidden_values *hidden, uint8_t *data);

#endif /* WT_DEVICE_MACHINE_KERNEL_ARGUMENTS_H */
