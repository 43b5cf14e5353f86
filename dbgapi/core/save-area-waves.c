/* SPDX-License-Identifier: MIT */
/* From context save areas to waves, workgroups and dispatches. */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dbgapi/core/internal.h"
#include "device/trap-handler.h"

#define MAX_WAVES (1u << 20)
#define PACKET_BYTES 64u
#define PACKET_KERNEL_OBJECT 32
#define DESCRIPTOR_ENTRY 16

void wt_core_note_pc(struct wt_core_wave *wave)
{
	const struct wt_save_area_layout *layout = wave->queue->agent->layout;

	if (wt_save_area_parks(layout, wave->queue->r_debug_version))
		wt_saved_wave_park(layout, wave->gfx.pc, wave->gfx.ttmps);
}

void wt_core_park(struct wt_core_wave *wave)
{
	const struct wt_core_agent *agent = wave->queue->agent;
	struct gfx_wave *gfx = &wave->gfx;

	wt_wave_set_stopped(gfx);
	if (!(agent->entry.debug_properties & WT_CORE_NOTE_DEBUG_TTMPS_ALWAYS) &&
	    !wt_wave_has_state_priv(gfx))
		gfx->status |= WT_STATUS_SKIP_EXPORT;
	wt_core_note_pc(wave);
	wave->wave.state = WT_WAVE_STOPPED;
	wave->wave.stop_reasons = WT_STOP_NONE;
}

void wt_core_unpark(struct wt_core_wave *wave, bool step)
{
	struct gfx_wave *gfx = &wave->gfx;

	if (!wt_wave_has_state_priv(gfx))
		gfx->status &= ~WT_STATUS_SKIP_EXPORT;
	wt_wave_set_running(gfx, step);
	wave->wave.state = step ? WT_WAVE_STEPPING : WT_WAVE_RUNNING;
	wave->wave.stop_reasons = WT_STOP_NONE;
}

static struct wt_core_dispatch *add_dispatch(struct wt_core_reading *reading)
{
	struct wt_core_dispatch *dispatch = calloc(1, sizeof(*dispatch));

	if (!dispatch)
		return NULL;
	dispatch->dispatch.number = reading->core->next_dispatch++;
	dispatch->dispatch.queue = &reading->queue->queue;
	*reading->queue->dispatches_end = dispatch;
	reading->queue->dispatches_end = &dispatch->next;
	return dispatch;
}

/* The id of a packet by its index: the one of the ring's laps that is between read and write. */
static bool find_packet_id(const struct wt_device_queue *queue, uint64_t index, uint64_t *id_ret)
{
	uint64_t count = queue->ring_size / PACKET_BYTES, id;

	if (index >= count)
		return false;
	id = index + queue->read_packet_id / count * count;
	if (id < queue->read_packet_id)
		id += count;
	if (id < queue->read_packet_id || id >= queue->write_packet_id)
		return false;
	*id_ret = id;
	return true;
}

static bool dispatch_read_packet(const struct wt_core *core, struct wt_device_dispatch *dispatch)
{
	uint64_t kernel_object, entry;

	if (!wt_memory_view_read(&core->memory, dispatch->packet_address, dispatch->packet,
				 sizeof(dispatch->packet)))
		return false;
	memcpy(&kernel_object, dispatch->packet + PACKET_KERNEL_OBJECT, sizeof(kernel_object));
	kernel_object = le64toh(kernel_object);
	if (!wt_memory_view_read_u64(&core->memory, kernel_object + DESCRIPTOR_ENTRY, &entry))
		return false;
	dispatch->kernel_entry = kernel_object + entry;
	return true;
}

/* The dispatch of waves that do not know their packet, or whose packet is not in the core: no dispatch at all. */
static struct wt_core_dispatch *unknown_dispatch(struct wt_core_reading *reading)
{
	struct wt_core_dispatch *dispatch;

	for (dispatch = reading->queue->dispatches; dispatch; dispatch = dispatch->next)
		if (dispatch->dispatch.unknown)
			return dispatch;
	dispatch = add_dispatch(reading);
	if (dispatch)
		dispatch->dispatch.unknown = true;
	return dispatch;
}

static struct wt_core_dispatch *find_dispatch(struct wt_core_reading *reading,
					      const struct wt_saved_wave_state *state)
{
	const struct wt_device_queue *queue = &reading->queue->queue;
	struct wt_device_dispatch found = {0};
	struct wt_core_dispatch *dispatch;

	if (!state->has_packet || !find_packet_id(queue, state->packet_index, &found.packet_id))
		return unknown_dispatch(reading);
	for (dispatch = reading->queue->dispatches; dispatch; dispatch = dispatch->next)
		if (!dispatch->dispatch.unknown && dispatch->dispatch.packet_id == found.packet_id)
			return dispatch;
	found.packet_address = queue->ring_address + (uint64_t)state->packet_index * PACKET_BYTES;
	if (!dispatch_read_packet(reading->core, &found))
		return unknown_dispatch(reading);
	dispatch = add_dispatch(reading);
	if (!dispatch)
		return NULL;
	found.number = dispatch->dispatch.number;
	found.queue = queue;
	dispatch->dispatch = found;
	return dispatch;
}

static struct wt_core_group *find_group(struct wt_core_reading *reading,
					const struct wt_save_area_wave *saved,
					const struct wt_saved_wave_state *state)
{
	struct wt_core_dispatch *dispatch;
	struct wt_core_group *group;

	if (reading->group)
		return reading->group;
	dispatch = find_dispatch(reading, state);
	group = dispatch ? calloc(1, sizeof(*group)) : NULL;
	if (!group)
		return NULL;
	group->group.number = reading->core->next_workgroup++;
	group->group.dispatch = &dispatch->dispatch;
	memcpy(group->group.coordinates, state->coordinates, sizeof(state->coordinates));
	group->group.lds_size = saved->first ? saved->sizes.lds_size : 0;
	group->lds_address = saved->lds;
	group->next = reading->queue->groups;
	reading->queue->groups = group;
	return group;
}

bool wt_core_keep_wave(struct wt_core *core, struct wt_core_wave *wave, uint32_t number)
{
	if (core->wave_count == core->wave_capacity) {
		size_t capacity = core->wave_capacity ? 2 * core->wave_capacity : 64;
		struct wt_core_wave **grown =
			reallocarray(core->waves, capacity, sizeof(*core->waves));

		if (!grown)
			return false;
		core->waves = grown;
		core->wave_capacity = capacity;
	}
	wave->wave.number = number;
	/* Every device sets these ids so, in place of what was saved: ids of another debugger's session. */
	wave->gfx.ttmps[4] = wave->wave.number + 1;
	wave->gfx.ttmps[5] = 0;
	core->waves[core->wave_count++] = wave;
	return true;
}

/* None if the queue does not say where it is. */
void wt_core_place_scratch(struct wt_core_wave *wave)
{
	const struct wt_core_queue *queue = wave->queue;
	uint64_t waves = wt_core_scratch_waves(queue);
	uint64_t size = wt_core_scratch_of_wave(queue);
	uint64_t engines = wt_core_engines(queue->agent);

	if (!wave->saved.scratch || !queue->has_scratch || !engines || waves % engines)
		return;
	wave->gfx.scratch_size = size;
	wave->wave.scratch_address =
		queue->scratch_base + queue->scratch_size * wave->xcc +
		(waves / engines * wave->saved.engine + wave->saved.slot) * size;
}

static void set_state(struct wt_core_wave *wave, const struct wt_saved_wave_state *state)
{
	const struct wt_device_dispatch *dispatch = wave->group->group.dispatch;

	wave->wave.number_in_group = state->number_in_group;
	wave->wave.state = WT_WAVE_STOPPED;
	wave->wave.stop_reasons = state->stop_reasons;
	if (state->stopped)
		return;
	wave->wave.halted_at_launch =
		state->halted && !dispatch->unknown && wave->gfx.pc == dispatch->kernel_entry;
	wave->running = !wave->wave.halted_at_launch;
	wave->wave.state = WT_WAVE_RUNNING;
}

struct wt_core_wave *wt_core_make_wave(const struct wt_core_reading *reading,
				       const struct wt_save_area_wave *saved)
{
	struct wt_core_wave *wave = calloc(1, sizeof(*wave));

	if (!wave)
		return NULL;
	wave->queue = reading->queue;
	wave->xcc = reading->xcc;
	wave->saved = *saved;
	wave->gfx = (struct gfx_wave){
		.architecture = reading->queue->agent->agent.architecture,
		.lane_count = saved->sizes.lane_count,
		.sgpr_count = wt_saved_wave_plain_sgprs(reading->queue->agent->layout,
							saved->sizes.sgpr_count),
		.vgpr_count = saved->sizes.vgpr_count,
		.agpr_count = saved->sizes.agpr_count,
		.shared_count = saved->sizes.shared_count,
	};
	wave->wave.gfx = &wave->gfx;
	return wave;
}

struct wt_saved_wave_setup wt_core_setup(const struct wt_core *core,
					 const struct wt_core_agent *agent)
{
	return (struct wt_saved_wave_setup){
		.ttmps_set_up = core->note.ttmps_set_up ||
				agent->entry.debug_properties & WT_CORE_NOTE_DEBUG_TTMPS_ALWAYS,
		.r_debug_version = core->link_map.version,
	};
}

bool wt_core_place_wave(struct wt_core_reading *reading, struct wt_core_wave *wave,
			const struct wt_saved_wave_state *state)
{
	wave->group = find_group(reading, &wave->saved, state);
	if (!wave->group)
		return false;
	wave->wave.workgroup = &wave->group->group;
	reading->group = wave->saved.last ? NULL : wave->group;
	set_state(wave, state);
	wt_core_place_scratch(wave);
	return true;
}

static struct wt_error *core_found_wave(void *opaque, const struct wt_save_area_wave *saved)
{
	struct wt_core_reading *reading = opaque;
	struct wt_core *core = reading->core;
	struct wt_core_agent *agent = reading->queue->agent;
	const struct wt_saved_wave_setup setup = wt_core_setup(core, agent);
	struct wt_saved_wave_state state;
	struct wt_core_wave *wave;

	if (core->wave_count == MAX_WAVES)
		return wt_error_create(WT_ERROR_LIMIT, "cannot read the saved waves", NULL,
				       "there are more than %u", MAX_WAVES);
	if (saved->first)
		reading->group = NULL;
	wave = wt_core_make_wave(reading, saved);
	if (!wave)
		return &wt_error_no_memory;
	if (!wt_saved_wave_load(agent->layout, &core->memory, saved, &setup, &wave->gfx, &state)) {
		reading->skipped++;
		free(wave);
		return NULL;
	}
	if (!wt_core_place_wave(reading, wave, &state) ||
	    !wt_core_keep_wave(core, wave, (uint32_t)core->wave_count)) {
		free(wave);
		return &wt_error_no_memory;
	}
	return NULL;
}

static void warn_of_skipped(struct wt_core_reading *reading)
{
	char where[48];

	if (!reading->skipped)
		return;
	snprintf(where, sizeof(where), "queue %u", reading->queue->entry.queue_id);
	wt_core_warn(reading->core,
		     wt_error_create(WT_ERROR_NOT_FOUND, "cannot read all saved waves", where,
				     "%zu of them are not in the core", reading->skipped));
}

struct wt_error *wt_core_walk(struct wt_core_reading *reading, wt_save_area_visitor visitor)
{
	const struct wt_core_note_queue *entry = &reading->queue->entry;

	reading->group = NULL;
	return wt_save_area_walk(reading->queue->agent->layout, &reading->core->memory,
				 entry->save_address + (uint64_t)reading->xcc * entry->save_size,
				 entry->save_size, visitor, reading);
}

static struct wt_error *core_read_queue(struct wt_core *core, struct wt_core_queue *queue)
{
	struct wt_core_reading reading = {.core = core, .queue = queue};

	if (queue->queue.type != WT_QUEUE_AQL || !queue->agent->layout)
		return NULL;
	for (; reading.xcc < queue->agent->entry.xcc_count; reading.xcc++) {
		struct wt_error *error = wt_core_walk(&reading, core_found_wave);

		if (error && error->code == WT_ERROR_MEMORY)
			return error;
		wt_core_warn(core, error);
	}
	warn_of_skipped(&reading);
	return NULL;
}

struct wt_error *wt_core_read_waves(struct wt_core *core)
{
	struct wt_error *error = NULL;

	for (size_t i = 0; i < core->queue_count && !error; i++)
		error = core_read_queue(core, core->queues[i]);
	return error;
}

void wt_core_unload_wave(struct wt_core *core, struct wt_core_wave *wave)
{
	if (!wave->registers)
		return;
	free(wave->registers);
	wave->registers = NULL;
	core->loaded_count--;
}

/* Give back the registers of the wave that was asked for longest ago; changed ones are kept. */
static void unload_oldest(struct wt_core *core)
{
	struct wt_core_wave *oldest = NULL;

	if (core->loaded_count < WT_CORE_LOADED_WAVES)
		return;
	for (size_t i = 0; i < core->wave_count; i++) {
		struct wt_core_wave *wave = core->waves[i];

		if (wave->registers && !wave->wave.changed &&
		    (!oldest || wave->loaded < oldest->loaded))
			oldest = wave;
	}
	if (oldest)
		wt_core_unload_wave(core, oldest);
}

bool wt_core_load_group(struct wt_core *core, struct wt_core_group *core_group)
{
	struct wt_device_workgroup *group = &core_group->group;
	uint8_t *lds;

	if (!group->lds_size || group->lds)
		return true;
	lds = malloc(group->lds_size);
	if (!lds)
		return false;
	if (!wt_memory_view_read(&core->memory, core_group->lds_address, lds, group->lds_size)) {
		free(lds);
		group->lds_size = 0;
		return true;
	}
	group->lds = lds;
	return true;
}

/*
 * Families whose hardware sets flat_scratch up say so by themselves where private memory is: if that
 * is another place than was computed, neither is to be trusted. A debugger may have written it since.
 */
static void check_scratch(struct wt_core_wave *wave)
{
	if (!wave->queue->agent->layout->flat_scratch_is_up)
		return;
	wt_core_place_scratch(wave);
	if (wave->gfx.flat_scratch != wave->wave.scratch_address)
		wave->gfx.scratch_size = 0;
}

bool wt_core_load_wave(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core *core = (struct wt_core *)device;
	struct wt_core_wave *wave = (struct wt_core_wave *)device_wave;
	struct gfx_wave *gfx = &wave->gfx;
	size_t words = (size_t)gfx->vgpr_count * gfx->lane_count;
	size_t agprs = (size_t)gfx->agpr_count * gfx->lane_count;
	size_t shared = (size_t)gfx->shared_count * WT_SAVE_AREA_SHARED_LANES;

	wave->loaded = ++core->clock;
	if (wave->registers) {
		check_scratch(wave);
		return true;
	}
	unload_oldest(core);
	wave->registers = calloc(words + agprs + shared + 1, sizeof(*wave->registers));
	if (!wave->registers)
		return false;
	gfx->vgprs = wave->registers;
	gfx->agprs = wave->registers + words;
	gfx->shared = wave->registers + words + agprs;
	if (!wt_core_load_group(core, wave->group) ||
	    !wt_saved_wave_load_registers(wave->queue->agent->layout, &core->memory, &wave->saved,
					  gfx)) {
		free(wave->registers);
		wave->registers = NULL;
		return false;
	}
	gfx->lds = wave->group->group.lds;
	gfx->lds_size = wave->group->group.lds_size;
	check_scratch(wave);
	core->loaded_count++;
	return true;
}
