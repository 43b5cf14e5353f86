/* SPDX-License-Identifier: MIT */
/* Queues: which there are, and how they are suspended and resumed. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "dbgapi/kfd/internal.h"

#define QUEUES_AT_ONCE 16u

#define PARKING_TRAP                                                                               \
	2 /* where stopped waves of some families stand, in the debugger's memory of a queue */

/* ---- Which there are ---- */

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
			wt_live_read_waves(live, queue);
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

uint64_t wt_live_park_address(struct wt_live *live, struct wt_core_queue *queue)
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
