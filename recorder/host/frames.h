/* SPDX-License-Identifier: MIT */
/* Names and source lines of code addresses of the recorded program, by the files that it has mapped. */
#ifndef WT_RECORDER_HOST_FRAMES_H
#define WT_RECORDER_HOST_FRAMES_H

#include <stdbool.h>
#include <sys/types.h>

#include <elfutils/libdwfl.h>

#include "recorder/host/gathering.h"

/** The files that a process has mapped, for dwfl_end(); NULL if they are not known. */
Dwfl *wt_frames_open(pid_t process);

/**
 * Do something by libdw that may end for want of memory.
 * Return: false, and it is noted, if it did: @run has not come to its end then, and has left what it had begun as it was.
 */
bool wt_frames_try(struct wt_gathering *gathering, void (*run)(void *opaque), void *opaque);

/**
 * Say what is at a code address: the function, and those that were compiled into it there, innermost first.
 *
 * @is_call: whether the address is the one that a call returns to, so that what counts is before it.
 * @inner: that of the frame which it has called, if it is of another file: where the call went on from one function to another, by a jump at
 *	the first one's end, that one is said, too. 0: there is none.
 * @frames_ret: room for at least one. Return: how many were written.
 */
size_t wt_frames_describe(struct wt_gathering *gathering, Dwfl *dwfl, uint64_t address,
			  bool is_call, uint64_t inner, struct wt_host_frame *frames_ret,
			  size_t room);

#endif /* WT_RECORDER_HOST_FRAMES_H */
