/* SPDX-License-Identifier: MIT */
/* The whole state at a stop: what policy says is taken, asked of the wrapped library. */
#ifndef WT_RECORDER_MOMENT_SNAPSHOT_H
#define WT_RECORDER_MOMENT_SNAPSHOT_H

#include "recorder/recording/recorder.h"

/**
 * Fill an empty state with what there is now, of all attached processes.
 *
 * What does not change between moments (code object images, registers of waves that stayed stopped) is
 * taken over from the state of the last moment.
 *
 * The progress mode is left as it is: see moment.c.
 */
struct wt_error *wt_snapshot_take(struct wt_recorder *recorder, struct wt_state *state);

/** The packets of a queue, into a state. */
struct wt_error *wt_take_packets(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t queue);

/** The counts of YES answers of a process's lists, into a state. */
struct wt_error *wt_take_changes(struct wt_recorder *recorder, struct wt_state *state,
				 uint64_t process);

#endif /* WT_RECORDER_MOMENT_SNAPSHOT_H */
