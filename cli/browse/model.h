/* SPDX-License-Identifier: MIT */
/*
 * The browser without a terminal and without a trace: pages, keys, prompts, marks and the way back. What the pages show is the
 * book's, what a key looks like on a terminal is terminal.h's.
 */
#ifndef WT_CLI_BROWSE_MODEL_H
#define WT_CLI_BROWSE_MODEL_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/browse/line.h"
#include "cli/browse/pane.h"

/* In the order of their keys, from 1; help has none, and the way has a letter: neither has a tab. */
enum wt_page {
	WT_PAGE_OVERVIEW,
	WT_PAGE_STOPS,
	WT_PAGE_WAVES,
	WT_PAGE_CODE,
	WT_PAGE_REGISTERS,
	WT_PAGE_MEMORY,
	WT_PAGE_STACK,
	WT_PAGE_CAUSE,
	WT_PAGE_JOURNAL,
	WT_PAGE_HELP,
	WT_PAGE_WAY,
};

#define WT_PAGES (WT_PAGE_WAY + 1)

/* Keys that are no characters, behind all characters there are. */
enum wt_browse_key {
	WT_KEY_UP = 0x110000,
	WT_KEY_DOWN,
	WT_KEY_LEFT,
	WT_KEY_RIGHT,
	WT_KEY_PAGE_UP,
	WT_KEY_PAGE_DOWN,
	WT_KEY_HOME,
	WT_KEY_END,
	WT_KEY_BACK_TAB,
	WT_KEY_BACKSPACE,
	WT_KEY_F1,
};
#define WT_CONTROL(letter) ((letter)&0x1f)
#define WT_KEY_ENTER '\n'
#define WT_KEY_ESCAPE 0x1b

#define WT_MESSAGE_MAX 240

/* The answer of a page to a key, or of a command. */
struct wt_outcome {
	bool turn; /* show this page, and remember where the user was: */
	enum wt_page page;
	bool has_line; /* put its cursor there */
	size_t line;
	char message[WT_MESSAGE_MAX]; /* for the last line of the screen; "": none */
};

/* The place in the trace that the user looks at. The model keeps it; only the book knows what it means. */
struct wt_looking {
	uint32_t stop;
	uint64_t wave, address, code;
	size_t frame;
	unsigned int space;
};

struct wt_book {
	void *opaque;
	/* The lines of a page: see struct wt_list. */
	size_t (*count)(void *opaque, enum wt_page page, size_t want);
	void (*line)(void *opaque, enum wt_page page, size_t number, struct wt_line *line);
	/* Has count() come to the end of the page? */
	bool (*ended)(void *opaque, enum wt_page page);
	/* Put the subject of a page into the line above it; and trace, stop and wave into the top of the screen. */
	void (*title)(void *opaque, enum wt_page page, struct wt_line *line);
	void (*context)(void *opaque, struct wt_line *line);
	/* A number that changes when the page shows something else, so that the cursor belongs at its home; and this line. */
	uint64_t (*version)(void *opaque, enum wt_page page);
	size_t (*home)(void *opaque, enum wt_page page);
	/* How wide a page is seen, and on which line the cursor is. */
	void (*look)(void *opaque, enum wt_page page, size_t columns, size_t cursor);
	/* The user has put the cursor on this line. */
	void (*moved)(void *opaque, enum wt_page page, size_t line);
	/* A key that the page has a use for, Enter among them; false: it has none. */
	bool (*key)(void *opaque, enum wt_page page, size_t line, int key,
		    struct wt_outcome *answer);
	/* A word behind ":" that is none of the model's, and what is behind it. */
	bool (*command)(void *opaque, const char *word, const char *rest,
			struct wt_outcome *answer);
	void (*where)(void *opaque, struct wt_looking *place);
	void (*go_back)(void *opaque, const struct wt_looking *place);
	/* Does the user want a long search to end? */
	bool (*stop)(void *opaque);
	/* The page's own keys, for the last line of the screen. */
	const char *(*hint)(void *opaque, enum wt_page page);
};

struct wt_spot {
	bool set;
	enum wt_page page;
	struct wt_pane pane;
	struct wt_looking place;
};

#define WT_HISTORY_MAX 64
#define WT_INPUT_MAX 120

struct wt_model {
	const struct wt_book *book;
	size_t rows, columns;
	enum wt_page page; /* on the left, or alone */
	bool aside;	   /* the page beside it has the keys */
	struct wt_pane panes[WT_PAGES];
	struct wt_page_list {
		const struct wt_book *book;
		enum wt_page page;
	} lists[WT_PAGES];
	uint64_t versions[WT_PAGES];
	bool seen[WT_PAGES];
	/* Text that is typed in the last line. */
	int prompt; /* ':', '/' or '?'; 0: nothing is */
	char input[WT_INPUT_MAX];
	size_t input_size;
	int pending; /* 'm' or '\'': the next key names a mark */
	char message[WT_MESSAGE_MAX];
	/* The last search. */
	bool has_regex, forward;
	regex_t regex;
	struct wt_spot history[WT_HISTORY_MAX];
	size_t history_count;
	struct wt_spot marks[26];
	bool quit;
};

void wt_model_init(struct wt_model *model, const struct wt_book *book);
void wt_model_deinit(struct wt_model *model);

/** The terminal has this size now. */
void wt_model_resize(struct wt_model *model, size_t rows, size_t columns);

/** A character, as Unicode counts, or an enum wt_browse_key. */
void wt_model_key(struct wt_model *model, int key);

/** Ctrl-C: leave what is typed, else quit. */
void wt_model_interrupt(struct wt_model *model);

/* ---- For who draws it ---- */

#define WT_MIN_ROWS 8
#define WT_MIN_COLUMNS 36
#define WT_WIDE_COLUMNS 116 /* from here on a second page is beside the first */
#define WT_BAR_ROWS 4	    /* tabs, context, title, and the last line */

/** The page that has the keys. */
enum wt_page wt_model_active(const struct wt_model *model);

/** Make a row of the screen, model->columns wide. */
void wt_screen_row(struct wt_model *model, size_t row, struct wt_line *line);

/**
 * Find the place of the terminal's own cursor: behind the text that is typed.
 *
 * Return: false if nothing is typed.
 */
bool wt_screen_cursor(const struct wt_model *model, size_t *row_ret, size_t *column_ret);

/** "Waves", "Registers". */
const char *wt_page_name(enum wt_page page);

#endif /* WT_CLI_BROWSE_MODEL_H */
