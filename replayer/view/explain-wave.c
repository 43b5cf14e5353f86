/* SPDX-License-Identifier: MIT */
/* Why a wave stopped: its kernel, its instruction and what that accessed. */
#include <endian.h>

#include "replayer/view/explain-place.h"
#include "replayer/view/explain.h"

static bool is_trap(const struct gfx_architecture *architecture, uint64_t address,
		    wt_word_reader read, void *opaque)
{
	struct gfx_classification classification;
	uint32_t word;

	if (!read(opaque, address, &word))
		return false;
	word = le32toh(word);
	gfx_classify(architecture, address, &word, 1, &classification);
	return classification.kind == GFX_INSTRUCTION_TRAP;
}

uint64_t wt_stopping_address(const struct gfx_architecture *architecture, uint32_t reasons,
			     uint64_t pc, wt_word_reader read, void *opaque)
{
	if (!architecture)
		return pc;
	if (reasons &
	    (AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT | AMD_DBGAPI_WAVE_STOP_REASON_DEBUG_TRAP))
		return pc - architecture->breakpoint_pc_adjust;
	/* Some stand at it, so that the instruction itself has to say it. */
	if (reasons &
		    (AMD_DBGAPI_WAVE_STOP_REASON_ASSERT_TRAP | AMD_DBGAPI_WAVE_STOP_REASON_TRAP) &&
	    is_trap(architecture, pc - sizeof(uint32_t), read, opaque))
		return pc - sizeof(uint32_t);
	return pc;
}

static bool read_view_word(void *opaque, uint64_t address, uint32_t *word_ret)
{
	return wt_view_code(opaque, address, word_ret, sizeof(*word_ret)) == sizeof(*word_ret);
}

uint64_t wt_view_stopping_address(struct wt_view *view, const struct gfx_architecture *architecture,
				  uint32_t reasons, uint64_t pc)
{
	return wt_stopping_address(architecture, reasons, pc, read_view_word, view);
}

static bool read_constant_word(void *opaque, uint64_t address, uint32_t *word_ret)
{
	return wt_view_constant(opaque, address, word_ret, sizeof(*word_ret));
}

uint64_t wt_view_next_address(struct wt_view *view, const struct gfx_architecture *architecture,
			      uint32_t reasons, uint64_t pc)
{
	uint64_t address;
	uint32_t word;

	if (!architecture || !(reasons & AMD_DBGAPI_WAVE_STOP_REASON_BREAKPOINT))
		return pc;
	address = pc - architecture->breakpoint_pc_adjust;
	if (!read_constant_word(view, address, &word) ||
	    is_trap(architecture, address, read_constant_word, view))
		return pc;
	return address;
}

struct wt_error *wt_explain_wave(struct wt_explainer *explainer, uint64_t wave,
				 struct wt_explain_wave *explanation_ret)
{
	struct wt_view *view = wt_explainer_view(explainer);
	const struct gfx_architecture *architecture =
		wt_view_architecture(view, WT_OBJECT_WAVE, wave);
	struct wt_explain_wave result = {.wave = wave};
	struct wt_error *error;
	uint64_t reasons;

	wt_wave_answers(view, wave, &result.facts);
	result.kernel = wt_explainer_kernel(explainer, wt_view_kernel(view, result.dispatch),
					    &result.kernel_codeless);
	result.architecture = architecture ? architecture->name : NULL;
	result.has_registers = wt_view_has_registers(view, wave);
	result.state = wt_view_exists(view, WT_OBJECT_WAVE, wave) ? WAVETAPE_WAVE_RUNNING
								  : WAVETAPE_WAVE_UNKNOWN;
	if (wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
			   &reasons) &&
	    wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &result.pc)) {
		result.state = WAVETAPE_WAVE_STOPPED;
		result.reasons = (uint32_t)reasons;
		result.fault = reasons & WT_FAULT_REASONS;
		result.exec = wt_view_number_or(view, WT_OBJECT_WAVE, wave,
						AMD_DBGAPI_WAVE_INFO_EXEC_MASK, 0);
		result.lane_count = result.lanes ? result.lanes : GFX_MAX_LANES;
		error = wt_explain_address(
			explainer, architecture,
			wt_view_stopping_address(view, architecture, result.reasons, result.pc),
			&result.code);
		if (error)
			return error;
		result.memory_fault =
			result.reasons & (AMD_DBGAPI_WAVE_STOP_REASON_MEMORY_VIOLATION |
					  AMD_DBGAPI_WAVE_STOP_REASON_ADDRESS_ERROR);
		error = wt_place_fault(explainer, architecture, &result);
		if (error) {
			wt_explain_code_deinit(&result.code);
			return error;
		}
	}
	*explanation_ret = result;
	return NULL;
}

void wt_explain_wave_deinit(struct wt_explain_wave *explanation)
{
	wt_explain_code_deinit(&explanation->code);
}
