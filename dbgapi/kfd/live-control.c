/* SPDX-License-Identifier: MIT */
/* Waves that are stopped, resumed and stepped. */
#include <endian.h>
#include <string.h>

#include "dbgapi/kfd/internal.h"
#include "device/exceptions.h"
#include "device/trap-handler.h"
#include "gfx/isa/run.h"

/* Reasons that are a debugger's own: it has planted what stops the wave, or asked for it. */
#define DEBUGGER_REASONS                                                                           \
	(WT_STOP_BREAKPOINT | WT_STOP_WATCHPOINT | WT_STOP_SINGLE_STEP | WT_STOP_DEBUG_TRAP)

/* ---- Stops ---- */

/* The instruction that the wave executes next; false if it is none that is known. */
static bool next_instruction(struct wt_live *live, const struct wt_core_wave *wave,
			     struct gfx_instruction *ret)
{
	const struct wt_memory_view *memory = &live->core.memory;
	uint32_t words[2] = {0};
	size_t count = wave->live.override_count;

	memcpy(words, wave->live.override_words, sizeof(words));
	if (!count) {
		count = memory->read(memory->opaque, wave->gfx.pc, words, sizeof(words)) /
			sizeof(*words);
		words[0] = le32toh(words[0]);
		words[1] = le32toh(words[1]);
	}
	return count && gfx_decode(wave->gfx.architecture, words, count, ret) == GFX_DECODE_OK;
}

/*
 * Families that do not tell a step from what else takes a wave into the trap handler: one that stands where it stood has not
 * made its step, if its instruction is one behind which it would stand elsewhere.
 */
static uint32_t find_step(struct wt_live *live, const struct wt_core_wave *wave, uint32_t reasons)
{
	struct gfx_instruction instruction;

	if (wave->wave.state != WT_WAVE_STEPPING || wave->queue->agent->layout->handler->after_inst)
		return reasons;
	if (wave->gfx.pc != wave->live.resumed_at)
		return reasons | WT_STOP_SINGLE_STEP;
	if (reasons || (next_instruction(live, wave, &instruction) &&
			!gfx_instruction_depends_on_position(&instruction)))
		return reasons;
	return WT_STOP_SINGLE_STEP;
}

void wt_live_note_stop(struct wt_live *live, struct wt_core_wave *wave, uint32_t reasons)
{
	const bool stepping = wave->wave.state == WT_WAVE_STEPPING;

	reasons = find_step(live, wave, reasons);
	wave->live.dirty = true;
	if (reasons) {
		wave->live.pending = live->untold = true;
		wave->live.reasons = reasons;
	} else if (stepping) {
		wt_core_unpark(wave, true);
	} else {
		wave->wave.state = WT_WAVE_STOPPED;
		wave->wave.stop_reasons = WT_STOP_NONE;
	}
}

bool wt_live_halt_wave(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);
	bool halted = false;

	/* The wave has not executed anything, and is not to be found changed. */
	if (device_wave->halted_at_launch) {
		device_wave->state = WT_WAVE_STOPPED;
		return true;
	}
	wt_live_hold_queue(live, wave->queue);
	if (wt_live_is_loaded(live) && wave->queue->live.suspended && !wave->live.gone &&
	    !wave->live.pending && device_wave->state != WT_WAVE_STOPPED) {
		wt_core_park(wave);
		wave->live.dirty = true;
		halted = true;
	}
	wt_live_let_go(live);
	return halted;
}

void wt_live_note_written(struct wt_device *device, struct wt_device_wave *device_wave)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);

	(void)device;
	wt_core_note_pc(wave);
	wave->live.dirty = true;
}

/* ---- Going on ---- */

/* Clears the bits that said why the wave stood, which would say so again. */
static void clear_reasons(struct wt_core_wave *wave)
{
	wt_saved_wave_clear_reasons(wave->queue->agent->layout, wave->wave.stop_reasons,
				    &wave->gfx);
	wave->gfx.ttmps[6] &= ~WT_TTMP6_TRAP_ID;
}

/* The wave executes s_endpgm where nobody changes it, and is no longer there for the debugger. */
static void live_end_wave(struct wt_live *live, struct wt_core_wave *wave)
{
	uint64_t address = wt_live_end_address(live, wave->queue);

	if (address)
		wave->gfx.pc = address;
	wt_core_unpark(wave, false);
	wave->wave.state = WT_WAVE_STEPPING;
	wave->live.ending = live->untold = true;
	wave->live.dirty = true;
}

/* The wave makes its step here, and goes on standing. */
static bool live_simulate_step(struct wt_live *live, struct wt_core_wave *wave,
			       const struct gfx_instruction *instruction)
{
	static const struct gfx_memory no_memory = {0};
	struct gfx_fault fault = {0};
	struct gfx_wave before;

	/* One that its program has halted does not execute anything. */
	if (wave->gfx.ttmps[6] & WT_TTMP6_SAVED_HALT ||
	    !wt_live_load_wave(&live->core.device, &wave->wave))
		return false;
	before = wave->gfx;
	if (gfx_wave_execute(&wave->gfx, &no_memory, instruction, &fault) != GFX_STEP_DONE) {
		wave->gfx = before;
		return false;
	}
	wt_core_note_pc(wave);
	wave->wave.state = WT_WAVE_STEPPING;
	wave->wave.changed = true;
	wave->live.pending = live->untold = true;
	wave->live.reasons = WT_STOP_SINGLE_STEP;
	return true;
}

/* Steps that hardware does not make, or not so that they can be told from others. Return: whether this was one. */
static bool step_here(struct wt_live *live, struct wt_core_wave *wave)
{
	struct gfx_instruction instruction;
	char name[GFX_NAME_SIZE];

	if (!next_instruction(live, wave, &instruction) ||
	    !gfx_instruction_depends_on_position(&instruction))
		return false;
	gfx_instruction_name(&instruction, name);
	if (strncmp(name, "s_endpgm", strlen("s_endpgm")) != 0)
		return live_simulate_step(live, wave, &instruction);
	live_end_wave(live, wave);
	return true;
}

static void set_running(struct wt_core_wave *wave, bool step)
{
	wave->live.resumed_at = wave->gfx.pc;
	wt_core_unpark(wave, step);
	wave->live.dirty = true;
}

void wt_live_resume_wave(struct wt_device *device, struct wt_device_wave *device_wave, bool step)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);
	bool stepped;

	if (device_wave->state != WT_WAVE_STOPPED || wave->live.gone)
		return;
	clear_reasons(wave);
	wave->live.dirty = true;
	stepped = step && step_here(live, wave);
	device_wave->stop_reasons = WT_STOP_NONE;
	if (wave->live.pending)
		return;
	/* Changes to be written back are written when the queues go on. */
	wt_live_hold_queue(live, wave->queue);
	if (!stepped)
		set_running(wave, step);
	wt_live_let_go(live);
}

/* The bits of the API are those of the driver. */
static void send(struct wt_live *live, const struct wt_core_wave *wave, uint32_t exceptions)
{
	struct wt_core_agent *agent = wave->queue->agent;
	struct kfd_debug_trap args = {
		.send = {exceptions, agent->entry.gpu_id, wave->queue->entry.queue_id}};

	/* The device's own exception comes behind the queue's, by which the wave's stop may have been found already. */
	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) && !agent->violation)
		wt_live_take_faults(live);
	if (exceptions & KFD_EXCEPTION(KFD_EXCEPTION_WAVE_MEMORY) && agent->violation) {
		args.send.exceptions |= WT_LIVE_VIOLATION;
		agent->violation = false;
	}
	wt_live_call(live, KFD_DEBUG_SEND_RUNTIME_EVENT, &args);
}

void wt_live_deliver(struct wt_device *device, struct wt_device_wave *device_wave, bool step,
		     uint32_t exceptions)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);
	struct wt_live *live = wt_live_of(device);

	if (device_wave->state != WT_WAVE_STOPPED || wave->live.gone)
		return;
	wt_live_hold_queue(live, wave->queue);
	clear_reasons(wave);
	set_running(wave, step);
	wave->gfx.status |= WT_STATUS_HALT;
	send(live, wave, exceptions);
	wt_live_let_go(live);
}

void wt_live_override_wave(struct wt_device *device, struct wt_device_wave *device_wave,
			   const uint32_t *words, size_t count)
{
	struct wt_core_wave *wave = wt_live_wave_of(device_wave);

	(void)device;
	if (count)
		memcpy(wave->live.override_words, words, count * sizeof(*words));
	wave->live.override_count = count;
}

void wt_live_release_wave(struct wt_core_wave *wave)
{
	struct gfx_wave *gfx = &wave->gfx;
	uint32_t reasons = wave->live.pending ? wave->live.reasons : wave->wave.stop_reasons;
	bool stands = wave->live.pending || wave->wave.state == WT_WAVE_STOPPED;

	if (!wave->live.seen || wave->live.ending)
		return;
	if (wave->wave.halted_at_launch) {
		gfx->status &= ~WT_STATUS_HALT;
	} else if (stands && !(reasons & ~(uint32_t)DEBUGGER_REASONS)) {
		wave->wave.stop_reasons = reasons;
		clear_reasons(wave);
		wt_core_unpark(wave, false);
	}
	gfx->mode &= ~WT_MODE_ADDRESS_WATCH;
	gfx->ttmps[4] = gfx->ttmps[5] = 0;
	wave->live.dirty = true;
}
