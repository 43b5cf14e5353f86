/* SPDX-License-Identifier: MIT */
/*
 * Where in a REGISTERS item a register's value is. The item has only the list of handles and the
 * values one after the other; waves of one kernel share the list, so the places are worked out once
 * for all of them.
 */
#ifndef WT_REPLAYER_RECORDED_LAYOUT_H
#define WT_REPLAYER_RECORDED_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_recorded;
struct wt_item;

struct wt_layout_entry {
	uint64_t handle;
	uint32_t offset, size;
};

/* Of the list that was last asked for. Zero it before use. */
struct wt_layout {
	uint64_t *handles; /* the list itself */
	size_t handle_count;
	struct wt_layout_entry *entries; /* by handle */
	size_t entry_count;
};

void wt_layout_deinit(struct wt_layout *layout);

/** The place of a register; false if the item does not have it, or there is no memory. */
bool wt_layout_find(struct wt_layout *layout, const struct wt_recorded *recorded,
		    const struct wt_item *item, uint64_t handle, uint32_t *offset_ret,
		    uint32_t *size_ret);

#endif /* WT_REPLAYER_RECORDED_LAYOUT_H */
