/* SPDX-License-Identifier: MIT */
/* A saved wave: its registers, and what they tell of its stop. */
#include <endian.h>
#include <string.h>

#include "device/exceptions.h"
#include "device/save-area/area.h"
#include "device/trap-handler.h"

/* The scalar registers that overlay vcc alone. */
#define VCC_WORDS 2u

static uint32_t named_sgprs(const struct wt_save_area_layout *layout, uint32_t saved)
{
	uint32_t most = layout->named_sgprs + layout->aliased_sgprs;

	return saved < most ? saved : most;
}

uint32_t wt_saved_wave_plain_sgprs(const struct wt_save_area_layout *layout, uint32_t saved)
{
	uint32_t end = named_sgprs(layout, saved);

	return end < layout->aliased_sgprs ? 0 : end - layout->aliased_sgprs;
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

/* Exceptions in excp_flag_priv of gfx12, and in trapsts of older families. Those of arithmetic are alike in excp_flag_user. */
static const struct {
	uint32_t priv, trapsts;
} exception_bits[] = {
	{1u << 0, 1u << 7},
	{1u << 1, 1u << 12},
	{1u << 2, 1u << 13},
	{1u << 3, 1u << 14},
	{1u << 4, WT_TRAPSTS_MEM_VIOL},
	{1u << 6, WT_TRAPSTS_ILLEGAL_INST},
	{1u << 12, WT_TRAPSTS_XNACK_ERROR},
};
#define EXCEPTION_BITS (sizeof(exception_bits) / sizeof(*exception_bits))

/* The exceptions of gfx12 as older families have them in trapsts. */
static uint32_t raised_exceptions(const struct wt_trap_handler *handler, const struct gfx_wave *gfx)
{
	uint32_t trapsts = gfx->excp_flag_user & WT_TRAPSTS_ARITHMETIC;

	if (!handler->excp_flags)
		return gfx->trapsts;
	for (size_t i = 0; i < EXCEPTION_BITS; i++)
		trapsts |= gfx->excp_flag_priv & exception_bits[i].priv ? exception_bits[i].trapsts
									: 0;
	return trapsts;
}

/* The bits of trapsts that say these reasons. */
static uint32_t exceptions_of(uint32_t reasons)
{
	uint32_t trapsts = 0;

	for (size_t i = 0; i < WT_ARITHMETIC_REASON_COUNT; i++)
		trapsts |= reasons & wt_arithmetic_reasons[i] ? UINT32_C(1) << i : 0;
	if (reasons & WT_STOP_WATCHPOINT)
		trapsts |= WT_TRAPSTS_ADDRESS_WATCH;
	if (reasons & (WT_STOP_MEMORY_VIOLATION | WT_STOP_ADDRESS_ERROR))
		trapsts |= WT_TRAPSTS_MEM_VIOL | WT_TRAPSTS_XNACK_ERROR;
	if (reasons & WT_STOP_ILLEGAL_INSTRUCTION)
		trapsts |= WT_TRAPSTS_ILLEGAL_INST;
	return trapsts;
}

void wt_saved_wave_clear_reasons(const struct wt_save_area_layout *layout, uint32_t reasons,
				 struct gfx_wave *gfx)
{
	const uint32_t told = layout->handler->after_inst | layout->handler->begin_end;
	const uint32_t trapsts = exceptions_of(reasons);

	if (!layout->handler->excp_flags) {
		gfx->trapsts &= ~(trapsts | told);
		return;
	}
	gfx->excp_flag_user &= ~(trapsts & WT_TRAPSTS_ARITHMETIC);
	gfx->excp_flag_priv &= ~told;
	for (size_t i = 0; i < EXCEPTION_BITS; i++)
		if (trapsts & exception_bits[i].trapsts)
			gfx->excp_flag_priv &= ~exception_bits[i].priv;
}

/* The exceptions that stop the wave, as older families have them in mode. */
static uint32_t enabled_exceptions(const struct wt_trap_handler *handler,
				   const struct gfx_wave *gfx)
{
	const uint32_t watch = 1u << 7;

	if (!handler->excp_flags)
		return gfx->mode;
	return (gfx->trap_ctrl & WT_TRAPSTS_ARITHMETIC) << WT_MODE_ARITHMETIC_SHIFT |
	       (gfx->trap_ctrl & watch ? WT_MODE_ADDRESS_WATCH : 0);
}

uint32_t wt_saved_wave_stop_reasons(const struct wt_save_area_layout *layout,
				    const struct gfx_wave *gfx)
{
	const struct wt_trap_handler *handler = layout->handler;
	uint32_t told = handler->excp_flags ? gfx->excp_flag_priv : gfx->trapsts;
	uint32_t trapsts = raised_exceptions(handler, gfx);
	uint32_t reasons = trap_reasons(gfx->ttmps[6]) |
			   wt_enabled_reasons(trapsts, enabled_exceptions(handler, gfx));

	if (trapsts & WT_TRAPSTS_XNACK_ERROR)
		reasons |= WT_STOP_MEMORY_VIOLATION;
	else if (trapsts & WT_TRAPSTS_MEM_VIOL)
		reasons |= WT_STOP_ADDRESS_ERROR;
	if (trapsts & WT_TRAPSTS_ILLEGAL_INST)
		reasons |= WT_STOP_ILLEGAL_INSTRUCTION;
	if (told & handler->after_inst)
		reasons |= WT_STOP_SINGLE_STEP;
	if (told & handler->begin_end)
		reasons |= WT_STOP_TRAP;
	return reasons;
}

/* Are the temporaries undefined, since the handler has to set them up and has not run? */
static bool is_unmarked(const struct wt_trap_handler *handler, const uint32_t *ttmps)
{
	return handler->set_up.bits.count && !wt_ttmp_get(handler->set_up, ttmps);
}

static void find_position(const struct wt_save_area_layout *layout, const uint32_t *ttmps,
			  uint32_t r_debug_version, struct wt_saved_wave_state *state)
{
	const struct wt_trap_handler *handler = layout->handler;
	bool missing = handler->says_missing && ttmps[6] & WT_TTMP6_NOT_SET_UP;

	/* The bit is valid only after the trap handler has run. Older runtimes do not set it. */
	if (is_unmarked(handler, ttmps))
		missing = false;
	state->has_position = !missing || r_debug_version < PER_WAVE_SET_UP_VERSION;
	state->has_packet = state->has_position;
	state->packet_index = wt_ttmp_get(handler->packet, ttmps);
	state->number_in_group = wt_ttmp_get(handler->number, ttmps);
	for (int i = 0; i < 3; i++)
		state->coordinates[i] = wt_ttmp_get(handler->coordinates[i], ttmps);
	if (handler->has_yz.bits.count && !wt_ttmp_get(handler->has_yz, ttmps))
		state->coordinates[1] = state->coordinates[2] = 0;
}

/* Returns what the trap handler has left in ttmp6: nothing if it has not run. */
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
	const struct wt_trap_handler *handler = layout->handler;
	uint32_t *ttmps = gfx->ttmps;

	if (!setup->ttmps_set_up) {
		if (handler->says_missing)
			ttmps[6] = handler_bits(gfx, setup->r_debug_version);
		for (uint32_t i = 0; i < WT_SAVE_AREA_TTMPS; i++)
			ttmps[i] &= handler->undefined >> i & 1 ? 0 : UINT32_MAX;
		wt_ttmp_put(handler->number, 0, ttmps);
	}
	if (is_unmarked(handler, ttmps)) {
		ttmps[6] = handler->says_missing ? handler_bits(gfx, setup->r_debug_version) : 0;
		wt_ttmp_put(handler->set_up, 1, ttmps);
	}
	if (setup->r_debug_version < PER_WAVE_SET_UP_VERSION || !handler->says_missing)
		return;
	ttmps[6] &= ~WT_TTMP6_NOT_SET_UP;
	ttmps[6] |= setup->ttmps_set_up ? 0 : WT_TTMP6_NOT_SET_UP;
}

/* Nobody has been there before the trap handler, or a debugger, has set the register up. */
static uint64_t debugger_id(const struct wt_save_area_layout *layout, const uint32_t *ttmps)
{
	return is_unmarked(layout->handler, ttmps) ? 0 : pair(&ttmps[4]);
}

static void put_hwreg(const struct wt_save_area_hwreg *reg, const uint32_t *words,
		      struct gfx_wave *gfx)
{
	uint64_t value = reg->words == 2 ? pair(&words[reg->index]) : words[reg->index];
	uint8_t *place = (uint8_t *)gfx + reg->place;

	if (reg->wide)
		memcpy(place, &value, sizeof(value));
	else
		memcpy(place, &words[reg->index], sizeof(*words));
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
	for (const struct wt_save_area_hwreg *reg = layout->hwregs; reg->words; reg++)
		put_hwreg(reg, hwregs, gfx);
	if (wave->sizes.lane_count == 32)
		gfx->exec &= UINT32_MAX;
	return true;
}

static uint64_t get_hwreg(const struct wt_save_area_hwreg *reg, const struct gfx_wave *gfx)
{
	const uint8_t *place = (const uint8_t *)gfx + reg->place;
	uint64_t wide;
	uint32_t word;

	if (reg->wide) {
		memcpy(&wide, place, sizeof(wide));
		return wide;
	}
	memcpy(&word, place, sizeof(word));
	return word;
}

void wt_saved_wave_hwregs(const struct wt_save_area_layout *layout, const struct gfx_wave *gfx,
			  uint32_t words_ret[WT_SAVE_AREA_HWREGS], uint32_t *used_ret)
{
	*used_ret = 0;
	for (const struct wt_save_area_hwreg *reg = layout->hwregs; reg->words; reg++) {
		uint64_t value = get_hwreg(reg, gfx);

		words_ret[reg->index] = (uint32_t)value;
		if (reg->words == 2)
			words_ret[reg->index + 1] = (uint32_t)(value >> 32);
		*used_ret |= ((1u << reg->words) - 1) << reg->index;
	}
}

void wt_saved_wave_park(const struct wt_save_area_layout *layout, uint64_t pc, uint32_t *ttmps)
{
	ttmps[layout->handler->parked] = (uint32_t)pc;
	ttmps[11] &= ~WT_TTMP11_PARKED;
	ttmps[11] |= (uint32_t)(pc >> 32) << WT_TTMP11_PARKED_SHIFT & WT_TTMP11_PARKED;
}

static void take_parked_pc(const struct wt_save_area_layout *layout, uint32_t r_debug_version,
			   struct gfx_wave *gfx)
{
	if (!(gfx->ttmps[6] & WT_TTMP6_STOPPED) || !wt_save_area_parks(layout, r_debug_version))
		return;
	gfx->pc = gfx->ttmps[layout->handler->parked] |
		  (uint64_t)((gfx->ttmps[11] & WT_TTMP11_PARKED) >> WT_TTMP11_PARKED_SHIFT) << 32;
}

bool wt_saved_wave_load_hardware(const struct wt_save_area_layout *layout,
				 const struct wt_memory_view *memory,
				 const struct wt_save_area_wave *wave, uint32_t r_debug_version,
				 struct gfx_wave *gfx)
{
	if (!load_words_of(layout, memory, wave, gfx))
		return false;
	take_parked_pc(layout, r_debug_version, gfx);
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
	if (!setup->are_known)
		initialize_ttmps(layout, setup, gfx);
	state.stopped = gfx->ttmps[6] & WT_TTMP6_STOPPED;
	state.halted = wt_wave_is_halted(gfx);
	if (state.stopped)
		state.stop_reasons = wt_saved_wave_stop_reasons(layout, gfx);
	take_parked_pc(layout, setup->r_debug_version, gfx);
	*state_ret = state;
	return true;
}

static bool load_scalars(const struct wt_save_area_layout *layout,
			 const struct wt_memory_view *memory, const struct wt_save_area_wave *wave,
			 struct gfx_wave *gfx)
{
	uint32_t words[128], plain = gfx->sgpr_count, end = plain + layout->aliased_sgprs;

	if (!load_words(memory, wave->sgprs, words, wave->sizes.sgpr_count))
		return false;
	memcpy(gfx->sgprs, words, plain * sizeof(*words));
	if (wave->sizes.sgpr_count < end)
		return true;
	if (layout->aliased_sgprs > VCC_WORDS)
		gfx->flat_scratch = pair(&words[plain]);
	gfx->vcc = pair(&words[end - VCC_WORDS]);
	return true;
}

/* A wave may keep more words of a register than it has lanes. */
static bool load_vectors(const struct wt_memory_view *memory, uint64_t address,
			 const struct gfx_wave *gfx, uint32_t *words, uint32_t count)
{
	const size_t lanes = gfx->lane_count, kept = gfx_vector_words(gfx);

	if (kept == lanes)
		return load_words(memory, address, words, count * lanes);
	for (uint32_t i = 0; i < count; i++)
		if (!load_words(memory, address + i * lanes * sizeof(*words), &words[i * kept],
				lanes))
			return false;
	return true;
}

bool wt_saved_wave_load_registers(const struct wt_save_area_layout *layout,
				  const struct wt_memory_view *memory,
				  const struct wt_save_area_wave *wave, struct gfx_wave *gfx)
{
	return load_scalars(layout, memory, wave, gfx) &&
	       load_vectors(memory, wave->vgprs, gfx, gfx->vgprs, gfx->vgpr_count) &&
	       load_vectors(memory, wave->agprs, gfx, gfx->agprs, gfx->agpr_count) &&
	       load_words(memory, wave->shared, gfx->shared,
			  (size_t)gfx->shared_count * WT_SAVE_AREA_SHARED_LANES);
}
