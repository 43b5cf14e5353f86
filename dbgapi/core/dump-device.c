/* SPDX-License-Identifier: MIT */
/* A GPU core dump as a device: its creation and the operations of the seam. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/core/internal.h"
#include "device/queue-structure.h"

static struct wt_core *to_core(const struct wt_device *device)
{
	return (struct wt_core *)(uintptr_t)device;
}

/* ---- What there is ---- */

static void core_set_listener(struct wt_device *device, const struct wt_device_listener *listener)
{
	struct wt_core *core = to_core(device);

	core->listener = listener ? *listener : (struct wt_device_listener){0};
}

static size_t core_agent_count(const struct wt_device *device)
{
	return to_core(device)->agent_count;
}

static const struct wt_device_agent *core_agent_at(const struct wt_device *device, size_t index)
{
	return index < core_agent_count(device) ? &to_core(device)->agents[index].agent : NULL;
}

static size_t core_queue_count(const struct wt_device *device)
{
	return to_core(device)->queue_count;
}

static const struct wt_device_queue *core_queue_at(const struct wt_device *device, size_t index)
{
	return index < core_queue_count(device) ? &to_core(device)->queues[index]->queue : NULL;
}

static size_t core_code_object_count(const struct wt_device *device)
{
	return to_core(device)->link_map.count;
}

static const struct wt_device_code_object *core_code_object_at(const struct wt_device *device,
							       size_t index)
{
	return index < core_code_object_count(device) ? &to_core(device)->code_objects[index]
						      : NULL;
}

/* ---- The one run in which everything is told ---- */

static void tell_group(struct wt_core *core, struct wt_core_group *group, bool *told)
{
	if (told[group->group.number])
		return;
	told[group->group.number] = true;
	core->listener.workgroup_created(core->listener.opaque, &group->group);
}

static void tell_stopped(struct wt_core *core)
{
	for (size_t i = 0; i < core->wave_count; i++)
		if (core->waves[i]->wave.state == WT_WAVE_STOPPED &&
		    core->waves[i]->wave.stop_reasons)
			core->listener.wave_stopped(core->listener.opaque, &core->waves[i]->wave);
}

/* Stops the waves that run, in the order of the list of waves. */
static void core_stop_running(struct wt_core *core, uint64_t *order)
{
	for (size_t i = 0; i < core->wave_count; i++)
		order[i] = i;
	wt_core_order(order, core->wave_count);
	for (size_t i = 0; i < core->wave_count; i++) {
		struct wt_core_wave *wave = core->waves[order[i]];
		bool running = wave->running && wave->wave.state != WT_WAVE_STOPPED;

		if (wave->wave.state != WT_WAVE_STOPPED)
			wt_core_park(wave);
		if (running)
			core->listener.wave_stopped(core->listener.opaque, &wave->wave);
	}
}

static void tell_waves(struct wt_core *core, bool *told, uint64_t *order)
{
	for (size_t i = 0; i < core->wave_count; i++) {
		struct wt_core_wave *wave = core->waves[i];

		tell_group(core, wave->group, told);
		core->listener.wave_created(core->listener.opaque, &wave->wave);
	}
	tell_stopped(core);
	core_stop_running(core, order);
}

static enum wt_device_progress core_run(struct wt_device *device, uint64_t budget)
{
	struct wt_core *core = to_core(device);
	wt_cleanup_free uint64_t *order = NULL;
	wt_cleanup_free bool *told = NULL;

	(void)budget;
	if (core->told)
		return core->wave_count ? WT_DEVICE_BLOCKED : WT_DEVICE_IDLE;
	told = calloc(core->next_workgroup + 1, sizeof(*told));
	order = calloc(core->wave_count + 1, sizeof(*order));
	if (!told || !order)
		return WT_DEVICE_RUNNING;
	core->told = true;
	wt_core_tell_warnings(core);
	for (size_t i = 0; i < core->queue_count; i++)
		for (struct wt_core_dispatch *dispatch = core->queues[i]->dispatches; dispatch;
		     dispatch = dispatch->next)
			core->listener.dispatch_created(core->listener.opaque, &dispatch->dispatch);
	tell_waves(core, told, order);
	return core->wave_count ? WT_DEVICE_EVENT : WT_DEVICE_IDLE;
}

/* A wave that the client resumes runs for ever, since nothing executes it. */
static void core_resume_wave(struct wt_device *device, struct wt_device_wave *wave, bool step)
{
	struct wt_core_wave *core_wave = (struct wt_core_wave *)wave;

	(void)device;
	if (wave->stop_reasons)
		wt_saved_wave_clear_reasons(core_wave->queue->agent->layout, wave->stop_reasons,
					    &core_wave->gfx);
	wt_core_unpark(core_wave, step);
}

static bool core_halt_wave(struct wt_device *device, struct wt_device_wave *wave)
{
	(void)device;
	if (wave->state != WT_WAVE_STOPPED)
		wt_core_park((struct wt_core_wave *)wave);
	return true;
}

static void core_abort_queue(struct wt_device *device, const struct wt_device_queue *queue)
{
	(void)device;
	(void)queue;
}

static size_t core_device_read_memory(struct wt_device *device, uint64_t address, void *data,
				      size_t size)
{
	const struct wt_core *core = to_core(device);

	return core->memory.read(core->memory.opaque, address, data, size);
}

static size_t core_write_memory(struct wt_device *device, uint64_t address, const void *data,
				size_t size)
{
	const struct wt_core *core = to_core(device);

	return core->memory.write ? core->memory.write(core->memory.opaque, address, data, size)
				  : 0;
}

/* ---- What a program that runs could do ---- */

static bool core_set_watchpoint(struct wt_device *device, uint32_t index,
				const struct wt_device_watchpoint *watchpoint)
{
	(void)device;
	(void)index;
	(void)watchpoint;
	return false;
}

static void core_override_wave(struct wt_device *device, struct wt_device_wave *wave,
			       const uint32_t *words, size_t count)
{
	(void)device;
	(void)wave;
	(void)words;
	(void)count;
}

static uint64_t core_program_breakpoint(struct wt_device *device, bool stop)
{
	(void)device;
	(void)stop;
	return 0;
}

static bool core_program_is_stopped(const struct wt_device *device)
{
	(void)device;
	return false;
}

static bool program_change(struct wt_device *device)
{
	(void)device;
	return false;
}

static void program_continue(struct wt_device *device)
{
	(void)device;
}

static void core_set_precise_memory(struct wt_device *device, bool precise)
{
	(void)device;
	(void)precise;
}

void wt_core_free_queue(struct wt_core_queue *queue)
{
	if (!queue)
		return;
	while (queue->dispatches) {
		struct wt_core_dispatch *next = queue->dispatches->next;

		free(queue->dispatches);
		queue->dispatches = next;
	}
	while (queue->groups) {
		struct wt_core_group *next = queue->groups->next;

		free(queue->groups->group.lds);
		free(queue->groups);
		queue->groups = next;
	}
	free(queue->buffers.freed);
	free(queue);
}

static void core_device_destroy(struct wt_device *device)
{
	struct wt_core *core = to_core(device);

	if (!core)
		return;
	for (size_t i = 0; i < core->wave_count; i++) {
		free(core->waves[i]->registers);
		free(core->waves[i]);
	}
	for (size_t i = 0; i < core->queue_count; i++)
		wt_core_free_queue(core->queues[i]);
	wt_core_free_warnings(core);
	free(core->waves);
	free(core->queues);
	free(core->agents);
	free(core->code_objects);
	wt_link_map_deinit(&core->link_map);
	wt_core_note_deinit(&core->note);
	free(core);
}

static const struct wt_device_operations operations = {
	.destroy = core_device_destroy,
	.set_listener = core_set_listener,
	.agent_count = core_agent_count,
	.agent = core_agent_at,
	.queue_count = core_queue_count,
	.queue = core_queue_at,
	.code_object_count = core_code_object_count,
	.code_object = core_code_object_at,
	.run = core_run,
	.wave_resume = core_resume_wave,
	.wave_halt = core_halt_wave,
	.queue_abort = core_abort_queue,
	.set_watchpoint = core_set_watchpoint,
	.wave_override = core_override_wave,
	.buffer_allocate = wt_core_allocate_buffer,
	.buffer_free = wt_core_free_buffer,
	.program_breakpoint = core_program_breakpoint,
	.program_is_stopped = core_program_is_stopped,
	.program_change = program_change,
	.program_continue = program_continue,
	.set_precise_memory = core_set_precise_memory,
	.read_memory = core_device_read_memory,
	.write_memory = core_write_memory,
	.load_wave = wt_core_load_wave,
};

/* ---- Creation ---- */

static enum wt_watch_sharing watch_sharing(const struct wt_core_note_agent *entry)
{
	if (!(entry->capability & WT_CORE_NOTE_CAPABILITY_WATCHPOINTS))
		return WT_WATCH_UNSUPPORTED;
	return entry->debug_properties & WT_CORE_NOTE_DEBUG_WATCHPOINTS_UNSHARED ? WT_WATCH_UNSHARED
										 : WT_WATCH_SHARED;
}

static uint32_t watchpoint_count(uint32_t capability)
{
	return 1u << (capability >> WT_CORE_NOTE_CAPABILITY_WATCHPOINTS_LOG2_SHIFT & 15);
}

/* Why an agent cannot be debugged; NULL if it can. */
static const char *find_obstacle(const struct wt_core_note_agent *entry,
				 const struct gfx_architecture *architecture)
{
	if (!architecture)
		return "its architecture is not known";
	if (!(entry->capability & WT_CORE_NOTE_CAPABILITY_DEBUG))
		return "its driver does not support debugging";
	if (!(entry->capability & WT_CORE_NOTE_CAPABILITY_FIRMWARE))
		return "its firmware does not support debugging";
	if (!wt_save_area_layout_find(architecture))
		return "it is not known how its waves are saved";
	return NULL;
}

static bool core_check_agent(struct wt_core *core, const struct wt_core_note_agent *entry,
			     const struct gfx_architecture *architecture)
{
	const char *why = find_obstacle(entry, architecture);
	char where[64];

	if (!why)
		return true;
	snprintf(where, sizeof(where), "agent with GPU id %u", entry->gpu_id);
	wt_core_warn(core,
		     wt_error_create(WT_ERROR_UNSUPPORTED, "cannot read queues and waves", where,
				     "%s: version %u.%u.%u", why, entry->target / 10000,
				     entry->target / 100 % 100, entry->target % 100));
	return false;
}

/* A line of libdrm's list: "DEVICE,<tab>REVISION,<tab>NAME", with hexadecimal numbers. */
static bool agent_take_name(struct wt_core_agent *agent, const char *line)
{
	unsigned int device, revision;
	int start = 0;

	if (sscanf(line, "%x, %x, %n", &device, &revision, &start) != 2 || !start ||
	    device != agent->entry.device || revision != agent->entry.revision)
		return false;
	snprintf(agent->name, sizeof(agent->name), "%.*s", (int)strcspn(line + start, "\r\n"),
		 line + start);
	return agent->name[0];
}

/* libdrm has the name under which it is sold: AMD's library takes it from there, too. */
static void agent_find_name(struct wt_core_agent *agent)
{
	static const char *const lists[] = {"/usr/share/libdrm/amdgpu.ids",
					    "/opt/amdgpu/share/libdrm/amdgpu.ids"};
	bool found = false;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && !found; i++) {
		FILE *list = fopen(lists[i], "re");
		char line[256];

		while (list && !found && fgets(line, sizeof(line), list))
			found = agent_take_name(agent, line);
		if (list)
			fclose(list);
	}
	if (!found)
		snprintf(agent->name, sizeof(agent->name), "Device %04x:%04x",
			 agent->entry.vendor & 0xffff, agent->entry.device & 0xffff);
}

static void open_agent(struct wt_core *core, size_t index)
{
	const struct wt_core_note_agent *entry = &core->note.agents[index];
	const struct gfx_architecture *architecture = gfx_architecture_by_version(entry->target);
	struct wt_core_agent *agent = &core->agents[index];

	agent->entry = *entry;
	agent->layout = architecture ? wt_save_area_layout_find(architecture) : NULL;
	agent_find_name(agent);
	agent->agent = (struct wt_device_agent){
		.number = (uint32_t)index,
		.architecture = architecture,
		.name = agent->name,
		.os_id = entry->gpu_id,
		.pci_slot = entry->location,
		.pci_vendor = entry->vendor,
		.pci_vendor_subsystem = entry->subsystem_vendor,
		.pci_device = entry->device,
		.pci_device_subsystem = entry->subsystem_device,
		.execution_unit_count = entry->simd_count,
		.max_waves_per_execution_unit = entry->waves_per_simd,
		.supported = core_check_agent(core, entry, architecture),
		.watchpoint_count = watchpoint_count(entry->capability),
		.watch_sharing = watch_sharing(entry),
		.watch_first_bit = entry->debug_properties & 15,
		.watch_last_bit = entry->debug_properties >> 4 & 63,
		.precise_memory = entry->capability & WT_CORE_NOTE_CAPABILITY_PRECISE_MEMORY,
		.precise_alu_exceptions = entry->capability & WT_CORE_NOTE_CAPABILITY_PRECISE_ALU,
		.local_base = entry->local_base,
		.private_base = entry->private_base,
	};
	core->agent_count = index + 1;
}

static uint32_t os_type(uint32_t type)
{
	switch (type) {
	case WT_CORE_NOTE_QUEUE_PM4:
		return WT_QUEUE_PM4;
	case WT_CORE_NOTE_QUEUE_SDMA:
		return WT_QUEUE_SDMA;
	case WT_CORE_NOTE_QUEUE_AQL:
		return WT_QUEUE_AQL;
	case WT_CORE_NOTE_QUEUE_SDMA_XGMI:
		return WT_QUEUE_SDMA_XGMI;
	default:
		return WT_QUEUE_UNKNOWN;
	}
}

/* From this version of r_debug on a queue does not say how much private memory it has: as much as all its waves together. */
#define SCRATCH_SIZE_GONE_VERSION 11u

static bool read_scratch(const struct wt_core *core, struct wt_core_queue *queue,
			 uint64_t structure)
{
	const struct wt_memory_view *memory = &core->memory;

	if (!wt_memory_view_read_u32(memory, structure + WT_QUEUE_STRUCTURE_TMPRING_SIZE,
				     &queue->tmpring_size) ||
	    !wt_memory_view_read_u64(memory, structure + WT_QUEUE_STRUCTURE_SCRATCH_BASE,
				     &queue->scratch_base))
		return false;
	if (core->link_map.version < SCRATCH_SIZE_GONE_VERSION)
		return wt_memory_view_read_u64(memory, structure + WT_QUEUE_STRUCTURE_SCRATCH_SIZE,
					       &queue->scratch_size);
	queue->scratch_size = wt_core_scratch_waves(queue) * wt_core_scratch_of_wave(queue);
	return true;
}

bool wt_core_read_structure(const struct wt_core *core, struct wt_core_queue *queue)
{
	const struct wt_core_note_queue *entry = &queue->entry;
	uint64_t structure = entry->write_pointer_address - WT_QUEUE_STRUCTURE_WRITE_ID;

	if (!wt_memory_view_read_u64(&core->memory, entry->read_pointer_address,
				     &queue->queue.read_packet_id) ||
	    !wt_memory_view_read_u64(&core->memory, entry->write_pointer_address,
				     &queue->queue.write_packet_id))
		return false;
	queue->has_scratch = read_scratch(core, queue, structure);
	return true;
}

struct wt_core_agent *wt_core_find_agent(const struct wt_core *core, uint32_t gpu_id)
{
	for (size_t i = 0; i < core->agent_count; i++)
		if (core->agents[i].entry.gpu_id == gpu_id)
			return &core->agents[i];
	return NULL;
}

struct wt_core_queue *wt_core_make_queue(struct wt_core *core,
					 const struct wt_core_note_queue *entry,
					 struct wt_core_agent *agent, uint32_t number)
{
	struct wt_core_queue *queue = calloc(1, sizeof(*queue));

	if (!queue)
		return NULL;
	queue->agent = agent;
	queue->entry = *entry;
	queue->r_debug_version = core->link_map.version;
	queue->dispatches_end = &queue->dispatches;
	queue->queue = (struct wt_device_queue){
		.number = number,
		.agent = &queue->agent->agent,
		.os_id = entry->queue_id,
		.ring_address = entry->ring_address,
		.ring_size = entry->ring_size,
		.type = os_type(entry->type),
	};
	if (queue->queue.type == WT_QUEUE_AQL)
		wt_core_open_buffers(core, queue);
	return queue;
}

static struct wt_error *open_queue(struct wt_core *core, const struct wt_core_note_queue *entry)
{
	struct wt_core_agent *agent = wt_core_find_agent(core, entry->gpu_id);
	struct wt_core_queue *queue;
	char where[48];

	snprintf(where, sizeof(where), "queue %u", entry->queue_id);
	if (!agent)
		wt_core_warn(core, wt_error_create(WT_ERROR_INPUT, "cannot read the queue", where,
						   "no agent has its GPU id, %u", entry->gpu_id));
	if (!agent || !agent->agent.supported)
		return NULL;
	queue = wt_core_make_queue(core, entry, agent, (uint32_t)core->queue_count);
	if (!queue)
		return &wt_error_no_memory;
	core->queues[core->queue_count++] = queue;
	if (queue->queue.type == WT_QUEUE_AQL && !wt_core_read_structure(core, queue))
		wt_core_warn(core, wt_error_create(WT_ERROR_NOT_FOUND, "cannot read the queue",
						   where, "its indices are not in the core"));
	return NULL;
}

struct wt_error *wt_core_open_agents(struct wt_core *core)
{
	core->agents = calloc((size_t)core->note.agent_count + 1, sizeof(*core->agents));
	if (!core->agents)
		return &wt_error_no_memory;
	for (size_t i = 0; i < core->note.agent_count; i++)
		open_agent(core, i);
	return NULL;
}

static struct wt_error *core_open_queues(struct wt_core *core)
{
	struct wt_error *error = NULL;

	core->queues = calloc((size_t)core->note.queue_count + 1, sizeof(*core->queues));
	if (!core->queues)
		return &wt_error_no_memory;
	for (size_t i = 0; i < core->note.queue_count && !error; i++)
		error = open_queue(core, &core->note.queues[i]);
	return error ? error : wt_core_read_waves(core);
}

static struct wt_error *open_code_objects(struct wt_core *core)
{
	core->code_objects = calloc(core->link_map.count + 1, sizeof(*core->code_objects));
	if (!core->code_objects)
		return &wt_error_no_memory;
	for (size_t i = 0; i < core->link_map.count; i++)
		core->code_objects[i] = (struct wt_device_code_object){
			.number = (uint32_t)i,
			.uri = core->link_map.entries[i].uri,
			.load_address = (int64_t)core->link_map.entries[i].load_address,
			.loaded = true,
		};
	return NULL;
}

/* A version of r_debug that is not known restricts the process; a list that is not there does not. */
static struct wt_error *open_runtime(struct wt_core *core)
{
	struct wt_error *error = wt_link_map_read(&core->memory, core->note.r_debug,
						  WT_R_DEBUG_CORE, &core->link_map);

	if (error && error->code == WT_ERROR_MEMORY)
		return error;
	if (error && error->code == WT_ERROR_UNSUPPORTED)
		core->access = WT_CORE_ACCESS_RESTRICTED;
	wt_core_warn(core, error);
	return core->access == WT_CORE_ACCESS_FULL ? open_code_objects(core) : NULL;
}

static struct wt_error *core_open_objects(struct wt_core *core)
{
	struct wt_error *error;

	if (core->note.runtime == WT_CORE_NOTE_RUNTIME_DISABLED)
		return NULL;
	core->access = WT_CORE_ACCESS_RESTRICTED;
	if (core->note.runtime != WT_CORE_NOTE_RUNTIME_ENABLED)
		return NULL;
	core->access = WT_CORE_ACCESS_FULL;
	error = wt_core_open_agents(core);
	if (!error)
		error = open_runtime(core);
	if (!error && core->access == WT_CORE_ACCESS_FULL)
		error = core_open_queues(core);
	return error;
}

struct wt_error *wt_core_create(struct wt_core_note *note, const struct wt_memory_view *memory,
				struct wt_device **device_ret)
{
	struct wt_core *core = calloc(1, sizeof(*core));
	struct wt_error *error;

	if (!core)
		return &wt_error_no_memory;
	core->device.operations = &operations;
	core->device.core = true;
	core->memory = *memory;
	core->note = *note;
	error = core_open_objects(core);
	if (error) {
		core->note = (struct wt_core_note){0};
		core_device_destroy(&core->device);
		return error;
	}
	*note = (struct wt_core_note){0};
	*device_ret = &core->device;
	return NULL;
}

enum wt_core_access wt_core_access(const struct wt_device *device)
{
	return to_core(device)->access;
}
