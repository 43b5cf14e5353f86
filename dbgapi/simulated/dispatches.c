/* SPDX-License-Identifier: MIT */
/* Dispatches, as their AQL packets say, and workgroups. */
#include "dbgapi/simulated/internal.h"

#include "base/buffer.h"

/* The fields of a kernel dispatch packet (HSA Platform System Architecture, "AQL packet format").
 */
struct packet {
	uint16_t header, setup;
	uint16_t workgroup[3];
	uint32_t grid[3];
	uint32_t private_size, group_size;
	uint64_t kernel_object, kernarg_address, completion_signal;
};

static void parse_packet(const uint8_t bytes[64], struct packet *ret)
{
	struct wt_cursor cursor = wt_cursor_init(bytes, 64);

	ret->header = wt_cursor_next_u16(&cursor);
	ret->setup = wt_cursor_next_u16(&cursor);
	for (int i = 0; i < 3; i++)
		ret->workgroup[i] = wt_cursor_next_u16(&cursor);
	wt_cursor_next_u16(&cursor);
	for (int i = 0; i < 3; i++)
		ret->grid[i] = wt_cursor_next_u32(&cursor);
	ret->private_size = wt_cursor_next_u32(&cursor);
	ret->group_size = wt_cursor_next_u32(&cursor);
	ret->kernel_object = wt_cursor_next_u64(&cursor);
	ret->kernarg_address = wt_cursor_next_u64(&cursor);
	wt_cursor_next_u64(&cursor);
	ret->completion_signal = wt_cursor_next_u64(&cursor);
}

amd_dbgapi_status_t amd_dbgapi_process_dispatch_list(amd_dbgapi_process_id_t process_id,
						     size_t *dispatch_count,
						     amd_dbgapi_dispatch_id_t **dispatches,
						     amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_DISPATCH, process_id, dispatch_count, dispatches, changed);
}

static amd_dbgapi_status_t packet_info(const struct packet *packet, uint32_t query,
				       size_t value_size, void *value)
{
	switch (query) {
	case AMD_DBGAPI_DISPATCH_INFO_BARRIER:
		return wt_answer_u32(value_size, value, packet->header >> 8 & 1);
	case AMD_DBGAPI_DISPATCH_INFO_ACQUIRE_FENCE:
		return wt_answer_u32(value_size, value, packet->header >> 9 & 3);
	case AMD_DBGAPI_DISPATCH_INFO_RELEASE_FENCE:
		return wt_answer_u32(value_size, value, packet->header >> 11 & 3);
	case AMD_DBGAPI_DISPATCH_INFO_GRID_DIMENSIONS:
		return wt_answer_u32(value_size, value, packet->setup & 3);
	case AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES:
		return wt_answer(value_size, value, packet->workgroup, sizeof(packet->workgroup));
	case AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES:
		return wt_answer(value_size, value, packet->grid, sizeof(packet->grid));
	case AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE:
		return wt_answer_u64(value_size, value, packet->private_size);
	case AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE:
		return wt_answer_u64(value_size, value, packet->group_size);
	case AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS:
		return wt_answer_u64(value_size, value, packet->kernarg_address);
	case AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS:
		return wt_answer_u64(value_size, value, packet->kernel_object);
	case AMD_DBGAPI_DISPATCH_INFO_KERNEL_COMPLETION_ADDRESS:
		return wt_answer_u64(value_size, value, packet->completion_signal);
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t amd_dbgapi_dispatch_get_info(amd_dbgapi_dispatch_id_t dispatch_id,
						 amd_dbgapi_dispatch_info_t query,
						 size_t value_size, void *value)
{
	const struct wt_api_dispatch *dispatch;
	const struct wt_api_agent *agent;
	struct packet packet;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	dispatch = wt_find(WT_OBJECT_DISPATCH, dispatch_id.handle);
	if (!dispatch)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_DISPATCH_ID;
	agent = dispatch->queue->agent;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_DISPATCH_INFO_QUEUE:
		return wt_answer_u64(value_size, value, dispatch->queue->entry.handle);
	case AMD_DBGAPI_DISPATCH_INFO_AGENT:
		return wt_answer_u64(value_size, value, agent->entry.handle);
	case AMD_DBGAPI_DISPATCH_INFO_PROCESS:
		return wt_answer_u64(value_size, value, dispatch->entry.process->entry.handle);
	case AMD_DBGAPI_DISPATCH_INFO_ARCHITECTURE:
		return wt_answer_u64(value_size, value, agent->device->architecture->id);
	case AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID:
		return wt_answer_u64(value_size, value, dispatch->device->packet_id);
	case AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS:
		return wt_answer_u64(value_size, value, dispatch->device->kernel_entry);
	default:
		parse_packet(dispatch->device->packet, &packet);
		return packet_info(&packet, query, value_size, value);
	}
}

amd_dbgapi_status_t amd_dbgapi_process_workgroup_list(amd_dbgapi_process_id_t process_id,
						      size_t *workgroup_count,
						      amd_dbgapi_workgroup_id_t **workgroups,
						      amd_dbgapi_changed_t *changed)
{
	return wt_list(WT_OBJECT_WORKGROUP, process_id, workgroup_count, workgroups, changed);
}

amd_dbgapi_status_t amd_dbgapi_workgroup_get_info(amd_dbgapi_workgroup_id_t workgroup_id,
						  amd_dbgapi_workgroup_info_t query,
						  size_t value_size, void *value)
{
	const struct wt_api_workgroup *workgroup;
	const struct wt_api_queue *queue;

	if (!wt_provider.client.initialized)
		return AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
	workgroup = wt_find(WT_OBJECT_WORKGROUP, workgroup_id.handle);
	if (!workgroup)
		return AMD_DBGAPI_STATUS_ERROR_INVALID_WORKGROUP_ID;
	queue = workgroup->dispatch->queue;
	switch ((uint32_t)query) {
	case AMD_DBGAPI_WORKGROUP_INFO_DISPATCH:
		return wt_answer_u64(value_size, value,
				     workgroup->dispatch->device->unknown
					     ? AMD_DBGAPI_DISPATCH_NONE.handle
					     : workgroup->dispatch->entry.handle);
	case AMD_DBGAPI_WORKGROUP_INFO_QUEUE:
		return wt_answer_u64(value_size, value, queue->entry.handle);
	case AMD_DBGAPI_WORKGROUP_INFO_AGENT:
		return wt_answer_u64(value_size, value, queue->agent->entry.handle);
	case AMD_DBGAPI_WORKGROUP_INFO_PROCESS:
		return wt_answer_u64(value_size, value, workgroup->entry.process->entry.handle);
	case AMD_DBGAPI_WORKGROUP_INFO_ARCHITECTURE:
		return wt_answer_u64(value_size, value, queue->agent->device->architecture->id);
	case AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD:
		if (workgroup->dispatch->device->unknown)
			return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
		return wt_answer(value_size, value, workgroup->device->coordinates,
				 sizeof(workgroup->device->coordinates));
	case AMD_DBGAPI_WORKGROUP_INFO_CLUSTER:
	case AMD_DBGAPI_WORKGROUP_INFO_WORKGROUP_COORD_IN_CLUSTER:
		/* No architecture that can be simulated has clusters. */
		return AMD_DBGAPI_STATUS_ERROR_NOT_AVAILABLE;
	default:
		return AMD_DBGAPI_STATUS_ERROR_INVALID_ARGUMENT;
	}
}

amd_dbgapi_status_t amd_dbgapi_cluster_get_info(amd_dbgapi_cluster_id_t cluster_id,
						amd_dbgapi_cluster_info_t query, size_t value_size,
						void *value)
{
	(void)cluster_id;
	(void)query;
	(void)value_size;
	(void)value;
	return wt_provider.client.initialized ? AMD_DBGAPI_STATUS_ERROR_INVALID_CLUSTER_ID
					      : AMD_DBGAPI_STATUS_ERROR_NOT_INITIALIZED;
}
