/* SPDX-License-Identifier: MIT */
/* Finds what the instruction accesses that stopped a wave. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H
#define WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H

#include "replayer/view/explain.h"

/** Generic addresses that are all of local, or all of private memory, become offsets there. */
void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access);

/** The space of one lane's address, generic ones of local or private memory resolved, and the address there. */
enum gfx_access_space wt_explain_lane_space(const struct gfx_architecture *architecture,
					    const struct gfx_access *access, uint32_t lane,
					    uint64_t *address_ret);

/** Find what the instruction of an explanation's code accesses, by the wave's registers, and which of it was found to be unmapped. */
void wt_explain_access(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       struct wt_explain_wave *explanation);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_ACCESS_H */
