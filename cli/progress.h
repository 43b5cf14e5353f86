/* SPDX-License-Identifier: MIT */
/* A line on the terminal for work that takes long; nothing at all where stderr is no terminal. */
#ifndef WT_CLI_PROGRESS_H
#define WT_CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

struct wt_progress {
	const char *what;
	bool terminal, shown;
	struct timespec next; /* when the line is next drawn: not before half a second has passed */
};

struct wt_progress wt_progress_start(const char *what);

/** Draw the line again, at most five times a second. */
__attribute__((format(printf, 2, 3))) void wt_progress_update(struct wt_progress *progress,
							      const char *format, ...);

/** Take the line away. */
void wt_progress_end(struct wt_progress *progress);

#endif /* WT_CLI_PROGRESS_H */
