/* SPDX-License-Identifier: MIT */
/* A loop that has barriers in it: the waves of a workgroup go round together. */
#ifndef WT_REPLAYER_VIEW_LOOP_GROUP_H
#define WT_REPLAYER_VIEW_LOOP_GROUP_H

#include "replayer/view/loop.h"

/**
 * Follow all waves of a wave's workgroup, from barrier to barrier. Where all of them come back as they were, nothing ends that but a change of the
 * global memory that they read: they alone have their local memory.
 *
 * @loop_ret: its reads are those of all waves, without values that end the loop. Not known, without an error, where a wave comes to no
 * barrier, or what it does is not known; nor on gfx12, whose barriers have two halves.
 *
 * Errors: memory.
 */
struct wt_error *wt_loop_follow_group(struct wt_explainer *explainer, uint64_t wave,
				      struct wt_loop *loop_ret);

#endif /* WT_REPLAYER_VIEW_LOOP_GROUP_H */
