/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/failed-access.h"

#include <string.h>

#include "gfx/wave/context.h"

/* How often a wave may come by where it stopped, until it is not looked for any more. */
#define MAX_PASSES 16u
/* How often it is followed again since it was found to write what it had loaded. */
#define MAX_ATTEMPTS 4u
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

/*
 * Goes from the instruction that has written a copy, before which the wave stands, to the register that it was copied from. False where
 * it is no copy, or the target is that of the first lane: then the lane is that one.
 */
static bool copy_go_back(const struct wt_rerun *rerun, const struct wt_rerun_code *code,
			 struct target_copy *copy)
{
	const char *name = gfx_computes(code->instruction.operation);
	const uint16_t *src = code->instruction.src;
	uint32_t word = copy->number - code->uses.writes[0].number;

	if (!strcmp(name, "v_readfirstlane_b32") && rerun->wave.exec &&
	    !wt_rerun_exec_unknown(rerun))
		copy->lane = gfx_first_lane(rerun->wave.exec);
	if (!strcmp(name, "s_mov"))
		return copy_take_scalar(src[0], word, copy);
	/* The compiler keeps scalars in the lanes of a register. */
	if (!strcmp(name, "v_writelane_b32"))
		return copy_take_scalar(src[0], 0, copy);
	if (strcmp(name, "v_readlane_b32") != 0 || src[0] < GFX_CODE_VGPR0 ||
	    src[1] < GFX_CODE_ZERO || src[1] >= GFX_CODE_ZERO + rerun->lanes)
		return false;
	copy->file = GFX_FILE_VECTOR;
	copy->number = src[0] - GFX_CODE_VGPR0;
	copy->lane = src[1] - GFX_CODE_ZERO;
	return true;
}

/*
 * The lane that tells where a jump's target is from. Where lanes may have other ones, code jumps to that of the first lane that is left.
 * A target that was kept in a lane of a register, which was copied as a whole, is followed in that lane.
 */
static struct wt_error *jump_find_lane(struct wt_track *track, uint32_t *lane_ret)
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
	*lane_ret = copy.lane;
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
		error = jump_find_lane(track, &late_ret->jump_lane);
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
struct wt_error *wt_track_arrive(struct wt_track *track)
{
	struct wt_error *error = track_arrive_late(track);

	for (uint32_t i = 0; i < MAX_ATTEMPTS && !error; i++) {
		bool more = false;

		/* A way that was too long is not shorter where less is known. */
		if (track->given_up || track->end == WT_ANALYSIS_LIMIT ||
		    track->rerun->input->start || !track->rerun->loaded->overwritten)
			return NULL;
		error = wt_track_restart(track, &more);
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
