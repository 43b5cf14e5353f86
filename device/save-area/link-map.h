/* SPDX-License-Identifier: MIT */
/*
 * The list of code objects that the runtime keeps for debuggers: r_debug and its chain of link
 * maps, as those of a dynamic linker.
 */
#ifndef WT_DEVICE_SAVE_AREA_LINK_MAP_H
#define WT_DEVICE_SAVE_AREA_LINK_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "device/save-area/area.h"

#define WT_CORE_R_DEBUG_MIN 8u
#define WT_CORE_R_DEBUG_MAX 10u

struct wt_core_object {
	uint64_t load_address;
	char *uri;
};

struct wt_core_objects {
	uint32_t version; /* of r_debug */
	struct wt_core_object *objects;
	size_t count;
};

/**
 * Read the list. One that was being changed is empty. Nothing in it is trusted: it has an end, and
 * names do.
 *
 * @address: of r_debug.
 * @objects_ret: the caller's to deinit.
 *
 * Errors: WT_ERROR_NOT_FOUND if a part of it is not in the core, WT_ERROR_UNSUPPORTED for a version
 * that is not known (@objects_ret->version is set then, too), WT_ERROR_LIMIT if it has no end.
 */
struct wt_error *wt_core_objects_read(const struct wt_core_memory *memory, uint64_t address,
				      struct wt_core_objects *objects_ret);
void wt_core_objects_deinit(struct wt_core_objects *objects);

/**
 * Write r_debug, the chain and the names as one run of bytes.
 *
 * @address: where the bytes will be; r_debug is first.
 */
void wt_core_objects_build(const struct wt_core_objects *objects, uint64_t address,
			   struct wt_buffer *buffer);

#endif /* WT_DEVICE_SAVE_AREA_LINK_MAP_H */
