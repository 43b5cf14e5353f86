/* SPDX-License-Identifier: MIT */
#include "replayer/analysis/late.h"

#include "base/cleanup.h"
#include "gfx/wave/context.h"
#include "replayer/analysis/launch.h"

/* How far a wave may go on behind an access that failed: until it waits for it, as a rule. */
#define LATE_STEPS 256u

static void wt_rerun_destroyp(struct wt_rerun **rerun)
{
	wt_rerun_destroy(*rerun);
}

static bool step_on(struct wt_rerun *rerun)
{
	const struct wt_rerun_code *code = wt_rerun_code(rerun);
	enum wt_analysis_end end;

	return code && wt_rerun_step(rerun, code, &end);
}

struct wt_error *wt_late_return(const struct wt_analysis_input *input, size_t step_count,
				bool remembers, struct wt_rerun **rerun_ret)
{
	wt_cleanup(wt_rerun_destroyp) struct wt_rerun *rerun = NULL;
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

struct wt_error *wt_late_find(const struct wt_analysis_input *input, size_t step_count,
			      size_t *step_ret, uint32_t *lane_ret)
{
	wt_cleanup(wt_rerun_destroyp) struct wt_rerun *rerun = NULL;
	size_t first = step_count > LATE_STEPS ? step_count - LATE_STEPS : 0;
	struct wt_error *error = wt_late_return(input, first, false, &rerun);

	*step_ret = 0;
	if (error)
		return error;
	while (rerun->step_count < step_count) {
		const struct wt_rerun_code *code = wt_rerun_code(rerun);
		uint64_t lanes = code ? wt_rerun_failing(rerun, code) : 0;

		if (lanes) {
			*step_ret = rerun->step_count + 1;
			*lane_ret = input->lane < GFX_MAX_LANES && lanes >> input->lane & 1
					    ? input->lane
					    : gfx_first_lane(lanes);
			return NULL;
		}
		if (!step_on(rerun))
			break;
	}
	return rerun->no_memory ? &wt_error_no_memory : NULL;
}
