/* SPDX-License-Identifier: MIT */
#include "device/machine/room.h"

#include "gfx/architecture/local.h"
#include "gfx/isa/launch.h"

#define VGPR_GRANULE 8u
#define SGPR_GRANULE 16u
#define ALIASED_SGPRS 6u /* vcc, flat_scratch and xnack_mask are behind those of the kernel */

/* How often @size, in whole granules, fits into @room; @most if nothing is needed. */
static uint32_t times(uint32_t room, uint32_t size, uint32_t granule, uint32_t most)
{
	uint32_t rounded = (size + granule - 1) / granule * granule, count;

	if (!rounded)
		return most;
	count = room / rounded;
	return count < most ? count : most;
}

uint32_t wt_unit_groups(const struct gfx_wave_resources *resources, uint32_t waves,
			uint32_t group_bytes)
{
	uint32_t simd_waves, groups;

	simd_waves = times(WT_SIMD_VGPRS, resources->vgpr_count + resources->agpr_count,
			   VGPR_GRANULE, WT_SIMD_WAVES);
	simd_waves = times(WT_SIMD_SGPRS, resources->sgpr_count + ALIASED_SGPRS, SGPR_GRANULE,
			   simd_waves);
	groups = WT_UNIT_SIMDS * simd_waves / waves;
	return times(WT_UNIT_LOCAL_BYTES, group_bytes, GFX_LOCAL_UNIT, groups);
}
