/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/failed-access.h"

#include "gfx/wave/context.h"

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
	if (!error && !wt_track_go(track, end))
		error = &wt_error_no_memory;
	return error;
}
