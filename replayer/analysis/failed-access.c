/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/failed-access.h"

#include <stdlib.h>
#include <string.h>

#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"

/* How often a wave may come by where it stopped, until it is not looked for any more. */
#define MAX_PASSES 16u
/* How often it is followed again since it was found to write what it had loaded. */
#define MAX_ATTEMPTS 4u
/* How often, since it was found to have loaded what others have changed. */
#define MAX_CHANGES 8u
/* How many steps a register that differs is gone back through, and words that are found to be loaded. */
#define MAX_ORIGINS 256u
#define MAX_WORDS 8192u
/* How many copies of a jump's target are gone back through. */
#define MAX_COPIES 16u

static uint32_t lane_of(const struct wt_analysis_input *input, uint64_t lanes)
{
	return input->lane < GFX_MAX_LANES && lanes >> input->lane & 1 ? input->lane
								       : gfx_first_lane(lanes);
}

/* Return: whether the next instruction is known to fail. */
static bool judge_next(struct wt_rerun *rerun, const struct wt_rerun_code *code,
		       struct wt_late *late)
{
	uint64_t suspect, unknown, lanes = wt_rerun_failing(rerun, code, &suspect, &unknown);

	if (lanes) {
		late->failed = rerun->step_count + 1;
		late->failed_lane = lane_of(rerun->input, lanes);
		return true;
	}
	if (!suspect && !unknown)
		return false;
	late->suspects++;
	late->suspect = late->suspects == 1 ? rerun->step_count + 1 : 0;
	late->suspect_is_known = suspect;
	late->suspect_lane = lane_of(rerun->input, suspect ? suspect : unknown);
	return false;
}

/* Can the target fail, as far as is known: is what it accesses not known, or whether that is there? */
static bool target_may_fail(struct wt_rerun *rerun)
{
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	uint64_t suspect, unknown;

	return code && (wt_rerun_failing(rerun, code, &suspect, &unknown) || suspect || unknown);
}

/* A register that has a word of a jump's target, or a copy of it; and the lane that was followed up to there. */
struct target_copy {
	enum gfx_register_file file;
	uint32_t number, lane;
};

/* The place of a scalar operand; false if it is none, or a constant. */
static bool copy_take_scalar(uint32_t operand, uint32_t word, struct target_copy *copy)
{
	copy->file = GFX_FILE_SCALAR;
	copy->number = operand + word;
	return operand <= GFX_CODE_M0;
}

/* The lane that an instruction reads a register in; false if it is no v_readlane_b32, or the lane is no constant. */
static bool step_reads_lane(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			    uint32_t *lane_ret)
{
	*lane_ret = code->instruction.src[1] - GFX_CODE_ZERO;
	return !strcmp(gfx_computes(code->instruction.operation), "v_readlane_b32") &&
	       *lane_ret < rerun->lanes;
}

/*
 * Goes from the instruction that has written a copy, before which the wave stands, to the register that it was copied from. False where
 * it is no copy, or the target is that of the first lane: then the lane is that one.
 */
static bool copy_go_back(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			 struct target_copy *copy)
{
	const char *name = gfx_computes(code->instruction.operation);
	const uint16_t *src = code->instruction.src;
	uint32_t word = copy->number - code->uses.writes[0].number, lane;

	if (!strcmp(name, "v_readfirstlane_b32") && rerun->wave.exec &&
	    !wt_rerun_exec_unknown(rerun))
		copy->lane = gfx_first_lane(rerun->wave.exec);
	if (!strcmp(name, "s_mov"))
		return copy_take_scalar(src[0], word, copy);
	/* The compiler keeps scalars in the lanes of a register. */
	if (!strcmp(name, "v_writelane_b32"))
		return copy_take_scalar(src[0], 0, copy);
	if (!step_reads_lane(rerun, code, &lane) || src[0] < GFX_CODE_VGPR0)
		return false;
	copy->file = GFX_FILE_VECTOR;
	copy->number = src[0] - GFX_CODE_VGPR0;
	copy->lane = lane;
	return true;
}

/*
 * The lane that tells where a jump's target is from. Where lanes may have other ones, code jumps to that of the first lane that is left.
 * A target that was kept in a lane of a register, which was copied as a whole, is followed in that lane.
 */
static struct wt_error *jump_find_lane(struct wt_track *track, struct wt_late *late_ret)
{
	struct wt_rerun *rerun = track->rerun;
	struct target_copy copy = {.lane = 0};
	const struct wt_rerun_code *code;
	uint32_t writer;
	bool is_copy;

	if (!wt_track_go(track, track->steps - 1))
		return &wt_error_no_memory;
	code = wt_rerun_code(rerun);
	is_copy = code && copy_take_scalar(code->instruction.src[0], 0, &copy);
	for (uint32_t i = 0; is_copy && i < MAX_COPIES; i++) {
		writer = wt_rerun_writer(rerun, copy.file, copy.number, copy.lane);
		if (!writer)
			break;
		if (!wt_track_go(track, writer - 1))
			return &wt_error_no_memory;
		code = wt_rerun_code(rerun);
		is_copy = code && copy_go_back(rerun, code, &copy);
	}
	late_ret->jump_lane = copy.lane;
	late_ret->jump_is_kept = copy.file == GFX_FILE_VECTOR;
	return NULL;
}

struct wt_error *wt_late_find(struct wt_track *track, struct wt_late *late_ret)
{
	const uint64_t end = track->steps, reach = track->rerun->input->late;
	struct wt_error *error =
		wt_track_go(track, end > reach ? end - reach : 0) ? NULL : &wt_error_no_memory;

	*late_ret = (struct wt_late){0};
	while (!error && track->rerun->step_count < end) {
		const struct wt_rerun_code *code = wt_rerun_code(track->rerun);

		if (!code || judge_next(track->rerun, code, late_ret))
			break;
		if (!wt_track_go(track, track->rerun->step_count + 1))
			error = &wt_error_no_memory;
	}
	if (!error && track->rerun->input->jumped && end)
		error = jump_find_lane(track, late_ret);
	if (!error && !wt_track_go(track, end))
		error = &wt_error_no_memory;
	if (!error)
		late_ret->target_may_fail = target_may_fail(track->rerun);
	return error;
}

static bool could_have_failed(const struct wt_late *late)
{
	return late->failed || late->suspects || late->target_may_fail;
}

/*
 * A loop may come by where the wave stopped with registers that fit, for those that matter are not known. Where no access before
 * that can have failed, the wave went on: the arrival counts before which one can have; if there is none, the first.
 */
static struct wt_error *track_arrive_late(struct wt_track *track)
{
	const struct wt_analysis_input *input = track->rerun->input;
	struct wt_error *error = wt_track_follow(track);
	uint64_t first = track->steps;
	size_t compared = track->compared;
	struct wt_late late;

	if (error || track->end != WT_ANALYSIS_ARRIVED || !input->late || input->jumped)
		return error;
	for (uint32_t passes = 0; passes < MAX_PASSES; passes++) {
		error = wt_late_find(track, &late);
		if (error || could_have_failed(&late))
			return error;
		error = wt_track_follow(track);
		if (error)
			return error;
		if (track->end != WT_ANALYSIS_ARRIVED)
			break;
	}
	track->compared = compared;
	return wt_track_end_at(track, first);
}

/*
 * Memory is known as it was at the stop. Of a word that the wave loads, and writes later, that says nothing of what it loaded: where
 * this may have happened it is followed again, and does not know such words.
 */
static struct wt_error *track_arrive_apart(struct wt_track *track)
{
	struct wt_error *error = track_arrive_late(track);

	for (uint32_t i = 0; i < MAX_ATTEMPTS && !error; i++) {
		bool more = false;

		/* A way that was too long is not shorter where less is known. */
		if (track->given_up || track->end == WT_ANALYSIS_LIMIT ||
		    track->rerun->input->start || !track->rerun->loaded->overwritten)
			return NULL;
		error = wt_track_restart(track, &track->rerun->written, &more);
		if (!error && !more)
			return NULL;
		if (!error)
			error = track_arrive_late(track);
	}
	/* The way never was the same twice. */
	if (!error && track->end == WT_ANALYSIS_ARRIVED)
		track->end = WT_ANALYSIS_MISSED;
	return error;
}

/* ---- Memory that others have changed since the wave loaded it ---- */

/* A step that a value was made by, and the lanes that it was made in; of a scalar one that does not matter. */
struct origin {
	uint32_t step;
	uint64_t lanes;
};

struct origins {
	struct origin left[MAX_ORIGINS]; /* not gone back through yet */
	size_t left_count;
	uint64_t pcs[MAX_ORIGINS]; /* of those that were */
	size_t count;
	struct wt_written_words words; /* of global memory that they have loaded */
};

static void origins_deinit(struct origins *origins)
{
	free(origins->words.entries);
}

/* False if there are too many. */
static bool origins_add(struct origins *origins, uint32_t step, uint64_t lanes)
{
	size_t i = 0;

	if (!step)
		return true;
	while (i < origins->left_count && origins->left[i].step != step)
		i++;
	if (i == MAX_ORIGINS)
		return false;
	if (i == origins->left_count)
		origins->left[origins->left_count++] = (struct origin){.step = step};
	origins->left[i].lanes |= lanes;
	return true;
}

/* Takes the last one out. */
static struct origin origins_take(struct origins *origins)
{
	struct origin *last = origins->left, taken;

	for (size_t i = 1; i < origins->left_count; i++)
		if (origins->left[i].step > last->step)
			last = &origins->left[i];
	taken = *last;
	*last = origins->left[--origins->left_count];
	return taken;
}

static bool origins_add_register(struct origins *origins, const struct wt_rerun *rerun,
				 enum gfx_register_file file, uint32_t number, uint64_t lanes)
{
	if (file == GFX_FILE_SCALAR)
		lanes = 1;
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = gfx_first_lane(lanes);

		if (!origins_add(origins, wt_rerun_writer(rerun, file, number, lane),
				 UINT64_C(1) << lane))
			return false;
	}
	return true;
}

/* The lanes of its vector registers that an instruction makes values of some lanes of. */
static uint64_t origin_find_lanes(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
				  uint64_t lanes)
{
	const char *name = gfx_computes(code->instruction.operation);
	uint32_t lane;

	/* The other lanes of the register stay as they are. */
	if (!strcmp(name, "v_writelane_b32"))
		return 0;
	if (step_reads_lane(rerun, code, &lane))
		return UINT64_C(1) << lane;
	if (!strcmp(name, "v_readfirstlane_b32") && rerun->wave.exec)
		return UINT64_C(1) << gfx_first_lane(rerun->wave.exec);
	return code->uses.cross_lane || (code->uses.write_count &&
					 code->uses.writes[0].file == GFX_FILE_SCALAR)
		       ? wt_rerun_lane_bits(rerun)
		       : lanes;
}

static bool origins_add_sources(struct origins *origins, struct wt_rerun *rerun,
				const struct wt_rerun_code *code, uint64_t lanes)
{
	const struct gfx_uses *uses = &code->uses;
	bool second = rerun->wave.pc & WT_RERUN_HALF, room = true;

	lanes = origin_find_lanes(rerun, code, lanes);
	if (second)
		wt_rerun_see_before(rerun);
	for (uint32_t i = 0; i < uses->read_count; i++)
		for (uint32_t word = 0; word < uses->reads[i].words; word++)
			room &= origins_add_register(origins, rerun, uses->reads[i].file,
						     uses->reads[i].number + word, lanes);
	if (second)
		wt_rerun_see_before(rerun);
	return room;
}

/* Adds what a lane has loaded from a byte on: the step of the wave that stored it there, or the word. */
static bool origins_add_loaded(struct origins *origins, const struct wt_rerun *rerun,
			       enum gfx_access_space space, uint32_t lane, uint64_t address)
{
	const struct wt_rerun_place place = wt_rerun_place_of(rerun, space, lane, address);
	const struct wt_written *written;

	if (place.kind != WT_RERUN_GLOBAL && !place.there)
		return true;
	if (place.kind == WT_RERUN_PRIVATE)
		return origins_add(origins, rerun->private_writers[place.offset / 4],
				   UINT64_C(1) << lane);
	if (place.kind == WT_RERUN_LOCAL)
		return origins_add(origins, rerun->local_writers[place.offset / 4],
				   wt_rerun_lane_bits(rerun));
	written = wt_rerun_written(rerun, place.offset);
	if (written)
		return origins_add(origins, written->writer, wt_rerun_lane_bits(rerun));
	if (origins->words.count == origins->words.capacity)
		return false;
	origins->words.entries[origins->words.count++] =
		(struct wt_written){.address = place.offset & ~UINT64_C(3), .bytes = 0xf};
	return true;
}

/* All lanes' words of global memory were loaded at once: any of them may have changed. */
static bool origins_add_load(struct origins *origins, const struct wt_rerun *rerun,
			     const struct gfx_access *access, uint64_t known, uint64_t lanes)
{
	for (uint64_t left = access->lanes & known; left; left &= left - 1) {
		uint32_t lane = gfx_first_lane(left);

		for (uint32_t part = 0; part < access->parts; part++)
			for (uint32_t i = 0; i < access->size; i += 4) {
				uint64_t address = gfx_part_address(access, lane, part) + i;
				bool global = wt_rerun_place_of(rerun, access->space, lane, address)
						      .kind == WT_RERUN_GLOBAL;

				if ((global || lanes >> lane & 1) &&
				    !origins_add_loaded(origins, rerun, access->space, lane,
							address))
					return false;
			}
	}
	return true;
}

/*
 * Goes back through a step. An address that was loaded from is not gone back through: what was loaded is not known then, whatever it was
 * loaded from. Nor is what a loop makes anew in each of its rounds: in most of them it differs anyway.
 */
static bool origins_follow(struct origins *origins, struct wt_track *track,
			   const struct origin *origin)
{
	struct wt_rerun *rerun = track->rerun;
	const struct wt_rerun_code *code;
	struct gfx_access access = {.space = GFX_ACCESS_NONE};
	uint64_t known = 0;

	if (origins->count == MAX_ORIGINS || !wt_track_go(track, origin->step - 1))
		return false;
	code = wt_rerun_code(rerun);
	for (size_t i = 0; i < origins->count; i++)
		if (origins->pcs[i] == rerun->wave.pc)
			return false;
	origins->pcs[origins->count++] = rerun->wave.pc;
	if (code && gfx_touches_memory(&code->instruction))
		wt_rerun_access(rerun, code, &access, &known);
	if (code && access.space != GFX_ACCESS_NONE && access.read)
		return origins_add_load(origins, rerun, &access, known, origin->lanes);
	return code && origins_add_sources(origins, rerun, code, origin->lanes);
}

/* Nobody writes kernel arguments while a kernel executes, as a rule: they are suspected where nothing else was loaded. */
static void origins_leave_arguments(struct origins *origins, const struct wt_analysis_input *input)
{
	struct wt_written_words *words = &origins->words;
	size_t others = 0;

	for (size_t i = 0; i < words->count; i++)
		if (words->entries[i].address - input->launch.kernarg_address >=
		    input->descriptor.kernarg_size)
			words->entries[others++] = words->entries[i];
	if (others)
		words->count = others;
	for (size_t i = words->count; i < words->capacity; i++)
		words->entries[i].bytes = 0;
}

/*
 * The wave comes by where it stopped, and a register is another one. Where it was made of memory, that has changed since: the wave is
 * followed again, and does not know it.
 *
 * @more_ret: false if it was made of nothing that can have.
 */
static struct wt_error *track_forget_changed(struct wt_track *track, bool *more_ret)
{
	const struct wt_difference difference = track->rerun->difference;
	wt_cleanup(origins_deinit) struct origins origins = {.words = {.capacity = MAX_WORDS}};
	bool whole;

	*more_ret = false;
	origins.words.entries = calloc(MAX_WORDS, sizeof(*origins.words.entries));
	if (!origins.words.entries)
		return &wt_error_no_memory;
	whole = wt_track_go(track, difference.steps) &&
		origins_add_register(&origins, track->rerun, difference.file, difference.number,
				     UINT64_C(1) << difference.lane);
	while (whole && origins.left_count) {
		const struct origin origin = origins_take(&origins);

		whole = origins_follow(&origins, track, &origin);
	}
	if (track->rerun->no_memory)
		return &wt_error_no_memory;
	origins_leave_arguments(&origins, track->rerun->input);
	/* The track has gone back, and has taken up the difference that it had found by then. */
	track->rerun->difference = difference;
	return whole && origins.words.count ? wt_track_restart(track, &origins.words, more_ret)
					    : NULL;
}

static bool track_is_different(const struct wt_track *track)
{
	return track->end == WT_ANALYSIS_DIFFERENT && track->rerun->difference.is_one &&
	       !track->rerun->input->start;
}

struct wt_error *wt_track_arrive(struct wt_track *track)
{
	struct wt_error *error = track_arrive_apart(track);
	const struct wt_difference first = track->rerun->difference;
	const uint64_t first_pc = track->end_pc;
	bool is_different = !error && track_is_different(track), more = is_different;

	for (uint32_t i = 0; i < MAX_CHANGES && !error && more && track_is_different(track); i++) {
		error = track_forget_changed(track, &more);
		if (!error && more)
			error = track_arrive_apart(track);
	}
	/* Without what was forgotten it does not come there at all: then that register is what is known. */
	if (!error && is_different && track->end != WT_ANALYSIS_ARRIVED) {
		track->end = WT_ANALYSIS_DIFFERENT;
		track->end_pc = first_pc;
		track->rerun->difference = first;
	}
	return error;
}
