/* SPDX-License-Identifier: MIT */
#include "replayer/view/wave-places.h"

#include <stdlib.h>
#include <string.h>

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
	return left->entry < right->entry ? -1 : left->entry > right->entry;
}

static int compare_spots(const void *a, const void *b)
{
	const struct wt_place *left = a, *right = b;

	if (left->pc != right->pc)
		return left->pc < right->pc ? -1 : 1;
	if (left->entry != right->entry)
		return left->entry < right->entry ? -1 : 1;
	return left->first < right->first ? -1 : left->first > right->first;
}

/* One wave as a place of its own; false if its pc is not here. */
static bool wave_place(struct wt_view *view, uint64_t wave, struct wt_place *place_ret)
{
	struct wt_place place = {.first = wave, .waves = 1};
	uint64_t dispatch;

	if (!wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &place.pc))
		return false;
	place.reasons = (uint32_t)wt_view_number_or(view, WT_OBJECT_WAVE, wave,
						    AMD_DBGAPI_WAVE_INFO_STOP_REASON, 0);
	dispatch = wt_view_number_or(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	if (dispatch)
		place.entry =
			wt_view_number_or(view, WT_OBJECT_DISPATCH, dispatch,
					  AMD_DBGAPI_DISPATCH_INFO_KERNEL_CODE_ENTRY_ADDRESS, 0);
	*place_ret = place;
	return true;
}

/* Sorted by spot, so that waves of one place are neighbours. */
static size_t places_join(struct wt_place *places, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0; i < count; i++) {
		struct wt_place *last = joined ? &places[joined - 1] : NULL;

		if (last && last->pc == places[i].pc && last->entry == places[i].entry) {
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

/* Can an instruction make lanes active? Those that only take some of the active ones away cannot. */
static bool gives_lanes(const struct gfx_classification *flow, const char *text)
{
	static const char *const takes[] = {"s_and_b64 exec, exec,",
					    "s_and_b32 exec_lo, exec_lo,",
					    "s_andn2_b64 exec, exec,",
					    "s_andn2_b32 exec_lo, exec_lo,",
					    "s_and_not1_b64 exec, exec,",
					    "s_and_not1_b32 exec_lo, exec_lo,",
					    "s_and_saveexec_"};
	const char *operands = text ? strchr(text, ' ') : NULL;

	/* Nobody knows what is done where it goes. */
	if (!text || !leads_on(flow->kind))
		return true;
	for (size_t i = 0; i < sizeof(takes) / sizeof(takes[0]); i++)
		if (!strncmp(text, takes[i], strlen(takes[i])))
			return false;
	return strstr(text, "saveexec") || strstr(text, "wrexec") ||
	       (operands && !strncmp(operands, " exec", strlen(" exec")));
}

static enum wt_activity activity_of(enum gfx_instruction_kind kind, const char *text)
{
	if (kind == GFX_INSTRUCTION_BARRIER)
		return WT_ACTIVITY_BARRIER;
	if (kind == GFX_INSTRUCTION_SLEEP)
		return WT_ACTIVITY_SLEEP;
	if (text && !strncmp(text, "ds_gws_barrier", strlen("ds_gws_barrier")))
		return WT_ACTIVITY_GRID;
	return text && !strncmp(text, "s_wait", strlen("s_wait")) ? WT_ACTIVITY_WAIT
								  : WT_ACTIVITY_UNKNOWN;
}

/* The instruction at an address: what it does to the control flow, and its length; 0 if nothing is known of it. */
static struct wt_error *flow_look_at(struct wt_explainer *explainer,
				     const struct gfx_architecture *architecture, uint64_t address,
				     struct gfx_classification *flow_ret,
				     enum wt_activity *activity_ret, bool *gives_lanes_ret,
				     uint32_t *size_ret)
{
	struct wavetape_place code;
	struct wt_error *error = wt_explain_address(explainer, architecture, address, &code);

	*size_ret = 0;
	*gives_lanes_ret = true;
	*activity_ret = WT_ACTIVITY_UNKNOWN;
	*flow_ret = (struct gfx_classification){0};
	if (error)
		return error;
	if (code.instruction && code.instruction_bytes) {
		*size_ret = code.instruction_bytes;
		gfx_classify(architecture, address, code.words, code.instruction_bytes / 4,
			     flow_ret);
		*activity_ret = activity_of(flow_ret->kind, code.instruction);
		*gives_lanes_ret = gives_lanes(flow_ret, code.instruction);
	}
	wt_explain_code_deinit(&code);
	return NULL;
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
static struct wt_error *check_loop(struct wt_explainer *explainer,
				   const struct gfx_architecture *architecture,
				   struct wt_activity_found *found)
{
	bool keeps_out = true, endless = true, jumps = false;
	uint64_t address = found->from;

	for (unsigned int i = 0; i < 2 * LOOP_MAX && address <= found->to; i++) {
		struct gfx_classification flow;
		enum wt_activity activity;
		bool gives;
		uint32_t size;
		struct wt_error *error = flow_look_at(explainer, architecture, address, &flow,
						      &activity, &gives, &size);

		if (error || !size)
			return error;
		/* A target that is branched to from within may lead back as well. */
		keeps_out &= !gives && !(branches(flow.kind) && flow.target < found->from);
		endless &= leads_on(flow.kind) &&
			   !(branches(flow.kind) &&
			     (flow.target < found->from || flow.target > found->to));
		jumps = flow.kind == GFX_INSTRUCTION_DIRECT_BRANCH;
		address += size;
	}
	found->keeps_out = keeps_out && address > found->to;
	found->endless = endless && jumps && address > found->to;
	return NULL;
}

/* The first branch behind @pc that leads back to it or before it. */
static struct wt_error *find_loop(struct wt_explainer *explainer,
				  const struct gfx_architecture *architecture, uint64_t pc,
				  struct wt_activity_found *found)
{
	uint64_t address = pc;

	for (unsigned int i = 0; i < LOOP_MAX; i++) {
		struct gfx_classification flow;
		enum wt_activity activity;
		struct wt_error *error;
		uint32_t size;
		bool gives;

		error = flow_look_at(explainer, architecture, address, &flow, &activity, &gives,
				     &size);
		if (error || !size || ends_run(flow.kind))
			return error;
		if (branches(flow.kind) && flow.target <= pc) {
			*found = (struct wt_activity_found){
				.activity = WT_ACTIVITY_LOOP,
				.from = flow.target,
				.to = address,
				.sleeps = found->activity == WT_ACTIVITY_SLEEP,
			};
			return check_loop(explainer, architecture, found);
		}
		address += size;
	}
	return NULL;
}

struct wt_error *wt_place_activity(struct wt_explainer *explainer,
				   const struct gfx_architecture *architecture, uint64_t pc,
				   struct wt_activity_found *found_ret)
{
	/* Waves at a barrier have the pc behind it, which has one word, or two if it is a global one: what follows there does not matter yet. */
	const uint64_t spots[] = {pc - 2 * sizeof(uint32_t), pc - sizeof(uint32_t), pc};
	static const enum wt_activity at_spot[] = {WT_ACTIVITY_GRID, WT_ACTIVITY_BARRIER};

	*found_ret = (struct wt_activity_found){0};
	if (!architecture)
		return NULL;
	for (size_t i = 0; i < sizeof(spots) / sizeof(spots[0]); i++) {
		struct gfx_classification flow;
		enum wt_activity activity;
		uint32_t size;
		bool gives;
		struct wt_error *error = flow_look_at(explainer, architecture, spots[i], &flow,
						      &activity, &gives, &size);

		if (error)
			return error;
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
			return NULL;
		}
	}
	return find_loop(explainer, architecture, pc, found_ret);
}
