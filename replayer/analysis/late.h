/* SPDX-License-Identifier: MIT */
/* Which access failed, where a wave went on behind it before it was stopped. */
#ifndef WT_REPLAYER_ANALYSIS_LATE_H
#define WT_REPLAYER_ANALYSIS_LATE_H

#include "replayer/analysis/rerun.h"

/**
 * The first of a wave's last instructions that accesses what it cannot, as the input's `fails` says. Had an earlier one
 * done so, the wave would have been stopped before.
 *
 * @step_count: instructions that the wave has executed.
 * @step_ret: the number of that instruction, from 1; 0 if there is none.
 * @lane_ret: the first lane whose access failed; the input's, if that is one of them.
 */
struct wt_error *wt_late_find(const struct wt_analysis_input *input, size_t step_count,
			      size_t *step_ret, uint32_t *lane_ret);

/** A wave that has executed as many instructions since its launch, which it is known to be able to; see wt_rerun_create(). */
struct wt_error *wt_late_return(const struct wt_analysis_input *input, size_t step_count,
				bool remembers, struct wt_rerun **rerun_ret);

#endif /* WT_REPLAYER_ANALYSIS_LATE_H */
