/* SPDX-License-Identifier: MIT */
/* What the client has had set up: watchpoints and displaced steppings, as far as they were recorded. */
#ifndef WT_REPLAYER_LIBRARY_CREATED_H
#define WT_REPLAYER_LIBRARY_CREATED_H

#include "replayer/library/internal.h"

/** What a function that was not answered with SUCCESS at this moment was answered with; else NOT_IMPLEMENTED. */
amd_dbgapi_status_t wt_created_refusal(enum wt_function function, uint64_t owner);

/** A watchpoint that the client has set; NULL if it is none. */
struct wt_replay_watchpoint *wt_created_watchpoint(uint64_t handle);
/** Likewise, or one that was recorded and that the client has not come by. */
bool wt_created_watchpoint_exists(uint64_t handle);
/** Queries of one that the client has set; false for others, with nothing written. */
bool wt_created_watchpoint_info(uint64_t handle, uint32_t query, size_t value_size, void *value,
				amd_dbgapi_status_t *status_ret);
/** The watchpoints that stopped a wave: without those that the client has removed since. */
amd_dbgapi_status_t wt_created_watchpoints_hit(const struct wt_answer *answer, size_t value_size,
					       void *value);

/** The recorded library set a watchpoint for this client, too; and removed one. */
void wt_created_follow_watchpoint(uint64_t handle, uint64_t address, uint64_t size);
void wt_created_follow_removal(uint64_t handle);

/** The recorded library began a displaced stepping, and completed it, for this client, too. */
void wt_created_follow_displaced(uint64_t wave, uint64_t handle);
void wt_created_follow_completion(uint64_t wave);

/** Does a wave execute an instruction out of place? */
bool wt_created_displaced(uint64_t wave);
bool wt_created_displaced_exists(uint64_t handle);
bool wt_created_displaced_info(uint64_t handle, uint32_t query, size_t value_size, void *value,
			       amd_dbgapi_status_t *status_ret);

#endif /* WT_REPLAYER_LIBRARY_CREATED_H */
