/* SPDX-License-Identifier: MIT */
/* Memory: that of the process, and through a wave that of its workgroup, itself and its lanes. */
#include <string.h>

#include "dbgapi/simulated/internal.h"
#include "gfx/architecture/private.h"

/* One transfer: `write` is NULL for a read, `read` for a write. */
struct transfer {
	struct wt_api_process *process;
	struct wt_api_wave *wave;
	uint32_t lane;
	const struct gfx_address_space *space; /* as the address means it: never the generic one */
	uint64_t address;
	uint8_t *read;
	const uint8_t *write;
	uint64_t size;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* To or from a run of bytes in our own memory. */
static uint64_t transfer_move(const struct transfer *transfer, uint64_t done, uint8_t *memory,
			      uint64_t size)
{
	if (transfer->read)
		memcpy(transfer->read + done, memory, size);
	else
		memcpy(memory, transfer->write + done, size);
	return size;
}

/* To or from global memory; fewer bytes are done where it ends. */
static uint64_t move_device(const struct transfer *transfer, uint64_t done, uint64_t address,
			    uint64_t size)
{
	struct wt_device *device = transfer->process->device;
	void *read_to = transfer->read ? transfer->read + done : NULL;
	const void *write_from = transfer->read ? NULL : transfer->write + done;
	uint64_t moved = wt_stand_in_move(transfer->process, address, read_to, write_from, size);

	if (moved)
		return moved;
	return transfer->read ? device->operations->read_memory(device, address,
								transfer->read + done, size)
			      : device->operations->write_memory(device, address,
								 transfer->write + done, size);
}

/* Private memory is at hand, or behind a wave that was saved. */
static uint64_t move_private(const struct transfer *transfer, uint64_t done, uint64_t offset,
			     uint64_t size)
{
	const struct wt_device_wave *wave = transfer->wave->device;

	if (wave->gfx->scratch)
		return transfer_move(transfer, done, wave->gfx->scratch + offset, size);
	return move_device(transfer, done, wave->scratch_address + offset, size);
}

static uint64_t move_private_wave(const struct transfer *transfer)
{
	uint64_t memory_size = transfer->wave->device->gfx->scratch_size;

	if (transfer->address >= memory_size)
		return 0;
	return move_private(transfer, 0, transfer->address,
			    least(transfer->size, memory_size - transfer->address));
}

static uint64_t move_linear(const struct transfer *transfer, uint8_t *memory, uint64_t memory_size)
{
	if (transfer->address >= memory_size)
		return 0;
	return transfer_move(transfer, 0, memory + transfer->address,
			     least(transfer->size, memory_size - transfer->address));
}

/* Other waves of the workgroup may have written to it meanwhile, if waves run by themselves. */
static uint64_t move_local(const struct transfer *transfer, struct wt_device_workgroup *workgroup)
{
	struct wt_device *device = transfer->process->device;
	uint64_t moved;

	if (device->live && !device->live->load_group(device, workgroup))
		return 0;
	moved = move_linear(transfer, workgroup->lds, workgroup->lds_size);
	if (device->live && moved && transfer->write &&
	    !device->live->store_group(device, workgroup))
		return 0;
	return moved;
}

/* The lanes of a wave take turns in its private memory, a word each. */
static uint64_t move_lane(const struct transfer *transfer)
{
	const struct gfx_wave *wave = transfer->wave->device->gfx;
	uint64_t lane_size =
		wave->scratch_size / wave->lane_count / GFX_PRIVATE_WORD * GFX_PRIVATE_WORD;
	uint64_t done = 0;

	if (transfer->address >= lane_size)
		return 0;
	uint64_t moved = 1;

	while (moved && done < least(transfer->size, lane_size - transfer->address)) {
		uint64_t address = transfer->address + done;
		uint64_t left = least(transfer->size, lane_size - transfer->address) - done;

		moved = move_private(transfer, done,
				     gfx_private_place(wave->lane_count, transfer->lane, address),
				     least(left, GFX_PRIVATE_WORD - address % GFX_PRIVATE_WORD));
		done += moved;
	}
	return done;
}

static uint64_t move_all(const struct transfer *transfer)
{
	struct wt_device *device = transfer->process->device;
	struct wt_device_workgroup *workgroup;

	if (transfer->space->space == GFX_SPACE_GLOBAL)
		return move_device(transfer, 0, transfer->address, transfer->size);
	if (device->operations->load_wave &&
	    !device->operations->load_wave(device, transfer->wave->device))
		return 0;
	workgroup = transfer->wave->workgroup->device;
	switch (transfer->space->space) {
	case GFX_SPACE_LOCAL:
		return move_local(transfer, workgroup);
	case GFX_SPACE_PRIVATE_WAVE:
		return move_private_wave(transfer);
	case GFX_SPACE_PRIVATE_LANE:
		return move_lane(transfer);
	default:
		return 0;
	}
}

/* The wave, if there is one, is stopped, of this process, and knows the space; the lane is one of
 * its. */
static amd_dbgapi_status_t transfer_check_wave(const struct transfer *transfer,
					       amd_dbgapi_wave_id_t wave_id,
					       amd_dbgapi_lane_id_t lane,
					       amd_dbgapi_address_space_id_t space)
{
	const struct wt_api_wave *wave = transfer->wave;

	if (!wave) {
		if (wave_id.handle != AMD_DBGAPI_WAVE_NONE.handle)
			return AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
		return lane == AMD_DBGAPI_LANE_NONE ? AMD_DBGAPI_STATUS_SUCCESS
						    : AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	}
	if (!wt_wave_is_stopped(wave))
		return AMD_DBGAPI_STATUS_ERROR_WAVE_NOT_STOPPED;
	if (wave->entry.process != transfer->process ||
	    !gfx_address_space_by_id(wt_wave_architecture(wave), space.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT_COMPATIBILITY;
	if (lane != AMD_DBGAPI_LANE_NONE && lane >= wave->device->gfx->lane_count)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

/* Checks what the space depends on that the address really is in. */
static amd_dbgapi_status_t transfer_check_dependency(const struct transfer *transfer)
{
	if (transfer->space->space == GFX_SPACE_GLOBAL)
		return AMD_DBGAPI_STATUS_SUCCESS;
	if (transfer->space->space == GFX_SPACE_PRIVATE_LANE &&
	    transfer->lane == AMD_DBGAPI_LANE_NONE)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_LANE_ID;
	return transfer->wave ? AMD_DBGAPI_STATUS_SUCCESS : AMD_DBGAPI_STATUS_ERROR_INVALID_WAVE_ID;
}

/* Mostly it is one that the wave knows. */
static const struct gfx_address_space *
wave_find_space(const struct wt_api_wave *wave, amd_dbgapi_address_space_id_t id,
		const struct gfx_architecture **architecture_ret)
{
	const struct wt_static known = wt_provider_static();
	const struct gfx_address_space *space = NULL;

	if (wave)
		space = gfx_address_space_by_id(wt_wave_architecture(wave), id.handle);
	if (!space)
		return wt_static_address_space(&known, id, architecture_ret);
	*architecture_ret = wt_wave_architecture(wave);
	return space;
}

/*
 * Why no byte was moved. AMD's library takes a client's word for it that there is none, and has no use for what a client must not answer.
 */
static amd_dbgapi_status_t transfer_refusal(const struct transfer *transfer)
{
	switch (transfer->process->transferred) {
	case AMD_DBGAPI_STATUS_SUCCESS:
		return transfer->space->space == GFX_SPACE_GLOBAL
			       ? AMD_DBGAPI_STATUS_SUCCESS
			       : AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	case AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS:
	/* Clients of levels that cannot tell these apart get the other one. */
	case AMD_DBGAPI_STATUS_ERROR_MEMORY_UNAVAILABLE:
		return transfer->process->transferred;
	default:
		return AMD_DBGAPI_STATUS_FATAL;
	}
}

static amd_dbgapi_status_t transfer_run(struct transfer *transfer, amd_dbgapi_wave_id_t wave_id,
					amd_dbgapi_lane_id_t lane,
					amd_dbgapi_address_space_id_t space_id,
					amd_dbgapi_segment_address_t address,
					amd_dbgapi_size_t *size_ret)
{
	const struct gfx_architecture *architecture;
	const struct gfx_address_space *space;
	amd_dbgapi_status_t status;
	uint64_t moved;

	transfer->wave = wt_wave_find(wave_id);
	space = wave_find_space(transfer->wave, space_id, &architecture);
	if (!space)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ADDRESS_SPACE_ID;
	transfer->lane = lane;
	transfer->size = *size_ret;
	status = transfer_check_wave(transfer, wave_id, lane, space_id);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	wt_address_lower(architecture, space, address, &transfer->space, &transfer->address);
	status = transfer_check_dependency(transfer);
	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (transfer->process->broken && transfer->size &&
	    transfer->space->space == GFX_SPACE_LOCAL)
		return AMD_DBGAPI_STATUS_FATAL;
	transfer->process->transferred = AMD_DBGAPI_STATUS_ERROR_MEMORY_ACCESS;
	transfer->process->asks_once = transfer->space->space == GFX_SPACE_GLOBAL;
	moved = transfer->size ? move_all(transfer) : 0;
	transfer->process->asks_once = false;
	status = !transfer->size || moved ? AMD_DBGAPI_STATUS_SUCCESS : transfer_refusal(transfer);
	if (status != AMD_DBGAPI_STATUS_FATAL)
		*size_ret = moved;
	return status;
}

amd_dbgapi_status_t amd_dbgapi_read_memory(amd_dbgapi_process_id_t process_id,
					   amd_dbgapi_wave_id_t wave_id,
					   amd_dbgapi_lane_id_t lane_id,
					   amd_dbgapi_address_space_id_t address_space_id,
					   amd_dbgapi_segment_address_t segment_address,
					   amd_dbgapi_size_t *value_size, void *value)
{
	struct transfer transfer = {.read = value};

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	transfer.process = wt_process_find(process_id);
	if (!transfer.process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!value || !value_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	return transfer_run(&transfer, wave_id, lane_id, address_space_id, segment_address,
			    value_size);
}

amd_dbgapi_status_t amd_dbgapi_write_memory(amd_dbgapi_process_id_t process_id,
					    amd_dbgapi_wave_id_t wave_id,
					    amd_dbgapi_lane_id_t lane_id,
					    amd_dbgapi_address_space_id_t address_space_id,
					    amd_dbgapi_segment_address_t segment_address,
					    amd_dbgapi_size_t *value_size, const void *value)
{
	struct transfer transfer = {.write = value};

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	transfer.process = wt_process_find(process_id);
	if (!transfer.process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (!value || !value_size)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (transfer.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	return transfer_run(&transfer, wave_id, lane_id, address_space_id, segment_address,
			    value_size);
}
