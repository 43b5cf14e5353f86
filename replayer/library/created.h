/* SPDX-License-Identifier: MIT */
/*
 * Objects that the client creates: watchpoints and displaced steppings. The replay can create only those that the recorded
 * library created, too.
 *
 *     replay-watchpoint.c  watchpoints
 *     replay-displaced.c   displaced steppings
 */
#ifndef WT_REPLAYER_LIBRARY_CREATED_H
#define WT_REPLAYER_LIBRARY_CREATED_H

#include "replayer/library/internal.h"

/** The error status that the recorded library returned from @function at this moment; NOT_IMPLEMENTED if it returned none. */
amd_dbgapi_status_t wt_created_refusal(const struct wt_replay_process *process,
				       enum wt_function function, uint64_t owner);

/** The same of what a replay can do by itself, and does if it returned none: SUCCESS then. */
amd_dbgapi_status_t wt_created_setting(const struct wt_replay_process *process,
				       enum wt_function function, uint64_t owner);

/** The watchpoint that the client has set under @handle; NULL if there is none. */
struct wt_replay_watchpoint *wt_created_watchpoint(struct wt_replay_process *process,
						   uint64_t handle);
/** Is there such a watchpoint, set by the client or recorded and not yet reached by it? */
bool wt_created_watchpoint_exists(struct wt_replay_process *process, uint64_t handle);
/** Answer a query of a watchpoint that the client has set. False for others: nothing is written. */
bool wt_created_watchpoint_info(struct wt_replay_process *process, uint64_t handle, uint32_t query,
				size_t value_size, void *value, amd_dbgapi_status_t *status_ret);
/** The watchpoints that stopped a wave, except those that the client has removed since. */
amd_dbgapi_status_t wt_created_watchpoints_hit(struct wt_replay_process *process,
					       const struct wt_answer *answer, size_t value_size,
					       void *value);

/** In a repeated call: the recorded library set a watchpoint, or removed one. */
void wt_created_follow_watchpoint(struct wt_replay_process *process, uint64_t handle,
				  uint64_t address, uint64_t size);
void wt_created_follow_removal(struct wt_replay_process *process, uint64_t handle);

/** In a repeated call: the recorded library began a displaced stepping, or completed it. */
void wt_created_follow_displaced(struct wt_replay_process *process, uint64_t wave, uint64_t handle);
void wt_created_follow_completion(struct wt_replay_process *process, uint64_t wave);

/** Is a displaced stepping of the wave active? */
bool wt_created_displaced(const struct wt_replay_process *process, uint64_t wave);
/** Is it one that the recording does not have? */
bool wt_created_displaced_own(const struct wt_replay_process *process, uint64_t wave);
bool wt_created_displaced_exists(struct wt_replay_process *process, uint64_t handle);
bool wt_created_displaced_info(const struct wt_replay_process *process, uint64_t handle,
			       uint32_t query, size_t value_size, void *value,
			       amd_dbgapi_status_t *status_ret);

#endif /* WT_REPLAYER_LIBRARY_CREATED_H */
