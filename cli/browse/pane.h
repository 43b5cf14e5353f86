/* SPDX-License-Identifier: MIT */
/*
 * A window on a list of lines: which of them are seen, which one the cursor is on, and what a search finds. A list is never
 * held as a whole: lines are made when they are seen.
 */
#ifndef WT_CLI_BROWSE_PANE_H
#define WT_CLI_BROWSE_PANE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "cli/browse/line.h"

struct wt_list {
	/**
	 * How many lines there are. A list that does not know its end before it has been read that far reads on until it has more
	 * than @want, or has come to its end.
	 */
	size_t (*count)(void *opaque, size_t want);
	/* Make a line, whose number is below the count. */
	void (*line)(void *opaque, size_t number, struct wt_line *line);
	void *opaque;
};

struct wt_pane {
	size_t cursor; /* number of the line */
	size_t top;    /* of the first one that is seen */
	size_t left;   /* the first column that is seen */
	size_t height; /* how many lines are seen */
};

/** Put the cursor on a line, or on the last one if there are fewer, and let it be seen. */
void wt_pane_go(struct wt_pane *pane, const struct wt_list *list, size_t line);

/** The same, and where it was not seen before, seen in the middle. */
void wt_pane_center(struct wt_pane *pane, const struct wt_list *list, size_t line);

/** Move the cursor by lines; @delta may be negative. */
void wt_pane_move(struct wt_pane *pane, const struct wt_list *list, long delta);

/** Move cursor and window together, as ^D and ^F do. */
void wt_pane_scroll(struct wt_pane *pane, const struct wt_list *list, long delta);

/** Move the window by columns. */
void wt_pane_shift(struct wt_pane *pane, long delta);

enum wt_found { WT_FOUND, WT_FOUND_WRAPPED, WT_FOUND_NOTHING, WT_FOUND_STOPPED };

/**
 * Put the cursor on the next line that matches, and go on at the other end.
 *
 * @stop: asked now and then whether the user wants it to end; may be NULL.
 */
enum wt_found wt_pane_search(struct wt_pane *pane, const struct wt_list *list, const regex_t *regex,
			     bool forward, bool (*stop)(void *opaque), void *opaque);

/** Flag what matches in a line. */
void wt_pane_mark(struct wt_line *line, const regex_t *regex);

#endif /* WT_CLI_BROWSE_PANE_H */
