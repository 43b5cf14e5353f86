/* SPDX-License-Identifier: MIT */
/*
 * Moments: points of the trace at which the state is known. They are made with the lock held.
 *
 *     occasions.c       after which call of the client a moment is made
 *     moment.c          makes it: takes the state and writes it
 *     snapshot.c        which objects and waves are taken at a stop, and how much of each
 *     taking.c          which memory is taken, within the budgets of time and bytes
 *     wave-registers.c, memory-pages.c, code-bytes.c, client-breakpoint.c  how registers, pages, code objects and breakpoints are taken
 *     facts.c           what holds at every moment: architectures, registers, address spaces
 *     late.c, late-*.c  what the client's own calls add to a moment afterwards
 *
 * This room must not call the client or change what a call of the client gets.
 */
#ifndef WT_RECORDER_MOMENT_MOMENT_H
#define WT_RECORDER_MOMENT_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/recording/recorder.h"

/**
 * Make a moment with a state of its own: the library is asked for everything, and the notes of what the client did since
 * the last moment are cleared.
 *
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 */
struct wt_error *wt_moment_make(struct wt_recorder *recorder, struct wt_attached *process,
				enum wt_moment_cause cause, enum wt_function function,
				uint64_t call);

/**
 * Make a PASS: the state is the one before, and the library is asked for nothing. None is made before the first state.
 *
 * @process: NULL if it is of none in particular.
 */
struct wt_error *wt_moment_pass(struct wt_recorder *recorder, struct wt_attached *process,
				enum wt_function function, uint64_t call);

/**
 * The library refused to attach to a process while none was attached: make a moment of that.
 *
 * @status: its answer.
 */
struct wt_error *wt_moment_refused(struct wt_recorder *recorder, enum wt_function function,
				   uint64_t call, int64_t status);

/**
 * Make a STOP for each process that has events which no moment holds.
 *
 * @handle: of a process; 0: of any.
 * @function: in whose call; WT_FUNCTION_COUNT if in none.
 * @made_ret: whether there was such a process.
 */
struct wt_error *wt_moment_make_stops(struct wt_recorder *recorder, uint64_t handle,
				      enum wt_function function, uint64_t call, bool *made_ret);

/**
 * The client ends, or unloads this library: make the STOPs of events that no moment holds, if the wrapped library can
 * still be asked, and write a notice if it cannot. Does not wait for other threads.
 */
void wt_moment_last(struct wt_recorder *recorder);

/** Do that when the client exits; asking for it again changes nothing. */
void wt_moment_last_at_exit(struct wt_recorder *recorder);

#endif /* WT_RECORDER_MOMENT_MOMENT_H */
