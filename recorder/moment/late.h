/* SPDX-License-Identifier: MIT */
/*
 * What the hooks that learn from the client's own calls share: whether the state of the last moment can still
 * be added to, and how. Between an event and the STOP moment of it, what is learned goes into that one
 * (session.early).
 */
#ifndef WT_RECORDER_MOMENT_LATE_H
#define WT_RECORDER_MOMENT_LATE_H

#include <stdbool.h>

#include "recorder/recording/call.h"

/** Is there a moment that what is learned now belongs to, and a finished one? */
bool wt_late_possible(const struct wt_call *call);

/** Put what is in @more into the trace and into the state that it is part of. */
struct wt_error *wt_late_write(struct wt_recorder *recorder, const struct wt_state *more);

/** Where to look whether something is held already; NULL if nothing is. */
const struct wt_state *wt_late_held(struct wt_call *call);

/**
 * Where to put what is not.
 *
 * @more: if there is a finished moment, a new state, which the caller destroys and gives to wt_late_write();
 *	unchanged if the state is that of a moment which is to come.
 * @return: NULL if there is no memory.
 */
struct wt_state *wt_late_target(struct wt_call *call, struct wt_state **more);

/**
 * What only the library knows: why it did not do what it was asked for by the call's function. Nothing is learned of
 * what the client itself did wrong.
 */
struct wt_error *wt_late_refusal(struct wt_call *call, uint64_t owner, amd_dbgapi_status_t status);

/** One more pair of the MAP of the call's function, behind those that the state knows of already. */
struct wt_error *wt_late_append(struct wt_call *call, uint64_t owner, uint64_t number,
				uint64_t handle);

/** Waves of the state that are gone are so in the trace, too, from now on. */
struct wt_error *wt_late_ends(struct wt_call *call);

/** The pc of a wave that stands still, whether its client knows or not; false if it runs. */
bool wt_late_pc(struct wt_recorder *recorder, uint64_t wave, uint64_t *pc_ret);

/**
 * Has a wave stopped, and the client not got the event? If so, the trace is told, once at each moment, with the wave's
 * registers.
 */
struct wt_error *wt_late_unseen(struct wt_call *call, uint64_t wave, bool *unseen_ret);

/** Where the trace is told so. */
struct wt_key wt_late_unseen_key(struct wt_recorder *recorder, uint64_t wave);

/** After a PASS: waves that were let go before it, and had stood unseen, are told to stand no more. */
struct wt_error *wt_late_forget_unseen(struct wt_recorder *recorder);

/** At a STOP: of the waves that were told to make a step, those remain that have not made it. */
void wt_late_forget_stepped(struct wt_recorder *recorder);

#endif /* WT_RECORDER_MOMENT_LATE_H */
