/* SPDX-License-Identifier: MIT */
/* Finds what the instruction accesses that stopped a wave. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H
#define WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H

#include "replayer/view/explain.h"

/** Generic addresses that are all of local, or all of private memory, become offsets there. */
void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access);

/** Find what the instruction of an explanation's code accesses, by the wave's registers, and which of it was found to be unmapped. */
void wt_explain_access(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       struct wt_explain_wave *explanation);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H */
