/* SPDX-License-Identifier: MIT */
/*
 * The memory that a wave looks at while it goes round and round. The wave is executed from where it stands, with the memory that was recorded: where it
 * comes back with the same registers and the same memory, nothing but a change of the memory that it reads ends that.
 */
#ifndef WT_REPLAYER_VIEW_LOOP_H
#define WT_REPLAYER_VIEW_LOOP_H

#include "gfx/instruction/operation.h"
#include "replayer/view/explain-arguments.h"
#include "replayer/view/explain.h"
#include "replayer/view/loop-until.h"

#define WT_LOOP_READS 4

/* A number that changes by multiples of a power of 2 is compared with another one, and is never that. */
struct wt_loop_miss {
	uint64_t pc; /* of the comparison; 0: there is none */
	uint32_t step;
	int64_t limit;
	bool is_one; /* the limit is the same for all lanes */
};

struct wt_loop {
	bool is_same; /* it comes back to where it was with nothing changed; else the rest is not known, but for the next */
	/* The wave does not come back so, but goes round, and has read no memory in the last so many rounds that were followed; 0: that is not known. */
	size_t blind_rounds;
	uint64_t from, to; /* the lowest and the highest pc of one round */
	struct wt_loop_read reads[WT_LOOP_READS];
	size_t count;		  /* of reads, also beyond what there is room for */
	bool scalar;		  /* it has scalar loads from buffers, which are not among them */
	struct wt_loop_miss miss; /* of a loop that is the same but for such numbers */
	uint64_t
		lanes; /* that are active anywhere in the round: others do nothing before the loop ends */
};

/** Follow a wave. Not known, without an error, where registers, memory or instructions are not. Errors: memory. */
struct wt_error *wt_loop_follow(struct wt_explainer *explainer, uint64_t wave,
				struct wt_loop *loop_ret);

/** Execute one more instruction of a wave, and note what it does in the round: of local memory nothing, if the wave's group is followed. */
enum gfx_step wt_loop_step(struct wt_loop_run *run, struct wt_loop *loop);

/** The kernel's pointer argument next below an address, in the same page; NULL if there is none. */
const struct wt_explain_argument *wt_loop_argument(const struct wt_explain_arguments *arguments,
						   uint64_t address);

#endif /* WT_REPLAYER_VIEW_LOOP_H */
