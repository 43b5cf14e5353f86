/* SPDX-License-Identifier: MIT */
/* What the files of explain share: the explainer's own view and symbols. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H
#define WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H

#include "replayer/view/explain.h"

/** Symbols and lines of a code object, kept by the explainer; NULL if its image was not recorded or is no ELF file. */
struct wt_error *wt_explainer_source(struct wt_explainer *explainer, uint64_t code_object,
				     struct wt_source **source_ret);

/** Generic addresses that are all of local, or all of private memory, become offsets there. */
void wt_explain_resolve(const struct gfx_architecture *architecture, struct gfx_access *access);

/** The name of the kernel that begins at an address; NULL if it is not known. It belongs to the explainer. */
const char *wt_explainer_kernel(struct wt_explainer *explainer, uint64_t entry);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_INTERNAL_H */
