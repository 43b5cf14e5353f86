/* SPDX-License-Identifier: MIT */
#include "device/machine/room.h"

#include "gfx/architecture/architecture.h"
#include "gfx/isa/launch.h"

#define REGISTER_BYTES 4u
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

uint32_t wt_unit_groups(const struct gfx_unit *unit, const struct gfx_wave_resources *resources,
			uint32_t waves, uint32_t group_bytes)
{
	uint32_t vectors = (resources->vgpr_count + resources->agpr_count) * resources->lane_count *
			   REGISTER_BYTES;
	uint32_t simd_waves, groups;

	simd_waves = times(unit->vector_bytes, vectors, unit->vector_step, unit->waves);
	if (unit->scalars)
		simd_waves = times(unit->scalars, resources->sgpr_count + ALIASED_SGPRS,
				   SGPR_GRANULE, simd_waves);
	groups = unit->simds * simd_waves / waves;
	return times(unit->local_bytes, group_bytes, unit->local_step, groups);
}
