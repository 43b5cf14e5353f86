/* SPDX-License-Identifier: MIT */
#include "replayer/view/kernel-launch.h"

/* They are recorded in 16 bits each. */
static bool read_group_sizes(const struct wt_view *view, uint64_t handle, uint32_t sizes[3])
{
	const uint8_t *data;
	size_t size;

	if (wt_view_answer(view, WT_OBJECT_DISPATCH, handle,
			   AMD_DBGAPI_DISPATCH_INFO_WORKGROUP_SIZES, &data,
			   &size) != AMD_DBGAPI_STATUS_SUCCESS ||
	    size != 3 * sizeof(uint16_t))
		return false;
	for (uint32_t i = 0; i < 3; i++)
		sizes[i] = data[2 * i] | (uint32_t)data[2 * i + 1] << 8;
	return sizes[0] && sizes[1] && sizes[2];
}

void wt_view_dispatch(const struct wt_view *view, uint64_t handle,
		      struct wt_view_dispatch *dispatch_ret)
{
	struct wt_view_dispatch dispatch = {.number = handle};
	uint64_t unused;

	wt_dispatch_answers(view, handle, &dispatch.facts);
	dispatch.has_local = wt_view_number(view, WT_OBJECT_DISPATCH, handle,
					    AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE, &unused);
	dispatch.has_private =
		wt_view_number(view, WT_OBJECT_DISPATCH, handle,
			       AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE, &unused);
	dispatch.has_sizes = read_group_sizes(view, handle, dispatch.workgroup) &&
			     wt_view_array(view, WT_OBJECT_DISPATCH, handle,
					   AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES, dispatch.grid, 3);
	*dispatch_ret = dispatch;
}

void wt_view_agent(struct wt_view *view, uint64_t handle, struct wavetape_agent *agent_ret)
{
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_AGENT, handle);
	struct wavetape_agent agent = {.number = handle};

	wt_agent_answers(view, handle, &agent);
	agent.architecture = architecture ? architecture->name : NULL;
	*agent_ret = agent;
}

/* Offsets of the fields of a dispatch packet (HSA specification, "AQL kernel dispatch packet"). */
enum packet_offset {
	AT_WORKGROUP = 4,
	AT_GRID = 12,
	AT_PRIVATE_SIZE = 24,
	AT_LOCAL_SIZE = 28,
	AT_KERNEL = 32,
	AT_ARGUMENTS = 40,
};

static void packet_put(struct wt_view_packet *packet, uint32_t at, uint64_t value, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		packet->bytes[at + i] = (uint8_t)(value >> 8 * i);
	packet->known |= ((UINT64_C(1) << size) - 1) << at;
}

static void put_answer(const struct wt_view *view, uint64_t handle, uint32_t query,
		       struct wt_view_packet *packet, uint32_t at, uint32_t size)
{
	uint64_t value;

	if (wt_view_number(view, WT_OBJECT_DISPATCH, handle, query, &value))
		packet_put(packet, at, value, size);
}

static void put_fields(const struct wt_view *view, uint64_t handle,
		       const struct wt_view_dispatch *dispatch, struct wt_view_packet *packet)
{
	for (uint32_t i = 0; i < 3 && dispatch->has_sizes; i++) {
		packet_put(packet, AT_WORKGROUP + 2 * i, dispatch->workgroup[i], 2);
		packet_put(packet, AT_GRID + 4 * i, dispatch->grid[i], 4);
	}
	put_answer(view, handle, AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE, packet,
		   AT_PRIVATE_SIZE, 4);
	put_answer(view, handle, AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE, packet, AT_LOCAL_SIZE,
		   4);
	put_answer(view, handle, AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, packet,
		   AT_KERNEL, 8);
	put_answer(view, handle, AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS, packet,
		   AT_ARGUMENTS, 8);
}

uint64_t wt_view_packet(const struct wt_view *view, uint64_t handle,
			struct wt_view_packet *packet_ret)
{
	struct wt_view_packet packet = {.known = 0};
	struct wt_view_dispatch dispatch;
	uint64_t ring, size;

	wt_view_dispatch(view, handle, &dispatch);
	*packet_ret = packet;
	if (!dispatch.has_packet ||
	    !wt_view_number(view, WT_OBJECT_QUEUE, dispatch.queue, AMD_DBGAPI_QUEUE_INFO_ADDRESS,
			    &ring) ||
	    !wt_view_number(view, WT_OBJECT_QUEUE, dispatch.queue, AMD_DBGAPI_QUEUE_INFO_SIZE,
			    &size) ||
	    !ring || size < GFX_PACKET_SIZE)
		return 0;
	put_fields(view, handle, &dispatch, &packet);
	*packet_ret = packet;
	return ring + dispatch.packet % (size / GFX_PACKET_SIZE) * GFX_PACKET_SIZE;
}

bool wt_view_packet_read(const struct wt_view_packet *packet, uint64_t packet_address,
			 uint64_t address, void *data, size_t size)
{
	uint64_t offset = address - packet_address;

	if (!packet_address || address < packet_address || offset >= GFX_PACKET_SIZE ||
	    size > GFX_PACKET_SIZE - offset)
		return false;
	for (size_t i = 0; i < size; i++)
		if (!(packet->known >> (offset + i) & 1))
			return false;
	memcpy(data, packet->bytes + offset, size);
	return true;
}

const char *wt_view_packet_field(uint64_t offset)
{
	if (offset >= AT_WORKGROUP && offset < AT_WORKGROUP + 6)
		return "the workgroup size";
	if (offset >= AT_GRID && offset < AT_PRIVATE_SIZE)
		return "the grid size";
	if (offset >= AT_LOCAL_SIZE && offset < AT_KERNEL)
		return "the size of local memory";
	if (offset >= AT_KERNEL && offset < AT_ARGUMENTS)
		return "the address of the kernel";
	return "a field";
}
