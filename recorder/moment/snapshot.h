/* SPDX-License-Identifier: MIT */
/* Takes the state at a stop: asks the wrapped library for everything that the policy names. */
#ifndef WT_RECORDER_MOMENT_SNAPSHOT_H
#define WT_RECORDER_MOMENT_SNAPSHOT_H

#include "recorder/recording/recorder.h"

/**
 * Fill an empty state with the present state of all attached processes.
 *
 * What does not change between moments (code object images, registers of waves that stayed stopped) is
 * taken over from the state of the last moment.
 *
 * The progress mode is left as it is: see moment.c.
 */
struct wt_error *wt_snapshot_take(struct wt_recorder *recorder, struct wt_state *state);

/** Put the packets of a queue into a state. */
struct wt_error *wt_take_packets(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t queue);

/** Put into a state how often each list of a process was reported as changed (`changed` = YES). */
struct wt_error *wt_take_changes(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t process);

#endif /* WT_RECORDER_MOMENT_SNAPSHOT_H */
