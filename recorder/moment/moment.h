/* SPDX-License-Identifier: MIT */
/*
 * Moments: places in the trace at which the state is known. The hooks that make them are in moment-hooks.c; the lock is
 * held there.
 */
#ifndef WT_RECORDER_MOMENT_MOMENT_H
#define WT_RECORDER_MOMENT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/recording/recorder.h"

/**
 * A moment with a state of its own: everything is asked, and what the client did since the last one is over.
 *
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 */
struct wt_error *wt_moment_make(struct wt_recorder *recorder, struct wt_attached *process,
				enum wt_moment_cause cause, enum wt_function function,
				uint64_t call);

/**
 * A moment at which nothing was asked: the state is the one before. Nothing is made where there is no such state.
 *
 * @process: NULL if it is of none in particular.
 */
struct wt_error *wt_moment_pass(struct wt_recorder *recorder, struct wt_attached *process,
				enum wt_function function, uint64_t call);

/**
 * A STOP for each process that has events which no moment tells of.
 *
 * @handle: of a process; 0: of any.
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 * @settled_ret: was there such a process?
 */
struct wt_error *wt_moment_settle(struct wt_recorder *recorder, uint64_t handle,
				  enum wt_function function, uint64_t call, bool *settled_ret);

/**
 * The client ends, or lets go of this library, and has events that no moment tells of: make the STOPs of them, if the
 * wrapped library can still be asked, and say so in the trace if it cannot. Waits for nobody.
 */
void wt_moment_last(struct wt_recorder *recorder);

/** Do that when the client exits; asking for it again changes nothing. */
void wt_moment_last_at_exit(struct wt_recorder *recorder);

#endif /* WT_RECORDER_MOMENT_MOMENT_H */
