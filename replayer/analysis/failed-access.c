/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/failed-access.h"

#include "base/cleanup.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/rerun-launch.h"

static bool step_on(struct wt_rerun *rerun)
{
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	enum wt_analysis_end end;

	return code && wt_rerun_step(rerun, code, &end);
}

struct wt_error *wt_late_return(const struct wt_analysis_input *input, size_t step_count,
				bool remembers, struct wt_rerun **rerun_ret)
{
	wt_cleanup_rerun struct wt_rerun *rerun = NULL;
	struct wt_error *error = wt_rerun_create(input, remembers, &rerun);
	struct wt_analysis_initial initial;

	if (error)
		return error;
	wt_rerun_know_scalars(rerun, &initial);
	wt_rerun_know_vectors(rerun);
	while (rerun->step_count < step_count && step_on(rerun))
		;
	if (rerun->no_memory)
		return &wt_error_no_memory;
	*rerun_ret = wt_take(rerun);
	return NULL;
}

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

struct wt_error *wt_late_find(const struct wt_analysis_input *input, size_t step_count,
			      struct wt_late *late_ret)
{
	wt_cleanup_rerun struct wt_rerun *rerun = NULL;
	size_t first = step_count > input->late ? step_count - input->late : 0;
	struct wt_error *error = wt_late_return(input, first, false, &rerun);

	*late_ret = (struct wt_late){0};
	if (error)
		return error;
	while (rerun->step_count < step_count) {
		const struct wt_rerun_code *code = wt_rerun_code(rerun);

		if (!code || judge_next(rerun, code, late_ret) || !step_on(rerun))
			break;
	}
	return rerun->no_memory ? &wt_error_no_memory : NULL;
}
