/* SPDX-License-Identifier: MIT */
/* Queries of a wave, and its pc, with what the client has changed. */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_WAVE_H
#define WT_REPLAYER_LIBRARY_REPLAY_WAVE_H

#include "replayer/library/internal.h"

/**
 * Answer a query of a wave if the answer depends on what the client has done to the wave.
 * @status_ret: the status to return from the query.
 * Return: false if the recorded answer is right. Nothing is written then.
 */
bool wt_replay_wave_info(struct wt_replay_process *process, uint64_t wave,
			 const struct wt_query *query, const struct wt_answer *answer,
			 size_t value_size, void *value, amd_dbgapi_status_t *status_ret);

/** The register id of the wave's pc; 0 if it was not recorded. */
uint64_t wt_replay_pc_register(const struct wt_replay_process *process, uint64_t wave);

/** The pc of a stopped wave, with what the client wrote; false if it was not recorded. */
bool wt_replay_wave_pc(const struct wt_replay_process *process, uint64_t wave, uint64_t *pc_ret);

/** Set the pc of a stopped wave; false if there is no such register, or no memory. */
bool wt_replay_wave_set_pc(struct wt_replay_process *process, uint64_t wave, uint64_t pc);

/** The id of a recorded register of the wave by its name; 0 if there is none. */
uint64_t wt_replay_register_named(const struct wt_replay_process *process, uint64_t wave,
				  const char *name);

/** In a repeated call: write a register. A write beyond the register's size is ignored. */
void wt_replay_follow_write(struct wt_replay_process *process, uint64_t wave, uint64_t id,
			    uint64_t offset, uint64_t size, const void *value);

#endif /* WT_REPLAYER_LIBRARY_REPLAY_WAVE_H */
