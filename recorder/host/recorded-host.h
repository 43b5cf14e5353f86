/* SPDX-License-Identifier: MIT */
/*
 * The host's part of a recording: versions of kernel, driver and runtime; command line, mapped files with build ids,
 * threads and environment of the recorded program; what the kernel has logged of its GPUs. Read from /proc and /sys: nothing is stopped, signalled or
 * attached to, and nothing runs in the program. What cannot be read is named.
 *
 * This room holds all that is read of the machine and the program. It must not ask the wrapped library for more than
 * the process id.
 */
#ifndef WT_RECORDER_HOST_RECORDED_HOST_H
#define WT_RECORDER_HOST_RECORDED_HOST_H

#include "recorder/recording/recorder.h"

/**
 * Gather and write it: at the first stop of a wave, and again at the first fault, when more of the program has
 * been loaded; not if policy is against it or the trace is reproducible.
 *
 * @process: handle of the process in the wrapped library.
 * @state: of the stop; NULL if there is none yet.
 */
struct wt_error *wt_take_host(struct wt_recorder *recorder, uint64_t process,
			      const struct wt_state *state);

#endif /* WT_RECORDER_HOST_RECORDED_HOST_H */
