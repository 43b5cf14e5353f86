/* SPDX-License-Identifier: MIT */
/*
 * The capacity of a simulated agent's compute unit decides how many workgroups of a dispatch are resident at once. A
 * program that asks how many fit (its runtime computes that from the same figures) gets them.
 */
#ifndef WT_DEVICE_MACHINE_ROOM_H
#define WT_DEVICE_MACHINE_ROOM_H

#include <stdint.h>

struct gfx_unit;
struct gfx_wave_resources;

/**
 * How many workgroups of @waves (at least one) waves, each with @resources, and of @group_bytes of local memory one compute
 * unit of this kind holds; 0: one is too large for it.
 */
uint32_t wt_unit_groups(const struct gfx_unit *unit, const struct gfx_wave_resources *resources,
			uint32_t waves, uint32_t group_bytes);

#endif /* WT_DEVICE_MACHINE_ROOM_H */
