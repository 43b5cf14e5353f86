/* SPDX-License-Identifier: MIT */
#include "dbgapi/architecture/segment-address.h"

#include "gfx/architecture/private.h"

/* The level since which all is by the newer rules. */
#define NEWER_LEVEL 79u

/* The last address of a space, which is also the mask of its bits. */
static uint64_t last_address(const struct gfx_address_space *space)
{
	return UINT64_MAX >> (64 - space->address_bits);
}

void wt_address_lower(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address,
		      const struct gfx_address_space **space_ret, uint64_t *address_ret)
{
	if (space->space == GFX_SPACE_GENERIC) {
		uint64_t aperture = address & architecture->aperture_mask;
		enum gfx_space lowered = GFX_SPACE_GLOBAL;

		if (aperture == architecture->local_aperture)
			lowered = GFX_SPACE_LOCAL;
		else if (aperture == architecture->private_aperture)
			lowered = GFX_SPACE_PRIVATE_LANE;
		space = gfx_address_space_of(architecture, lowered);
	}
	*space_ret = space;
	*address_ret = address & last_address(space);
}

amd_dbgapi_segment_address_dependency_t
wt_address_dependency(const struct gfx_architecture *architecture,
		      const struct gfx_address_space *space, uint64_t address)
{
	wt_address_lower(architecture, space, address, &space, &address);
	switch (space->space) {
	case GFX_SPACE_PRIVATE_LANE:
		return AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_LANE;
	case GFX_SPACE_PRIVATE_WAVE:
		return AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_WAVE;
	case GFX_SPACE_LOCAL:
		return AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_WORKGROUP;
	case GFX_SPACE_GLOBAL:
	case GFX_SPACE_GENERIC:
		break;
	}
	return AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_PROCESS;
}

/* An address and how far it is good for. */
struct span {
	uint64_t address, bytes;
};

static bool space_is_private(const struct gfx_address_space *space)
{
	return space->space == GFX_SPACE_PRIVATE_LANE || space->space == GFX_SPACE_PRIVATE_WAVE;
}

/* The bytes of private memory from an offset on; not known if its size is not. */
static amd_dbgapi_status_t private_bytes_count(const struct wt_address_wave *wave, uint64_t size,
					       struct span *span)
{
	span->bytes = size - span->address;
	return wave->scratch_unsized ? AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE
				     : AMD_DBGAPI_STATUS_SUCCESS;
}

/* The offset in the wave's private memory that an address of any space means. */
static amd_dbgapi_status_t scratch_offset(const struct wt_address_wave *wave,
					  amd_dbgapi_lane_id_t lane,
					  const struct gfx_address_space *from, uint64_t address,
					  uint64_t *offset_ret)
{
	if (from->space == GFX_SPACE_PRIVATE_LANE) {
		if (lane == AMD_DBGAPI_LANE_NONE || lane >= wave->lane_count)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
		*offset_ret = gfx_private_place(wave->lane_count, lane, address);
	} else if (from->space == GFX_SPACE_GLOBAL) {
		*offset_ret = address - wave->scratch_base;
	} else if (from->space == GFX_SPACE_PRIVATE_WAVE) {
		*offset_ret = address;
	} else {
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	}
	if (*offset_ret < wave->scratch_size)
		return AMD_DBGAPI_STATUS_SUCCESS;
	return wave->scratch_unsized ? AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE
				     : AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
}

/* Private memory of the wave as that of a lane: only where the lane's own bytes are. */
static amd_dbgapi_status_t unswizzle(const struct wt_address_wave *wave, amd_dbgapi_lane_id_t lane,
				     uint64_t offset, struct span *span_ret)
{
	uint64_t word = offset / GFX_PRIVATE_WORD, byte = offset % GFX_PRIVATE_WORD;

	if (lane == AMD_DBGAPI_LANE_NONE || lane >= wave->lane_count)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	if (word % wave->lane_count != lane)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	*span_ret = (struct span){word / wave->lane_count * GFX_PRIVATE_WORD + byte,
				  GFX_PRIVATE_WORD - byte};
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* From an address of a space to that address: by newer rules a private one is good for as long as there is private memory. */
static amd_dbgapi_status_t to_itself(unsigned int level, const struct wt_address_wave *wave,
				     const struct gfx_address_space *from, struct span *span)
{
	uint64_t size = wave->scratch_size;

	if (level <= WT_ADDRESS_LEVEL_RELEASED || !space_is_private(from))
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (level < NEWER_LEVEL)
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	if (from->space == GFX_SPACE_PRIVATE_LANE)
		size /= wave->lane_count;
	return private_bytes_count(wave, size, span);
}

/* To a generic address: what has an aperture gets its base, global addresses are their own. */
static amd_dbgapi_status_t to_generic(unsigned int level, const struct wt_address_wave *wave,
				      const struct gfx_address_space *from, struct span *span)
{
	amd_dbgapi_status_t status = to_itself(level, wave, from, span);

	switch (from->space) {
	case GFX_SPACE_LOCAL:
		/* The newer libraries count the bytes of local memory, which nobody here knows. */
		if (level > WT_ADDRESS_LEVEL_RELEASED)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		span->address |= wave->architecture->local_aperture;
		return status;
	case GFX_SPACE_PRIVATE_LANE:
		span->address |= wave->architecture->private_aperture;
		return status;
	case GFX_SPACE_GLOBAL:
		return status;
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	}
}

/* Between global and the two private spaces: through the offset in the wave's private memory. */
static amd_dbgapi_status_t through_scratch(const struct wt_address_wave *wave,
					   amd_dbgapi_lane_id_t lane,
					   const struct gfx_address_space *from, uint64_t address,
					   const struct gfx_address_space *to,
					   struct span *span_ret)
{
	amd_dbgapi_status_t status;
	uint64_t offset;

	if (wave->scratch_unplaced &&
	    (from->space == GFX_SPACE_GLOBAL || to->space == GFX_SPACE_GLOBAL) &&
	    (wave->scratch_size || wave->scratch_unsized))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	status = scratch_offset(wave, lane, from, address, &offset);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (to->space == GFX_SPACE_PRIVATE_LANE)
		return unswizzle(wave, lane, offset, span_ret);
	*span_ret = (struct span){offset, GFX_PRIVATE_WORD - offset % GFX_PRIVATE_WORD};
	if (from->space != GFX_SPACE_PRIVATE_LANE)
		status = private_bytes_count(wave, wave->scratch_size, span_ret);
	if (to->space == GFX_SPACE_GLOBAL)
		span_ret->address += wave->scratch_base;
	return status;
}

/* Whether the NULL address of one space stands for that of another, which is then the answer. */
static bool null_carries_over(bool generic, const struct gfx_address_space *from,
			      const struct gfx_address_space *to)
{
	switch (to->space) {
	case GFX_SPACE_GENERIC:
		return from->space != GFX_SPACE_PRIVATE_WAVE;
	case GFX_SPACE_GLOBAL:
		return from->space != GFX_SPACE_LOCAL;
	case GFX_SPACE_PRIVATE_WAVE:
	case GFX_SPACE_PRIVATE_LANE:
		return generic || space_is_private(from);
	case GFX_SPACE_LOCAL:
		break;
	}
	return generic || from->space == GFX_SPACE_LOCAL;
}

amd_dbgapi_status_t wt_address_convert(unsigned int level, const struct wt_address_wave *wave,
				       amd_dbgapi_lane_id_t lane,
				       const struct gfx_architecture *architecture,
				       const struct gfx_address_space *from, uint64_t address,
				       const struct gfx_address_space *to, uint64_t *address_ret,
				       uint64_t *bytes_ret)
{
	const bool generic = level >= NEWER_LEVEL && from->space == GFX_SPACE_GENERIC;
	amd_dbgapi_status_t status = AMD_DBGAPI_STATUS_SUCCESS;
	struct span span;

	wt_address_lower(architecture, from, address, &from, &address);
	span = (struct span){address, last_address(from) - address + 1};
	if (!generic && from->space == GFX_SPACE_GLOBAL && to->space == GFX_SPACE_GLOBAL)
		goto out;
	if (!wave)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (address == from->null_address && null_carries_over(generic, from, to))
		span = (struct span){to->null_address, 0};
	else if (to->space == GFX_SPACE_GENERIC)
		status = to_generic(level, wave, from, &span);
	else if (to->space == from->space)
		status = to_itself(level, wave, from, &span);
	else if (to->space == GFX_SPACE_LOCAL)
		status = AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	else
		status = through_scratch(wave, lane, from, address, to, &span);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
out:
	*address_ret = span.address;
	*bytes_ret = span.bytes;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_address_in_class(const struct gfx_architecture *architecture,
			 const struct gfx_address_space *space, uint64_t address,
			 const struct gfx_address_class *class)
{
	if (space->space == GFX_SPACE_PRIVATE_WAVE)
		return false;
	if (class->space == GFX_SPACE_GENERIC)
		return true;
	wt_address_lower(architecture, space, address, &space, &address);
	return space->space == class->space;
}
