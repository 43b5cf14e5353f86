/* SPDX-License-Identifier: MIT */
/* Address classes and address spaces, and addresses in them: resolved, converted, and what they depend on. */
#include "dbgapi/architecture/static-info.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "gfx/architecture/private.h"

/* ---- Addresses, without handles and callbacks ---- */

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

/* Whether the meaning of an address depends on the lane, wave, workgroup or process. */
static amd_dbgapi_segment_address_dependency_t
segment_dependency(const struct gfx_architecture *architecture,
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

/*
 * Convert an address from one space of a wave's architecture to another.
 *
 * @wave: may be NULL if both addresses are global.
 * @lane: needed for private_lane; else AMD_DBGAPI_LANE_NONE.
 * @address_ret: the address in @to. The NULL address of @from becomes that of @to.
 * @bytes_ret: how many bytes from there on are contiguous in both spaces; 0 for NULL addresses, and for the whole 64-bit
 *	space, whose size does not fit.
 * @level: minor number of the level of the library whose answer this is. Since 0.79 private bytes end with the private memory
 *	(behind its end the count wraps, as there), and a generic address is one in every conversion, so that its NULL is that
 *	of every space, and needs a wave. Libraries of both kinds are called 0.78: how many bytes it counts is not known.
 *
 * Return: INVALID_WAVE_ID or INVALID_LANE_ID if one is needed and missing, INVALID_ADDRESS_SPACE_CONVERSION if @to has no
 * such address, NOT_AVAILABLE if that depends on where the wave's private memory is, or how large, and it is not known.
 */
static amd_dbgapi_status_t address_convert(unsigned int level, const struct wt_address_wave *wave,
					   amd_dbgapi_lane_id_t lane,
					   const struct gfx_architecture *architecture,
					   const struct gfx_address_space *from, uint64_t address,
					   const struct gfx_address_space *to,
					   uint64_t *address_ret, uint64_t *bytes_ret)
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

/*
 * Whether pointers of a class can have an address. Those of the generic class can have all addresses
 * except those of private_wave; other classes have addresses of one space.
 */
static bool address_in_class(const struct gfx_architecture *architecture,
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

amd_dbgapi_status_t wt_static_address_class_get_info(const struct wt_static *provider,
						     amd_dbgapi_address_class_id_t address_class_id,
						     amd_dbgapi_address_class_info_t query,
						     size_t value_size, void *value)
{
	const struct wt_client *client = provider->client;
	const struct gfx_address_class *class;
	const struct gfx_architecture *owner;

	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	class = wt_static_address_class(provider, address_class_id, &owner);
	if (!class)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID;
	switch (query) {
	case AMD_DBGAPI_ADDRESS_CLASS_INFO_NAME:
		return wt_client_return_string(client, value_size, value, class->name);
	case AMD_DBGAPI_ADDRESS_CLASS_INFO_ADDRESS_SPACE:
		return wt_client_return(client, value_size, value,
					&gfx_address_space_of(owner, class->space)->id,
					sizeof(uint64_t));
	case AMD_DBGAPI_ADDRESS_CLASS_INFO_DWARF:
		return wt_client_return(client, value_size, value, &class->dwarf,
					sizeof(class->dwarf));
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
}

amd_dbgapi_status_t wt_static_architecture_address_class_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *address_class_count, amd_dbgapi_address_class_id_t **address_classes)
{
	wt_cleanup_free uint64_t *handles = NULL;
	const struct gfx_architecture *a;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!address_class_count || !address_classes)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	handles = calloc(a->address_class_count, sizeof(*handles));
	if (!handles)
		return AMD_DBGAPI_STATUS_ERROR;
	for (size_t i = 0; i < a->address_class_count; i++)
		handles[i] = a->address_classes[i].id;
	return wt_client_return_list(provider->client, handles, a->address_class_count,
				     address_class_count, address_classes);
}

amd_dbgapi_status_t wt_static_dwarf_address_class_to_address_class(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	uint64_t dwarf_address_class, amd_dbgapi_address_class_id_t *address_class_id)
{
	const struct gfx_architecture *a;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (!address_class_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t i = 0; i < a->address_class_count; i++) {
		if (a->address_classes[i].dwarf != dwarf_address_class)
			continue;
		address_class_id->handle = a->address_classes[i].id;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
}

amd_dbgapi_status_t wt_static_address_space_get_info(const struct wt_static *provider,
						     amd_dbgapi_address_space_id_t address_space_id,
						     amd_dbgapi_address_space_info_t query,
						     size_t value_size, void *value)
{
	const struct wt_client *client = provider->client;
	const struct gfx_address_space *space;
	const struct gfx_architecture *owner;
	uint64_t bits;

	if (!client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	space = wt_static_address_space(provider, address_space_id, &owner);
	if (!space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	switch (query) {
	case AMD_DBGAPI_ADDRESS_SPACE_INFO_NAME:
		return wt_client_return_string(client, value_size, value, space->name);
	case AMD_DBGAPI_ADDRESS_SPACE_INFO_ADDRESS_SIZE:
		bits = space->address_bits;
		return wt_client_return(client, value_size, value, &bits, sizeof(bits));
	case AMD_DBGAPI_ADDRESS_SPACE_INFO_NULL_ADDRESS:
		return wt_client_return(client, value_size, value, &space->null_address,
					sizeof(space->null_address));
	case AMD_DBGAPI_ADDRESS_SPACE_INFO_ACCESS:
		return wt_client_return(client, value_size, value, &space->access,
					sizeof(space->access));
	case AMD_DBGAPI_ADDRESS_SPACE_INFO_DWARF:
		return wt_client_return(client, value_size, value, &space->dwarf,
					sizeof(space->dwarf));
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
}

amd_dbgapi_status_t wt_static_architecture_address_space_list(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	size_t *address_space_count, amd_dbgapi_address_space_id_t **address_spaces)
{
	wt_cleanup_free uint64_t *handles = NULL;
	const struct gfx_architecture *a;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!address_space_count || !address_spaces)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	handles = calloc(a->space_count, sizeof(*handles));
	if (!handles)
		return AMD_DBGAPI_STATUS_ERROR;
	for (size_t i = 0; i < a->space_count; i++)
		handles[i] = a->spaces[i].id;
	return wt_client_return_list(provider->client, handles, a->space_count, address_space_count,
				     address_spaces);
}

amd_dbgapi_status_t wt_static_dwarf_address_space_to_address_space(
	const struct wt_static *provider, amd_dbgapi_architecture_id_t architecture_id,
	uint64_t dwarf_address_space, amd_dbgapi_address_space_id_t *address_space_id)
{
	const struct gfx_architecture *a;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	a = wt_static_architecture(provider, architecture_id);
	if (!a)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARCHITECTURE_ID;
	if (!address_space_id)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t i = 0; i < a->space_count; i++) {
		if (a->spaces[i].dwarf != dwarf_address_space)
			continue;
		address_space_id->handle = a->spaces[i].id;
		return AMD_DBGAPI_STATUS_SUCCESS;
	}
	return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
}

amd_dbgapi_status_t
wt_static_address_dependency(const struct wt_static *provider,
			     amd_dbgapi_address_space_id_t address_space_id,
			     amd_dbgapi_segment_address_t segment_address,
			     amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	const struct gfx_address_space *space;
	const struct gfx_architecture *owner;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	space = wt_static_address_space(provider, address_space_id, &owner);
	if (!space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	if (!segment_address_dependency)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*segment_address_dependency = segment_dependency(owner, space, segment_address);
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Whether a handle names no wave, or the lane none of the wave's. */
static amd_dbgapi_status_t address_check_wave(const struct wt_address_wave *wave,
					      amd_dbgapi_wave_id_t wave_id,
					      amd_dbgapi_lane_id_t lane_id)
{
	if (!wave && wave_id.handle != AMD_DBGAPI_WAVE_NONE.handle)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
	if (lane_id != AMD_DBGAPI_LANE_NONE && (!wave || lane_id >= wave->lane_count))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

static bool is_generic(const struct wt_static *provider, amd_dbgapi_address_space_id_t id)
{
	const struct gfx_architecture *owner;
	const struct gfx_address_space *space = wt_static_address_space(provider, id, &owner);

	return space && space->space == GFX_SPACE_GENERIC;
}

static bool has_space(const struct wt_address_wave *wave, const struct gfx_address_space *space)
{
	return gfx_address_space_by_id(wave->architecture, space->id) != NULL;
}

amd_dbgapi_status_t
wt_static_address_dependency_of(const struct wt_static *provider, bool process_exists,
				const struct wt_address_wave *wave, amd_dbgapi_wave_id_t wave_id,
				amd_dbgapi_address_space_id_t address_space_id,
				amd_dbgapi_segment_address_t segment_address,
				amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	amd_dbgapi_segment_address_dependency_t dependency;
	const struct gfx_address_space *space;
	const struct gfx_architecture *owner;
	amd_dbgapi_status_t status;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	space = wt_static_address_space(provider, address_space_id, &owner);
	if (!space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	if (!process_exists)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	status = address_check_wave(wave, wave_id, AMD_DBGAPI_LANE_NONE);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (wave && !has_space(wave, space))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	dependency = segment_dependency(owner, space, segment_address);
	if (!wave && dependency != AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_PROCESS)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (!segment_address_dependency)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	*segment_address_dependency = dependency;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_static_convert_address_space(const struct wt_static *provider,
				const struct wt_address_wave *wave, amd_dbgapi_wave_id_t wave_id,
				amd_dbgapi_lane_id_t lane_id,
				amd_dbgapi_address_space_id_t source_address_space_id,
				amd_dbgapi_segment_address_t source_segment_address,
				amd_dbgapi_address_space_id_t destination_address_space_id,
				amd_dbgapi_segment_address_t *destination_segment_address,
				amd_dbgapi_size_t *destination_contiguous_bytes)
{
	const struct gfx_architecture *from_owner, *to_owner;
	const struct gfx_address_space *from, *to;
	amd_dbgapi_status_t status;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!destination_segment_address || !destination_contiguous_bytes)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	from = wt_static_address_space(provider, source_address_space_id, &from_owner);
	to = wt_static_address_space(provider, destination_address_space_id, &to_owner);
	if (!from || !to)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	if (wave && (!has_space(wave, from) || !has_space(wave, to)))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	status = address_check_wave(wave, wave_id, lane_id);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	return address_convert(provider->address_level, wave, lane_id, from_owner, from,
			       source_segment_address, to, destination_segment_address,
			       destination_contiguous_bytes);
}

amd_dbgapi_status_t
wt_static_convert_address_space_of(const struct wt_static *provider, bool process_exists,
				   const struct wt_address_wave *wave, amd_dbgapi_wave_id_t wave_id,
				   amd_dbgapi_lane_id_t lane_id,
				   amd_dbgapi_address_space_id_t source_address_space_id,
				   amd_dbgapi_segment_address_t source_segment_address,
				   amd_dbgapi_address_space_id_t destination_address_space_id,
				   amd_dbgapi_segment_address_t *destination_segment_address,
				   amd_dbgapi_size_t *destination_contiguous_bytes)
{
	const struct gfx_architecture *owner;
	const struct gfx_address_space *to;
	struct wt_static of_process = *provider;
	bool process_answers;
	amd_dbgapi_status_t status;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!destination_segment_address || !destination_contiguous_bytes)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (!process_exists)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	to = wt_static_address_space(provider, destination_address_space_id, &owner);
	process_answers = !wave && wave_id.handle == AMD_DBGAPI_WAVE_NONE.handle && to &&
			  to->space == GFX_SPACE_GLOBAL;
	/* Without a wave the process answers by what a generic address means, but not for what lies in an aperture. */
	if (process_answers)
		of_process.address_level = WT_ADDRESS_LEVEL_RELEASED;
	status = wt_static_convert_address_space(
		&of_process, wave, wave_id, lane_id, source_address_space_id,
		source_segment_address, destination_address_space_id, destination_segment_address,
		destination_contiguous_bytes);
	if (!process_answers)
		return status;
	if (status == AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID &&
	    is_generic(provider, source_address_space_id))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_CONVERSION;
	if (status == AMD_DBGAPI_STATUS_SUCCESS && *destination_segment_address == to->null_address)
		*destination_contiguous_bytes = 0;
	return status;
}

/* The answer for handles that have been checked. */
static amd_dbgapi_status_t
address_is_in_class(const struct wt_address_wave *wave, amd_dbgapi_lane_id_t lane_id,
		    const struct gfx_architecture *owner, const struct gfx_address_space *space,
		    amd_dbgapi_segment_address_t address, const struct gfx_address_class *class,
		    amd_dbgapi_address_class_state_t *state_ret)
{
	if (space->space != GFX_SPACE_GLOBAL) {
		if (!wave)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
		if (lane_id == AMD_DBGAPI_LANE_NONE &&
		    segment_dependency(owner, space, address) ==
			    AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_LANE)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	}
	*state_ret = address_in_class(owner, space, address, class)
			     ? AMD_DBGAPI_ADDRESS_CLASS_STATE_MEMBER
			     : AMD_DBGAPI_ADDRESS_CLASS_STATE_NOT_MEMBER;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

amd_dbgapi_status_t
wt_static_address_is_in_address_class(const struct wt_static *provider,
				      const struct wt_address_wave *wave,
				      amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				      amd_dbgapi_address_space_id_t address_space_id,
				      amd_dbgapi_segment_address_t segment_address,
				      amd_dbgapi_address_class_id_t address_class_id,
				      amd_dbgapi_address_class_state_t *address_class_state)
{
	const struct gfx_architecture *class_owner, *space_owner;
	const struct gfx_address_class *class;
	const struct gfx_address_space *space;
	amd_dbgapi_status_t status;

	if (!provider->client->initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	class = wt_static_address_class(provider, address_class_id, &class_owner);
	if (!class)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_CLASS_ID;
	if (!address_class_state)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	space = wt_static_address_space(provider, address_space_id, &space_owner);
	if (!space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	if (wave && (!has_space(wave, space) || wave->architecture != class_owner))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	status = address_check_wave(wave, wave_id, lane_id);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	return address_is_in_class(wave, lane_id, space_owner, space, segment_address, class,
				   address_class_state);
}
