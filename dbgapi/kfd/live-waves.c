/* SPDX-License-Identifier: MIT */
/* Queues, how they are suspended and resumed, and their waves: found in the save areas of those that are suspended, and written back there. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "dbgapi/kfd/internal.h"
#include "device/trap-handler.h"

#define QUEUES_AT_ONCE 16u
#define MAX_WAVES (1u << 20)
/* Stopped waves of some families stand at it, in the debugger's memory of a queue. */
#define PARKING_TRAP 2

/* ---- The debugger's memory ---- */

uint64_t wt_live_allocate_buffer(struct wt_device *device, const struct wt_device_queue *queue,
				 const void *instruction, size_t size)
{
	struct wt_core *core = &wt_live_of(device)->core;
	uint64_t address = wt_core_allocate_buffer(device, queue, instruction, size);
	const uint32_t trap = htole32(gfx_trap_word(queue->agent->architecture, PARKING_TRAP));

	if (!address)
		return 0;
	if (core->memory.write(core->memory.opaque, address, instruction, size) == size &&
	    core->memory.write(core->memory.opaque, address + size, &trap, sizeof(trap)) ==
		    sizeof(trap))
		return address;
	wt_core_free_buffer(device, queue, address);
	return 0;
}

static uint64_t live_place_instruction(struct wt_live *live, struct wt_core_queue *queue,
				       uint64_t *address, uint32_t word)
{
	const uint32_t instruction = htole32(word);

	if (!*address)
		*address = wt_live_allocate_buffer(&live->core.device, &queue->queue, &instruction,
						   sizeof(instruction));
	return *address;
}

/* The trap, or s_endpgm, in the debugger's memory of a queue; 0 if it has none. */
static uint64_t live_park_address(struct wt_live *live, struct wt_core_queue *queue)
{
	return live_place_instruction(
		live, queue, &queue->live.park,
		gfx_trap_word(queue->agent->agent.architecture, PARKING_TRAP));
}

uint64_t wt_live_end_address(struct wt_live *live, struct wt_core_queue *queue)
{
	return live_place_instruction(live, queue, &queue->live.end,
				      queue->agent->agent.architecture->end_word);
}

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

/* Read the waves of a suspended queue. */
static void live_read_waves(struct wt_live *live, struct wt_core_queue *queue)
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
				? live_park_address(live, wave->queue)
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

/* ---- Which queues there are ---- */

static struct wt_core_queue *live_find_queue(const struct wt_live *live, uint32_t id)
{
	for (size_t i = 0; i < live->core.queue_count; i++)
		if (!live->core.queues[i]->live.gone && live->core.queues[i]->entry.queue_id == id)
			return live->core.queues[i];
	return NULL;
}

static struct wt_core_note_queue queue_describe(const struct kfd_queue_entry *entry)
{
	return (struct wt_core_note_queue){
		.exceptions = entry->exceptions,
		.ring_address = entry->ring_address,
		.write_pointer_address = entry->write_pointer_address,
		.read_pointer_address = entry->read_pointer_address,
		.save_address = entry->save_address,
		.queue_id = entry->queue_id,
		.gpu_id = entry->gpu_id,
		.ring_size = entry->ring_size,
		.type = entry->type,
		.save_size = entry->save_size,
	};
}

static void add_queue(struct wt_live *live, const struct kfd_queue_entry *entry)
{
	const struct wt_core_note_queue described = queue_describe(entry);
	struct wt_core *core = &live->core;
	struct wt_core_agent *agent = wt_core_find_agent(core, entry->gpu_id);
	struct wt_core_queue *queue, **grown;

	if (!agent)
		wt_live_warn(live, "queue %u cannot be read: no agent has its GPU id, %u",
			     entry->queue_id, entry->gpu_id);
	if (!agent || !agent->agent.supported)
		return;
	grown = reallocarray(core->queues, core->queue_count + 1, sizeof(struct wt_core_queue *));
	if (grown)
		core->queues = grown;
	queue = grown ? wt_core_make_queue(core, &described, agent, live->next_queue) : NULL;
	if (!queue) {
		wt_live_fail(live, "there is no memory for a queue");
		return;
	}
	live->untold = true;
	live->next_queue++;
	queue->live.listed = true;
	if (queue->queue.type == WT_QUEUE_AQL && !wt_core_read_structure(core, queue))
		wt_live_warn(live, "queue %u cannot be read: its indices are not in memory",
			     entry->queue_id);
	core->queues[core->queue_count++] = queue;
}

/* A queue that is new under a known id is another one. */
static void see(struct wt_live *live, const struct kfd_queue_entry *entry, bool attaching)
{
	struct wt_core_queue *queue = live_find_queue(live, entry->queue_id);
	bool is_new = entry->exceptions & WT_LIVE_QUEUE_NEW;

	if (queue && is_new) {
		queue->live.gone = live->untold = true;
		queue = NULL;
	}
	if (queue) {
		queue->live.listed = true;
		return;
	}
	if (!is_new && !attaching)
		wt_live_warn(live, "queue %u is there, though the kernel driver said nothing of it",
			     entry->queue_id);
	add_queue(live, entry);
}

/* Return: how many there are; -1 if that cannot be known. Whatever was given once is no longer new to the driver. */
static int64_t live_take_snapshot(struct wt_live *live, uint32_t room, bool attaching)
{
	wt_cleanup_free struct kfd_queue_entry *entries = calloc(room, sizeof(*entries));
	struct kfd_debug_trap args = {
		.snapshot = {WT_LIVE_QUEUE_NEW, (uintptr_t)entries, room, sizeof(*entries)}};

	if (!entries) {
		wt_live_fail(live, "there is no memory for the list of queues");
		return -1;
	}
	if (wt_live_call(live, KFD_DEBUG_QUEUE_SNAPSHOT, &args) < 0)
		return -1;
	if (args.snapshot.entry_size < sizeof(*entries) ||
	    args.snapshot.count > WT_CORE_NOTE_MAX_QUEUES) {
		wt_live_fail(live, "the kernel driver: process %u: its list of queues has no sense",
			     live->calls.process);
		return -1;
	}
	for (uint32_t i = 0; i < room && i < args.snapshot.count; i++)
		see(live, &entries[i], attaching);
	return args.snapshot.count;
}

void wt_live_find_queues(struct wt_live *live, bool attaching)
{
	uint32_t room = (uint32_t)live->core.queue_count + QUEUES_AT_ONCE;
	int64_t count;

	for (size_t i = 0; i < live->core.queue_count; i++)
		live->core.queues[i]->live.listed = false;
	while ((count = live_take_snapshot(live, room, attaching)) > room)
		room = (uint32_t)count;
	if (count < 0)
		return;
	for (size_t i = 0; i < live->core.queue_count; i++)
		if (!live->core.queues[i]->live.listed)
			live->core.queues[i]->live.gone = live->untold = true;
}

/* ---- Suspending and resuming ---- */

/* Only these have waves. */
static bool queue_has_waves(const struct wt_core_queue *queue)
{
	return !queue->live.gone && queue->queue.type == WT_QUEUE_AQL && queue->agent->layout;
}

static bool is_in_scope(const struct wt_live *live, const struct wt_core_queue *queue)
{
	switch (live->scope) {
	case WT_LIVE_SCOPE_ONE:
		return queue == live->only;
	case WT_LIVE_SCOPE_STALE:
		return queue->live.stale;
	default:
		return true;
	}
}

/* The ids of queues that are suspended, or are not and should be. */
static size_t live_collect_queues(const struct wt_live *live, bool suspended, uint32_t *ids)
{
	size_t count = 0;

	for (size_t i = 0; i < live->core.queue_count; i++)
		if (queue_has_waves(live->core.queues[i]) &&
		    live->core.queues[i]->live.suspended == suspended &&
		    (suspended || is_in_scope(live, live->core.queues[i])))
			ids[count++] = live->core.queues[i]->entry.queue_id;
	return count;
}

/*
 * Notes what the driver has made of each queue. One that is no longer there, or is another one by now, is in the next
 * snapshot.
 */
static void note_suspended(struct wt_live *live, uint32_t id)
{
	struct wt_core_queue *queue =
		live_find_queue(live, id & ~(uint32_t)(KFD_QUEUE_ERROR | KFD_QUEUE_INVALID));

	if (!queue)
		return;
	if (id & KFD_QUEUE_ERROR)
		wt_live_fail(live, "the kernel driver: queue %u cannot be suspended",
			     queue->entry.queue_id);
	else if (id & KFD_QUEUE_INVALID)
		queue->live.gone = live->untold = true;
	else
		queue->live.suspended = queue->live.fresh = true;
}

/* The runtime may have been unloaded meanwhile: an event says so, and the queues are gone. */
static bool is_refused(struct wt_live *live, int result)
{
	if (result != -EPERM)
		return false;
	wt_live_take_events(live);
	return !wt_live_is_loaded(live);
}

static void suspend_all(struct wt_live *live)
{
	wt_cleanup_free uint32_t *ids = calloc(live->core.queue_count + 1, sizeof(*ids));
	size_t count = ids ? live_collect_queues(live, false, ids) : 0;
	struct kfd_debug_trap args = {
		.suspend = {WT_LIVE_WAVE_EXCEPTIONS, (uintptr_t)ids, (uint32_t)count, 0}};
	int result;

	if (!ids)
		wt_live_fail(live, "there is no memory for suspending queues");
	if (!count)
		return;
	result = wt_live_try(live, KFD_DEBUG_SUSPEND_QUEUES, &args);
	if (result < 0) {
		if (!is_refused(live, result))
			wt_live_check(live, KFD_DEBUG_SUSPEND_QUEUES, result);
		return;
	}
	for (size_t i = 0; i < count; i++)
		note_suspended(live, ids[i]);
}

void wt_live_suspend(struct wt_live *live)
{
	suspend_all(live);
	for (size_t i = 0; i < live->core.queue_count && wt_live_is_loaded(live); i++) {
		struct wt_core_queue *queue = live->core.queues[i];

		if (queue_has_waves(queue) && queue->live.fresh) {
			live_read_waves(live, queue);
			queue->live.stale = false;
		}
		queue->live.fresh = false;
	}
}

/* Write back what was changed, and let the queues go on. */
static void live_resume_queues(struct wt_live *live)
{
	wt_cleanup_free uint32_t *ids = calloc(live->core.queue_count + 1, sizeof(*ids));
	size_t count = ids ? live_collect_queues(live, true, ids) : 0;
	struct kfd_debug_trap args = {.resume = {(uintptr_t)ids, (uint32_t)count, 0}};
	int result;

	if (!ids)
		wt_live_fail(live, "there is no memory for resuming queues");
	wt_live_write_waves(live);
	if (!count)
		return;
	result = wt_live_try(live, KFD_DEBUG_RESUME_QUEUES, &args);
	if (result < 0 && !is_refused(live, result))
		wt_live_check(live, KFD_DEBUG_RESUME_QUEUES, result);
	for (size_t i = 0; i < live->core.queue_count; i++)
		live->core.queues[i]->live.suspended = false;
}

/* Holds queues; those that are kept suspended are held all together. */
static void begin_hold(struct wt_live *live, enum wt_live_scope scope)
{
	if (live->holds++ || live->stands || !wt_live_is_loaded(live))
		return;
	live->scope = live->keeps ? WT_LIVE_SCOPE_ALL : scope;
	wt_live_suspend(live);
	live->stands = true;
}

void wt_live_hold(struct wt_live *live)
{
	begin_hold(live, WT_LIVE_SCOPE_ALL);
}

void wt_live_hold_queue(struct wt_live *live, const struct wt_core_queue *queue)
{
	if (!live->holds)
		live->only = queue;
	begin_hold(live, WT_LIVE_SCOPE_ONE);
}

void wt_live_hold_stale(struct wt_live *live)
{
	begin_hold(live, WT_LIVE_SCOPE_STALE);
}

void wt_live_settle(struct wt_live *live)
{
	if (live->holds || live->keeps || !live->stands)
		return;
	if (wt_live_is_loaded(live))
		live_resume_queues(live);
	live->stands = false;
	live->scope = WT_LIVE_SCOPE_ALL;
}

void wt_live_let_go(struct wt_live *live)
{
	live->holds--;
	wt_live_settle(live);
}
