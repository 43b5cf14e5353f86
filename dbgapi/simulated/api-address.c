/* SPDX-License-Identifier: MIT */
/* Addresses in address spaces and classes: what they depend on, and conversion. */
#include "dbgapi/simulated/internal.h"

amd_dbgapi_status_t amd_dbgapi_address_dependency_0_64(
	amd_dbgapi_address_space_id_t address_space_id,
	amd_dbgapi_segment_address_t segment_address,
	amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	struct wt_static provider = wt_provider_static();

	return wt_static_address_dependency(&provider, address_space_id, segment_address,
					    segment_address_dependency);
}

/*
 * Gives what conversion has to know of a wave; NULL if the handle names none. Private memory is in the slot that the
 * wave was given; its registers are loaded because some families' flat_scratch says whether that is so.
 */
static const struct wt_address_wave *api_address_wave(amd_dbgapi_wave_id_t id,
						      struct wt_address_wave *storage)
{
	const struct wt_api_wave *wave = wt_wave_find(id);
	struct wt_device *device;

	if (!wave)
		return NULL;
	device = wave->entry.process->device;
	*storage = (struct wt_address_wave){
		.architecture = wt_wave_architecture(wave),
		.lane_count = wave->device->gfx->lane_count,
	};
	if (device->operations->load_wave && (!device->live || wt_wave_is_stopped(wave)) &&
	    !device->operations->load_wave(device, wave->device))
		return storage;
	storage->scratch_base = wave->device->gfx->scratch_base ? wave->device->gfx->scratch_base
								: wave->device->scratch_address;
	storage->scratch_size = wave->device->gfx->scratch_size;
	return storage;
}

amd_dbgapi_status_t
amd_dbgapi_address_dependency(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
			      amd_dbgapi_address_space_id_t address_space_id,
			      amd_dbgapi_segment_address_t segment_address,
			      amd_dbgapi_segment_address_dependency_t *segment_address_dependency)
{
	struct wt_static provider = wt_provider_static();
	struct wt_address_wave wave;

	return wt_static_address_dependency_of(
		&provider, wt_process_find(process_id) != NULL, api_address_wave(wave_id, &wave),
		wave_id, address_space_id, segment_address, segment_address_dependency);
}

amd_dbgapi_status_t
amd_dbgapi_convert_address_space(amd_dbgapi_process_id_t process_id, amd_dbgapi_wave_id_t wave_id,
				 amd_dbgapi_lane_id_t lane_id,
				 amd_dbgapi_address_space_id_t source_address_space_id,
				 amd_dbgapi_segment_address_t source_segment_address,
				 amd_dbgapi_address_space_id_t destination_address_space_id,
				 amd_dbgapi_segment_address_t *destination_segment_address,
				 amd_dbgapi_size_t *destination_contiguous_bytes)
{
	struct wt_static provider = wt_provider_static();
	struct wt_address_wave wave;

	return wt_static_convert_address_space_of(
		&provider, wt_process_find(process_id) != NULL, api_address_wave(wave_id, &wave),
		wave_id, lane_id, source_address_space_id, source_segment_address,
		destination_address_space_id, destination_segment_address,
		destination_contiguous_bytes);
}

amd_dbgapi_status_t
amd_dbgapi_convert_address_space_0_62(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				      amd_dbgapi_address_space_id_t source_address_space_id,
				      amd_dbgapi_segment_address_t source_segment_address,
				      amd_dbgapi_address_space_id_t destination_address_space_id,
				      amd_dbgapi_segment_address_t *destination_segment_address,
				      amd_dbgapi_size_t *destination_contiguous_bytes)
{
	struct wt_static provider = wt_provider_static();
	struct wt_address_wave wave;

	return wt_static_convert_address_space(
		&provider, api_address_wave(wave_id, &wave), wave_id, lane_id,
		source_address_space_id, source_segment_address, destination_address_space_id,
		destination_segment_address, destination_contiguous_bytes);
}

amd_dbgapi_status_t
amd_dbgapi_address_is_in_address_class(amd_dbgapi_wave_id_t wave_id, amd_dbgapi_lane_id_t lane_id,
				       amd_dbgapi_address_space_id_t address_space_id,
				       amd_dbgapi_segment_address_t segment_address,
				       amd_dbgapi_address_class_id_t address_class_id,
				       amd_dbgapi_address_class_state_t *address_class_state)
{
	struct wt_static provider = wt_provider_static();
	struct wt_address_wave wave;

	return wt_static_address_is_in_address_class(
		&provider, api_address_wave(wave_id, &wave), wave_id, lane_id, address_space_id,
		segment_address, address_class_id, address_class_state);
}
