/* SPDX-License-Identifier: MIT */
#include "replayer/view/dispatch.h"

static uint64_t number(const struct wt_view *view, uint64_t handle, uint32_t query)
{
	return wt_view_number_or(view, WT_OBJECT_DISPATCH, handle, query, 0);
}

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
	struct wt_view_dispatch dispatch = {
		.agent = number(view, handle, AMD_DBGAPI_DISPATCH_INFO_AGENT),
		.queue = number(view, handle, AMD_DBGAPI_DISPATCH_INFO_QUEUE),
		.entry = number(view, handle, AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS),
		.descriptor =
			number(view, handle, AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS),
		.arguments = number(view, handle,
				    AMD_DBGAPI_DISPATCH_INFO_KERNEL_ARGUMENT_SEGMENT_ADDRESS),
		.completion =
			number(view, handle, AMD_DBGAPI_DISPATCH_INFO_KERNEL_COMPLETION_ADDRESS),
		.private_bytes =
			number(view, handle, AMD_DBGAPI_DISPATCH_INFO_PRIVATE_SEGMENT_SIZE),
		.local_bytes = number(view, handle, AMD_DBGAPI_DISPATCH_INFO_GROUP_SEGMENT_SIZE),
		.dimensions =
			(uint32_t)number(view, handle, AMD_DBGAPI_DISPATCH_INFO_GRID_DIMENSIONS),
	};

	dispatch.has_packet =
		wt_view_number(view, WT_OBJECT_DISPATCH, handle,
			       AMD_DBGAPI_DISPATCH_INFO_OS_QUEUE_PACKET_ID, &dispatch.packet);
	dispatch.has_sizes = read_group_sizes(view, handle, dispatch.workgroup) &&
			     wt_view_array(view, WT_OBJECT_DISPATCH, handle,
					   AMD_DBGAPI_DISPATCH_INFO_GRID_SIZES, dispatch.grid, 3);
	*dispatch_ret = dispatch;
}
