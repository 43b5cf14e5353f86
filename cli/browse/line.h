/* SPDX-License-Identifier: MIT */
/*
 * One line of the browser's screen: text with styles, as wide as its columns say. Whatever is put into it, names of a trace
 * included, comes out as characters that a terminal shows and does not act on.
 */
#ifndef WT_CLI_BROWSE_LINE_H
#define WT_CLI_BROWSE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of text. The terminal decides how each looks. */
enum wt_style {
	WT_STYLE_PLAIN,
	WT_STYLE_QUIET,	  /* labels, borders, what is rarely read */
	WT_STYLE_STRONG,  /* titles */
	WT_STYLE_NAME,	  /* of functions and kernels */
	WT_STYLE_ADDRESS, /* of memory or code */
	WT_STYLE_SOURCE,  /* lines of source code, and where they are */
	WT_STYLE_CHANGED, /* not what it was at the stop before */
	WT_STYLE_FAULT,
	WT_STYLE_HERE, /* where the wave stands */
	WT_STYLE_BAR,  /* the bars above and below */
	WT_STYLE_TAB,  /* of the page that is shown */
	WT_STYLES,
};
/* Flags above the styles. */
#define WT_STYLE_CURSOR 0x20 /* the row that keys act on */
#define WT_STYLE_MATCH 0x40  /* found by a search */
#define WT_STYLE_AWAY 0x80   /* the cursor of the pane that has not the keys */
#define WT_STYLE_MASK 0x1f

#define WT_LINE_COLUMNS 512

struct wt_line {
	/* A cell for each column; one that a wide character covers holds 0 for the second of its columns. */
	uint32_t cells[WT_LINE_COLUMNS];
	unsigned char styles[WT_LINE_COLUMNS];
	size_t columns;
};

void wt_line_clear(struct wt_line *line);

/** Append formatted text. What does not fit is cut. */
__attribute__((format(printf, 3, 4))) void wt_line_put(struct wt_line *line, unsigned int style,
						       const char *format, ...);

/** Append text; NULL is empty. */
void wt_line_text(struct wt_line *line, unsigned int style, const char *text);

/** Append text in a field of so many columns: cut with "~", or filled up with blanks. */
void wt_line_field(struct wt_line *line, unsigned int style, const char *text, size_t columns);

/** Append @columns of another line, from one of its columns on, and blanks where it has no more. @flags: on top of its styles. */
void wt_line_window(struct wt_line *line, const struct wt_line *other, size_t from, size_t columns,
		    unsigned int flags);

/**
 * The text in UTF-8.
 *
 * @starts: NULL, or room for as many as the text has bytes: the column at which the character of each byte is.
 * Return: @text.
 */
#define WT_LINE_BYTES (4 * WT_LINE_COLUMNS + 1)
char *wt_line_string(const struct wt_line *line, char text[WT_LINE_BYTES], uint16_t *starts);

/** Let columns from..to have flags on top of their styles. */
void wt_line_flag(struct wt_line *line, size_t from, size_t to, unsigned int flags);

#endif /* WT_CLI_BROWSE_LINE_H */
