/* SPDX-License-Identifier: MIT */
/*
 * Moments: points of the trace at which the state is known. They are made with the lock held.
 *
 *     moment.c          after which call of the client a moment is made; makes it: takes the state and writes it
 *     snapshot.c        which objects and waves are taken at a stop, and how much of each
 *     taking.c          which memory is taken, within the budgets of time and bytes
 *     wave-registers.c, memory-pages.c, client-breakpoint.c  how registers, pages and breakpoints are taken
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
 * The client ends, or unloads this library: make the STOPs of events that no moment holds, if the wrapped library can
 * still be asked, and write a notice if it cannot. Does not wait for other threads.
 */
void wt_moment_last(struct wt_recorder *recorder);

#endif /* WT_RECORDER_MOMENT_MOMENT_H */
