/* SPDX-License-Identifier: MIT */
/*
 * Registers of waves. A REGISTERS item has only the list of handles and the values one after the other; waves of one
 * kernel share the list, so where each value is gets worked out once for all of them.
 */
#ifndef WT_REPLAYER_RECORDED_REGISTER_VALUES_H
#define WT_REPLAYER_RECORDED_REGISTER_VALUES_H

#include "replayer/recorded/recorded.h"

struct wt_layout_entry {
	uint64_t handle;
	uint32_t offset, size;
};

/* The layout of the list that was last asked for. Zero it before use. */
struct wt_layout {
	uint64_t *handles; /* the list itself */
	size_t handle_count;
	struct wt_layout_entry *entries; /* by handle */
	size_t entry_count;
};

void wt_layout_deinit(struct wt_layout *layout);

/** The size in bytes of a register; 0 if that was not recorded. */
uint32_t wt_recorded_register_size(const struct wt_recorded *recorded, uint64_t register_id);

/**
 * The recorded value of a wave's register.
 *
 * Return: SUCCESS; what the library answered when the wave was asked; REGISTER_NOT_AVAILABLE if
 * that register was not recorded.
 */
amd_dbgapi_status_t wt_recorded_register(const struct wt_recorded *recorded, uint64_t wave,
					 uint64_t register_id, const uint8_t **value_ret,
					 uint32_t *size_ret);

#endif /* WT_REPLAYER_RECORDED_REGISTER_VALUES_H */
