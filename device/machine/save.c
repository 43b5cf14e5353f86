/* SPDX-License-Identifier: MIT */
/*
 * Saving what runs, as a GPU does when its process is dumped: every wave into the context save area
 * of its queue, the list of code objects for debuggers, and the note that tells where both are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "device/save-area/area.h"
#include "device/save-area/link-map.h"
#include "device/save-area/note.h"
#include "device/machine/machine.h"
#include "device/queue-structure.h"
#include "base/uri.h"

/* Room for bytes that are saved: what was taken before, if it is large enough. */
static struct wt_error *saved_room_take(struct wt_machine *machine, uint64_t size,
					uint64_t *address, uint64_t *capacity)
{
	struct wt_error *error;

	if (*address && *capacity >= size)
		return NULL;
	error = wt_memory_allocate(&machine->memory, WT_MEMORY_SAVED, size,
				   WT_MEMORY_READ | WT_MEMORY_WRITE, address, NULL);
	if (!error)
		*capacity = size;
	return error;
}

/* ---- Waves ---- */

size_t wt_queue_live_waves(const struct wt_queue *queue)
{
	size_t count = 0;

	for (size_t i = 0; i < queue->resident_count; i++)
		count += queue->resident[i]->live_count;
	return count;
}

static uint32_t scratch_slot(const struct wt_queue *queue, const struct wt_wave *wave)
{
	if (!wave->scratch)
		return 0;
	return (uint32_t)((wave->scratch_address - queue->scratch_address) / queue->scratch_wave);
}

/* The waves of a workgroup that have not ended. */
static size_t describe_group(const struct wt_queue *queue, const struct wt_group *group,
			     struct wt_saved_wave *saved)
{
	uint64_t packets = queue->queue.ring_size / 64;
	size_t count = 0;

	for (uint32_t i = 0; i < group->wave_count; i++) {
		const struct wt_wave *wave = &group->waves[i];

		if (!wave->live)
			continue;
		saved[count] = (struct wt_saved_wave){
			.wave = &wave->gfx,
			.scratch = wave->scratch && wave->gfx.scratch_size,
			.stopped =
				wave->wave.state == WT_WAVE_STOPPED && !wave->wave.halted_at_launch,
			.halted_at_launch = wave->wave.halted_at_launch,
			.packet_index = (uint32_t)(queue->dispatch.packet_id % packets),
			.number_in_group = wave->wave.number_in_group,
		};
		memcpy(saved[count].coordinates, group->workgroup.coordinates,
		       sizeof(saved[count].coordinates));
		count++;
	}
	if (count) {
		saved[0].first = true;
		saved[count - 1].last = true;
	}
	return count;
}

size_t wt_queue_describe_waves(const struct wt_queue *queue, struct wt_saved_wave *saved)
{
	size_t count = 0;

	for (size_t i = 0; i < queue->resident_count; i++)
		count += describe_group(queue, queue->resident[i], saved + count);
	return count;
}

static void wave_show_state(const struct wt_saved_wave *saved, bool shown)
{
	struct wt_wave *wave = wt_wave_of(saved->wave);

	if (wave->wave.state == WT_WAVE_STOPPED)
		return;
	if (shown)
		gfx_wave_part_state(&wave->gfx);
	else
		gfx_wave_join_state(&wave->gfx);
}

struct wt_error *wt_waves_save(const struct wt_save_area_layout *layout,
			       const struct wt_saved_wave *saved, size_t count,
			       struct wt_buffer *area)
{
	struct wt_error *error;

	/* Waves that run have the state of gfx12 in other registers than an area. */
	for (size_t i = 0; i < count; i++)
		wave_show_state(&saved[i], true);
	error = wt_save_area_build(layout, saved, count, area);
	for (size_t i = 0; i < count; i++)
		wave_show_state(&saved[i], false);
	return error;
}

static struct wt_error *save_queue(struct wt_queue *queue)
{
	const struct wt_save_area_layout *layout =
		wt_save_area_layout_find(queue->agent->agent.architecture);
	wt_cleanup_free struct wt_saved_wave *saved = NULL;
	wt_cleanup_buffer struct wt_buffer area = {0};
	struct wt_error *error;
	size_t count;

	if (!layout)
		return wt_error_create(WT_ERROR_UNSUPPORTED, "cannot save the waves",
				       queue->agent->agent.architecture->name,
				       "its save areas are not known");
	saved = calloc(wt_queue_live_waves(queue) + 1, sizeof(*saved));
	if (!saved)
		return &wt_error_no_memory;
	count = wt_queue_describe_waves(queue, saved);
	for (size_t i = 0; i < count; i++)
		saved[i].slot = scratch_slot(queue, wt_wave_of(saved[i].wave));
	error = wt_waves_save(layout, saved, count, &area);
	if (!error)
		error = saved_room_take(queue->machine, area.size, &queue->save_address,
					&queue->save_size);
	if (!error)
		wt_memory_poke(&queue->machine->memory, queue->save_address, area.data, area.size);
	return error;
}

/* ---- Code objects ---- */

/* By the documented grammar: of the file, or of the process's memory that holds the image. */
static char *object_uri(const struct wt_device_code_object *object, uint64_t os_id)
{
	if (!object->image_address)
		return strdup(object->uri);
	return wt_uri_of_memory(os_id, object->image_address, object->image_size);
}

static struct wt_error *machine_list_objects(const struct wt_machine *machine, uint64_t os_id,
					     struct wt_link_map *objects)
{
	objects->entries = calloc(machine->code_object_count + 1, sizeof(*objects->entries));
	if (!objects->entries)
		return &wt_error_no_memory;
	for (size_t i = 0; i < machine->code_object_count; i++) {
		const struct wt_device_code_object *object = &machine->code_objects[i]->object;
		struct wt_link_map_entry *entry = &objects->entries[objects->count];

		if (!object->loaded)
			continue;
		entry->load_address = (uint64_t)object->load_address;
		entry->uri = object_uri(object, os_id);
		if (!entry->uri)
			return &wt_error_no_memory;
		objects->count++;
	}
	return NULL;
}

static struct wt_error *save_objects(struct wt_machine *machine, uint64_t os_id)
{
	struct wt_link_map objects = {.version = WT_R_DEBUG_VERSION_MAX};
	wt_cleanup_buffer struct wt_buffer bytes = {0};
	struct wt_error *error = machine_list_objects(machine, os_id, &objects);

	/* Built twice: the addresses in it depend on where it goes, its size does not. */
	if (!error)
		wt_link_map_build(&objects, 0, &bytes);
	if (!error)
		error = bytes.failed
				? &wt_error_no_memory
				: saved_room_take(machine, bytes.size, &machine->r_debug_address,
						  &machine->r_debug_size);
	if (!error) {
		wt_buffer_clear(&bytes);
		wt_link_map_build(&objects, machine->r_debug_address, &bytes);
		wt_memory_poke(&machine->memory, machine->r_debug_address, bytes.data, bytes.size);
	}
	wt_link_map_deinit(&objects);
	return error;
}

/* ---- The note ---- */

static struct wt_core_note_agent saved_agent_describe(const struct wt_device_agent *agent)
{
	struct wt_core_note_agent entry = wt_core_note_agent_init(agent->architecture);

	entry.local_base = agent->local_base;
	entry.local_limit = agent->local_base + WT_CORE_NOTE_APERTURE_LAST;
	entry.private_base = agent->private_base;
	entry.private_limit = agent->private_base + WT_CORE_NOTE_APERTURE_LAST;
	entry.gpu_id = (uint32_t)agent->os_id;
	entry.location = agent->pci_slot;
	entry.vendor = agent->pci_vendor;
	entry.device = agent->pci_device;
	entry.subsystem_vendor = agent->pci_vendor_subsystem;
	entry.subsystem_device = agent->pci_device_subsystem;
	entry.simd_count = agent->execution_unit_count;
	entry.waves_per_simd = agent->max_waves_per_execution_unit;
	return entry;
}

static struct wt_core_note_queue saved_queue_describe(const struct wt_queue *queue)
{
	return (struct wt_core_note_queue){
		.ring_address = queue->queue.ring_address,
		.write_pointer_address = queue->structure_address + WT_QUEUE_STRUCTURE_WRITE_ID,
		.read_pointer_address = queue->structure_address + WT_QUEUE_STRUCTURE_READ_ID,
		.save_address = queue->save_address,
		.queue_id = (uint32_t)queue->queue.os_id,
		.gpu_id = (uint32_t)queue->agent->agent.os_id,
		.ring_size = (uint32_t)queue->queue.ring_size,
		.type = WT_CORE_NOTE_QUEUE_AQL,
		.save_size = (uint32_t)queue->save_size,
	};
}

static struct wt_error *machine_note_build(const struct wt_machine *machine,
					   struct wt_buffer *buffer)
{
	const struct wt_workload *workload = machine->workload;
	wt_cleanup_free struct wt_core_note_agent *agents =
		calloc(workload->agent_count + 1, sizeof(*agents));
	wt_cleanup_free struct wt_core_note_queue *queues =
		calloc(workload->queue_count + 1, sizeof(*queues));
	struct wt_core_note note = {
		.driver_major = WT_CORE_NOTE_DRIVER_MAJOR,
		.driver_minor = WT_CORE_NOTE_DRIVER_MINOR,
		.r_debug = machine->r_debug_address,
		.runtime = WT_CORE_NOTE_RUNTIME_ENABLED,
		.ttmps_set_up = true,
		.agents = agents,
		.agent_count = (uint32_t)workload->agent_count,
		.queues = queues,
		.queue_count = (uint32_t)workload->queue_count,
	};

	if (!agents || !queues)
		return &wt_error_no_memory;
	for (size_t i = 0; i < workload->agent_count; i++)
		agents[i] = saved_agent_describe(&machine->agents[i].agent);
	for (size_t i = 0; i < workload->queue_count; i++)
		queues[i] = saved_queue_describe(machine->queues[i]);
	wt_core_note_build(&note, buffer);
	return buffer->failed ? &wt_error_no_memory : NULL;
}

struct wt_error *wt_machine_save(struct wt_machine *machine, uint64_t os_id, struct wt_buffer *note)
{
	struct wt_error *error = save_objects(machine, os_id);

	for (size_t i = 0; i < machine->workload->queue_count && !error; i++)
		error = save_queue(machine->queues[i]);
	return error ? error : machine_note_build(machine, note);
}
