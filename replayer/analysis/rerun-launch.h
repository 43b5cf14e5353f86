/* SPDX-License-Identifier: MIT */
/* The facts that are known of a wave at its launch. */
#ifndef WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H
#define WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H

#include "replayer/analysis/rerun.h"

/** Note what is known of a wave that wt_rerun_create() has launched, and which of its registers have what. */
void wt_rerun_begin(struct wt_rerun *rerun, struct wt_analysis_initial *initial_ret);

#endif /* WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H */
