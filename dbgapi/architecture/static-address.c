/* SPDX-License-Identifier: MIT */
/* Address classes and address spaces. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "dbgapi/architecture/static-info.h"

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
	*segment_address_dependency = wt_address_dependency(owner, space, segment_address);
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
	dependency = wt_address_dependency(owner, space, segment_address);
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
	return wt_address_convert(provider->address_level, wave, lane_id, from_owner, from,
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
		    wt_address_dependency(owner, space, address) ==
			    AMD_DBGAPI_SEGMENT_ADDRESS_DEPENDENCE_LANE)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	}
	*state_ret = wt_address_in_class(owner, space, address, class)
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
