/* SPDX-License-Identifier: MIT */
/*
 * The host's part of a recording: versions of kernel, driver and runtime; command line, mapped files with build ids,
 * threads and environment of the recorded program. Read from /proc and /sys: nothing is stopped, signalled or
 * attached to, and nothing runs in the program. What cannot be read is named.
 */
#ifndef WT_RECORDER_HOST_HOST_H
#define WT_RECORDER_HOST_HOST_H

#include "recorder/recording/recorder.h"
#include "trace-format/state/host.h"

/* How much is taken, at most. */
#define WT_HOST_MAPS 4096u
#define WT_HOST_THREADS 256u
#define WT_HOST_FRAMES 48u
#define WT_HOST_VARIABLES 1024u
#define WT_HOST_TEXT 4096u /* bytes of one text */

struct wt_gathering {
	struct wt_host *host;
	uint64_t process;  /* its id; 0 if the recorded program is no process of this machine */
	uint64_t deadline; /* on wt_recorder_clock(); what is not read by then is left out */
	bool values;	   /* of environment variables, too */
	bool no_memory;
};

/** Has it taken too long? Says so in the host, once. */
bool wt_gathering_is_over(struct wt_gathering *gathering);

/** Note what is missing, and why. */
__attribute__((format(printf, 2, 3))) void wt_gathering_missing(struct wt_gathering *gathering,
								const char *format, ...);

/** A copy of a text, cut at WT_HOST_TEXT; NULL, and noted, if there is no memory. */
char *wt_gathering_text(struct wt_gathering *gathering, const char *text, size_t size);

/** A file of the process ("maps", "task/12/comm") up to a size; the text ends with a NUL. False if not readable. */
bool wt_gathering_read(const struct wt_gathering *gathering, const char *name, size_t limit,
		       struct wt_buffer *text);

/** Mapped files (host-maps.c), and threads with the frames that can be found (host-threads.c). */
void wt_gather_maps(struct wt_gathering *gathering);
void wt_gather_threads(struct wt_gathering *gathering);

/**
 * Gather and write it: at the first stop of a wave, and again at the first fault, when more of the program has
 * been loaded; not if policy is against it or the trace is reproducible.
 *
 * @process: handle of the process in the wrapped library.
 */
struct wt_error *wt_take_host(struct wt_recorder *recorder, uint64_t process);

#endif /* WT_RECORDER_HOST_HOST_H */
