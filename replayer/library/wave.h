/* SPDX-License-Identifier: MIT */
/* Waves and their registers, as the exported functions need them. */
#ifndef WT_REPLAYER_LIBRARY_WAVE_H
#define WT_REPLAYER_LIBRARY_WAVE_H

#include "replayer/library/internal.h"

/**
 * The queries of a wave whose answer is not simply the recorded one: what the client did to it
 * counts too.
 * @status_ret: what to answer, if the function returns true.
 */
bool wt_replay_wave_info(uint64_t wave, const struct wt_query *query,
			 const struct wt_answer *answer, size_t value_size, void *value,
			 amd_dbgapi_status_t *status_ret);

/** The register that is the wave's pc; 0 if that was not recorded. */
uint64_t wt_replay_pc_register(uint64_t wave);

/** The pc of a stopped wave, as the client has it; false if it was not recorded. */
bool wt_replay_wave_pc(uint64_t wave, uint64_t *pc_ret);

/** Move it; false if there is no such register, or no memory. */
bool wt_replay_wave_set_pc(uint64_t wave, uint64_t pc);

/** A register of the wave by name, among those it was recorded with; 0 if there is none. */
uint64_t wt_replay_register_named(uint64_t wave, const char *name);

/** The recorded library wrote a register for this client, too. What does not fit is left alone. */
void wt_replay_follow_write(uint64_t wave, uint64_t id, uint64_t offset, uint64_t size,
			    const void *value);

#endif /* WT_REPLAYER_LIBRARY_WAVE_H */
