/* SPDX-License-Identifier: MIT */
/* What the files of explain share. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H
#define WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H

#include "replayer/view/explain.h"

/** Generic addresses that are all of local, or all of private memory, become offsets there. */
void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H */
