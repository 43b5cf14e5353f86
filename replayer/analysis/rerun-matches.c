/* SPDX-License-Identifier: MIT */
/* Is a wave that was executed once more as it was when it stopped? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gfx/wave/context.h"
#include "gfx/wave/memory-access.h"
#include "replayer/analysis/rerun.h"

static void read_scalar(struct wt_rerun *rerun, const char *name, uint32_t code, uint32_t words)
{
	struct wt_stopped *stopped = rerun->stopped;
	uint64_t value;

	if (!rerun->input->read_register(rerun->input->opaque, name, 0, &value))
		return;
	for (uint32_t i = 0; i < words; i++) {
		stopped->has.scalar[code + i] = UINT32_MAX;
		stopped->scalar[code + i] = (uint32_t)(value >> 32 * i);
	}
}

static void read_vectors(struct wt_rerun *rerun, enum gfx_register_file file, uint32_t count)
{
	struct wt_stopped *stopped = rerun->stopped;
	char name[16];

	for (uint32_t i = 0; i < count; i++) {
		uint32_t *values =
			file == GFX_FILE_VECTOR ? stopped->vector[i] : stopped->accumulation[i];

		snprintf(name, sizeof(name), "%s%u", file == GFX_FILE_VECTOR ? "v" : "a", i);
		for (uint32_t lane = 0; lane < GFX_MAX_LANES; lane++) {
			uint64_t value;

			if (!rerun->input->read_register(rerun->input->opaque, name, lane, &value))
				continue;
			*wt_plane_lanes(&stopped->has, file, i) |= UINT64_C(1) << lane;
			values[lane] = (uint32_t)value;
		}
	}
}

static bool read_stopped(struct wt_rerun *rerun)
{
	char name[16];

	if (rerun->stopped)
		return true;
	rerun->stopped = calloc(1, sizeof(*rerun->stopped));
	rerun->no_memory |= !rerun->stopped;
	if (!rerun->stopped)
		return false;
	for (uint32_t i = 0; i < rerun->wave.sgpr_count; i++) {
		snprintf(name, sizeof(name), "s%u", i);
		read_scalar(rerun, name, i, 1);
	}
	read_scalar(rerun, "vcc", GFX_CODE_VCC, rerun->lanes / 32);
	read_scalar(rerun, "exec", GFX_CODE_EXEC, rerun->lanes / 32);
	read_scalar(rerun, "m0", GFX_CODE_M0, 1);
	read_vectors(rerun, GFX_FILE_VECTOR, rerun->wave.vgpr_count);
	read_vectors(rerun, GFX_FILE_ACCUMULATION, rerun->wave.agpr_count);
	return true;
}

/* Bits that were not recorded, are not known here, or depend on where private memory is, fit anything. */
static bool scalar_fits(struct wt_rerun *rerun, uint32_t code)
{
	uint32_t bits = rerun->stopped->has.scalar[code] &
			~(rerun->unknown.scalar[code] | rerun->placed.scalar[code]);

	uint32_t value = wt_rerun_value(rerun, GFX_FILE_SCALAR, code, 0);

	rerun->compared += bits != 0;
	if (!((rerun->stopped->scalar[code] ^ value) & bits))
		return true;
	rerun->difference = (struct wt_difference){
		true, GFX_FILE_SCALAR, code, 0, value, rerun->stopped->scalar[code], 0, 0};
	return false;
}

static bool scalars_match(struct wt_rerun *rerun)
{
	for (uint32_t i = 0; i < 2; i++)
		if (!scalar_fits(rerun, GFX_CODE_EXEC + i) || !scalar_fits(rerun, GFX_CODE_VCC + i))
			return false;
	for (uint32_t i = 0; i < rerun->wave.sgpr_count; i++)
		if (!scalar_fits(rerun, i))
			return false;
	return scalar_fits(rerun, GFX_CODE_M0);
}

/* Was a lane's value loaded by one of the last instructions, which may be the one that failed, so that no lane was loaded? */
static bool load_is_doubtful(const struct wt_rerun *rerun, enum gfx_register_file file,
			     uint32_t number, uint32_t lane)
{
	uint32_t writer = wt_rerun_writer(rerun, file, number, lane);

	return writer && rerun->step_count - writer < rerun->input->late &&
	       rerun->doubtful[writer % WT_ANALYSIS_LATE] == writer;
}

static bool vectors_match(struct wt_rerun *rerun, enum gfx_register_file file, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *values = file == GFX_FILE_VECTOR ? rerun->stopped->vector[i]
								 : rerun->stopped->accumulation[i];
		uint64_t lanes = *wt_plane_lanes(&rerun->stopped->has, file, i) &
				 ~*wt_plane_lanes(&rerun->placed, file, i) &
				 wt_rerun_known(rerun, file, i);

		for (; lanes; lanes &= lanes - 1) {
			uint32_t lane = gfx_first_lane(lanes);

			rerun->compared++;
			if (values[lane] == wt_rerun_value(rerun, file, i, lane) ||
			    load_is_doubtful(rerun, file, i, lane))
				continue;
			rerun->difference = (struct wt_difference){
				true,	      file, i, lane, wt_rerun_value(rerun, file, i, lane),
				values[lane], 0,    0};
			return false;
		}
	}
	return true;
}

bool wt_rerun_matches(struct wt_rerun *rerun)
{
	const struct wt_difference before = rerun->difference;
	bool matches;

	rerun->compared = 0;
	rerun->difference.is_one = false;
	matches = read_stopped(rerun) && scalars_match(rerun) &&
		  vectors_match(rerun, GFX_FILE_VECTOR, rerun->wave.vgpr_count) &&
		  vectors_match(rerun, GFX_FILE_ACCUMULATION, rerun->wave.agpr_count);
	rerun->difference.agreed = rerun->compared;
	rerun->difference.steps = rerun->step_count;
	/* In a loop all but one of the times that a wave comes by differ, by what counts them: that says nothing. */
	if (!matches && before.is_one && before.agreed >= rerun->compared)
		rerun->difference = before;
	return matches;
}

/* Is a scalar register, as a part of a pair from @code on, recorded? */
static bool stopped_pair(const struct wt_rerun *rerun, uint32_t code, uint64_t *value_ret)
{
	*value_ret = 0;
	for (uint32_t word = 0; word < 2; word++) {
		uint32_t number = code + word;

		if (!wt_rerun_scalar(rerun, number, &number) ||
		    rerun->stopped->has.scalar[number] != UINT32_MAX)
			return false;
		*value_ret |= (uint64_t)rerun->stopped->scalar[number] << 32 * word;
	}
	return true;
}

bool wt_rerun_know_jump(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	const struct wt_analysis_input *input = rerun->input;
	uint32_t from = code->instruction.src[0], back = code->uses.writes[0].number;
	uint64_t target, returns;

	if (!input->jumped || strcmp(code->instruction.operation->name, "s_swappc_b64") != 0 ||
	    code->uses.write_count != 1 || from == back || !read_stopped(rerun) ||
	    !stopped_pair(rerun, from, &target) || !stopped_pair(rerun, back, &returns) ||
	    returns != rerun->wave.pc + 4 || input->is_code(input->opaque, target))
		return false;
	for (uint32_t word = 0; word < 2; word++) {
		uint32_t number = from + word;

		wt_rerun_scalar(rerun, number, &number);
		gfx_write_scalar32(&rerun->wave, number, (uint32_t)(target >> 32 * word));
		rerun->unknown.scalar[number] = 0;
	}
	return true;
}

bool wt_rerun_has_arrived(struct wt_rerun *rerun, bool *came_by)
{
	const struct wt_analysis_input *input = rerun->input;

	/* Nothing that a wave does behind that is in code. */
	if (input->jumped && !input->is_code(input->opaque, rerun->wave.pc))
		return rerun->wave.pc != input->target || wt_rerun_matches(rerun);
	if (rerun->wave.pc != rerun->input->target)
		return false;
	*came_by = true;
	return wt_rerun_matches(rerun);
}

struct wt_rerun_end *wt_rerun_take_end(struct wt_rerun *rerun)
{
	struct wt_rerun_end *end = read_stopped(rerun) ? malloc(sizeof(*end)) : NULL;

	if (!end)
		return NULL;
	end->writers = *rerun->writers;
	end->stopped = *rerun->stopped;
	end->steps = rerun->step_count;
	return end;
}

bool wt_rerun_is_held(const struct wt_rerun_end *end, enum gfx_register_file file, uint32_t number,
		      uint32_t lane, uint32_t writer, uint32_t *value_ret)
{
	const struct wt_stopped *stopped = &end->stopped;

	switch (file) {
	case GFX_FILE_SCALAR:
		*value_ret = stopped->scalar[number];
		return stopped->has.scalar[number] && writer == end->writers.scalar[number];
	case GFX_FILE_VECTOR:
		*value_ret = stopped->vector[number][lane];
		return stopped->has.vector[number] >> lane & 1 &&
		       writer == end->writers.vector[number][lane];
	case GFX_FILE_ACCUMULATION:
		*value_ret = stopped->accumulation[number][lane];
		return stopped->has.accumulation[number] >> lane & 1 &&
		       writer == end->writers.accumulation[number][lane];
	}
	return false;
}

/* ---- What the recording knows ---- */

static void know_scalar(struct wt_rerun *rerun, const struct wt_rerun_end *end, uint32_t code)
{
	uint32_t value;

	if (!wt_rerun_scalar(rerun, code, &code) || code == GFX_CODE_SCC ||
	    !rerun->unknown.scalar[code] || rerun->placed.scalar[code] ||
	    !wt_rerun_is_held(end, GFX_FILE_SCALAR, code, 0, (uint32_t)rerun->step_count, &value))
		return;
	gfx_write_scalar32(&rerun->wave, code, value);
	rerun->unknown.scalar[code] = 0;
}

static void know_lanes(struct wt_rerun *rerun, const struct wt_rerun_end *end,
		       enum gfx_register_file file, uint32_t number)
{
	bool accumulation = file == GFX_FILE_ACCUMULATION;
	uint32_t *values = gfx_vgpr(&rerun->wave, number, 1, accumulation);
	uint64_t *unknown, *upper, lanes;

	if (!values || number >= GFX_MAX_VGPRS)
		return;
	unknown = wt_plane_lanes(&rerun->unknown, file, number);
	upper = &rerun->upper_unknown[accumulation][number];
	lanes = (*unknown | *upper) & ~*wt_plane_lanes(&rerun->placed, file, number);
	for (; lanes; lanes &= lanes - 1) {
		uint32_t lane = gfx_first_lane(lanes), value;
		uint64_t bit = UINT64_C(1) << lane;

		if (!wt_rerun_is_held(end, file, number, lane, (uint32_t)rerun->step_count, &value))
			continue;
		values[lane] = value;
		*unknown &= ~bit;
		*upper &= ~bit;
	}
}

/*
 * A step was executed. One of the last ones that loads may be what failed, or may have been on its way when the wave stopped: the
 * recording has then what was there before.
 */
void wt_rerun_know_recorded(struct wt_rerun *rerun, const struct wt_rerun_code *code)
{
	const struct wt_rerun_end *end = rerun->input->end;

	if (gfx_touches_memory(&code->instruction) &&
	    end->steps - rerun->step_count < rerun->input->late)
		return;
	for (uint32_t i = 0; i < code->uses.write_count; i++)
		for (uint32_t word = 0; word < code->uses.writes[i].words; word++) {
			uint32_t number = code->uses.writes[i].number + word;

			if (code->uses.writes[i].file == GFX_FILE_SCALAR)
				know_scalar(rerun, end, number);
			else
				know_lanes(rerun, end, code->uses.writes[i].file, number);
		}
}
