/* SPDX-License-Identifier: MIT */
/* The way that a wave has taken to where it stopped: which private memory it stored, and its registers where it called. */
#ifndef WT_REPLAYER_ANALYSIS_WAY_TAKEN_H
#define WT_REPLAYER_ANALYSIS_WAY_TAKEN_H

#include "base/cleanup.h"
#include "replayer/analysis/analysis.h"

#define WT_TAKEN_SCALARS 106u
#define WT_TAKEN_CALLS 64u /* of those that have not returned: the innermost that are kept */

/* A wave's registers in front of a call, as far as they are known. */
struct wt_taken_call {
	uint64_t pc; /* of the instruction that calls */
	bool known[WT_TAKEN_SCALARS];
	uint32_t scalars[WT_TAKEN_SCALARS];
	/* Vector registers, and those for accumulation: of each 64 words, and a bit for each lane that is known. */
	uint32_t count[2];
	uint32_t (*vectors[2])[GFX_MAX_LANES];
	uint64_t *lanes[2];
};

struct wt_taken {
	enum wt_analysis_end end; /* if the wave did not arrive, nothing is known */
	/* A bit for each stored byte of each word of private memory, lane by lane. */
	uint8_t *stored;
	size_t words;
	bool anywhere; /* a lane stored nobody knows where: any byte may have been it */
	/* The calls that have not returned, the innermost first. */
	struct wt_taken_call *calls;
	size_t call_count;
};

/**
 * Follow a wave to where it stopped.
 *
 * @way_ret: for the caller to wt_taken_deinit(). Not having arrived is no error.
 *
 * Errors: no memory.
 */
struct wt_error *wt_taken_find(const struct wt_analysis_input *input, struct wt_taken *way_ret);
void wt_taken_deinit(struct wt_taken *way);

#endif /* WT_REPLAYER_ANALYSIS_WAY_TAKEN_H */
