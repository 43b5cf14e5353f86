/* SPDX-License-Identifier: MIT */
/* Waves and their registers, as the exported functions need them. */
#ifndef WT_REPLAYER_WAVE_H
#define WT_REPLAYER_WAVE_H

#include "replayer/replayer.h"

/**
 * The queries of a wave whose answer is not simply the recorded one: what the client did to it
 * counts too.
 * @status_ret: what to answer, if the function returns true.
 */
bool wt_replay_wave_info(uint64_t wave, const struct wt_query *query,
			 const struct wt_answer *answer, size_t value_size, void *value,
			 amd_dbgapi_status_t *status_ret);

/** A register of the wave by name, among those it was recorded with; 0 if there is none. */
uint64_t wt_replay_register_named(uint64_t wave, const char *name);

#endif /* WT_REPLAYER_WAVE_H */
