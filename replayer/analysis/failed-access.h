/* SPDX-License-Identifier: MIT */
/* Which access failed, where a wave went on behind it before it was stopped. */
#ifndef WT_REPLAYER_ANALYSIS_FAILED_ACCESS_H
#define WT_REPLAYER_ANALYSIS_FAILED_ACCESS_H

#include "replayer/analysis/track.h"

/* The accesses of a wave's last instructions. */
struct wt_late {
	/* The first that accesses what it cannot, from 1, and the first lane of it; the input's, if that is one of them. 0: none. */
	size_t failed;
	uint32_t failed_lane;
	/* How many may have failed, before that one if there is one; and of a single one which, and whether its addresses are known. */
	uint32_t suspects;
	size_t suspect;
	bool suspect_is_known;
	uint32_t suspect_lane;
	/* Can the target fail, as far as is known: is what it accesses not known, or whether that is there? */
	bool target_may_fail;
	/* The lane whose target a wave jumped to where no code is; 0 where all lanes have one. */
	uint32_t jump_lane;
	/* That lane has kept a copy of the target while the register was in memory: whose the target was is not known. */
	bool jump_is_kept;
};

/**
 * Judge the last instructions of a wave, as the input's `judge` says: had an earlier one failed, the wave would have been stopped
 * before.
 *
 * @track: followed to where the wave stopped; there it stands afterwards.
 */
struct wt_error *wt_late_find(struct wt_track *track, struct wt_late *late_ret);

#endif /* WT_REPLAYER_ANALYSIS_FAILED_ACCESS_H */
