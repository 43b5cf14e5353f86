/* SPDX-License-Identifier: MIT */
/* From a dispatch of the workload to a kernel with its arguments. */
#include <string.h>

#include "base/buffer.h"
#include "device/machine/kernel-arguments.h"
#include "device/workload/json.h"
#include "device/machine/machine.h"

/* A kernel with calls of unknown depth gets so much on top of what it says it needs. */
#define DYNAMIC_STACK_BYTES 16384
/* A queue's field for a wave's private memory counts up to 8191 KiB. */
#define MAX_PRIVATE_BYTES (8191u * 1024 / WT_WAVE_LANES)

/* The kernels there are, for a message; at most @limit of them. */
static void list_kernels(const struct wt_machine *machine, size_t limit, struct wt_buffer *text)
{
	const char *separator = "";
	size_t count = 0;

	for (size_t i = 0; i < machine->code_object_count; i++) {
		const struct wt_metadata *metadata = &machine->code_objects[i]->metadata;

		for (size_t k = 0; k < metadata->kernel_count && count < limit; k++, count++) {
			wt_buffer_append_text(text, separator);
			wt_buffer_append_text(text, metadata->kernels[k].name);
			separator = ", ";
		}
	}
	if (count == limit)
		wt_buffer_append(text, ", ...", 5);
	wt_buffer_append(text, count ? "" : "none", count ? 1 : 5);
}

static struct wt_error *plan_kernel_find(const struct wt_machine *machine,
					 const struct wt_queue *queue, const struct wt_place *place,
					 const char *name, const struct wt_kernel **kernel_ret,
					 size_t *code_object_ret)
{
	const struct wt_code_object *found = NULL;
	wt_cleanup_buffer struct wt_buffer names = {0};
	const struct wt_kernel *kernel;

	for (size_t i = 0; i < machine->code_object_count; i++) {
		const struct wt_code_object *object = machine->code_objects[i];

		kernel = wt_code_object_kernel(object, name);
		if (!kernel || object->architecture != queue->agent->agent.architecture)
			continue;
		if (found)
			return wt_place_error(WT_ERROR_INPUT, place,
					      "both %s and %s have a kernel \"%s\"; rename one",
					      found->path, object->path, name);
		found = object;
		*kernel_ret = kernel;
		*code_object_ret = i;
	}
	if (found)
		return NULL;
	list_kernels(machine, 16, &names);
	if (names.failed)
		return &wt_error_no_memory;
	return wt_place_error(WT_ERROR_NOT_FOUND, place,
			      "the code objects have no kernel \"%s\" for %s; they have: %s", name,
			      queue->agent->agent.architecture->name, (const char *)names.data);
}

/* A code object waits for a dispatch: that one and those before it must not need the code object. */
static struct wt_error *plan_code_object_check(const struct wt_machine *machine,
					       const struct wt_place *place,
					       const struct wt_plan *plan)
{
	const struct wt_workload_code_object *object =
		&machine->workload->code_objects[plan->code_object];

	if (!object->has_load_after || plan->dispatch > object->load_after)
		return NULL;
	return wt_place_error(WT_ERROR_INPUT, place,
			      "\"%s\" is of a code object that is loaded after dispatch %zu; only "
			      "later ones can use it",
			      plan->kernel->metadata->name, object->load_after);
}

static struct wt_error *check_workgroup(const struct wt_place *parent,
					const struct wt_kernel_metadata *kernel,
					const struct wt_workload_dispatch *dispatch)
{
	const struct wt_place place = wt_place_field(parent, "workgroup");
	const uint32_t *group = dispatch->workgroup, *required = kernel->required_workgroup;
	uint32_t size = group[0] * group[1] * group[2];

	if (kernel->max_workgroup_size && size > kernel->max_workgroup_size)
		return wt_place_error(
			WT_ERROR_INPUT, &place,
			"%u x %u x %u work-items; kernel %s was compiled for at most %u", group[0],
			group[1], group[2], kernel->name, kernel->max_workgroup_size);
	if (required[0] && memcmp(group, required, 3 * sizeof(*group)) != 0)
		return wt_place_error(
			WT_ERROR_INPUT, &place,
			"%u x %u x %u work-items; kernel %s was compiled for %u x %u x %u",
			group[0], group[1], group[2], kernel->name, required[0], required[1],
			required[2]);
	for (size_t d = 0; d < 3 && kernel->uniform_workgroups; d++)
		if (dispatch->grid[d] % group[d])
			return wt_place_error(
				WT_ERROR_INPUT, &place,
				"the grid's %u work-items are no multiple of %u, and kernel "
				"%s was compiled for complete workgroups only",
				dispatch->grid[d], group[d], kernel->name);
	return NULL;
}

static struct wt_error *plan_memory(const struct wt_queue *queue, const struct wt_place *parent,
				    const struct wt_kernel *kernel,
				    const struct wt_workload_dispatch *dispatch,
				    struct wt_plan *plan)
{
	const struct wt_place place = wt_place_field(
		parent, dispatch->dynamic_group_bytes ? "dynamic_group_bytes" : "kernel");
	uint64_t group_bytes =
		(uint64_t)kernel->descriptor.group_segment_size + dispatch->dynamic_group_bytes;
	uint64_t private_bytes = kernel->descriptor.private_segment_size;
	uint32_t most = queue->agent->agent.architecture->unit.local_bytes;

	if (group_bytes > most)
		return wt_place_error(
			WT_ERROR_LIMIT, &place,
			"kernel %s needs %u bytes of local memory and %u are added; a "
			"workgroup has at most %u",
			kernel->metadata->name, kernel->descriptor.group_segment_size,
			dispatch->dynamic_group_bytes, most);
	if (kernel->metadata->dynamic_stack)
		private_bytes += DYNAMIC_STACK_BYTES;
	if (private_bytes > MAX_PRIVATE_BYTES)
		return wt_place_error(
			WT_ERROR_LIMIT, &place,
			"kernel %s needs %llu bytes of private memory for each work-item; "
			"there are at most %u",
			kernel->metadata->name, (unsigned long long)private_bytes,
			MAX_PRIVATE_BYTES);
	plan->task.group_bytes = (uint32_t)group_bytes;
	plan->task.private_bytes = (uint32_t)((private_bytes + 3) / 4 * 4);
	return NULL;
}

static struct wt_error *plan_arguments(struct wt_machine *machine, const struct wt_queue *queue,
				       const struct wt_place *place,
				       const struct wt_workload_dispatch *dispatch,
				       struct wt_plan *plan)
{
	const struct wt_kernel_metadata *kernel = plan->kernel->metadata;
	struct wt_hidden_values hidden = {
		.dynamic_group_bytes = dispatch->dynamic_group_bytes,
		.queue_address = queue->structure_address,
		.local_base = queue->agent->agent.local_base,
		.private_base = queue->agent->agent.private_base,
	};
	struct wt_error *error;
	uint8_t *data;

	memcpy(hidden.grid, dispatch->grid, sizeof(hidden.grid));
	memcpy(hidden.workgroup, dispatch->workgroup, sizeof(hidden.workgroup));
	error = wt_memory_allocate(&machine->memory, WT_MEMORY_ARGUMENTS, wt_arguments_size(kernel),
				   WT_MEMORY_READ | WT_MEMORY_WRITE, &plan->task.arguments_address,
				   &data);
	if (error)
		return error;
	return wt_arguments_build(place, kernel, dispatch, machine->buffer_addresses, &hidden,
				  data);
}

struct wt_error *wt_plan_init(struct wt_machine *machine, const struct wt_queue *queue,
			      size_t index, struct wt_plan *plan_ret)
{
	const struct wt_place list = wt_place_field(NULL, "dispatches");
	const struct wt_place place = wt_place_element(&list, index);
	const struct wt_place kernel_place = wt_place_field(&place, "kernel");
	const struct wt_workload_dispatch *dispatch = &machine->workload->dispatches[index];
	struct wt_error *error;

	plan_ret->dispatch = index;
	error = plan_kernel_find(machine, queue, &kernel_place, dispatch->kernel, &plan_ret->kernel,
				 &plan_ret->code_object);
	if (!error)
		error = plan_code_object_check(machine, &kernel_place, plan_ret);
	if (!error)
		error = check_workgroup(&place, plan_ret->kernel->metadata, dispatch);
	if (!error)
		error = plan_memory(queue, &place, plan_ret->kernel, dispatch, plan_ret);
	if (!error)
		error = plan_arguments(machine, queue, &place, dispatch, plan_ret);
	if (error)
		return wt_error_prefix(error, machine->workload->path);
	memcpy(plan_ret->task.grid, dispatch->grid, sizeof(plan_ret->task.grid));
	memcpy(plan_ret->task.workgroup, dispatch->workgroup, sizeof(plan_ret->task.workgroup));
	plan_ret->task.descriptor = plan_ret->kernel->descriptor;
	plan_ret->task.entry = plan_ret->kernel->entry;
	plan_ret->task.name = plan_ret->kernel->metadata->name;
	gfx_kernel_descriptor_resources(queue->agent->agent.architecture,
					&plan_ret->task.descriptor, &plan_ret->task.resources);
	return NULL;
}
