/* SPDX-License-Identifier: MIT */
/* A saved wave of the gfx9 family: its registers, and what they tell of its stop. */
#include <endian.h>
#include <string.h>

#include "device/exceptions.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"

/* Scalar registers at the top of what a wave has: vcc, xnack_mask and flat_scratch. */
#define ALIASED 6u
#define NAMED 102u

uint32_t wt_saved_wave_plain_sgprs(uint32_t saved)
{
	uint32_t end = saved < NAMED + ALIASED ? saved : NAMED + ALIASED;

	return end < ALIASED ? 0 : end - ALIASED;
}

static uint64_t pair(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

static bool load_words(const struct wt_memory_view *memory, uint64_t address, uint32_t *words,
		       size_t count)
{
	if (!wt_memory_view_read(memory, address, words, count * sizeof(*words)))
		return false;
	for (size_t i = 0; i < count; i++)
		words[i] = le32toh(words[i]);
	return true;
}

/* From this version of r_debug on, each wave says whether its trap temporaries were set up. */
#define PER_WAVE_SET_UP_VERSION 10u

/* Reasons of the trap that the program executed. */
static uint32_t trap_reasons(uint32_t ttmp6)
{
	switch ((ttmp6 & WT_TTMP6_TRAP_ID) >> WT_TTMP6_TRAP_ID_SHIFT) {
	case 0:
		return 0;
	case 1:
		return WT_STOP_BREAKPOINT;
	case 2:
		return WT_STOP_ASSERT_TRAP;
	case 3:
		return WT_STOP_DEBUG_TRAP;
	default:
		return WT_STOP_TRAP;
	}
}

uint32_t wt_saved_wave_stop_reasons(const struct wt_save_area_layout *layout,
				    const struct gfx_wave *gfx)
{
	uint32_t reasons =
		trap_reasons(gfx->ttmps[6]) | wt_enabled_reasons(gfx->trapsts, gfx->mode);
	uint32_t trapsts = gfx->trapsts;

	if (trapsts & WT_TRAPSTS_XNACK_ERROR)
		reasons |= WT_STOP_MEMORY_VIOLATION;
	else if (trapsts & WT_TRAPSTS_MEM_VIOL)
		reasons |= WT_STOP_ADDRESS_ERROR;
	if (trapsts & WT_TRAPSTS_ILLEGAL_INST)
		reasons |= WT_STOP_ILLEGAL_INSTRUCTION;
	if (layout->handler != WT_TRAP_HANDLER_GFX94X)
		return reasons;
	if (trapsts & WT_TRAPSTS_AFTER_INST)
		reasons |= WT_STOP_SINGLE_STEP;
	if (trapsts & (WT_TRAPSTS_WAVE_BEGIN | WT_TRAPSTS_WAVE_END))
		reasons |= WT_STOP_TRAP;
	return reasons;
}

static void find_position(const struct wt_save_area_layout *layout, const uint32_t *ttmps,
			  uint32_t r_debug_version, struct wt_saved_wave_state *state)
{
	bool is_gfx94x = layout->handler == WT_TRAP_HANDLER_GFX94X;
	bool missing = ttmps[6] & WT_TTMP6_NOT_SET_UP;

	/* On gfx94x the bit is valid only after the trap handler has run. Older runtimes do not set it. */
	if (is_gfx94x && !(ttmps[11] & WT_TTMP11_SET_UP))
		missing = false;
	state->has_position = !missing || r_debug_version < PER_WAVE_SET_UP_VERSION;
	state->has_packet = state->has_position;
	state->packet_index =
		(is_gfx94x ? ttmps[11] >> WT_TTMP11_PACKET_SHIFT : ttmps[6]) & WT_TTMP6_PACKET;
	memcpy(state->coordinates, &ttmps[8], sizeof(state->coordinates));
	state->number_in_group = ttmps[11] & WT_TTMP11_NUMBER;
}

/* What the trap handler has left in ttmp6: nothing if it has not run. */
static uint32_t handler_bits(const struct gfx_wave *gfx, uint32_t r_debug_version)
{
	if (r_debug_version < PER_WAVE_SET_UP_VERSION || !(gfx->status & WT_STATUS_SKIP_EXPORT))
		return 0;
	return gfx->ttmps[6] & (WT_TTMP6_STOPPED | WT_TTMP6_SAVED_HALT | WT_TTMP6_TRAP_ID);
}

/*
 * A debugger that attaches brings the trap temporaries that nobody has set up into the state that it needs, as AMD's
 * library does.
 */
static void initialize_ttmps(const struct wt_save_area_layout *layout,
			     const struct wt_saved_wave_setup *setup, struct gfx_wave *gfx)
{
	uint32_t *ttmps = gfx->ttmps;

	if (!setup->ttmps_set_up) {
		ttmps[6] = handler_bits(gfx, setup->r_debug_version);
		memset(&ttmps[8], 0, 3 * sizeof(*ttmps));
		ttmps[11] &= ~WT_TTMP11_NUMBER;
	}
	if (layout->handler == WT_TRAP_HANDLER_GFX94X && !(ttmps[11] & WT_TTMP11_SET_UP)) {
		ttmps[6] = handler_bits(gfx, setup->r_debug_version);
		ttmps[11] |= WT_TTMP11_SET_UP;
	}
	if (setup->r_debug_version < PER_WAVE_SET_UP_VERSION)
		return;
	ttmps[6] &= ~WT_TTMP6_NOT_SET_UP;
	ttmps[6] |= setup->ttmps_set_up ? 0 : WT_TTMP6_NOT_SET_UP;
}

/* On gfx94x nobody has been there before the trap handler, or a debugger, has set the register up. */
static uint64_t debugger_id(const struct wt_save_area_layout *layout, const uint32_t *ttmps)
{
	if (layout->handler == WT_TRAP_HANDLER_GFX94X && !(ttmps[11] & WT_TTMP11_SET_UP))
		return 0;
	return pair(&ttmps[4]);
}

static bool load_words_of(const struct wt_save_area_layout *layout,
			  const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			  struct gfx_wave *gfx)
{
	/* They lie together, the trap temporaries last. */
	uint32_t hwregs[WT_SAVE_AREA_HWREGS + WT_SAVE_AREA_TTMPS];

	if (!load_words(memory, wave->hwregs, hwregs, WT_SAVE_AREA_HWREGS + WT_SAVE_AREA_TTMPS))
		return false;
	memcpy(gfx->ttmps, &hwregs[WT_SAVE_AREA_HWREGS], sizeof(gfx->ttmps));
	gfx->m0 = hwregs[WT_SAVE_AREA_HWREG_M0];
	gfx->pc = pair(&hwregs[WT_SAVE_AREA_HWREG_PC]);
	gfx->exec = pair(&hwregs[WT_SAVE_AREA_HWREG_EXEC]);
	gfx->status = hwregs[WT_SAVE_AREA_HWREG_STATUS];
	gfx->trapsts = hwregs[WT_SAVE_AREA_HWREG_TRAPSTS];
	gfx->xnack_mask = pair(&hwregs[WT_SAVE_AREA_HWREG_XNACK_MASK]);
	gfx->mode = hwregs[layout->mode];
	return true;
}

static void take_parked_pc(const struct wt_save_area_layout *layout, struct gfx_wave *gfx)
{
	if (!(gfx->ttmps[6] & WT_TTMP6_STOPPED) || !layout->parks)
		return;
	gfx->pc = gfx->ttmps[7] |
		  (uint64_t)((gfx->ttmps[11] & WT_TTMP11_PARKED) >> WT_TTMP11_PARKED_SHIFT) << 32;
}

bool wt_saved_wave_load_hardware(const struct wt_save_area_layout *layout,
				 const struct wt_memory_view *memory,
				 const struct wt_save_area_wave *wave, struct gfx_wave *gfx)
{
	if (!load_words_of(layout, memory, wave, gfx))
		return false;
	take_parked_pc(layout, gfx);
	return true;
}

bool wt_saved_wave_load(const struct wt_save_area_layout *layout,
			const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			const struct wt_saved_wave_setup *setup, struct gfx_wave *gfx,
			struct wt_saved_wave_state *state_ret)
{
	struct wt_saved_wave_state state = {0};

	if (!load_words_of(layout, memory, wave, gfx))
		return false;
	state.debugger_id = debugger_id(layout, gfx->ttmps);
	if (setup->ttmps_set_up)
		find_position(layout, gfx->ttmps, setup->r_debug_version, &state);
	initialize_ttmps(layout, setup, gfx);
	state.stopped = gfx->ttmps[6] & WT_TTMP6_STOPPED;
	state.halted = gfx->status & WT_STATUS_HALT;
	if (state.stopped)
		state.stop_reasons = wt_saved_wave_stop_reasons(layout, gfx);
	take_parked_pc(layout, gfx);
	*state_ret = state;
	return true;
}

static bool load_scalars(const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			 struct gfx_wave *gfx)
{
	uint32_t words[128], plain = gfx->sgpr_count;

	if (!load_words(memory, wave->sgprs, words, wave->sizes.sgpr_count))
		return false;
	memcpy(gfx->sgprs, words, plain * sizeof(*words));
	if (wave->sizes.sgpr_count < ALIASED)
		return true;
	gfx->flat_scratch = pair(&words[plain]);
	gfx->vcc = pair(&words[plain + 4]);
	return true;
}

bool wt_saved_wave_load_registers(const struct wt_memory_view *memory,
				  const struct wt_save_area_wave *wave, struct gfx_wave *gfx)
{
	size_t lanes = gfx->lane_count;

	return load_scalars(memory, wave, gfx) &&
	       load_words(memory, wave->vgprs, gfx->vgprs, gfx->vgpr_count * lanes) &&
	       load_words(memory, wave->agprs, gfx->agprs, gfx->agpr_count * lanes);
}
