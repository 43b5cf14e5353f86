/* SPDX-License-Identifier: MIT */
/*
 * The parts of a host record share this: where they put what they read, how much of it, and what they could not read.
 */
#ifndef WT_RECORDER_HOST_GATHERING_H
#define WT_RECORDER_HOST_GATHERING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "trace-format/state/host-facts.h"

/* How much is taken, at most. */
#define WT_HOST_MAPS 4096u
#define WT_HOST_THREADS 256u
#define WT_HOST_FRAMES 48u
#define WT_HOST_VARIABLES 1024u
#define WT_HOST_TEXT 4096u /* bytes of one text */

struct wt_gathering {
	struct wt_host *host;
	uint64_t process;  /* its id; 0 if the recorded program is no process of this machine */
	uint64_t deadline; /* on wt_clock_ns(); what is not read by then is left out */
	uint64_t work_end; /* likewise, on wt_clock_work_ns(); 0: the deadline alone holds */
	bool values;	   /* of environment variables, too */
	bool names; /* of the machine, the rank and the job, and values of variables that AMD's runtimes have */
	bool alive; /* the recorded program is a process of this machine that runs */
	bool no_memory;
};

/**
 * Begin the time that the calling thread may take. A machine that has much else to do gives it a small part of each second; that part counts,
 * so that the record has what it has on one that is idle.
 *
 * @most_ms: for which the program may stand still, as its user says; 0: no such limit.
 */
void wt_gathering_begin(struct wt_gathering *gathering, uint64_t most_ms);

/** Is that time over? Says so in the host, once. */
bool wt_gathering_is_over(struct wt_gathering *gathering);

/** Note what is missing, and why. */
__attribute__((format(printf, 2, 3))) void wt_gathering_missing(struct wt_gathering *gathering,
								const char *format, ...);

/** A copy of a text, cut at WT_HOST_TEXT; NULL, and noted, if there is no memory. */
char *wt_gathering_text(struct wt_gathering *gathering, const char *text, size_t size);

/** A file of the process ("maps", "task/12/comm") up to a size; the text ends with a NUL. False if not readable. */
bool wt_gathering_read(const struct wt_gathering *gathering, const char *name, size_t limit,
		       struct wt_buffer *text);

/** Any other file, likewise; the text comes behind what is in the buffer. */
bool wt_gathering_read_file(const char *path, size_t limit, struct wt_buffer *text);

/**
 * A file below an open directory ("12/comm") that gives all it has at the first read, as those of a thread do.
 *
 * @text: of WT_HOST_TEXT bytes; it ends with a NUL, and is cut where it is longer. Empty if the file cannot be read: then false.
 */
bool wt_gathering_read_at(int directory, const char *path, char *text);

/** Mapped files (maps.c), and threads with the frames that can be found (threads.c). */
void wt_gather_maps(struct wt_gathering *gathering);
void wt_gather_threads(struct wt_gathering *gathering);

#endif /* WT_RECORDER_HOST_GATHERING_H */
