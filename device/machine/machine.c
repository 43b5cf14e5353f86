/* SPDX-License-Identifier: MIT */
/* The simulated GPU as a device: its creation and the operations of the seam. */
#include "device/machine/machine.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "device/exceptions.h"
#include "device/trap-handler.h"
#include "device/workload/json.h"

/* ---- The host side of the simulated program: it takes its turn when a round is over ---- */

#define BREAKPOINT_BYTES 64

static struct wt_device_code_object *code_object(const struct wt_machine *machine, size_t index)
{
	return &machine->code_objects[index]->object;
}

static bool has_changes(const struct wt_workload *workload)
{
	for (size_t i = 0; i < workload->code_object_count; i++)
		if (workload->code_objects[i].has_load_after ||
		    workload->code_objects[i].has_unload_after)
			return true;
	return false;
}

static struct wt_error *program_init(struct wt_machine *machine)
{
	const struct wt_workload *workload = machine->workload;
	struct wt_program *program = &machine->program;

	program->completed = calloc(workload->dispatch_count + 1, sizeof(*program->completed));
	program->unloaded = calloc(workload->code_object_count + 1, sizeof(*program->unloaded));
	if (!program->completed || !program->unloaded)
		return &wt_error_no_memory;
	for (size_t i = 0; i < workload->code_object_count; i++)
		code_object(machine, i)->loaded = !workload->code_objects[i].has_load_after;
	program->changes = has_changes(workload);
	if (!program->changes)
		return NULL;
	return wt_memory_allocate(&machine->memory, WT_MEMORY_QUEUES, BREAKPOINT_BYTES,
				  WT_MEMORY_READ, &program->breakpoint_address, NULL);
}

static void program_deinit(struct wt_machine *machine)
{
	free(machine->program.completed);
	free(machine->program.unloaded);
}

/* All dispatches of its kernels are over. */
static bool is_unused(const struct wt_machine *machine, size_t object)
{
	for (size_t q = 0; q < machine->workload->queue_count; q++) {
		const struct wt_queue *queue = machine->queues[q];

		for (size_t i = 0; i < queue->plan_count; i++)
			if (queue->plans[i].code_object == object &&
			    !machine->program.completed[queue->plans[i].dispatch])
				return false;
	}
	return true;
}

static bool is_due(const struct wt_machine *machine, size_t index)
{
	const struct wt_workload_code_object *workload = &machine->workload->code_objects[index];
	const struct wt_program *program = &machine->program;

	if (program->unloaded[index])
		return false;
	if (code_object(machine, index)->loaded)
		return workload->has_unload_after && program->completed[workload->unload_after] &&
		       is_unused(machine, index);
	return program->completed[workload->load_after];
}

/* Whether a code object is to be loaded or unloaded now. */
static bool program_is_due(const struct wt_machine *machine)
{
	for (size_t i = 0; i < machine->workload->code_object_count; i++)
		if (is_due(machine, i))
			return true;
	return false;
}

/* Load and unload those that are due, and tell the listener. */
static void machine_change_objects(struct wt_machine *machine)
{
	for (size_t i = 0; i < machine->workload->code_object_count; i++) {
		struct wt_device_code_object *object = code_object(machine, i);

		if (!is_due(machine, i))
			continue;
		machine->program.unloaded[i] = object->loaded;
		object->loaded = !object->loaded;
		if (machine->listener.code_object_changed)
			machine->listener.code_object_changed(machine->listener.opaque, object);
	}
}

void wt_program_free(struct wt_machine *machine, size_t dispatch)
{
	const struct wt_workload *workload = machine->workload;

	for (size_t i = 0; i < workload->buffer_count; i++)
		if (workload->buffers[i].has_free_after &&
		    workload->buffers[i].free_after == dispatch)
			wt_memory_unmap(&machine->memory, machine->buffer_addresses[i]);
}

/* Continue from the breakpoint. */
static void machine_leave_breakpoint(struct wt_machine *machine)
{
	machine->program.stopped = false;
	for (size_t i = 0; i < machine->workload->queue_count; i++)
		wt_queue_produce(machine->queues[i]);
}

/* A queue that failed has dropped what it had not done. */
static bool all_dispatches_done(const struct wt_machine *machine)
{
	for (size_t i = 0; i < machine->workload->queue_count; i++) {
		const struct wt_queue *queue = machine->queues[i];

		if (queue->active || queue->queue.read_packet_id < queue->plan_count)
			return false;
	}
	return true;
}

static void program_end(struct wt_machine *machine)
{
	enum wt_workload_end how = machine->workload->end;

	if (machine->program.ended || how == WT_WORKLOAD_STAYS || !all_dispatches_done(machine))
		return;
	machine->program.ended = true;
	if (machine->listener.program_ended)
		machine->listener.program_ended(machine->listener.opaque, how == WT_WORKLOAD_EXITS);
}

void wt_program_run(struct wt_machine *machine)
{
	struct wt_program *program = &machine->program;

	if (program->stopped)
		return;
	if (program->changes && program_is_due(machine)) {
		program->stopped = program->stops;
		if (program->stopped)
			return;
		machine_change_objects(machine);
		machine_leave_breakpoint(machine);
	}
	program_end(machine);
}

/* The device's work for a debugger alone: address watch registers, instructions out of place. */

#define MAX_INSTRUCTION_BYTES (WT_DEBUG_BUFFER_BYTES - 4) /* a trap is behind it */
#define ASSERT_TRAP 2

/* addr_watch 0 to 3 in trapsts. */
static const uint32_t watch_bits[WT_DEVICE_WATCHPOINTS] = {1u << 7, 1u << 12, 1u << 13, 1u << 14};

static bool watch_matches(const struct wt_watch *watch, uint64_t address, size_t size)
{
	uint64_t first = watch->range.address, bytes = watch->range.size;

	if (!watch->set)
		return false;
	return address < first ? size > first - address : address - first < bytes;
}

/*
 * Private memory is a part of the process's own, and is watched there. LDS has no such addresses: it is
 * not watched, as on hardware.
 */
static void note_access(void *opaque, uint64_t address, size_t size, bool write)
{
	struct wt_machine *machine = ((const struct wt_agent *)opaque)->machine;

	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++) {
		struct wt_watch *watch = &machine->watches[i];

		*(write ? &watch->written : &watch->read) |= watch_matches(watch, address, size);
	}
}

static bool watched_read(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, false);
	return memory->read(memory->opaque, address, data, size);
}

static bool watched_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, true);
	return memory->write(memory->opaque, address, data, size);
}

static bool watched_replace(void *opaque, uint64_t address, size_t size, const void *old,
			    const void *next)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	note_access(opaque, address, size, true);
	return memory->replace(memory->opaque, address, size, old, next);
}

static bool watched_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	return memory->fetch(memory->opaque, address, data, size);
}

static bool watched_probe(void *opaque, uint64_t address, size_t size, bool write)
{
	const struct gfx_memory *memory = &((const struct wt_agent *)opaque)->memory;

	return memory->probe(memory->opaque, address, size, write);
}

struct gfx_memory wt_watch_memory(struct wt_agent *agent)
{
	struct gfx_memory watched = agent->memory;

	watched.opaque = agent;
	watched.read = watched_read;
	watched.write = watched_write;
	watched.fetch = watched_fetch;
	watched.map = NULL;
	watched.probe = watched.probe ? watched_probe : NULL;
	watched.replace = watched.replace ? watched_replace : NULL;
	watched.note_private = note_access;
	return watched;
}

void wt_watch_begin(struct wt_machine *machine)
{
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		machine->watches[i].read = machine->watches[i].written = false;
}

/* Only a read-modify-write both reads and writes; one that leaves the value alone writes it back. */
static bool is_hit(const struct wt_watch *watch)
{
	switch (watch->range.kind) {
	case WT_WATCH_LOAD:
		return watch->read && !watch->written;
	case WT_WATCH_RMW:
		return watch->read && watch->written;
	case WT_WATCH_STORE_AND_RMW:
		return watch->written;
	default:
		return watch->read || watch->written;
	}
}

uint32_t wt_watch_hits(const struct wt_machine *machine)
{
	uint32_t hits = 0;

	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		if (machine->watches[i].set && is_hit(&machine->watches[i]))
			hits |= watch_bits[i];
	return hits;
}

static void enable_group(struct wt_group *group, bool on)
{
	for (uint32_t i = 0; i < group->wave_count; i++) {
		struct wt_wave *wave = &group->waves[i];
		uint32_t *mode = &wave->gfx.mode;

		/* A wave that runs has it in mode on every GPU. */
		if (wave->wave.state == WT_WAVE_STOPPED)
			wt_wave_set_watching(&wave->gfx, on);
		else
			*mode = on ? *mode | WT_MODE_ADDRESS_WATCH : *mode & ~WT_MODE_ADDRESS_WATCH;
	}
}

/* With the first watchpoint the exception is enabled in every wave, with the last one disabled. */
static void watch_exception_enable(struct wt_machine *machine, bool on)
{
	for (size_t i = 0; i < machine->queue_count; i++) {
		struct wt_queue *queue = machine->queues[i];

		for (size_t g = 0; g < queue->resident_count; g++)
			enable_group(queue->resident[g], on);
	}
	machine->watching = on;
}

/* ---- What only debuggers need: address watch registers, instructions executed out of place ---- */
static void watch_set(struct wt_machine *machine, uint32_t index,
		      const struct wt_device_watchpoint *watchpoint)
{
	struct wt_watch *watch = &machine->watches[index];
	bool any = false;

	*watch = (struct wt_watch){.set = watchpoint != NULL};
	if (watchpoint)
		watch->range = *watchpoint;
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		any |= machine->watches[i].set;
	if (any != machine->watching)
		watch_exception_enable(machine, any);
}

static void wave_override(struct wt_wave *wave, const uint32_t *words, size_t count)
{
	wave->override_set = count && gfx_decode(wave->gfx.architecture, words, count,
						 &wave->override) == GFX_DECODE_OK;
}

/* The memory is made when first asked for: most sessions need none. */
static bool map_buffers(struct wt_queue *queue)
{
	const uint32_t guard =
		htole32(gfx_trap_word(queue->agent->agent.architecture, ASSERT_TRAP));
	struct wt_error *error;
	uint8_t *data;

	if (queue->buffers_address)
		return true;
	error = wt_memory_allocate(&queue->machine->memory, WT_MEMORY_QUEUES,
				   (uint64_t)WT_DEBUG_BUFFERS * WT_DEBUG_BUFFER_BYTES,
				   WT_MEMORY_READ | WT_MEMORY_EXECUTE, &queue->buffers_address,
				   &data);
	if (error) {
		wt_error_destroy(error);
		return false;
	}
	for (size_t i = 1; i <= WT_DEBUG_BUFFERS; i++)
		memcpy(data + i * WT_DEBUG_BUFFER_BYTES - sizeof(guard), &guard, sizeof(guard));
	return true;
}

/* The instruction stands right before the guard, so that a step of it ends there. */
static uint64_t buffer_allocate(struct wt_queue *queue, const void *instruction, size_t size)
{
	uint64_t address;

	if (!size || size > MAX_INSTRUCTION_BYTES || !map_buffers(queue))
		return 0;
	for (size_t i = 0; i < WT_DEBUG_BUFFERS; i++) {
		if (queue->buffer_used[i])
			continue;
		queue->buffer_used[i] = true;
		address = queue->buffers_address + (i + 1) * WT_DEBUG_BUFFER_BYTES -
			  sizeof(uint32_t) - size;
		wt_machine_poke(queue->machine, address, instruction, size);
		return address;
	}
	return 0;
}

static void buffer_free(struct wt_queue *queue, uint64_t address)
{
	queue->buffer_used[(address - queue->buffers_address) / WT_DEBUG_BUFFER_BYTES] = false;
}

#define AGENT_PCI_VENDOR 0x1002
#define AGENT_FIRST_OS_ID 0x9400
#define AGENT_FIRST_BUS 0x05
#define APERTURE_LAST UINT64_C(0xffffffff)

static struct wt_machine *to_machine(const struct wt_device *device)
{
	return (struct wt_machine *)(uintptr_t)device;
}

static struct wt_wave *to_wave(struct wt_device_wave *wave)
{
	return (struct wt_wave *)wave;
}

static bool program_read(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_memory_read(opaque, address, data, size);
}

static bool program_write(void *opaque, uint64_t address, const void *data, size_t size)
{
	return wt_memory_write(opaque, address, data, size);
}

static bool program_probe(void *opaque, uint64_t address, size_t size, bool write)
{
	return wt_memory_may(opaque, address, size, write ? WT_MEMORY_WRITE : WT_MEMORY_READ);
}

static uint8_t *program_map(void *opaque, uint64_t address, uint64_t size, bool write)
{
	return wt_memory_in_place(opaque, address, size, write);
}

static bool program_fetch(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_memory_fetch(opaque, address, data, size);
}

static size_t machine_memory_peek(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_memory_peek(opaque, address, data, size);
}

static size_t machine_memory_poke(void *opaque, uint64_t address, const void *data, size_t size)
{
	return wt_memory_poke(opaque, address, data, size);
}

static uint64_t machine_code_changes(void *opaque)
{
	return ((const struct wt_memory *)opaque)->code_changes;
}

static void machine_set_listener(struct wt_device *device,
				 const struct wt_device_listener *listener)
{
	struct wt_machine *machine = to_machine(device);

	machine->listener = listener ? *listener : (struct wt_device_listener){0};
}

static size_t machine_agent_count(const struct wt_device *device)
{
	return to_machine(device)->workload->agent_count;
}

static const struct wt_device_agent *machine_agent_at(const struct wt_device *device, size_t index)
{
	return index < machine_agent_count(device) ? &to_machine(device)->agents[index].agent
						   : NULL;
}

static size_t machine_queue_count(const struct wt_device *device)
{
	return to_machine(device)->queue_count;
}

static const struct wt_device_queue *machine_queue_at(const struct wt_device *device, size_t index)
{
	return index < machine_queue_count(device) ? &to_machine(device)->queues[index]->queue
						   : NULL;
}

static size_t machine_code_object_count(const struct wt_device *device)
{
	return to_machine(device)->code_object_count;
}

static const struct wt_device_code_object *machine_code_object_at(const struct wt_device *device,
								  size_t index)
{
	const struct wt_machine *machine = to_machine(device);

	return index < machine->code_object_count ? &machine->code_objects[index]->object : NULL;
}

static void machine_begin(struct wt_device *device)
{
	wt_machine_begin(to_machine(device));
}

static enum wt_device_progress machine_run(struct wt_device *device, uint64_t budget)
{
	wt_memory_revisit(&to_machine(device)->memory);
	return wt_machine_run(to_machine(device), budget);
}

static void machine_resume_wave(struct wt_device *device, struct wt_device_wave *wave, bool step)
{
	(void)device;
	wt_wave_resume(to_wave(wave), step);
}

static bool machine_halt_wave(struct wt_device *device, struct wt_device_wave *wave)
{
	(void)device;
	wt_wave_halt(to_wave(wave));
	return true;
}

static void machine_abort_queue(struct wt_device *device, const struct wt_device_queue *queue)
{
	wt_queue_abort(to_machine(device)->queues[queue->number]);
}

static bool machine_set_watchpoint(struct wt_device *device, uint32_t index,
				   const struct wt_device_watchpoint *watchpoint)
{
	watch_set(to_machine(device), index, watchpoint);
	return true;
}

static void machine_override_wave(struct wt_device *device, struct wt_device_wave *wave,
				  const uint32_t *words, size_t count)
{
	(void)device;
	wave_override(to_wave(wave), words, count);
}

static uint64_t allocate_buffer(struct wt_device *device, const struct wt_device_queue *queue,
				const void *instruction, size_t size)
{
	return buffer_allocate(to_machine(device)->queues[queue->number], instruction, size);
}

static void free_buffer(struct wt_device *device, const struct wt_device_queue *queue,
			uint64_t address)
{
	buffer_free(to_machine(device)->queues[queue->number], address);
}

static uint64_t machine_program_breakpoint(struct wt_device *device, bool stop)
{
	struct wt_program *program = &to_machine(device)->program;

	program->stops = stop && program->breakpoint_address;
	return program->breakpoint_address;
}

static bool machine_program_is_stopped(const struct wt_device *device)
{
	return to_machine(device)->program.stopped;
}

static bool change_program(struct wt_device *device)
{
	machine_change_objects(to_machine(device));
	return true;
}

static void continue_program(struct wt_device *device)
{
	machine_leave_breakpoint(to_machine(device));
}

static void machine_set_precise_memory(struct wt_device *device, bool precise)
{
	to_machine(device)->memory_mode = precise ? WT_MEMORY_PRECISE : WT_MEMORY_LATE;
}

static size_t machine_read_memory(struct wt_device *device, uint64_t address, void *data,
				  size_t size)
{
	return wt_memory_peek(&to_machine(device)->memory, address, data, size);
}

static size_t machine_write_memory(struct wt_device *device, uint64_t address, const void *data,
				   size_t size)
{
	return wt_memory_poke(&to_machine(device)->memory, address, data, size);
}

static struct wt_error *machine_save(struct wt_device *device, uint64_t os_id,
				     struct wt_buffer *note)
{
	return wt_machine_save(to_machine(device), os_id, note);
}

static bool memory_range(const struct wt_device *device, size_t index, uint64_t *address_ret,
			 uint64_t *size_ret)
{
	const struct wt_memory *memory = &to_machine(device)->memory;

	if (index >= memory->count)
		return false;
	*address_ret = memory->ranges[index].address;
	*size_ret = memory->ranges[index].size;
	return true;
}

static void machine_destroy(struct wt_device *device)
{
	struct wt_machine *machine = to_machine(device);

	if (!machine)
		return;
	for (size_t i = 0; machine->queues && i < machine->queue_count; i++) {
		wt_queue_deinit(machine->queues[i]);
		free(machine->queues[i]);
	}
	for (size_t i = 0; i < machine->code_object_count; i++)
		wt_code_object_destroy(machine->code_objects[i]);
	program_deinit(machine);
	free(machine->queues);
	free(machine->code_objects);
	for (size_t i = 0; machine->agents && i < machine->workload->agent_count; i++)
		free(machine->agents[i].code);
	free(machine->agents);
	free(machine->buffer_addresses);
	wt_memory_deinit(&machine->memory);
	wt_workload_destroy(machine->workload);
	free(machine);
}

static const struct wt_device_operations operations = {
	.destroy = machine_destroy,
	.set_listener = machine_set_listener,
	.agent_count = machine_agent_count,
	.agent = machine_agent_at,
	.queue_count = machine_queue_count,
	.queue = machine_queue_at,
	.code_object_count = machine_code_object_count,
	.code_object = machine_code_object_at,
	.begin = machine_begin,
	.run = machine_run,
	.wave_resume = machine_resume_wave,
	.wave_halt = machine_halt_wave,
	.queue_abort = machine_abort_queue,
	.set_watchpoint = machine_set_watchpoint,
	.wave_override = machine_override_wave,
	.buffer_allocate = allocate_buffer,
	.buffer_free = free_buffer,
	.program_breakpoint = machine_program_breakpoint,
	.program_is_stopped = machine_program_is_stopped,
	.program_change = change_program,
	.program_continue = continue_program,
	.set_precise_memory = machine_set_precise_memory,
	.read_memory = machine_read_memory,
	.write_memory = machine_write_memory,
	.save = machine_save,
	.memory_range = memory_range,
};

/* An agent describes itself by the figures of a product. The compute units say how many workgroups are resident (room.h). */
static void init_agent(struct wt_machine *machine, uint32_t number)
{
	const struct gfx_architecture *architecture =
		machine->workload->agents[number].architecture;
	const struct gfx_product *product = architecture->product;
	struct wt_agent *agent = &machine->agents[number];

	agent->agent = (struct wt_device_agent){
		.number = number,
		.architecture = architecture,
		.name = product->name,
		.os_id = AGENT_FIRST_OS_ID + (uint64_t)number,
		.pci_slot = (AGENT_FIRST_BUS + number) << 8,
		.pci_vendor = AGENT_PCI_VENDOR,
		.pci_vendor_subsystem = AGENT_PCI_VENDOR,
		.pci_device = product->pci_device,
		.pci_device_subsystem = product->pci_device,
		.execution_unit_count = product->compute_units * architecture->unit.simds,
		.max_waves_per_execution_unit = architecture->unit.waves,
		.supported = true,
		.watchpoint_count = WT_DEVICE_WATCHPOINTS,
		.watch_sharing = WT_WATCH_UNSHARED,
		.precise_memory = true,
		.local_base = architecture->local_aperture,
		.private_base = architecture->private_aperture,
	};
	agent->memory = (struct gfx_memory){
		.opaque = &machine->memory,
		.read = program_read,
		.write = program_write,
		.fetch = program_fetch,
		.probe = program_probe,
		.map = program_map,
		.local_base = architecture->local_aperture,
		.local_limit = architecture->local_aperture + APERTURE_LAST,
		.private_base = architecture->private_aperture,
		.private_limit = architecture->private_aperture + APERTURE_LAST,
	};
	agent->machine = machine;
	agent->watched = wt_watch_memory(agent);
}

static struct wt_error *make_agents(struct wt_machine *machine)
{
	machine->agents = calloc(machine->workload->agent_count, sizeof(*machine->agents));
	if (!machine->agents)
		return &wt_error_no_memory;
	for (size_t i = 0; i < machine->workload->agent_count; i++) {
		init_agent(machine, (uint32_t)i);
		machine->agents[i].code = wt_code_create();
		if (!machine->agents[i].code)
			return &wt_error_no_memory;
	}
	return NULL;
}

/* The file's bytes into the device's memory, as those of a program that holds its code objects itself. */
static struct wt_error *keep_image(struct wt_machine *machine, struct wt_device_code_object *object)
{
	struct wt_error *error;
	uint8_t *data;

	error = wt_memory_allocate(&machine->memory, WT_MEMORY_CODE, object->image_size,
				   WT_MEMORY_READ, &object->image_address, &data);
	if (!error)
		memcpy(data, object->image, object->image_size);
	return error;
}

static struct wt_error *load_code_objects(struct wt_machine *machine)
{
	const struct gfx_architecture *architectures[WT_WORKLOAD_MAX_AGENTS];
	const struct wt_place place = wt_place_field(NULL, "code_objects");
	const struct wt_workload *workload = machine->workload;
	struct wt_error *error = NULL;

	for (size_t i = 0; i < workload->agent_count; i++)
		architectures[i] = workload->agents[i].architecture;
	machine->code_objects = calloc(workload->code_object_count, sizeof(*machine->code_objects));
	if (!machine->code_objects)
		return &wt_error_no_memory;
	for (size_t i = 0; i < workload->code_object_count; i++) {
		const struct wt_place element = wt_place_element(&place, i);

		error = wt_code_object_create(workload->code_objects[i].path, (uint32_t)i,
					      architectures, workload->agent_count,
					      &machine->memory, &machine->code_objects[i]);
		if (!error && workload->code_objects_in_memory)
			error = keep_image(machine, &machine->code_objects[i]->object);
		if (machine->code_objects[i])
			machine->code_object_count++;
		if (error)
			return wt_error_prefix(wt_place_prefix(error, &element), workload->path);
	}
	return NULL;
}

static struct wt_error *make_buffers(struct wt_machine *machine)
{
	const struct wt_workload *workload = machine->workload;
	struct wt_error *error = NULL;
	uint8_t *data;

	machine->buffer_addresses =
		calloc(workload->buffer_count + 1, sizeof(*machine->buffer_addresses));
	if (!machine->buffer_addresses)
		return &wt_error_no_memory;
	for (size_t i = 0; i < workload->buffer_count && !error; i++) {
		error = wt_memory_allocate(
			&machine->memory, WT_MEMORY_BUFFERS, workload->buffers[i].size,
			WT_MEMORY_READ | WT_MEMORY_WRITE, &machine->buffer_addresses[i], &data);
		if (!error)
			error = wt_workload_fill(workload, i, data);
	}
	return error;
}

static struct wt_error *make_queues(struct wt_machine *machine)
{
	struct wt_error *error = NULL;

	machine->queues = calloc(machine->workload->queue_count, sizeof(*machine->queues));
	if (!machine->queues)
		return &wt_error_no_memory;
	for (size_t i = 0; i < machine->workload->queue_count && !error; i++) {
		machine->queues[i] = calloc(1, sizeof(**machine->queues));
		if (!machine->queues[i])
			return &wt_error_no_memory;
		machine->queue_count++;
		error = wt_queue_init(machine, i);
	}
	return error;
}

struct wt_error *wt_simulated_create(const char *workload_path, struct wt_device **device_ret)
{
	return wt_simulated_create_shared(workload_path, -1, device_ret);
}

struct wt_error *wt_simulated_create_shared(const char *workload_path, int file,
					    struct wt_device **device_ret)
{
	struct wt_machine *machine = calloc(1, sizeof(*machine));
	struct wt_error *error;

	if (!machine)
		return &wt_error_no_memory;
	machine->device.operations = &operations;
	wt_memory_init(&machine->memory);
	wt_memory_share(&machine->memory, file);
	machine->bytes = (struct wt_machine_memory){
		.opaque = &machine->memory,
		.peek = machine_memory_peek,
		.poke = machine_memory_poke,
		.code_changes = machine_code_changes,
	};
	error = wt_workload_create(workload_path, &machine->workload);
	if (!error)
		error = make_agents(machine);
	if (!error)
		error = load_code_objects(machine);
	if (!error)
		error = make_buffers(machine);
	if (!error)
		error = program_init(machine);
	if (!error)
		error = make_queues(machine);
	if (error) {
		machine_destroy(&machine->device);
		return error;
	}
	*device_ret = &machine->device;
	return NULL;
}

bool wt_simulated_buffer(struct wt_device *device, const char *name, uint64_t *address_ret,
			 uint64_t *size_ret)
{
	const struct wt_machine *machine = to_machine(device);

	for (size_t i = 0; i < machine->workload->buffer_count; i++) {
		if (strcmp(machine->workload->buffers[i].name, name) != 0)
			continue;
		*address_ret = machine->buffer_addresses[i];
		*size_ret = machine->workload->buffers[i].size;
		return true;
	}
	return false;
}

const char *wt_simulated_file(struct wt_device *device, size_t index)
{
	const struct wt_workload *workload = to_machine(device)->workload;

	if (index < workload->code_object_count)
		return workload->code_objects[index].path;
	index -= workload->code_object_count;
	for (size_t i = 0; i < workload->buffer_count; i++)
		if (workload->buffers[i].fill.kind == WT_FILL_FILE && !index--)
			return workload->buffers[i].fill.path;
	return NULL;
}
