/* SPDX-License-Identifier: MIT */
/* What the files that find a cause share. */
#ifndef WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H
#define WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H

#include "replayer/view/explain-cause.h"

/* A wave's dispatch, as far as it was recorded. */
struct wt_cause_dispatch {
	uint64_t handle, process;
	uint32_t workgroup_size[3], grid_size[3];
	uint64_t local_size; /* bytes of a workgroup's local memory */
};

/** Fill in `near`: what the address is near, and which argument it was made from (explain-near.c). */
void wt_cause_look_around(struct wt_view *view, uint64_t process, struct wt_cause *cause);

/** What the recorder found at a page of global memory: 1 mapped, -1 not, 0 not looked at. @end_ret: past its last byte. */
int wt_cause_page(const struct wt_view *view, uint64_t process, uint64_t address,
		  uint64_t *end_ret);

/** The argument that a step loads, by the word of the result that is meant; NULL if it loads none. */
const struct wt_explain_argument *wt_cause_loaded_argument(const struct wt_cause *cause,
							   const struct wt_analysis_step *step,
							   uint32_t word);

/** Is a word of an argument among those of a set, as struct wt_analysis has them? */
bool wt_cause_has_words(uint64_t words, const struct wt_explain_argument *argument);

/** Does an argument count the elements from where a pointer points to @end: exactly, or up to the end of a page? */
bool wt_cause_counts(const struct wt_cause *cause, const struct wt_explain_argument *pointer,
		     const struct wt_explain_argument *argument, uint64_t end);

/** Name the cause if it is certain (explain-sentence.c). */
struct wt_error *wt_cause_name(struct wt_view *view, const struct wt_cause_dispatch *dispatch,
			       const struct wt_cause_limits *limits, struct wt_cause *cause);

#endif /* WT_REPLAYER_VIEW_EXPLAIN_CAUSE_INTERNAL_H */
