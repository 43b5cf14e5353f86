/* SPDX-License-Identifier: MIT */
/* The file through which wavetape-host has the memory of a simulated GPU: both use the same bytes. */
#ifndef WT_DBGAPI_HOST_SHARED_H
#define WT_DBGAPI_HOST_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/host/host.h"
#include "device/device.h"

struct wt_host_shared {
	int file;		      /* for wt_simulated_create_shared(); -1: there is none */
	struct wt_host_range *ranges; /* that the file names, by address */
	size_t count, capacity;
	size_t seen; /* ranges of the device that they come from */
};

/** Make such a file, without ranges. Errors: the system has none. */
struct wt_error *wt_host_shared_init(struct wt_host_shared *shared);
void wt_host_shared_deinit(struct wt_host_shared *shared);

/**
 * Put into the file what ranges the device has by now. Those that are there stay as they are.
 *
 * Errors: no memory, more ranges than a host maps, the file cannot be written.
 */
struct wt_error *wt_host_shared_update(struct wt_host_shared *shared,
				       const struct wt_device *device);

#endif /* WT_DBGAPI_HOST_SHARED_H */
