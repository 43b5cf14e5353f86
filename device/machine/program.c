/* SPDX-License-Identifier: MIT */
/*
 * The host side of the simulated program: between dispatches it loads and unloads code objects, and
 * at last it may unload its runtime or end. It takes its turn when a round is over.
 */
#include <stdlib.h>

#include "device/machine/machine.h"

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

struct wt_error *wt_program_init(struct wt_machine *machine)
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

void wt_program_deinit(struct wt_machine *machine)
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

bool wt_program_is_due(const struct wt_machine *machine)
{
	for (size_t i = 0; i < machine->workload->code_object_count; i++)
		if (is_due(machine, i))
			return true;
	return false;
}

void wt_program_change(struct wt_machine *machine)
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

void wt_program_continue(struct wt_machine *machine)
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
	if (program->changes && wt_program_is_due(machine)) {
		program->stopped = program->stops;
		if (program->stopped)
			return;
		wt_program_change(machine);
		wt_program_continue(machine);
	}
	program_end(machine);
}
