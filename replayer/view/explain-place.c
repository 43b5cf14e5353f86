/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-place.h"

#include <string.h>

#include "gfx/isa/touched-memory.h"
#include "gfx/isa/uses.h"
#include "gfx/wave/memory-access.h"
#include "replayer/view/explain-access.h"
#include "replayer/view/explain-mapping.h"

/* A function that is longer is not decoded: as many instructions. */
#define LONGEST 65536u

/* ---- Instructions of a function ---- */

/* An instruction as far as that is known: does it access memory, does it overwrite where, may it raise arithmetic exceptions? */
struct look {
	uint32_t size; /* bytes */
	bool accesses, scalar, overwrites_address, raises;
	struct gfx_classification flow;
};

static bool overwrites_address(const struct gfx_instruction *instruction)
{
	struct gfx_uses uses;

	gfx_instruction_uses(instruction, GFX_MAX_LANES, &uses);
	for (uint32_t i = 0; i < uses.read_count; i++)
		for (uint32_t j = 0; uses.reads[i].address && j < uses.write_count; j++)
			if (uses.reads[i].file == uses.writes[j].file &&
			    uses.reads[i].number <
				    (uint32_t)uses.writes[j].number + uses.writes[j].words &&
			    uses.writes[j].number <
				    (uint32_t)uses.reads[i].number + uses.reads[i].words)
				return true;
	return false;
}

static void look_at_instruction(const struct gfx_instruction *instruction, struct look *look)
{
	look->accesses = gfx_touches_memory(instruction);
	look->scalar = instruction->encoding == GFX_SMEM;
	look->overwrites_address = look->accesses && overwrites_address(instruction);
	look->raises = instruction->operation->raises != GFX_RAISES_NOTHING;
}

static bool instruction_look_at(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture, uint64_t address,
				struct look *look_ret)
{
	struct gfx_instruction instruction;

	bool known =
		wt_view_decode(wt_explainer_view(explainer), architecture, address, &instruction);

	/* An operation that is not known may be an access. */
	*look_ret = (struct look){
		.size = 4 * (uint32_t)instruction.word_count,
		.accesses = instruction.word_count,
	};
	if (known)
		look_at_instruction(&instruction, look_ret);
	if (instruction.word_count)
		gfx_classify(architecture, address, instruction.words, instruction.word_count,
			     &look_ret->flow);
	return look_ret->size;
}

/* The function around an address; the one that ends there, if another begins. */
static struct wt_error *function_find(struct wt_explainer *explainer, uint64_t address,
				      uint64_t *start_ret, uint64_t *end_ret)
{
	uint64_t load = 0, object = wt_view_code_object_at(wt_explainer_view(explainer),
							   address - sizeof(uint32_t), &load);
	struct wt_source_symbol symbol;
	struct wt_source *source = NULL;
	struct wt_error *error;

	*start_ret = *end_ret = 0;
	if (!object)
		return NULL;
	error = wt_explainer_source(explainer, object, &source);
	if (error || !source ||
	    !wt_source_symbol_at(source, address - sizeof(uint32_t) - load, &symbol))
		return error;
	*start_ret = symbol.address + load;
	*end_ret = *start_ret + symbol.size;
	return NULL;
}

struct wt_error *wt_place_before(struct wt_explainer *explainer,
				 const struct gfx_architecture *architecture, uint64_t address,
				 uint64_t *before_ret, bool *found_ret)
{
	uint64_t at, end, before = 0;
	struct wt_error *error = function_find(explainer, address, &at, &end);
	struct look look;

	*found_ret = false;
	if (error || !at)
		return error;
	for (uint32_t i = 0; at < address && i < LONGEST; i++) {
		if (!instruction_look_at(explainer, architecture, at, &look))
			return NULL;
		before = at;
		at += look.size;
	}
	*found_ret = at == address;
	*before_ret = before;
	return NULL;
}

/* Does the wave come back to an address, or to other functions, by the instruction? Who returns has a caller. */
static bool look_leads_back(const struct look *look, uint64_t at, uint64_t address, uint64_t start,
			    uint64_t end)
{
	switch (look->flow.kind) {
	case GFX_INSTRUCTION_INDIRECT_BRANCH:
	case GFX_INSTRUCTION_INDIRECT_BRANCH_CONDITIONAL:
	case GFX_INSTRUCTION_DIRECT_CALL:
	case GFX_INSTRUCTION_INDIRECT_CALL:
		return true;
	case GFX_INSTRUCTION_DIRECT_BRANCH:
	case GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL:
		return look->flow.target < start || look->flow.target >= end ||
		       (at >= address && look->flow.target <= address);
	default:
		return false;
	}
}

/*
 * Is the access at an address the only one of the wave that is not of scalars, and made once? Then no other may have failed before it. In a
 * loop it may have been the one of a round before, with other addresses.
 */
static struct wt_error *is_alone(struct wt_explainer *explainer,
				 const struct gfx_architecture *architecture, uint64_t address,
				 bool *alone_ret)
{
	uint64_t at, start, end;
	struct wt_error *error = function_find(explainer, address + sizeof(uint32_t), &start, &end);
	struct look look;

	*alone_ret = false;
	if (error || !start)
		return error;
	at = start;
	for (uint32_t i = 0; at < end && i < LONGEST; i++) {
		if (!instruction_look_at(explainer, architecture, at, &look) ||
		    (look.accesses && !look.scalar && at != address) ||
		    look_leads_back(&look, at, address, start, end))
			return NULL;
		at += look.size;
	}
	*alone_ret = at >= end;
	return NULL;
}

/* ---- Precise memory ---- */

/* Chooses between two neighbours that both access memory: the first one's load may have changed its address registers. */
static void neighbour_choose(const struct look *look, struct wt_explain_wave *before,
			     struct wt_explain_wave *at, bool *first_ret, bool *certain_ret)
{
	bool readable = before->has_access && !look->overwrites_address;
	bool before_failed = readable && before->failed_lanes;
	bool before_fine = readable && !before->failed_lanes && !before->unknown_lanes &&
			   before->access.space == GFX_ACCESS_GLOBAL;

	*first_ret = before_failed || !at->failed_lanes;
	*certain_ret = before_failed || (before_fine && at->failed_lanes);
}

/* The same wave at another instruction. */
static struct wt_error *look_elsewhere(struct wt_explainer *explainer,
				       const struct gfx_architecture *architecture,
				       uint64_t address, const struct wt_explain_wave *from,
				       struct wt_explain_wave *wave_ret)
{
	struct wt_explain_wave wave = *from;
	struct wt_error *error;

	wave.has_access = false;
	wave.failed_lanes = wave.unknown_lanes = 0;
	memset(&wave.access, 0, sizeof(wave.access));
	error = wt_explain_address(explainer, architecture, address, &wave.code);
	if (error)
		return error;
	wt_explain_access(explainer, architecture, &wave);
	*wave_ret = wave;
	return NULL;
}

struct wt_error *wt_place_at_pc(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture,
				struct wt_explain_wave *explanation)
{
	struct wt_explain_wave wave;
	struct wt_error *error =
		look_elsewhere(explainer, architecture, explanation->pc, explanation, &wave);

	if (error)
		return error;
	wt_explain_code_deinit(&explanation->code);
	*explanation = wave;
	return NULL;
}

static struct wt_error *place_precise(struct wt_explainer *explainer,
				      const struct gfx_architecture *architecture,
				      struct wt_explain_wave *at)
{
	struct look look = {0}, look_here = {0};
	struct wt_explain_wave before;
	struct wt_error *error;
	uint64_t address = 0;
	bool found, first;

	error = wt_place_before(explainer, architecture, at->pc, &address, &found);
	if (error)
		return error;
	instruction_look_at(explainer, architecture, at->pc, &look_here);
	if (!found || !instruction_look_at(explainer, architecture, address, &look) ||
	    !look.accesses) {
		/* At the beginning of a function only what is there is left. */
		at->certain =
			found ? look_here.accesses
			      : at->failed_lanes && !at->code.symbol_offset && at->code.symbol;
		return NULL;
	}
	error = look_elsewhere(explainer, architecture, address, at, &before);
	if (error)
		return error;
	if (look_here.accesses) {
		neighbour_choose(&look, &before, at, &first, &at->certain);
	} else {
		first = true;
		at->certain = true;
	}
	before.certain = at->certain;
	if (first) {
		wt_explain_code_deinit(&at->code);
		*at = before;
		/* The value that it loaded may have replaced the address that it loaded from. */
		if (look.overwrites_address) {
			at->has_access = false;
			at->failed_lanes = at->unknown_lanes = 0;
		}
	} else {
		wt_explain_code_deinit(&before.code);
	}
	return NULL;
}

static struct wt_error *place_exception(struct wt_explainer *explainer,
					const struct gfx_architecture *architecture,
					struct wt_explain_wave *explanation)
{
	struct look look = {0};
	struct wavetape_place code;
	struct wt_error *error;
	uint64_t address = 0;
	bool found;

	if (!architecture)
		return NULL;
	error = wt_place_before(explainer, architecture, explanation->pc, &address, &found);
	if (error || !found || !instruction_look_at(explainer, architecture, address, &look) ||
	    !look.raises)
		return error;
	error = wt_explain_address(explainer, architecture, address, &code);
	if (error)
		return error;
	wt_explain_code_deinit(&explanation->code);
	explanation->code = code;
	return NULL;
}

struct wt_error *wt_place_fault(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture,
				struct wt_explain_wave *explanation)
{
	struct wt_view *view = wt_explainer_view(explainer);
	uint32_t mode;

	if (!explanation->memory_fault)
		return explanation->reasons & WT_ARITHMETIC_REASONS
			       ? place_exception(explainer, architecture, explanation)
			       : NULL;
	wt_explain_access(explainer, architecture, explanation);
	if (!architecture)
		return NULL;
	if (wt_view_memory_precision(view, &mode) && mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE)
		return place_precise(explainer, architecture, explanation);
	/* A wave goes on behind an access that fails: even where the one at the pc does, an earlier one may have been the first. */
	if (!explanation->failed_lanes)
		return NULL;
	return is_alone(explainer, architecture, explanation->pc, &explanation->certain);
}
