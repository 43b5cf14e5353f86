/* SPDX-License-Identifier: MIT */
/*
 * A progress line for work that takes long: what is done, and how far it is. Nothing is printed where stderr is not a terminal, nor before half
 * a second has passed without output. A thread draws the line, so that it is seen while the work itself has nothing to tell. There
 * is one line at a time.
 */
#ifndef WT_CLI_PROGRESS_H
#define WT_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct wt_progress {
	const char *what;
	bool terminal;
};

struct wt_progress wt_progress_start(const char *what);

/** Say how far it is. The line is drawn at most five times a second. */
__attribute__((format(printf, 2, 3))) void wt_progress_update(struct wt_progress *progress,
							      const char *format, ...);

/** For work of a known size: "12%". @progress: a struct wt_progress, as callbacks hand it on. */
void wt_progress_percent(void *progress, uint64_t done, uint64_t total);

/** Take the line away before something is printed. It comes back half a second after the next update. Legal where there is none. */
void wt_progress_hide(void);

/** The same before text is printed on stdout: it is in the way only if that is a terminal, too. */
void wt_progress_hide_for_text(void);

/** Take the line away. */
void wt_progress_end(struct wt_progress *progress);

#endif /* WT_CLI_PROGRESS_H */
