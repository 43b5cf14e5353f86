/* SPDX-License-Identifier: MIT */
/* The facts that are known of a wave at its launch. */
#ifndef WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H
#define WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H

#include "replayer/analysis/rerun.h"

/** Mark what of the scalar registers is known after gfx_wave_launch(), and find out which of them have what. */
void wt_rerun_know_scalars(struct wt_rerun *rerun, struct wt_analysis_initial *initial);

/** The same of the vector registers. */
void wt_rerun_know_vectors(struct wt_rerun *rerun);

#endif /* WT_REPLAYER_ANALYSIS_RERUN_LAUNCH_H */
