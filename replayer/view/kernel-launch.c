/* SPDX-License-Identifier: MIT */
#include "replayer/view/kernel-launch.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "replayer/dwarf/frame.h"

#define LAUNCH_UNKNOWN WT_DWARF_UNKNOWN "its place in the grid was not recorded"

struct wt_view_kernel wt_view_kernel(const struct wt_view *view, uint64_t dispatch)
{
	return (struct wt_view_kernel){
		wt_view_number_or(view, WT_OBJECT_DISPATCH, dispatch,
				  AMD_DBGAPI_DISPATCH_INFO_KERNEL_DESCRIPTOR_ADDRESS, 0),
		wt_view_number_or(view, WT_OBJECT_DISPATCH, dispatch,
				  AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 0)};
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

/* A wave of a dispatch whose sizes are known, and where its workgroup is in the grid. */
static bool launch_find_workgroup(const struct wt_view *view, uint64_t wave,
				  struct wt_view_dispatch *dispatch_ret, uint32_t workgroup_ret[3])
{
	wt_view_dispatch(
		view,
		wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0),
		dispatch_ret);
	return dispatch_ret->has_sizes &&
	       wt_view_array(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
			     workgroup_ret, 3);
}

/* A recording in which the workgroup is outside of the grid says nothing. */
static bool launch_count_items(const struct wt_view_dispatch *dispatch, const uint32_t workgroup[3],
			       uint32_t items_ret[3])
{
	for (int i = 0; i < 3; i++) {
		uint64_t before = (uint64_t)workgroup[i] * dispatch->workgroup[i];

		if (before >= dispatch->grid[i])
			return false;
		items_ret[i] = dispatch->grid[i] - (uint32_t)before;
		if (items_ret[i] > dispatch->workgroup[i])
			items_ret[i] = dispatch->workgroup[i];
	}
	return true;
}

bool wt_view_group_items(const struct wt_view *view, uint64_t wave, uint32_t items_ret[3])
{
	struct wt_view_dispatch dispatch;
	uint32_t workgroup[3];

	return launch_find_workgroup(view, wave, &dispatch, workgroup) &&
	       launch_count_items(&dispatch, workgroup, items_ret);
}

static uint32_t launch_count_workgroups(const struct wt_view_dispatch *dispatch, uint32_t dimension)
{
	return (dispatch->grid[dimension] - 1) / dispatch->workgroup[dimension] + 1;
}

/* False if the grid is empty, or has more of them than can be counted. */
static bool launch_count_grid(const struct wt_view_dispatch *dispatch, uint64_t *count_ret)
{
	*count_ret = 1;
	for (uint32_t i = 0; i < 3; i++)
		if (!dispatch->has_sizes || !dispatch->grid[i] ||
		    __builtin_mul_overflow(*count_ret, launch_count_workgroups(dispatch, i),
					   count_ret))
			return false;
	return true;
}

/* Numbers the workgroup of a wave among those of the grid. False if its place is not known, or outside of the grid. */
static bool launch_number_workgroup(const struct wt_view *view, uint64_t wave,
				    const struct wt_view_dispatch *dispatch, uint64_t *number_ret)
{
	uint32_t workgroup[3];

	if (!wt_view_array(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD,
			   workgroup, 3))
		return false;
	*number_ret = 0;
	for (uint32_t i = 3; i-- > 0;) {
		uint32_t count = launch_count_workgroups(dispatch, i);

		if (workgroup[i] >= count)
			return false;
		*number_ret = *number_ret * count + workgroup[i];
	}
	return true;
}

bool wt_view_count_groups(const struct wt_view *view, uint64_t handle,
			  struct wt_view_groups *groups_ret)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves), found = 0;
	wt_cleanup_free uint64_t *numbers = calloc(count + 1, sizeof(*numbers));
	struct wt_view_groups groups = {.here = 0};
	struct wt_view_dispatch dispatch;

	wt_view_dispatch(view, handle, &dispatch);
	if (!numbers || !launch_count_grid(&dispatch, &groups.all))
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t of = wt_view_number_or(view, WT_OBJECT_WAVE, waves[i],
						AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);

		if (!of || (of == handle &&
			    !launch_number_workgroup(view, waves[i], &dispatch, &numbers[found])))
			return false;
		found += of == handle;
	}
	qsort(numbers, found, sizeof(*numbers), wt_compare_u64);
	for (size_t i = 0; i < found; i++)
		groups.here += !i || numbers[i] != numbers[i - 1];
	*groups_ret = groups;
	return true;
}

/* The places of a lane and of all in a launch. */
struct launch_values {
	struct wt_view_dispatch dispatch;
	uint32_t workgroup[3], items[3];
	uint64_t number; /* of the lane in its workgroup */
};

/* Work-items are dealt to lanes by x first; a lane behind the last one has none. */
static const char *launch_thread_find(const struct launch_values *values, uint32_t dimension,
				      uint32_t *value_ret)
{
	const uint32_t *items = values->items;
	uint64_t number = values->number;

	if (number >= (uint64_t)items[0] * items[1] * items[2])
		return LAUNCH_UNKNOWN;
	for (uint32_t i = 0; i < dimension; i++)
		number /= items[i];
	*value_ret = (uint32_t)(number % items[dimension]);
	return NULL;
}

static const char *launch_workgroup_find(const struct launch_values *values, uint32_t dimension,
					 uint32_t *value_ret)
{
	*value_ret = values->workgroup[dimension];
	return NULL;
}

/* Code that was compiled for workgroups of one size has that also in the last one, other code has what is left for it. */
static const char *launch_items_find(const struct launch_values *values, uint32_t dimension,
				     uint32_t *value_ret)
{
	if (values->items[dimension] != values->dispatch.workgroup[dimension])
		return WT_DWARF_UNKNOWN "the last workgroup of the grid is smaller than others";
	*value_ret = values->items[dimension];
	return NULL;
}

static const char *launch_workgroups_find(const struct launch_values *values, uint32_t dimension,
					  uint32_t *value_ret)
{
	*value_ret = launch_count_workgroups(&values->dispatch, dimension);
	return NULL;
}

static bool launch_values_find(const struct wt_view *view, const struct wt_view_lane *lane,
			       struct launch_values *values)
{
	if (!launch_find_workgroup(view, lane->wave, &values->dispatch, values->workgroup) ||
	    !launch_count_items(&values->dispatch, values->workgroup, values->items) ||
	    !wt_view_number(view, WT_OBJECT_WAVE, lane->wave,
			    AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, &values->number))
		return false;
	values->number = (uint64_t)(uint32_t)values->number * lane->lanes + lane->lane;
	return true;
}

bool wt_view_launch_value(const struct wt_view *view, const struct wt_view_lane *lane,
			  const char *name, uint32_t dimension, uint32_t *value_ret,
			  const char **why_ret)
{
	static const struct {
		const char *name;
		const char *(*find)(const struct launch_values *values, uint32_t dimension,
				    uint32_t *value_ret);
	} names[] = {{"threadIdx", launch_thread_find},
		     {"blockIdx", launch_workgroup_find},
		     {"blockDim", launch_items_find},
		     {"gridDim", launch_workgroups_find}};
	struct launch_values values;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(name, names[i].name))
			continue;
		*why_ret = launch_values_find(view, lane, &values)
				   ? names[i].find(&values, dimension, value_ret)
				   : LAUNCH_UNKNOWN;
		return true;
	}
	return false;
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
