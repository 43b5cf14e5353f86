/* SPDX-License-Identifier: MIT */
/*
 * The list of loaded code objects that the ROCm runtime keeps for debuggers: r_debug and its chain
 * of link maps, as those of a dynamic linker.
 */
#ifndef WT_DEVICE_SAVE_AREA_LINK_MAP_H
#define WT_DEVICE_SAVE_AREA_LINK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "device/memory-view.h"

/* The versions of r_debug that are known in core dumps. Runtimes that write none had older ones. */
#define WT_R_DEBUG_VERSION_MIN 8u
#define WT_R_DEBUG_VERSION_MAX 10u

/* Which versions of r_debug are read. */
struct wt_r_debug_versions {
	uint32_t first, last;
};
#define WT_R_DEBUG_CORE                                                                            \
	((struct wt_r_debug_versions){WT_R_DEBUG_VERSION_MIN, WT_R_DEBUG_VERSION_MAX})

struct wt_link_map_entry {
	uint64_t load_address;
	char *uri;
};

struct wt_link_map {
	uint32_t version; /* of r_debug */
	uint64_t
		breakpoint; /* the function that the runtime calls before and after it changes the list */
	bool changing; /* it was changing it: there are no entries */
	struct wt_link_map_entry *entries;
	size_t count;
};

/**
 * Read the list. It is empty while the runtime was changing it. Nothing in it is trusted: its length
 * and those of the names have limits.
 *
 * @address: of r_debug.
 * @known: other versions are refused.
 * @map_ret: for the caller to wt_link_map_deinit(), after an error too.
 *
 * Errors: WT_ERROR_NOT_FOUND if a part of it is not in memory, WT_ERROR_UNSUPPORTED for an unknown
 * version (then map_ret->version is set), WT_ERROR_LIMIT if it does not end.
 */
struct wt_error *wt_link_map_read(const struct wt_memory_view *memory, uint64_t address,
				  struct wt_r_debug_versions known, struct wt_link_map *map_ret);
void wt_link_map_deinit(struct wt_link_map *map);

/**
 * Write r_debug, the chain and the names as one run of bytes, r_debug first. The number of bytes
 * does not depend on @address.
 *
 * @address: where the caller will put the bytes.
 */
void wt_link_map_build(const struct wt_link_map *map, uint64_t address, struct wt_buffer *buffer);

#endif /* WT_DEVICE_SAVE_AREA_LINK_MAP_H */
