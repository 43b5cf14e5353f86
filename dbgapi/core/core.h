/* SPDX-License-Identifier: MIT */
/*
 * A GPU core dump as a device (device/device.h), from its core-state note and its memory. Its waves never execute.
 *
 * Waves of gfx9 to gfx12 can be read: of each family whose save areas device/save-area/ knows.
 *
 * The room `core` reads core dumps and writes core files (dump-write.h). It must not know clients or handles.
 */
#ifndef WT_DBGAPI_CORE_CORE_H
#define WT_DBGAPI_CORE_CORE_H

#include "base/error.h"
#include "device/save-area/area.h"
#include "device/save-area/note.h"
#include "device/device.h"

/**
 * Make a device of a note. Code objects, queues and agents exist at once. The first run() reports all waves as created,
 * then those saved stopped with a reason as stopped, then those saved running. What cannot be read is left out, and
 * reported as a warning in that run.
 *
 * @note: taken over on success.
 * An agent whose architecture is unknown, or whose waves cannot be read, is listed as not supported. Its queues are left
 * out.
 *
 * @memory: of the core dump; copied, without what its `opaque` points to.
 *
 * Errors: no memory.
 */
struct wt_error *wt_core_create(struct wt_core_note *note, const struct wt_memory_view *memory,
				struct wt_device **device_ret);

/**
 * Put the handles of one kind, in order of creation, into the order of AMD's lists.
 *
 * It holds while handles of a list follow one another, as they do in a core, where nothing ends.
 */
void wt_core_order(uint64_t *handles, size_t count);

/* The access that a debugger has to the process. It depends on the state of the runtime. */
enum wt_core_access {
	WT_CORE_ACCESS_NONE,	   /* the runtime was not loaded: nothing */
	WT_CORE_ACCESS_RESTRICTED, /* no queues, waves and code objects */
	WT_CORE_ACCESS_FULL,
};
enum wt_core_access wt_core_access(const struct wt_device *device);

#endif /* WT_DBGAPI_CORE_CORE_H */
