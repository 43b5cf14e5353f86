/* SPDX-License-Identifier: MIT */
/* Waves: found in the save areas of queues that are suspended, and written back there. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/kfd/internal.h"
#include "device/trap-handler.h"

#define MAX_WAVES (1u << 20)

/* ---- Which wave is which ---- */

/* Waves are numbered in the order in which they were found. */
static int wave_compare_id(const void *key, const void *member)
{
	const struct wt_core_wave *wave = *(struct wt_core_wave *const *)member;
	uint32_t number = *(const uint32_t *)key;

	return number < wave->wave.number ? -1 : number > wave->wave.number;
}

/* By the id that was written into its registers. One that was found already is another one's copy. */
static struct wt_core_wave *reading_find_wave(const struct wt_core_reading *reading, uint64_t id)
{
	const struct wt_core *core = reading->core;
	const uint32_t number = (uint32_t)(id - 1);
	struct wt_core_wave **found;

	if (!id || id > UINT32_MAX || !core->wave_count)
		return NULL;
	found = bsearch(&number, core->waves, core->wave_count, sizeof(struct wt_core_wave *),
			wave_compare_id);
	return found && (*found)->queue == reading->queue && !(*found)->live.seen &&
			       !(*found)->live.gone
		       ? *found
		       : NULL;
}

/* Takes what hardware has saved of a wave that runs, or that has just stopped: the registers that its family has. */
static void take_hardware(const struct wt_save_area_layout *layout, struct gfx_wave *gfx,
			  const struct gfx_wave *saved)
{
	for (const struct wt_save_area_hwreg *reg = layout->hwregs; reg->words; reg++)
		memcpy((uint8_t *)gfx + reg->place, (const uint8_t *)saved + reg->place,
		       reg->wide ? sizeof(uint64_t) : sizeof(uint32_t));
	memcpy(gfx->ttmps, saved->ttmps, sizeof(gfx->ttmps));
}

static void update_group(struct wt_core_reading *reading, struct wt_core_wave *wave,
			 const struct wt_save_area_wave *saved)
{
	if (saved->first)
		wave->group->lds_address = saved->lds;
	reading->group = saved->last ? NULL : wave->group;
}

static void update_wave(struct wt_live *live, struct wt_core_reading *reading,
			struct wt_core_wave *wave, const struct wt_save_area_wave *saved,
			const struct gfx_wave *gfx, const struct wt_saved_wave_state *state)
{
	wave->live.seen = true;
	wave->saved = *saved;
	update_group(reading, wave, saved);
	/* A wave that stands has the registers that are known of it, and that the debugger has given it. */
	if (wave->wave.state == WT_WAVE_STOPPED || wave->live.pending || wave->live.ending)
		return;
	take_hardware(reading->queue->agent->layout, &wave->gfx, gfx);
	wt_core_unload_wave(reading->core, wave);
	if (state->stopped)
		wt_live_note_stop(live, wave, state->stop_reasons);
}

/* A stop that is older than the debugger is reported like any other; one without a reason is another debugger's. */
static void note_first_state(struct wt_core_wave *wave, const struct wt_saved_wave_state *state)
{
	wave->live.seen = wave->live.dirty = true;
	if (!state->stopped || !state->stop_reasons)
		return;
	wave->wave.state = WT_WAVE_RUNNING;
	wave->live.pending = true;
	wave->live.reasons = state->stop_reasons;
}

static struct wt_error *live_add_wave(struct wt_live *live, struct wt_core_reading *reading,
				      const struct wt_save_area_wave *saved)
{
	const struct wt_core_agent *agent = reading->queue->agent;
	const struct wt_saved_wave_setup setup = wt_core_setup(reading->core, agent);
	struct wt_saved_wave_state state;
	struct wt_core_wave *wave;

	if (reading->core->wave_count == MAX_WAVES)
		return wt_error_create(WT_ERROR_LIMIT, "cannot read the saved waves", NULL,
				       "there are more than %u", MAX_WAVES);
	wave = wt_core_make_wave(reading, saved);
	if (!wave)
		return &wt_error_no_memory;
	if (!wt_saved_wave_load(agent->layout, &reading->core->memory, saved, &setup, &wave->gfx,
				&state)) {
		reading->skipped++;
		free(wave);
		return NULL;
	}
	if (!wt_core_place_wave(reading, wave, &state) ||
	    !wt_core_keep_wave(reading->core, wave, live->next_wave)) {
		free(wave);
		return &wt_error_no_memory;
	}
	live->next_wave++;
	wave->group->lds_address = saved->first ? saved->lds : wave->group->lds_address;
	note_first_state(wave, &state);
	return NULL;
}

static struct wt_error *live_found_wave(void *opaque, const struct wt_save_area_wave *saved)
{
	struct wt_core_reading *reading = opaque;
	const struct wt_saved_wave_setup setup = {
		.are_known = true,
		.r_debug_version = reading->core->link_map.version,
	};
	struct wt_live *live = (struct wt_live *)reading->core;
	struct gfx_wave gfx = {.architecture = reading->queue->agent->agent.architecture};
	struct wt_saved_wave_state state;
	struct wt_core_wave *wave = NULL;

	if (saved->first)
		reading->group = NULL;
	if (!wt_saved_wave_load(reading->queue->agent->layout, &reading->core->memory, saved,
				&setup, &gfx, &state)) {
		reading->skipped++;
		return NULL;
	}
	if (gfx.pc % 4)
		return wt_error_create(WT_ERROR_INPUT, "cannot read the saved waves", NULL,
				       "one stands within an instruction");
	if (reading->queue->live.adopted)
		wave = reading_find_wave(reading, state.debugger_id);
	if (!wave)
		return live_add_wave(live, reading, saved);
	update_wave(live, reading, wave, saved, &gfx, &state);
	return NULL;
}

/* Waves that are not in the area any more have ended; if the area cannot be read, nothing is known of them. */
static void note_gone(struct wt_live *live, const struct wt_core_queue *queue)
{
	for (size_t i = 0; i < live->core.wave_count; i++) {
		struct wt_core_wave *wave = live->core.waves[i];

		if (wave->queue == queue && !wave->live.seen)
			wave->live.gone = true;
	}
}

static void forget_seen(struct wt_live *live, const struct wt_core_queue *queue)
{
	for (size_t i = 0; i < live->core.wave_count; i++)
		if (live->core.waves[i]->queue == queue)
			live->core.waves[i]->live.seen = false;
}

static bool live_walk_waves(struct wt_live *live, struct wt_core_reading *reading)
{
	wt_cleanup_error struct wt_error *error = wt_core_walk(reading, live_found_wave);

	if (!error && !reading->skipped)
		return true;
	if (!wt_live_ends(live))
		wt_live_fail(live, "queue %u: %s: %s", reading->queue->entry.queue_id,
			     error ? error->what : "cannot read the saved waves",
			     error ? error->why : "they are not in memory");
	return false;
}

void wt_live_read_waves(struct wt_live *live, struct wt_core_queue *queue)
{
	struct wt_core_reading reading = {.core = &live->core, .queue = queue};
	bool complete = true;

	if (!wt_core_read_structure(&live->core, queue)) {
		if (!wt_live_ends(live))
			wt_live_fail(live, "queue %u: its indices are not in memory",
				     queue->entry.queue_id);
		return;
	}
	live->untold = true;
	forget_seen(live, queue);
	for (; reading.xcc < queue->agent->entry.xcc_count && complete; reading.xcc++)
		complete = live_walk_waves(live, &reading);
	if (!complete)
		return;
	queue->live.adopted = true;
	note_gone(live, queue);
}

/* ---- Back ---- */

static bool write_wave(struct wt_live *live, struct wt_core_wave *wave)
{
	const struct wt_save_area_layout *layout = wave->queue->agent->layout;
	uint32_t version = live->core.link_map.version;
	uint64_t park = wt_save_area_parks(layout, version) && wave->gfx.ttmps[6] & WT_TTMP6_STOPPED
				? wt_live_park_address(live, wave->queue)
				: 0;

	if (!wt_saved_wave_store(layout, &live->core.memory, &wave->saved, &wave->gfx, version,
				 park))
		return false;
	return !wave->wave.changed || !wave->registers ||
	       wt_saved_wave_store_registers(layout, &live->core.memory, &wave->saved, &wave->gfx);
}

void wt_live_write_waves(struct wt_live *live)
{
	for (size_t i = 0; i < live->core.wave_count; i++) {
		struct wt_core_wave *wave = live->core.waves[i];

		if (wave->live.gone || !wave->live.seen || !wave->queue->live.suspended ||
		    !(wave->live.dirty || wave->wave.changed))
			continue;
		if (!write_wave(live, wave) && !wt_live_ends(live))
			wt_live_fail(live, "queue %u: a wave cannot be written back",
				     wave->queue->entry.queue_id);
		wave->live.dirty = wave->wave.changed = false;
	}
}

/* ---- What is asked of one ---- */

bool wt_live_load_wave(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);
	bool loaded;

	if (wave->registers)
		return wt_core_load_wave(device, device_wave);
	wt_live_hold_queue(live, wave->queue);
	loaded = !wave->live.gone && wave->queue->live.suspended &&
		 wt_core_load_wave(device, device_wave);
	wt_live_let_go(live);
	return loaded;
}

/* Other waves of the workgroup may run, so each look is a new one. */
static bool move_group(struct wt_live *live, struct wt_core_group *group, bool write)
{
	const struct wt_memory_view *memory = &live->core.memory;
	struct wt_device_workgroup *device = &group->group;
	const struct wt_device_queue *queue = device->dispatch->queue;
	bool done = false;

	if (!device->lds_size)
		return true;
	wt_live_hold_queue(live, (const struct wt_core_queue *)queue);
	if (wt_live_is_loaded(live) && group->lds_address)
		done = write ? memory->write(memory->opaque, group->lds_address, device->lds,
					     device->lds_size) == device->lds_size
			     : wt_memory_view_read(memory, group->lds_address, device->lds,
						   device->lds_size);
	wt_live_let_go(live);
	return done;
}

bool wt_live_load_group(struct wt_device *device, struct wt_device_workgroup *group)
{
	if (group->lds_size && !group->lds)
		group->lds = calloc(1, group->lds_size);
	return (!group->lds_size || group->lds) &&
	       move_group(wt_live_of(device), (struct wt_core_group *)group, false);
}

bool wt_live_store_group(struct wt_device *device, struct wt_device_workgroup *group)
{
	return move_group(wt_live_of(device), (struct wt_core_group *)group, true);
}
