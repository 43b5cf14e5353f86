/* SPDX-License-Identifier: MIT */
/* Puts registers of waves into a state: the list of all that a wave has, and the values of those that the policy names. */
#ifndef WT_RECORDER_MOMENT_WAVE_REGISTERS_H
#define WT_RECORDER_MOMENT_WAVE_REGISTERS_H

#include "recorder/moment/register-layout.h"
#include "recorder/recording/recorder.h"

/**
 * The list of a wave's registers and the values of some, into a state; from the state of the last moment if
 * the wave has not moved since and they are there.
 *
 * A register that is in the list and not among the values was not taken: the replayer says so.
 *
 * @values_ret: the item of the values, until another takes its place in the state; may be NULL.
 */
struct wt_error *wt_take_registers(struct wt_recorder *recorder, struct wt_state *state,
				   uint64_t wave, enum wt_extent extent,
				   const struct wt_item **values_ret);

/**
 * Does a REGISTERS item hold this register?
 *
 * @place: where it was found last, in any item, and where it is looked for first: waves mostly hold the same ones.
 */
bool wt_registers_hold(const struct wt_item *item, uint64_t handle, size_t *place);

/** Does a state have the values of all registers of a wave? */
bool wt_registers_are_whole(struct wt_recorder *recorder, const struct wt_state *state,
			    uint64_t wave);

#endif /* WT_RECORDER_MOMENT_WAVE_REGISTERS_H */
