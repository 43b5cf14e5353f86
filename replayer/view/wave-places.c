/* SPDX-License-Identifier: MIT */
#include "replayer/view/wave-places.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/isa/decode.h"
#include "gfx/isa/uses.h"

/* Instructions behind a pc among which a branch back is looked for. */
#define LOOP_MAX 256u

/* ---- Places ---- */

static int compare_places(const void *a, const void *b)
{
	const struct wt_place *left = a, *right = b;

	if (left->waves != right->waves)
		return left->waves > right->waves ? -1 : 1;
	if (left->pc != right->pc)
		return left->pc < right->pc ? -1 : 1;
	return wt_view_kernel_compare(left->kernel, right->kernel);
}

static int compare_spots(const void *a, const void *b)
{
	const struct wt_place *left = a, *right = b;
	int kernel = wt_view_kernel_compare(left->kernel, right->kernel);

	if (left->pc != right->pc)
		return left->pc < right->pc ? -1 : 1;
	if (kernel)
		return kernel;
	return left->first < right->first ? -1 : left->first > right->first;
}

/* One wave as a place of its own; false if its pc is not here. */
static bool wave_place(struct wt_view *view, uint64_t wave, struct wt_place *place_ret)
{
	struct wt_place place = {.first = wave, .waves = 1, .some = {wave}};
	uint64_t dispatch;

	if (!wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &place.pc))
		return false;
	place.reasons = (uint32_t)wt_view_number_or(view, WT_OBJECT_WAVE, wave,
						    AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0);
	dispatch = wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	if (dispatch)
		place.kernel = wt_view_kernel(view, dispatch);
	*place_ret = place;
	return true;
}

/* Sorted by spot, so that waves of one place are neighbours. */
static size_t places_join(struct wt_place *places, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0; i < count; i++) {
		struct wt_place *last = joined ? &places[joined - 1] : NULL;

		if (last && last->pc == places[i].pc &&
		    !wt_view_kernel_compare(last->kernel, places[i].kernel)) {
			if (last->waves < WT_PLACE_SOME)
				last->some[last->waves] = places[i].first;
			last->waves++;
			last->reasons |= places[i].reasons;
		} else {
			places[joined++] = places[i];
		}
	}
	return joined;
}

struct wt_error *wt_places_find(struct wt_view *view, struct wt_places *places_ret)
{
	struct wt_places found = {0};
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	found.places = calloc(count ? count : 1, sizeof(*found.places));
	if (!found.places)
		return &wt_error_no_memory;
	for (size_t i = 0; i < count; i++)
		found.waves += wave_place(view, waves[i], &found.places[found.waves]);
	found.unknown = count - found.waves;
	qsort(found.places, found.waves, sizeof(*found.places), compare_spots);
	found.count = places_join(found.places, found.waves);
	qsort(found.places, found.count, sizeof(*found.places), compare_places);
	*places_ret = found;
	return NULL;
}

void wt_places_deinit(struct wt_places *places)
{
	free(places->places);
	*places = (struct wt_places){0};
}

/* ---- What waves do there ---- */

/* Is it known which instruction comes after one? */
static bool leads_on(enum gfx_instruction_kind kind)
{
	return kind <= GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL || kind == GFX_INSTRUCTION_SLEEP;
}

static bool instruction_sets_exec(const struct gfx_instruction *instruction)
{
	struct gfx_uses uses;

	gfx_instruction_uses(instruction, GFX_MAX_LANES, &uses);
	for (uint32_t i = 0; i < uses.write_count; i++)
		if (uses.writes[i].file == GFX_FILE_SCALAR &&
		    (uses.writes[i].number | 1) == (GFX_CODE_EXEC | 1))
			return true;
	return false;
}

/* Can an instruction make lanes active? Those that only take some of the active ones away cannot. */
static bool gives_lanes(const struct gfx_instruction *instruction)
{
	const char *name = gfx_computes(instruction->operation);

	if (!instruction_sets_exec(instruction) ||
	    instruction->operation->flags & GFX_WRITES_EXEC || !strcmp(name, "s_and_saveexec"))
		return false;
	return (strcmp(name, "s_and") != 0 && strcmp(name, "s_andn2") != 0) ||
	       instruction->src[0] != GFX_CODE_EXEC;
}

static enum wt_activity activity_of(const struct gfx_instruction *instruction)
{
	const char *name = instruction->operation->name;

	if (!strcmp(name, "ds_gws_barrier"))
		return WT_ACTIVITY_GRID;
	return !strncmp(name, "s_wait", strlen("s_wait")) ? WT_ACTIVITY_WAIT : WT_ACTIVITY_UNKNOWN;
}

/* The instruction at an address. */
struct flow {
	struct gfx_classification code; /* what it does to the control flow */
	enum wt_activity activity;
	bool gives_lanes; /* or nobody knows */
	uint32_t size;	  /* 0 if nothing is known of it */
};

static struct flow flow_look_at(struct wt_explainer *explainer,
				const struct gfx_architecture *architecture, uint64_t address)
{
	uint32_t words[WT_EXPLAIN_WORDS] = {0};
	size_t size = wt_view_code(wt_explainer_view(explainer), address, words, sizeof(words));
	struct flow flow = {.activity = WT_ACTIVITY_UNKNOWN, .gives_lanes = true};
	struct gfx_instruction instruction;
	enum gfx_decode_status status;

	if (size < sizeof(words[0]))
		return flow;
	status = gfx_decode(architecture, words, size / sizeof(words[0]), &instruction);
	gfx_classify(architecture, address, words, size / sizeof(words[0]), &flow.code);
	/* Instructions that change the flow have one word, whether there are tables or not. */
	if ((status != GFX_DECODE_UNKNOWN_ENCODING && status != GFX_DECODE_TRUNCATED) ||
	    flow.code.kind != GFX_INSTRUCTION_SEQUENTIAL)
		flow.size = instruction.word_count * (uint32_t)sizeof(words[0]);
	if (flow.code.kind == GFX_INSTRUCTION_BARRIER)
		flow.activity = WT_ACTIVITY_BARRIER;
	else if (flow.code.kind == GFX_INSTRUCTION_SLEEP)
		flow.activity = WT_ACTIVITY_SLEEP;
	else if (status == GFX_DECODE_OK)
		flow.activity = activity_of(&instruction);
	/* Nobody knows what is done where it goes. */
	if (status == GFX_DECODE_OK && leads_on(flow.code.kind))
		flow.gives_lanes = gives_lanes(&instruction);
	return flow;
}

/* Is the flow of control at an end that does not lead on to the next instruction? */
static bool ends_run(enum gfx_instruction_kind kind)
{
	return kind == GFX_INSTRUCTION_TERMINATE || kind == GFX_INSTRUCTION_INDIRECT_BRANCH ||
	       kind == GFX_INSTRUCTION_HALT;
}

static bool branches(enum gfx_instruction_kind kind)
{
	return kind == GFX_INSTRUCTION_DIRECT_BRANCH ||
	       kind == GFX_INSTRUCTION_DIRECT_BRANCH_CONDITIONAL;
}

/* Does no instruction of a loop make a lane active, and does none lead out of it? */
static void check_loop(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       struct wt_activity_found *found)
{
	bool keeps_out = true, endless = true, jumps = false;
	uint64_t address = found->from;

	for (unsigned int i = 0; i < 2 * LOOP_MAX && address <= found->to; i++) {
		const struct flow flow = flow_look_at(explainer, architecture, address);
		const struct gfx_classification *code = &flow.code;

		if (!flow.size)
			return;
		/* A target that is branched to from within may lead back as well. */
		keeps_out &=
			!flow.gives_lanes && !(branches(code->kind) && code->target < found->from);
		endless &= leads_on(code->kind) &&
			   !(branches(code->kind) &&
			     (code->target < found->from || code->target > found->to));
		jumps = code->kind == GFX_INSTRUCTION_DIRECT_BRANCH;
		address += flow.size;
	}
	found->keeps_out = keeps_out && address > found->to;
	found->endless = endless && jumps && address > found->to;
}

/* The first branch behind @pc that leads back to it or before it. */
static void find_loop(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		      uint64_t pc, struct wt_activity_found *found)
{
	uint64_t address = pc;

	for (unsigned int i = 0; i < LOOP_MAX; i++) {
		const struct flow flow = flow_look_at(explainer, architecture, address);

		if (!flow.size || ends_run(flow.code.kind))
			return;
		if (branches(flow.code.kind) && flow.code.target <= pc) {
			*found = (struct wt_activity_found){
				.activity = WT_ACTIVITY_LOOP,
				.from = flow.code.target,
				.to = address,
				.sleeps = found->activity == WT_ACTIVITY_SLEEP,
			};
			check_loop(explainer, architecture, found);
			return;
		}
		address += flow.size;
	}
}

void wt_place_activity(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       uint64_t pc, struct wt_activity_found *found_ret)
{
	/* Waves at a barrier have the pc behind it, which has one word, or two if it is a global one: what follows there does not matter yet. */
	const uint64_t spots[] = {pc - 2 * sizeof(uint32_t), pc - sizeof(uint32_t), pc};
	static const enum wt_activity at_spot[] = {WT_ACTIVITY_GRID, WT_ACTIVITY_BARRIER};

	*found_ret = (struct wt_activity_found){0};
	if (!architecture)
		return;
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		enum wt_activity activity =
			flow_look_at(explainer, architecture, spots[i]).activity;

		if (activity == WT_ACTIVITY_UNKNOWN || (spots[i] != pc && activity != at_spot[i]) ||
		    (spots[i] == pc && activity == WT_ACTIVITY_GRID))
			continue;
		found_ret->activity = activity;
		/*
		 * A wave that looks at memory again and again is found at the wait, or asleep in between, but what it waits for
		 * is the loop.
		 */
		if (activity == WT_ACTIVITY_BARRIER || activity == WT_ACTIVITY_GRID) {
			found_ret->barrier = spots[i];
			return;
		}
	}
	find_loop(explainer, architecture, pc, found_ret);
}
