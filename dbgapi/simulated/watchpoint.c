/* SPDX-License-Identifier: MIT */
/*
 * Watchpoints: address watch registers of all agents of a process, set together. What a register
 * can match is decided by a mask of which only some bits can be programmed, so a watchpoint may
 * cover more than was asked for; what it covers is a power of two and aligned to it.
 */
#include "dbgapi/simulated/internal.h"
#include "device/trap-handler.h"

/* Bits of the mask that can be programmed: first and last. */
struct mask_bits {
	uint32_t first, last;
};

static struct mask_bits agent_mask_bits(const struct wt_device_agent *agent)
{
	if (agent->watch_last_bit && agent->watch_first_bit <= agent->watch_last_bit)
		return (struct mask_bits){agent->watch_first_bit, agent->watch_last_bit};
	return (struct mask_bits){agent->architecture->watch_first_bit,
				  agent->architecture->watch_last_bit};
}

/* The mask bits that the registers of every agent have. */
static struct mask_bits common_mask_bits(struct wt_api_process *process)
{
	struct mask_bits common = {0, 63};

	for (struct wt_api_agent *agent = NULL;
	     (agent = wt_next(process, WT_OBJECT_AGENT, agent));) {
		struct mask_bits bits = agent_mask_bits(agent->device);

		common.first = bits.first > common.first ? bits.first : common.first;
		common.last = bits.last < common.last ? bits.last : common.last;
	}
	return common;
}

static uint64_t mask_low_bits(uint32_t count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/*
 * The smallest range that can be matched and holds all bytes from @address on; or as many of them
 * as the largest range does that holds the first.
 */
static struct wt_device_watchpoint cover(struct mask_bits bits, uint64_t address, uint64_t size)
{
	uint64_t last = address + size - 1, largest = mask_low_bits(bits.last + 1);
	uint64_t differing = address ^ last, covered = mask_low_bits(bits.first);

	if (differing & ~largest)
		differing = address ^ (address | largest);
	while (differing & ~covered)
		covered = covered << 1 | 1;
	return (struct wt_device_watchpoint){.address = address & ~covered, .size = covered + 1};
}

/* The first register that is free, or WT_DEVICE_WATCHPOINTS. */
static uint32_t free_register(struct wt_api_process *process)
{
	uint32_t index = 0;

	while (index < WT_DEVICE_WATCHPOINTS &&
	       wt_find_number(process, WT_OBJECT_WATCHPOINT, index))
		index++;
	return index;
}

static bool watchpoint_kind_is_known(amd_dbgapi_watchpoint_kind_t kind)
{
	return kind == AMD_DBGAPI_WATCHPOINT_KIND_LOAD ||
	       kind == AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW ||
	       kind == AMD_DBGAPI_WATCHPOINT_KIND_RMW || kind == AMD_DBGAPI_WATCHPOINT_KIND_ALL;
}

/* An attempt for which there is no register uses up a handle, as in AMD's library. */
amd_dbgapi_status_t amd_dbgapi_set_watchpoint(amd_dbgapi_process_id_t process_id,
					      amd_dbgapi_global_address_t address,
					      amd_dbgapi_size_t size,
					      amd_dbgapi_watchpoint_kind_t kind,
					      amd_dbgapi_watchpoint_id_t *watchpoint_id)
{
	struct wt_api_watchpoint *watchpoint;
	struct wt_api_process *process;
	uint32_t index;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	process = wt_process_find(process_id);
	if (!process)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_PROCESS_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (!wt_process_can_watch(process))
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (!size || !watchpoint_id || !watchpoint_kind_is_known(kind))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (process->device->core)
		return AMD_DBGAPI_STATUS_FATAL;
	index = free_register(process);
	if (index == WT_DEVICE_WATCHPOINTS) {
		wt_provider.last_handle[WT_OBJECT_WATCHPOINT]++;
		return AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE;
	}
	watchpoint = wt_create(process, WT_OBJECT_WATCHPOINT, index, sizeof(*watchpoint));
	if (!watchpoint)
		return AMD_DBGAPI_STATUS_FATAL;
	watchpoint->range = cover(common_mask_bits(process), address, size);
	watchpoint->range.kind = (uint32_t)kind;
	if (!process->device->operations->set_watchpoint(process->device, index,
							 &watchpoint->range)) {
		wt_remove(WT_OBJECT_WATCHPOINT, &watchpoint->entry);
		return wt_live_status(process, AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE);
	}
	watchpoint_id->handle = watchpoint->entry.handle;
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}

amd_dbgapi_status_t amd_dbgapi_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	struct wt_api_watchpoint *watchpoint;
	struct wt_api_process *process;
	struct wt_device *device;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	watchpoint = wt_find(WT_OBJECT_WATCHPOINT, watchpoint_id.handle);
	if (!watchpoint)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID;
	if (watchpoint->entry.process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	process = watchpoint->entry.process;
	device = process->device;
	device->operations->set_watchpoint(device, watchpoint->entry.number, NULL);
	wt_remove(WT_OBJECT_WATCHPOINT, &watchpoint->entry);
	return wt_live_status(process, AMD_DBGAPI_STATUS_SUCCESS);
}

amd_dbgapi_status_t amd_dbgapi_watchpoint_get_info(amd_dbgapi_watchpoint_id_t watchpoint_id,
						   amd_dbgapi_watchpoint_info_t query,
						   size_t value_size, void *value)
{
	const struct wt_api_watchpoint *watchpoint;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	watchpoint = wt_find(WT_OBJECT_WATCHPOINT, watchpoint_id.handle);
	if (!watchpoint)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_WATCHPOINT_INFO_PROCESS:
		return wt_answer_u64(value_size, value, watchpoint->entry.process->entry.handle);
	case AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS:
		return wt_answer_u64(value_size, value, watchpoint->range.address);
	case AMD_DBGAPI_WATCHPOINT_INFO_SIZE:
		return wt_answer_u64(value_size, value, watchpoint->range.size);
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

static uint32_t registers_hit(const struct wt_api_wave *wave)
{
	struct wt_device *device = wave->entry.process->device;

	if (device->live)
		return device->live->watchpoints_hit(device, wave->device);
	return wt_wave_watches_hit(wave->device->gfx);
}

/*
 * Returns the watchpoints that stopped the wave, as its trapsts says. One that was removed since is left out, where
 * AMD's library follows a pointer to what is no more.
 */
amd_dbgapi_status_t wt_wave_watchpoints(const struct wt_api_wave *wave, size_t value_size,
					void *value)
{
	const uint32_t hit = registers_hit(wave);
	uint64_t handles[WT_DEVICE_WATCHPOINTS];
	size_t count = 0;

	for (uint32_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++) {
		const struct wt_api_watchpoint *watchpoint =
			wt_find_number(wave->entry.process, WT_OBJECT_WATCHPOINT, i);

		if (watchpoint && hit >> i & 1 &&
		    wave->device->stop_reasons & AMD_DBGAPI_WAVE_STOP_REASON_WATCHPOINT)
			handles[count++] = watchpoint->entry.handle;
	}
	return wt_client_return_handles(&wt_provider.client, value_size, value, handles, count);
}
