/* SPDX-License-Identifier: MIT */
/* The arguments of a dispatch's kernel by name, with the values that were recorded. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H
#define WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H

#include "replayer/view/explain.h"

struct wt_explain_argument {
	char *name;	       /* NULL if the code object does not say */
	char *kind;	       /* as in the code object: "global_buffer", "by_value" */
	uint32_t offset, size; /* bytes in the kernel argument segment */
	bool hidden;	       /* the compiler's, not in the source */
	bool pointer;	       /* to global memory */
	bool known;	       /* its first 8 bytes, or all if it has less, were recorded: */
	uint64_t value;
};

struct wt_explain_arguments {
	uint64_t address; /* of the segment; 0 if it is not known */
	struct wt_explain_argument *list;
	size_t count;
};

/**
 * The arguments of a dispatch. None where the code object was not recorded or does not describe them.
 *
 * @arguments_ret: for the caller to wt_explain_arguments_deinit().
 */
struct wt_error *wt_explain_arguments(struct wt_explainer *explainer, uint64_t dispatch,
				      struct wt_explain_arguments *arguments_ret);
void wt_explain_arguments_deinit(struct wt_explain_arguments *arguments);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_ARGUMENTS_H */
