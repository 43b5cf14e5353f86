/* SPDX-License-Identifier: MIT */
/*
 * The capacity of a simulated agent's compute unit decides how many workgroups of a dispatch are resident at once. A
 * program that asks how many fit (its runtime computes that from the same figures) gets them.
 */
#ifndef WT_DEVICE_MACHINE_ROOM_H
#define WT_DEVICE_MACHINE_ROOM_H

#include <stdint.h>

struct gfx_wave_resources;

/* Figures of gfx90a and gfx942, as LLVM's AMDGPUBaseInfo and the kernel driver's topology have them. */
#define WT_UNIT_SIMDS 4u
#define WT_SIMD_WAVES 8u
#define WT_SIMD_VGPRS 512u /* accumulation registers included */
#define WT_SIMD_SGPRS 800u
#define WT_UNIT_LOCAL_BYTES 65536u

/**
 * How many workgroups of @waves (at least one) waves, each with @resources, and of @group_bytes of local memory one compute
 * unit holds; 0: one is too large for it.
 */
uint32_t wt_unit_groups(const struct gfx_wave_resources *resources, uint32_t waves,
			uint32_t group_bytes);

#endif /* WT_DEVICE_MACHINE_ROOM_H */
