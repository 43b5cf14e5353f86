/* SPDX-License-Identifier: MIT */
/* The output of a verb as lines of a page: wrapped where the page is too narrow. */
#ifndef WT_CLI_BROWSE_PAGE_LINES_H
#define WT_CLI_BROWSE_PAGE_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "cli/browse/line.h"

/* All zeros is an empty one. */
struct wt_text {
	char *text;
	struct wt_text_row {
		size_t from, size; /* bytes of the text */
		size_t indent;	   /* of what is wrapped; 0 where a line begins */
	} * rows;
	size_t count, capacity;
	size_t width; /* that rows are made for; 0: they are as long as lines */
};

void wt_text_deinit(struct wt_text *text);

/** Take over a text in place of the one that was there. NULL is empty. */
void wt_text_set(struct wt_text *text, char *string);

/** Make rows for a width, if they are not. */
void wt_text_wrap(struct wt_text *text, size_t width);

void wt_text_line(const struct wt_text *text, size_t number, struct wt_line *line);

/** The text of a row, for the caller to free(); NULL if there is no memory or no such row. */
char *wt_text_row(const struct wt_text *text, size_t number);

/**
 * Take what is printed.
 *
 * @print: prints on stdout. Where it fails, what it printed stays, and the error's text is behind it.
 */
void wt_text_print(struct wt_text *text, struct wt_error *(*print)(void *opaque), void *opaque);

#endif /* WT_CLI_BROWSE_PAGE_LINES_H */
