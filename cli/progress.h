/* SPDX-License-Identifier: MIT */
/* A progress line for work that takes long. Nothing is printed where stderr is not a terminal. */
#ifndef WT_CLI_PROGRESS_H
#define WT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct wt_progress {
	const char *what;
	bool terminal, shown;
	struct timespec next; /* the line is not drawn before this: half a second after the start */
};

struct wt_progress wt_progress_start(const char *what);

/** Draw the line again, at most five times a second. */
__attribute__((format(printf, 2, 3))) void wt_progress_update(struct wt_progress *progress,
							      const char *format, ...);

/** For work of a known size: "12%". @progress: a struct wt_progress, as callbacks hand it on. */
void wt_progress_percent(void *progress, uint64_t done, uint64_t total);

/** Take the line away. */
void wt_progress_end(struct wt_progress *progress);

#endif /* WT_CLI_PROGRESS_H */
