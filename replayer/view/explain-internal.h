/* SPDX-License-Identifier: MIT */
/* Declarations that the files of explain share. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H
#define WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H

#include "replayer/view/explain-mapping.h"
#include "replayer/view/explain.h"

/** Generic addresses that are all of local, or all of private memory, become offsets there. */
void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access);

/** The mappings of the explainer's stop. */
struct wt_error *wt_explainer_mappings(struct wt_explainer *explainer,
				       const struct wt_mappings **mappings_ret);

/** Find what the instruction of an explanation's code accesses, by the wave's registers, and which of it was found to be unmapped. */
void wt_explain_access(struct wt_explainer *explainer, const struct gfx_architecture *architecture,
		       struct wt_explain_wave *explanation);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H */
