/* SPDX-License-Identifier: MIT */
/* A queue's structure, ring and packets in memory, and the slots for what runs on it. */

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "device/code-object/metadata.h"
#include "device/machine/machine.h"
#include "device/queue-structure.h"
#include "device/save-area/layout.h"
#include "device/workload/json.h"
#include "device/workload/workload.h"

/* The kernel argument segment of a dispatch: explicit arguments from the workload, and hidden ones. */

/* The values of hidden arguments. */
struct hidden_values {
	uint32_t grid[3], workgroup[3]; /* in work-items */
	uint32_t dynamic_group_bytes;
	uint64_t queue_address;		   /* of amd_queue_t */
	uint64_t local_base, private_base; /* apertures */
};

#define SEGMENT_ALIGNMENT 64

/* The number of dimensions that a runtime gives for a grid: without trailing ones of size 1. */
static uint32_t grid_dimensions(const uint32_t grid[3])
{
	return grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
}

/*
 * The size of the segment in bytes: the kernel's, rounded up so that wide loads of the last arguments succeed.
 */
static uint64_t arguments_size(const struct wt_kernel_metadata *kernel)
{
	uint64_t size = kernel->kernarg_size ? kernel->kernarg_size : 1;

	return (size + SEGMENT_ALIGNMENT - 1) / SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT;
}

/* The low bytes of a number, as many as the argument has. */
static void argument_number_store(const struct wt_kernel_argument *argument, uint64_t value,
				  uint8_t *data)
{
	size_t size = argument->size < sizeof(value) ? argument->size : sizeof(value);

	value = htole64(value);
	memcpy(data + argument->offset, &value, size);
}

/* Which argument of the kernel is meant: "n", by_value, 4 bytes. */
static void kernel_argument_describe(const struct wt_kernel_argument *argument, char *text,
				     size_t size)
{
	snprintf(text, size, "%s%s%s%s, %u bytes", argument->name ? "\"" : "",
		 argument->name ? argument->name : "", argument->name ? "\", " : "", argument->kind,
		 argument->size);
}

static struct wt_error *check_kind(const struct wt_place *place,
				   const struct wt_kernel_metadata *kernel,
				   const struct wt_kernel_argument *expected,
				   const struct wt_workload_argument *given)
{
	char wanted[256];

	kernel_argument_describe(expected, wanted, sizeof(wanted));
	if (expected->value == WT_VALUE_OTHER)
		return wt_place_error(
			WT_ERROR_UNSUPPORTED, place,
			"kernel %s takes an argument here that no workload can give (%s)",
			kernel->name, wanted);
	if (expected->value == WT_VALUE_GLOBAL_BUFFER && !given->is_buffer && !given->is_address)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a pointer here (%s), not %s; give "
				      "{\"buffer\": NAME}, or an {\"address\": NUMBER}",
				      kernel->name, wanted, given->kind);
	if (expected->value == WT_VALUE_GLOBAL_BUFFER && expected->size != sizeof(uint64_t))
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a pointer of an unknown size here (%s)",
				      kernel->name, wanted);
	if (expected->value == WT_VALUE_BY_VALUE && (given->is_buffer || given->is_address))
		return wt_place_error(WT_ERROR_INPUT, place,
				      "kernel %s takes a value here (%s), not %s", kernel->name,
				      wanted, given->is_buffer ? "a buffer" : "an address");
	if (expected->value == WT_VALUE_BY_VALUE && expected->size != given->size)
		return wt_place_error(
			WT_ERROR_INPUT, place,
			"kernel %s takes another size here (%s) than the %zu bytes of %s",
			kernel->name, wanted, given->size, given->kind);
	return NULL;
}

static struct wt_error *check_count(const struct wt_place *place,
				    const struct wt_kernel_metadata *kernel, size_t given)
{
	size_t expected = 0;

	for (size_t i = 0; i < kernel->argument_count; i++)
		expected += wt_kernel_argument_explicit(&kernel->arguments[i]);
	if (given == expected)
		return NULL;
	return wt_place_error(WT_ERROR_INPUT, place, "%zu arguments; kernel %s takes %zu", given,
			      kernel->name, expected);
}

/* The component of an argument that exists for x, y and z. */
static size_t axis(const struct wt_kernel_argument *argument, enum wt_kernel_value first)
{
	return (size_t)(argument->value - first);
}

static uint64_t hidden_value(const struct wt_kernel_argument *argument,
			     const struct hidden_values *hidden)
{
	size_t d;

	switch (argument->value) {
	case WT_VALUE_HIDDEN_BLOCK_COUNT_X:
	case WT_VALUE_HIDDEN_BLOCK_COUNT_Y:
	case WT_VALUE_HIDDEN_BLOCK_COUNT_Z:
		d = axis(argument, WT_VALUE_HIDDEN_BLOCK_COUNT_X);
		return hidden->grid[d] / hidden->workgroup[d];
	case WT_VALUE_HIDDEN_GROUP_SIZE_X:
	case WT_VALUE_HIDDEN_GROUP_SIZE_Y:
	case WT_VALUE_HIDDEN_GROUP_SIZE_Z:
		return hidden->workgroup[axis(argument, WT_VALUE_HIDDEN_GROUP_SIZE_X)];
	case WT_VALUE_HIDDEN_REMAINDER_X:
	case WT_VALUE_HIDDEN_REMAINDER_Y:
	case WT_VALUE_HIDDEN_REMAINDER_Z:
		d = axis(argument, WT_VALUE_HIDDEN_REMAINDER_X);
		return hidden->grid[d] % hidden->workgroup[d];
	case WT_VALUE_HIDDEN_GRID_DIMS:
		return grid_dimensions(hidden->grid);
	case WT_VALUE_HIDDEN_DYNAMIC_LDS_SIZE:
		return hidden->dynamic_group_bytes;
	case WT_VALUE_HIDDEN_PRIVATE_BASE: /* the upper halves of the apertures */
		return hidden->private_base >> 32;
	case WT_VALUE_HIDDEN_SHARED_BASE:
		return hidden->local_base >> 32;
	case WT_VALUE_HIDDEN_QUEUE_PTR:
		return hidden->queue_address;
	case WT_VALUE_BY_VALUE:
	case WT_VALUE_GLOBAL_BUFFER:
	case WT_VALUE_OTHER:
	case WT_VALUE_HIDDEN_NONE:
	case WT_VALUE_HIDDEN_OTHER:
		break;
	}
	return 0;
}

static struct wt_error *store_hidden(const struct wt_place *place,
				     const struct wt_kernel_metadata *kernel,
				     const struct wt_kernel_argument *argument,
				     const struct hidden_values *hidden, uint8_t *data)
{
	if (argument->value == WT_VALUE_HIDDEN_OTHER)
		return wt_place_error(
			WT_ERROR_UNSUPPORTED, place,
			"kernel %s needs the hidden argument %s, which is not known here",
			kernel->name, argument->kind);
	argument_number_store(argument, hidden_value(argument, hidden), data);
	return NULL;
}

/*
 * Build the segment.
 *
 * @place: of the dispatch in the workload, for errors.
 * @buffer_addresses: of the workload's buffers, by index.
 * @data: arguments_size() zero bytes, which are filled in.
 *
 * Errors: too few or too many arguments, one of the wrong kind or size, and one that the kernel expects but that is not
 * supported.
 */
static struct wt_error *arguments_build(const struct wt_place *place,
					const struct wt_kernel_metadata *kernel,
					const struct wt_workload_dispatch *dispatch,
					const uint64_t *buffer_addresses,
					const struct hidden_values *hidden, uint8_t *data)
{
	const struct wt_place list = wt_place_field(place, "arguments");
	struct wt_error *error;
	size_t next = 0;

	error = check_count(&list, kernel, dispatch->argument_count);
	for (size_t i = 0; i < kernel->argument_count && !error; i++) {
		const struct wt_kernel_argument *argument = &kernel->arguments[i];
		const struct wt_workload_argument *given = &dispatch->arguments[next];
		const struct wt_place element = wt_place_element(&list, next);

		if (!wt_kernel_argument_explicit(argument)) {
			error = store_hidden(place, kernel, argument, hidden, data);
			continue;
		}
		next++;
		error = check_kind(&element, kernel, argument, given);
		if (error)
			return error;
		if (given->is_buffer)
			argument_number_store(
				argument, buffer_addresses[given->buffer] + given->offset, data);
		else
			memcpy(data + argument->offset, given->data, given->size);
	}
	return error;
}

#define PACKET_SIZE 64
#define SIGNAL_SIZE 64
#define PACKET_INVALID 1
/* Kernel dispatch, barrier bit, system scope for the acquire and for the release fence. */
#define PACKET_HEADER (2 | 1 << 8 | 2 << 9 | 2 << 11)

/* Offsets in a packet: the runtime's hsa_kernel_dispatch_packet_t. */
#define PACKET_DIMENSIONS 2
#define PACKET_WORKGROUP 4
#define PACKET_GRID 12
#define PACKET_PRIVATE_BYTES 24
#define PACKET_GROUP_BYTES 28
#define PACKET_KERNEL_OBJECT 32
#define PACKET_ARGUMENTS 40
#define PACKET_SIGNAL 56

/* Offsets in a signal. */
#define SIGNAL_KIND 0
#define SIGNAL_VALUE 8
#define SIGNAL_KIND_USER 1

/* A queue with private memory has no more waves: a save area has no more numbers for them. */
#define SCRATCH_WAVES 512u

/* From a dispatch of the workload to a kernel with its arguments. */

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
	struct hidden_values hidden = {
		.dynamic_group_bytes = dispatch->dynamic_group_bytes,
		.queue_address = queue->structure_address,
		.local_base = queue->agent->agent.local_base,
		.private_base = queue->agent->agent.private_base,
	};
	struct wt_error *error;
	uint8_t *data;

	memcpy(hidden.grid, dispatch->grid, sizeof(hidden.grid));
	memcpy(hidden.workgroup, dispatch->workgroup, sizeof(hidden.workgroup));
	error = wt_memory_allocate(&machine->memory, WT_MEMORY_ARGUMENTS, arguments_size(kernel),
				   WT_MEMORY_READ | WT_MEMORY_WRITE, &plan->task.arguments_address,
				   &data);
	if (error)
		return error;
	return arguments_build(place, kernel, dispatch, machine->buffer_addresses, &hidden, data);
}

/* Plan dispatch @index of the workload for @queue. Does not set plan_ret->signal_address. */
static struct wt_error *plan_init(struct wt_machine *machine, const struct wt_queue *queue,
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

static void little_endian_put(uint8_t *to, size_t size, uint64_t value)
{
	value = htole64(value);
	memcpy(to, &value, size);
}

/* A field of the queue's structure, where program and debugger read it. */
static void queue_field_put(const struct wt_queue *queue, uint64_t offset, size_t size,
			    uint64_t value)
{
	uint8_t bytes[8];

	little_endian_put(bytes, size, value);
	wt_memory_poke(&queue->machine->memory, queue->structure_address + offset, bytes, size);
}

static uint64_t packet_address(const struct wt_queue *queue, uint64_t packet_id)
{
	uint64_t count = queue->queue.ring_size / PACKET_SIZE;

	return queue->queue.ring_address + packet_id % count * PACKET_SIZE;
}

static void build_packet(const struct wt_plan *plan, uint8_t packet_ret[PACKET_SIZE])
{
	const struct wt_task *task = &plan->task;

	memset(packet_ret, 0, PACKET_SIZE);
	little_endian_put(packet_ret, 2, PACKET_HEADER);
	little_endian_put(packet_ret + PACKET_DIMENSIONS, 2, grid_dimensions(task->grid));
	for (size_t d = 0; d < 3; d++) {
		little_endian_put(packet_ret + PACKET_WORKGROUP + 2 * d, 2, task->workgroup[d]);
		little_endian_put(packet_ret + PACKET_GRID + 4 * d, 4, task->grid[d]);
	}
	little_endian_put(packet_ret + PACKET_PRIVATE_BYTES, 4, task->private_bytes);
	little_endian_put(packet_ret + PACKET_GROUP_BYTES, 4, task->group_bytes);
	little_endian_put(packet_ret + PACKET_KERNEL_OBJECT, 8, plan->kernel->descriptor_address);
	little_endian_put(packet_ret + PACKET_ARGUMENTS, 8, task->arguments_address);
	little_endian_put(packet_ret + PACKET_SIGNAL, 8, plan->signal_address);
}

/* The program dispatches a kernel while its code object is loaded and it does not stand at its breakpoint. */
static bool may_dispatch(const struct wt_queue *queue, uint64_t packet_id)
{
	const struct wt_machine *machine = queue->machine;
	size_t code_object = queue->plans[packet_id].code_object;

	return !machine->program.stopped && machine->code_objects[code_object]->object.loaded;
}

void wt_queue_produce(struct wt_queue *queue)
{
	uint64_t count = queue->queue.ring_size / PACKET_SIZE;
	uint8_t packet[PACKET_SIZE];

	while (queue->queue.write_packet_id < queue->plan_count &&
	       queue->queue.write_packet_id - queue->queue.read_packet_id < count &&
	       may_dispatch(queue, queue->queue.write_packet_id)) {
		build_packet(&queue->plans[queue->queue.write_packet_id], packet);
		wt_memory_poke(&queue->machine->memory,
			       packet_address(queue, queue->queue.write_packet_id), packet,
			       sizeof(packet));
		queue->queue.write_packet_id++;
	}
	queue_field_put(queue, WT_QUEUE_STRUCTURE_WRITE_ID, 8, queue->queue.write_packet_id);
}

/* Mark the packet at the read index as done and increment the index. */
static void queue_consume(struct wt_queue *queue)
{
	uint8_t header[2];

	little_endian_put(header, 2, PACKET_INVALID);
	wt_memory_poke(&queue->machine->memory, packet_address(queue, queue->queue.read_packet_id),
		       header, sizeof(header));
	queue->queue.read_packet_id++;
	queue_field_put(queue, WT_QUEUE_STRUCTURE_READ_ID, 8, queue->queue.read_packet_id);
}

void wt_queue_drop(struct wt_queue *queue)
{
	while (queue->queue.read_packet_id < queue->queue.write_packet_id)
		queue_consume(queue);
	for (size_t i = 0; i < queue->plan_count; i++)
		queue->machine->program.completed[queue->plans[i].dispatch] = true;
	queue->plan_count = queue->queue.write_packet_id;
}

/* The packet at the read index is that of a plan: all have the barrier bit, so that one follows the other. */
static bool queue_packet_begin(struct wt_queue *queue)
{
	uint64_t packet_id = queue->queue.read_packet_id;

	if (packet_id == queue->queue.write_packet_id)
		return false;
	queue->task = &queue->plans[packet_id].task;
	queue->dispatch = (struct wt_device_dispatch){
		.packet_id = packet_id,
		.packet_address = packet_address(queue, packet_id),
	};
	wt_memory_peek(&queue->machine->memory, queue->dispatch.packet_address,
		       queue->dispatch.packet, sizeof(queue->dispatch.packet));
	return true;
}

/* The program's side of a dispatch that ran to its end. */
static void queue_dispatch_complete(struct wt_queue *queue)
{
	const struct wt_plan *plan = &queue->plans[queue->queue.read_packet_id];
	uint64_t address = plan->signal_address + SIGNAL_VALUE, value;

	if (wt_memory_peek(&queue->machine->memory, address, &value, sizeof(value)) ==
	    sizeof(value)) {
		value = htole64(le64toh(value) - 1);
		wt_memory_poke(&queue->machine->memory, address, &value, sizeof(value));
	}
	queue->machine->program.completed[plan->dispatch] = true;
	wt_program_free(queue->machine, plan->dispatch);
	queue_consume(queue);
	wt_queue_produce(queue);
}

static bool queue_is_empty(const struct wt_queue *queue)
{
	return queue->queue.read_packet_id == queue->queue.write_packet_id;
}

/* ---- Private memory ---- */

static void put_scratch(const struct wt_queue *queue, uint64_t waves)
{
	const struct wt_save_area_layout *layout =
		wt_save_area_layout_find(queue->agent->agent.architecture);

	queue_field_put(queue, WT_QUEUE_STRUCTURE_TMPRING_SIZE, 4,
			wt_tmpring_make(layout, waves, queue->scratch_wave));
	queue_field_put(queue, WT_QUEUE_STRUCTURE_SCRATCH_BASE, 8, queue->scratch_address);
	queue_field_put(queue, WT_QUEUE_STRUCTURE_SCRATCH_SIZE, 8, queue->scratch_size);
}

/* Another range behind the first, for as many workgroups as waves have numbers; a wave's number follows from its address. */
static void make_more_scratch(struct wt_queue *queue)
{
	uint64_t wave = queue->scratch_wave, group = queue->scratch_group, address, first;
	uint64_t most = SCRATCH_WAVES * wave;
	wt_cleanup_error struct wt_error *error = NULL;

	error = wt_memory_allocate(&queue->machine->memory, WT_MEMORY_SCRATCH, most,
				   WT_MEMORY_READ | WT_MEMORY_WRITE, &address, NULL);
	if (error)
		return;
	first = (address - queue->scratch_address + wave - 1) / wave * wave;
	if (first >= most)
		return;
	queue->more_scratch = queue->scratch_address + first;
	queue->more_groups = (size_t)((most - first) / group);
	queue->scratch_size = first + queue->more_groups * group;
	put_scratch(queue, queue->scratch_size / wave);
}

static size_t provide(struct wt_queue *queue, size_t groups)
{
	if (groups <= WT_QUEUE_GROUPS || !queue->task->private_bytes)
		return groups;
	if (!queue->more_scratch)
		make_more_scratch(queue);
	return groups < WT_QUEUE_GROUPS + queue->more_groups ? groups
							     : WT_QUEUE_GROUPS + queue->more_groups;
}

static void group_place_scratch(struct wt_queue *queue, struct wt_group *group, size_t index)
{
	uint64_t address = queue->scratch_address + index * queue->scratch_group;

	if (index >= WT_QUEUE_GROUPS)
		address = queue->more_scratch + (index - WT_QUEUE_GROUPS) * queue->scratch_group;
	if (!queue->scratch_wave || index >= WT_QUEUE_GROUPS + queue->more_groups)
		return;
	for (uint32_t i = 0; i < group->slot_count; i++) {
		struct wt_wave *wave = &group->waves[i];

		wave->scratch_address = address + i * queue->scratch_wave;
		wave->scratch = wt_memory_at(&queue->machine->memory, wave->scratch_address,
					     queue->scratch_wave);
	}
}

static const struct wt_queue_operations operations = {
	.provide = provide,
	.place = group_place_scratch,
	.begin = queue_packet_begin,
	.complete = queue_dispatch_complete,
	.is_empty = queue_is_empty,
};

/* The queue's structure and its ring. */
static struct wt_error *map_ring(struct wt_queue *queue, uint32_t packets)
{
	struct wt_memory *memory = &queue->machine->memory;
	struct wt_error *error;

	queue->queue.ring_size = (uint64_t)packets * PACKET_SIZE;
	error = wt_memory_allocate(memory, WT_MEMORY_QUEUES, WT_QUEUE_STRUCTURE_BYTES,
				   WT_MEMORY_READ | WT_MEMORY_WRITE, &queue->structure_address,
				   NULL);
	if (!error)
		error = wt_memory_allocate(memory, WT_MEMORY_QUEUES, queue->queue.ring_size,
					   WT_MEMORY_READ | WT_MEMORY_WRITE,
					   &queue->queue.ring_address, NULL);
	if (error)
		return error;
	queue_field_put(queue, WT_QUEUE_STRUCTURE_RING, 8, queue->queue.ring_address);
	queue_field_put(queue, WT_QUEUE_STRUCTURE_PACKETS, 4, packets);
	queue_field_put(queue, WT_QUEUE_STRUCTURE_ID, 8, queue->queue.os_id);
	queue_field_put(queue, WT_QUEUE_STRUCTURE_LOCAL_BASE_HIGH, 4,
			queue->agent->agent.local_base >> 32);
	queue_field_put(queue, WT_QUEUE_STRUCTURE_PRIVATE_BASE_HIGH, 4,
			queue->agent->agent.private_base >> 32);
	return NULL;
}

/* Signals of all the queue's dispatches, one behind the other, each at 1. */
static struct wt_error *map_signals(struct wt_queue *queue)
{
	struct wt_error *error;
	uint64_t address;
	uint8_t *data;

	if (!queue->plan_count)
		return NULL;
	error = wt_memory_allocate(&queue->machine->memory, WT_MEMORY_QUEUES,
				   queue->plan_count * SIGNAL_SIZE,
				   WT_MEMORY_READ | WT_MEMORY_WRITE, &address, &data);
	for (size_t i = 0; i < queue->plan_count && !error; i++) {
		queue->plans[i].signal_address = address + i * SIGNAL_SIZE;
		little_endian_put(data + i * SIGNAL_SIZE + SIGNAL_KIND, 8, SIGNAL_KIND_USER);
		little_endian_put(data + i * SIGNAL_SIZE + SIGNAL_VALUE, 8, 1);
	}
	return error;
}

static struct wt_error *make_plans(struct wt_queue *queue)
{
	struct wt_machine *machine = queue->machine;
	const struct wt_workload *workload = machine->workload;
	struct wt_error *error = NULL;
	size_t count = 0;

	for (size_t i = 0; i < workload->dispatch_count; i++)
		count += workload->dispatches[i].queue == queue->queue.number;
	queue->plans = calloc(count ? count : 1, sizeof(*queue->plans));
	if (!queue->plans)
		return &wt_error_no_memory;
	for (size_t i = 0; i < workload->dispatch_count && !error; i++)
		if (workload->dispatches[i].queue == queue->queue.number)
			error = plan_init(machine, queue, i, &queue->plans[queue->plan_count++]);
	return error;
}

static struct wt_error *reserve_slots(struct wt_queue *queue, uint32_t *waves_ret,
				      uint32_t *private_bytes_ret)
{
	for (size_t i = 0; i < queue->plan_count; i++) {
		const struct wt_task *task = &queue->plans[i].task;
		uint32_t waves = wt_task_waves(task);

		if (!wt_queue_reserve(queue, task, WT_QUEUE_GROUPS))
			return &wt_error_no_memory;
		*waves_ret = waves > *waves_ret ? waves : *waves_ret;
		if (task->private_bytes > *private_bytes_ret)
			*private_bytes_ret = task->private_bytes;
	}
	return NULL;
}

/* Slots for workgroups and waves of all dispatches, with one range of private memory for all. */
static struct wt_error *make_slots(struct wt_queue *queue)
{
	uint32_t waves = 0, private_bytes = 0;
	struct wt_error *error = reserve_slots(queue, &waves, &private_bytes);

	queue->scratch_wave = ((uint64_t)private_bytes * WT_WAVE_LANES + 1023) / 1024 * 1024;
	queue->scratch_group = waves * queue->scratch_wave;
	queue->scratch_size = WT_QUEUE_GROUPS * queue->scratch_group;
	if (!error && queue->scratch_size)
		error = wt_memory_allocate(&queue->machine->memory, WT_MEMORY_SCRATCH,
					   queue->scratch_size, WT_MEMORY_READ | WT_MEMORY_WRITE,
					   &queue->scratch_address, NULL);
	if (error)
		return error;
	for (size_t i = 0; i < queue->group_count; i++)
		group_place_scratch(queue, queue->groups[i], i);
	put_scratch(queue, WT_QUEUE_GROUPS * waves);
	return NULL;
}

struct wt_error *wt_queue_init(struct wt_machine *machine, size_t index)
{
	const struct wt_workload_queue *description = &machine->workload->queues[index];
	struct wt_queue *queue = machine->queues[index];
	struct wt_error *error;

	queue->machine = machine;
	queue->operations = &operations;
	queue->agent = &machine->agents[description->agent];
	queue->queue.number = (uint32_t)index;
	queue->queue.agent = &queue->agent->agent;
	queue->queue.os_id = index + 1;
	queue->queue.type = WT_QUEUE_AQL;
	error = map_ring(queue, description->packets);
	if (!error)
		error = make_plans(queue);
	if (!error)
		error = map_signals(queue);
	if (!error)
		error = make_slots(queue);
	if (!error)
		wt_queue_produce(queue);
	return error;
}

void wt_queue_deinit(struct wt_queue *queue)
{
	wt_queue_free_slots(queue);
	free(queue->plans);
}
