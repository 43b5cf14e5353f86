/* SPDX-License-Identifier: MIT */
/*
 * Queues that stand still for a debugger: their waves go to the save area, as hardware preempts them, and come back as
 * the debugger has left them there. It and exception.c use each other: what comes back may have stopped, and what stops
 * may have to enter the handler whose state is saved here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "device/exceptions.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"
#include "driver/engine/internal.h"

/* The driver writes the first words of the header of an area at each suspension; the rest is the runtime's. */
#define HEAD_WRITTEN 16u
#define HEAD_BYTES 64u

#define AT_TMPRING 0x8c

static const struct wt_trap_handler *handler_of(const struct gfx_wave *wave)
{
	return wt_save_area_layout_find(wave->architecture)->handler;
}

void wt_engine_wave_created(void *opaque, struct wt_device_wave *wave)
{
	const struct wt_engine *engine = opaque;
	struct gfx_wave *gfx = &((struct wt_wave *)(void *)wave)->gfx;

	/* No debugger has given it a number yet. */
	gfx->ttmps[4] = gfx->ttmps[5] = 0;
	wt_ttmp_put(handler_of(gfx)->set_up, 0, gfx->ttmps);
	gfx->mode &= ~WT_MODE_ADDRESS_WATCH;
	gfx->mode |= (engine->debug.traps & WT_ENGINE_TRAPS_MODE) << WT_MODE_ARITHMETIC_SHIFT;
	if (engine->debug.halt)
		gfx->status |= WT_STATUS_HALT;
	if (!engine->debug.step)
		return;
	gfx->mode |= WT_MODE_SINGLE_STEP;
	wave->state = WT_WAVE_STEPPING;
}

void wt_engine_enter_handler(struct gfx_wave *gfx)
{
	const struct wt_trap_handler *handler = handler_of(gfx);

	if (!wt_wave_has_state_priv(gfx))
		gfx->status |= WT_STATUS_SKIP_EXPORT;
	/* Trap handlers of gfx94x and gfx12 set a bit once they have set their registers up. */
	if (!handler->set_up.bits.count || wt_ttmp_get(handler->set_up, gfx->ttmps))
		return;
	gfx->ttmps[4] = gfx->ttmps[5] = 0;
	if (handler->says_missing)
		gfx->ttmps[6] &= ~WT_TTMP6_NOT_SET_UP;
	wt_ttmp_put(handler->set_up, 1, gfx->ttmps);
}

void wt_engine_set_debug(struct wt_engine *engine, const struct wt_engine_debug *debug)
{
	engine->debug = *debug;
	engine->machine.memory_mode = !debug->attached	 ? WT_MEMORY_AT
				      : debug->imprecise ? WT_MEMORY_LATE
							 : WT_MEMORY_PRECISE;
}

void wt_engine_watch(struct wt_engine *engine, uint32_t index, const struct wt_engine_watch *watch)
{
	struct wt_machine *machine = &engine->machine;
	struct wt_watch *place = &machine->watches[index];

	*place = (struct wt_watch){.set = watch != NULL};
	if (watch)
		place->range = (struct wt_device_watchpoint){
			.address = watch->address,
			.size = watch->size,
			.kind = (enum wt_watch_kind)(WT_WATCH_LOAD + (int)watch->kind),
		};
	/* That a hit stops a wave is enabled in the wave: by the debugger, or at its launch. */
	machine->watching = false;
	for (size_t i = 0; i < WT_DEVICE_WATCHPOINTS; i++)
		machine->watching |= machine->watches[i].set;
}

/* Reasons that are a debugger's own: it has planted what stops the wave, or asked for it. */
#define DEBUGGER_REASONS                                                                           \
	(WT_STOP_BREAKPOINT | WT_STOP_WATCHPOINT | WT_STOP_SINGLE_STEP | WT_STOP_DEBUG_TRAP)

static void saved_wave_release(struct wt_wave *wave)
{
	if (!wave->live || wave->wave.state != WT_WAVE_STOPPED)
		return;
	if (wave->wave.stop_reasons & ~(uint32_t)DEBUGGER_REASONS)
		wt_engine_tell_stop(&wave->wave);
	else
		wt_wave_resume(wave, false);
}

void wt_engine_release_waves(struct wt_engine *engine)
{
	for (size_t q = 0; q < engine->machine.queue_count; q++) {
		const struct wt_queue *queue = engine->machine.queues[q];

		for (size_t g = 0; g < queue->resident_count; g++)
			for (uint32_t w = 0; w < queue->resident[g]->wave_count; w++)
				saved_wave_release(&queue->resident[g]->waves[w]);
	}
}

/* A runtime whose version is not known is taken for the newest. */
static uint32_t queue_runtime_version(const struct wt_engine_queue *queue)
{
	uint32_t version = queue->view->engine->debug.r_debug_version;

	return version ? version : UINT32_MAX;
}

/* ---- To the area ---- */

/* Each wave's place in the queue's scratch memory, by shader engine. */
static void suspend_place_scratch(const struct wt_engine_queue *queue, struct wt_saved_wave *saved,
				  size_t count)
{
	const struct gfx_architecture *architecture = queue->queue.agent->agent.architecture;
	const struct wt_save_area_layout *layout = wt_save_area_layout_find(architecture);
	uint64_t engines = architecture->product->engines, size, waves;
	uint32_t ring = 0;

	wt_sight_read(queue->view, queue->structure + AT_TMPRING, &ring, sizeof(ring));
	size = wt_tmpring_wave_bytes(layout, ring);
	waves = wt_tmpring_wave_count(layout, ring, engines) / engines;
	for (size_t i = 0; i < count; i++) {
		const struct wt_wave *wave = wt_wave_of(saved[i].wave);
		uint64_t slot;

		saved[i].scratch = saved[i].scratch && size && waves;
		if (!saved[i].scratch)
			continue;
		slot = (wave->scratch_address - queue->queue.scratch_address) / size;
		saved[i].slot = (uint32_t)(slot % waves);
		saved[i].engine = (uint32_t)(slot / waves);
	}
}

static int area_build(struct wt_engine_queue *queue, struct wt_buffer *area)
{
	const struct wt_save_area_layout *layout =
		wt_save_area_layout_find(queue->queue.agent->agent.architecture);
	wt_cleanup_error struct wt_error *error = NULL;
	wt_cleanup_free struct wt_saved_wave *saved = NULL;
	size_t count = wt_queue_live_waves(&queue->queue);
	uint32_t version = queue_runtime_version(queue);

	saved = calloc(count + 1, sizeof(*saved));
	queue->saved = calloc(count + 1, sizeof(*queue->saved));
	if (!layout || !saved || !queue->saved)
		return -ENOMEM;
	queue->saved_count = wt_queue_describe_waves(&queue->queue, saved);
	suspend_place_scratch(queue, saved, queue->saved_count);
	for (size_t i = 0; i < queue->saved_count; i++) {
		queue->saved[i] = wt_wave_of(saved[i].wave);
		saved[i].stands = !wt_save_area_parks(layout, version);
	}
	error = wt_waves_save(layout, saved, queue->saved_count, area);
	return error ? -ENOMEM : 0;
}

static int queue_save(struct wt_engine_queue *queue)
{
	wt_cleanup_buffer struct wt_buffer area = {0};
	uint64_t address = queue->options.save_address;
	int error = area_build(queue, &area);

	if (error)
		return error;
	if (!address || area.size > queue->options.save_size) {
		wt_engine_message(
			queue->view->engine,
			"queue %u cannot be suspended: its save area of %llu bytes cannot hold %zu",
			queue->id, (unsigned long long)queue->options.save_size, area.size);
		return -ENOSPC;
	}
	if (!wt_sight_write(queue->view, address, area.data, HEAD_WRITTEN) ||
	    !wt_sight_write(queue->view, address + HEAD_BYTES, area.data + HEAD_BYTES,
			    area.size - HEAD_BYTES)) {
		wt_engine_message(queue->view->engine,
				  "queue %u cannot be suspended: its save area is not memory",
				  queue->id);
		return -EFAULT;
	}
	return 0;
}

/* ---- And back ---- */

struct restoring {
	struct wt_engine_queue *queue;
	const struct wt_save_area_layout *layout;
	struct wt_memory_view memory;
	uint32_t version; /* of r_debug */
	size_t count;
};

static size_t read_area(void *opaque, uint64_t address, void *data, size_t size)
{
	return wt_sight_read(opaque, address, data, size) ? size : 0;
}

/* A wave does what its registers say of it. */
static void wave_take_state(struct wt_wave *wave)
{
	bool stopped = wave->gfx.ttmps[6] & WT_TTMP6_STOPPED;

	if (stopped) {
		wave->wave.state = WT_WAVE_STOPPED;
		return;
	}
	gfx_wave_join_state(&wave->gfx);
	wave->wave.state =
		wave->gfx.mode & WT_MODE_SINGLE_STEP ? WT_WAVE_STEPPING : WT_WAVE_RUNNING;
	wave->wave.stop_reasons = WT_STOP_NONE;
	memset(&wave->wave.fault, 0, sizeof(wave->wave.fault));
}

static struct wt_error *restore_wave(void *opaque, const struct wt_save_area_wave *saved)
{
	struct restoring *restoring = opaque;
	struct wt_engine_queue *queue = restoring->queue;
	struct wt_wave *wave;
	struct gfx_wave gfx;

	if (restoring->count == queue->saved_count)
		return wt_error_create(WT_ERROR_INPUT, "cannot restore the waves", NULL,
				       "there are more of them than were saved");
	wave = queue->saved[restoring->count++];
	gfx = wave->gfx;
	if (wave->wave.state != WT_WAVE_STOPPED)
		gfx_wave_part_state(&gfx);
	if (saved->sizes.vgpr_count < gfx.vgpr_count || saved->sizes.agpr_count < gfx.agpr_count ||
	    wt_saved_wave_plain_sgprs(restoring->layout, saved->sizes.sgpr_count) < gfx.sgpr_count)
		return wt_error_create(WT_ERROR_INPUT, "cannot restore the waves", NULL,
				       "one has fewer registers than it had");
	if (!wt_saved_wave_load_hardware(restoring->layout, &restoring->memory, saved,
					 restoring->version, &gfx) ||
	    !wt_saved_wave_load_registers(restoring->layout, &restoring->memory, saved, &gfx))
		return wt_error_create(WT_ERROR_NOT_FOUND, "cannot restore the waves", NULL,
				       "the save area is no longer memory");
	if (saved->lds && gfx.lds_room)
		wt_sight_read(queue->view, saved->lds, gfx.lds, gfx.lds_room);
	wave->gfx = gfx;
	wave_take_state(wave);
	return NULL;
}

static void queue_restore(struct wt_engine_queue *queue)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct restoring restoring = {
		.queue = queue,
		.layout = wt_save_area_layout_find(queue->queue.agent->agent.architecture),
		.memory = {.opaque = queue->view, .read = read_area},
		.version = queue_runtime_version(queue),
	};

	error = wt_save_area_walk(restoring.layout, &restoring.memory, queue->options.save_address,
				  queue->options.save_size, restore_wave, &restoring);
	/* Waves that were not found stay as they were. */
	if (error || restoring.count != queue->saved_count)
		wt_engine_message(queue->view->engine,
				  "queue %u: %zu of %zu waves were restored: %s", queue->id,
				  restoring.count, queue->saved_count,
				  error ? error->why : "the others are not in its save area");
}

static void saved_waves_forget(struct wt_engine_queue *queue)
{
	free(queue->saved);
	queue->saved = NULL;
	queue->saved_count = 0;
}

int wt_engine_queue_suspend(struct wt_engine *engine, uint32_t id)
{
	struct wt_engine_queue *queue = wt_engine_find(engine, id);
	int error = 0;

	if (!queue)
		return -EINVAL;
	if (queue->queue.held)
		return 0;
	if (queue->options.kind == WT_ENGINE_AQL)
		error = queue_save(queue);
	if (error)
		saved_waves_forget(queue);
	else
		queue->queue.held = true;
	return error;
}

int wt_engine_queue_resume(struct wt_engine *engine, uint32_t id)
{
	struct wt_engine_queue *queue = wt_engine_find(engine, id);

	if (!queue)
		return -EINVAL;
	if (!queue->queue.held)
		return 0;
	wt_remote_forget(engine);
	if (queue->options.kind == WT_ENGINE_AQL)
		queue_restore(queue);
	saved_waves_forget(queue);
	queue->queue.held = false;
	/* A debugger may have written breakpoints. */
	engine->code_changes++;
	return 0;
}
