/* SPDX-License-Identifier: MIT */
/*
 * A GPU core dump as a device: what its note and the memory it points to hold, behind the seam of
 * device/device.h. No wave of it ever runs.
 *
 * Waves of the gfx9 family only: others have registers that a struct gfx_wave has no place for.
 */
#ifndef WT_DBGAPI_CORE_CORE_H
#define WT_DBGAPI_CORE_CORE_H

#include "base/error.h"
#include "device/save-area/area.h"
#include "device/save-area/note.h"
#include "device/device.h"

/**
 * Make a device of a note. Code objects, queues and agents are there at once; waves with the first
 * run(), in which they all are told as created, then those that were saved stopped with a reason as
 * stopped, then those that were saved running. What of the core cannot be read is left out and told
 * as a warning then.
 *
 * @note: taken over on success.
 * @memory: copied.
 *
 * Errors: WT_ERROR_UNSUPPORTED for an architecture that is not known, or whose waves cannot be held.
 */
struct wt_error *wt_core_create(struct wt_core_note *note, const struct wt_memory_view *memory,
				struct wt_device **device_ret);

/* What a debugger may do with the process, as far as the runtime's state says. */
enum wt_core_access {
	WT_CORE_ACCESS_NONE,	   /* the runtime was not there: there is nothing to see */
	WT_CORE_ACCESS_RESTRICTED, /* only agents can be seen */
	WT_CORE_ACCESS_FULL,
};
enum wt_core_access wt_core_access(const struct wt_device *device);

#endif /* WT_DBGAPI_CORE_CORE_H */
