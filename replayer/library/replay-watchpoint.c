/* SPDX-License-Identifier: MIT */
/*
 * Watchpoints. One that the recorded client set at this moment can be set again, by any client that asks
 * for bytes of it; it is then what the recorded one was, and has stopped the waves that that one stopped.
 * There can be no other: nobody has watched the memory.
 */
#include <stdlib.h>
#include <string.h>

#include "replayer/library/created.h"
#include "replayer/timeline/timeline.h"

struct wt_replay_watchpoint *wt_created_watchpoint(struct wt_replay_process *process,
						   uint64_t handle)
{
	for (size_t i = 0; handle && i < WT_REPLAY_WATCHPOINTS; i++)
		if (process->watchpoints[i].handle == handle)
			return &process->watchpoints[i];
	return NULL;
}

amd_dbgapi_status_t wt_created_refusal(const struct wt_replay_process *process,
				       enum wt_function function, uint64_t owner)
{
	const struct wt_timeline *timeline = &process->timeline;
	const struct wt_item *item =
		process->handle && !timeline->incarnations.travelled
			? wt_recorded_function(&timeline->recorded, WT_ITEM_REFUSAL, function,
					       owner)
			: NULL;

	return item && item->status != AMD_DBGAPI_STATUS_SUCCESS
		       ? (amd_dbgapi_status_t)item->status
		       : AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED;
}

amd_dbgapi_status_t wt_created_setting(const struct wt_replay_process *process,
				       enum wt_function function, uint64_t owner)
{
	amd_dbgapi_status_t refusal = wt_created_refusal(process, function, owner);

	return refusal == AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED ? AMD_DBGAPI_STATUS_SUCCESS
								  : refusal;
}

/* A recorded one that the client has not set counts until it might have done so. */
bool wt_created_watchpoint_exists(struct wt_replay_process *process, uint64_t handle)
{
	return wt_created_watchpoint(process, handle) ||
	       (handle > process->last_watchpoint &&
		wt_recorded_object(&process->timeline.recorded, WT_OBJECT_WATCHPOINT, handle));
}

static bool client_watchpoint_kind_is_known(amd_dbgapi_watchpoint_kind_t kind)
{
	return kind == AMD_DBGAPI_WATCHPOINT_KIND_LOAD ||
	       kind == AMD_DBGAPI_WATCHPOINT_KIND_STORE_AND_RMW ||
	       kind == AMD_DBGAPI_WATCHPOINT_KIND_RMW || kind == AMD_DBGAPI_WATCHPOINT_KIND_ALL;
}

/* Does a recorded watchpoint cover an address? */
static bool recorded_watchpoint_covers(const struct wt_replay_process *process, uint64_t handle,
				       uint64_t address, struct wt_replay_watchpoint *ret)
{
	const struct wt_recorded *recorded = &process->timeline.recorded;

	ret->handle = handle;
	return wt_recorded_number(recorded, WT_OBJECT_WATCHPOINT, handle,
				  AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS, &ret->address) &&
	       wt_recorded_number(recorded, WT_OBJECT_WATCHPOINT, handle,
				  AMD_DBGAPI_WATCHPOINT_INFO_SIZE, &ret->size) &&
	       address >= ret->address && address - ret->address < ret->size;
}

/* The first that was recorded at this moment, was not set yet, and covers the address. */
static bool recorded_watchpoint_find(const struct wt_replay_process *process, uint64_t address,
				     struct wt_replay_watchpoint *ret)
{
	const struct wt_timeline *timeline = &process->timeline;
	const struct wt_key key = {
		.type = WT_ITEM_OBJECT,
		.kind = timeline->names->objects[WT_OBJECT_WATCHPOINT],
		.owner = process->last_watchpoint + 1,
	};
	size_t count = wt_state_count(timeline->state);

	if (!key.kind || timeline->incarnations.travelled)
		return false;
	for (size_t i = wt_state_lower_bound(timeline->state, &key); i < count; i++) {
		const struct wt_item *item = wt_state_at(timeline->state, i);

		if (item->key.type != key.type || item->key.kind != key.kind)
			break;
		if (recorded_watchpoint_covers(process, item->key.owner, address, ret))
			return true;
	}
	return false;
}

/* False where the recorded process had no watchpoints, as one whose program is over. */
static bool can_watch(const struct wt_replay_process *process)
{
	uint64_t sharing;

	return !wt_recorded_number(&process->timeline.recorded, WT_OBJECT_PROCESS, process->handle,
				   AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_SHARE, &sharing) ||
	       sharing != AMD_DBGAPI_WATCHPOINT_SHARE_KIND_UNSUPPORTED;
}

static bool all_are_set(const struct wt_replay_process *process)
{
	uint64_t limit = WT_REPLAY_WATCHPOINTS, set = 0;

	wt_recorded_number(&process->timeline.recorded, WT_OBJECT_PROCESS, process->handle,
			   AMD_DBGAPI_PROCESS_INFO_WATCHPOINT_COUNT, &limit);
	for (size_t i = 0; i < WT_REPLAY_WATCHPOINTS; i++)
		set += process->watchpoints[i].handle != 0;
	return set >= limit || set == WT_REPLAY_WATCHPOINTS;
}

static bool all_places_taken(const struct wt_replay_process *process)
{
	for (size_t i = 0; i < WT_REPLAY_WATCHPOINTS; i++)
		if (!process->watchpoints[i].handle)
			return false;
	return true;
}

static struct wt_replay_watchpoint *replay_watchpoint_place(struct wt_replay_process *process)
{
	struct wt_replay_watchpoint *place = process->watchpoints;

	while (place->handle)
		place++;
	return place;
}

amd_dbgapi_status_t wt_answer_set_watchpoint(amd_dbgapi_process_id_t process_id,
					     amd_dbgapi_global_address_t address,
					     amd_dbgapi_size_t size,
					     amd_dbgapi_watchpoint_kind_t kind,
					     amd_dbgapi_watchpoint_id_t *watchpoint_id)
{
	struct wt_replay_process *process;
	amd_dbgapi_status_t status = wt_replay_check_process(process_id, &process);
	struct wt_replay_watchpoint found;

	if (status != AMD_DBGAPI_STATUS_SUCCESS)
		return status;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	if (!can_watch(process))
		return AMD_DBGAPI_STATUS_ERROR_NOT_SUPPORTED;
	if (!size || !watchpoint_id || !client_watchpoint_kind_is_known(kind))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	if (all_are_set(process))
		return AMD_DBGAPI_STATUS_ERROR_NO_WATCHPOINT_AVAILABLE;
	/* A core has no driver that would set one. */
	if (process->timeline.core)
		return AMD_DBGAPI_STATUS_FATAL;
	while (!recorded_watchpoint_find(process, address, &found)) {
		amd_dbgapi_status_t refusal =
			wt_created_refusal(process, WT_FUNCTION_SET_WATCHPOINT, process->handle);

		/* A refused call is none that came after a poll. */
		if (refusal != AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED ||
		    !wt_timeline_pass_poll(&process->timeline))
			return refusal;
	}
	*replay_watchpoint_place(process) = found;
	process->last_watchpoint = found.handle;
	watchpoint_id->handle = found.handle;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

void wt_created_follow_watchpoint(struct wt_replay_process *process, uint64_t handle,
				  uint64_t address, uint64_t size)
{
	struct wt_replay_watchpoint found;

	if (all_places_taken(process))
		return;
	if (!recorded_watchpoint_covers(process, handle, address, &found))
		found = (struct wt_replay_watchpoint){handle, address, size};
	*replay_watchpoint_place(process) = found;
	process->last_watchpoint = handle;
}

void wt_created_follow_removal(struct wt_replay_process *process, uint64_t handle)
{
	struct wt_replay_watchpoint *watchpoint = wt_created_watchpoint(process, handle);

	if (watchpoint)
		watchpoint->handle = 0;
}

/* One that this client did not set has been recorded, and stays. */
amd_dbgapi_status_t wt_answer_remove_watchpoint(amd_dbgapi_watchpoint_id_t watchpoint_id)
{
	struct wt_replay_process *process =
		wt_replay_process_of(WT_OBJECT_WATCHPOINT, watchpoint_id.handle);
	struct wt_replay_watchpoint *watchpoint;

	if (!wt_replayer.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	if (!wt_replay_exists(process, WT_OBJECT_WATCHPOINT, watchpoint_id.handle))
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WATCHPOINT_ID;
	if (process->frozen)
		return AMD_DBGAPI_STATUS_ERROR_PROCESS_FROZEN;
	watchpoint = wt_created_watchpoint(process, watchpoint_id.handle);
	if (!watchpoint)
		return AMD_DBGAPI_STATUS_ERROR_NOT_IMPLEMENTED;
	watchpoint->handle = 0;
	return AMD_DBGAPI_STATUS_SUCCESS;
}

bool wt_created_watchpoint_info(struct wt_replay_process *process, uint64_t handle, uint32_t query,
				size_t value_size, void *value, amd_dbgapi_status_t *status_ret)
{
	const struct wt_replay_watchpoint *watchpoint = wt_created_watchpoint(process, handle);
	uint64_t number;

	if (!watchpoint)
		return false;
	switch (query) {
	case AMD_DBGAPI_WATCHPOINT_INFO_PROCESS:
		number = process->shown;
		break;
	case AMD_DBGAPI_WATCHPOINT_INFO_ADDRESS:
		number = watchpoint->address;
		break;
	case AMD_DBGAPI_WATCHPOINT_INFO_SIZE:
		number = watchpoint->size;
		break;
	default:
		return false;
	}
	*status_ret =
		wt_client_return(&wt_replayer.client, value_size, value, &number, sizeof(number));
	return true;
}

amd_dbgapi_status_t wt_created_watchpoints_hit(struct wt_replay_process *process,
					       const struct wt_answer *answer, size_t value_size,
					       void *value)
{
	const struct wt_client *client = &wt_replayer.client;
	amd_dbgapi_status_t status;
	size_t count = 0;
	uint64_t *handles;

	if (answer->size % sizeof(*handles))
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	handles = malloc(answer->size + 1);
	if (!handles)
		return AMD_DBGAPI_STATUS_FATAL;
	for (size_t i = 0; i < answer->size; i += sizeof(*handles)) {
		memcpy(&handles[count], answer->value + i, sizeof(*handles));
		if (wt_created_watchpoint(process, handles[count]) ||
		    handles[count] > process->last_watchpoint)
			count++;
	}
	status = wt_client_return_handles(client, value_size, value, handles, count);
	free(handles);
	return status;
}
