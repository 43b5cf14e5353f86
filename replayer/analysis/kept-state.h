/* SPDX-License-Identifier: MIT */
/* The state of a wave that is executed once more, kept to come back to. Pages that are the same in two states are kept once. */
#ifndef WT_REPLAYER_ANALYSIS_KEPT_STATE_H
#define WT_REPLAYER_ANALYSIS_KEPT_STATE_H

#include "replayer/analysis/rerun.h"

struct wt_kept_state;

/**
 * Keep the state of a wave: registers, memory that it has written, and what is known of them. Steps and references that it remembers are
 * not a part of it: only how many there are.
 *
 * @before: a state that is like it, as the last one that was kept; may be NULL.
 * @bytes: raised by what this one takes.
 *
 * Return: for the caller to wt_kept_state_destroy(); NULL if memory ran out.
 */
struct wt_kept_state *wt_kept_state_create(const struct wt_rerun *rerun,
					   const struct wt_kept_state *before, size_t *bytes);

/** @bytes: lowered by what only this one took. */
void wt_kept_state_destroy(struct wt_kept_state *state, size_t *bytes);

/** Bring a wave back into a state that was kept of it. False if memory ran out: then its state is none. */
bool wt_kept_state_restore(const struct wt_kept_state *state, struct wt_rerun *rerun);

#endif /* WT_REPLAYER_ANALYSIS_KEPT_STATE_H */
