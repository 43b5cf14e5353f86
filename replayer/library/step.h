/* SPDX-License-Identifier: MIT */
/*
 * Steps of single waves that the recording does not have. A debugger steps a wave over a breakpoint of its own before it lets
 * the wave go, and keeps others stopped meanwhile. So the wave is shown behind the instruction, where it is certain which one
 * comes next. What the instruction has done is not known: registers that it may have written are not available, and memory is
 * as it was.
 */
#ifndef WT_REPLAYER_LIBRARY_STEP_H
#define WT_REPLAYER_LIBRARY_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_replay_process;

/**
 * The client will step a wave over a breakpoint. @wave: recorded handle. @bytes: of the program, at the wave's pc. Without memory
 * nothing is noted.
 */
void wt_step_note(struct wt_replay_process *process, uint64_t wave, const void *bytes, size_t size);

/** A wave is let go. @step: it is to make a step. @told: the runtime is told of what it had stopped for. */
void wt_step_begin(struct wt_replay_process *process, uint64_t wave, bool step, bool told);

/**
 * Has the client a breakpoint where a wave stands that it lets go to make a step, without having said that it steps over it? GDB
 * does so where it delivers a signal.
 */
bool wt_step_is_at_breakpoint(const struct wt_replay_process *process, uint64_t wave);

/**
 * Make the step of a wave that was let go by itself, if it is certain where it leads, and queue its event.
 *
 * A debugger that steps in place over a breakpoint where the wave stands at a fault delivers the fault with the step: the runtime would end the
 * program meanwhile, but the debugger holds its threads. Such a step leads over the fault, else each would lead to it again.
 *
 * @over: as wt_timeline_make_step() has it. Return: whether it was made.
 */
bool wt_step_make(struct wt_replay_process *process, uint64_t wave, bool over);

/** Make steps of all waves that were let go to make one. Return: whether one was made. */
bool wt_step_make_all(struct wt_replay_process *process);

/** May the step that a wave has made have written a register? */
bool wt_step_hides(const struct wt_replay_process *process, uint64_t wave, uint64_t register_id);

#endif /* WT_REPLAYER_LIBRARY_STEP_H */
