/* SPDX-License-Identifier: MIT */
/*
 * `wavetape report`: a trace as one page for a browser. This room holds the page's sources (page.html, page.css, *.js) and
 * what fills it. It must not put a value of a trace into markup or script.
 *
 * A page is a row of parts: its markup and style, the data of the trace in blocks of JSON, its script. The script makes text
 * of the data, and nothing else. Blocks are added one by one, as long as they fit: what is left out is the caller's to name.
 */
#ifndef WT_CLI_REPORT_PAGE_H
#define WT_CLI_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/buffer.h"
#include "base/error.h"

/* The parts of every page, made by tools/generate_page.py of the sources in this folder. */
extern const char wt_report_head[], wt_report_tail[];

struct wt_report_page {
	struct wt_buffer bytes; /* what was written so far */
	size_t limit;		/* bytes of the whole file */
	size_t kept;		/* of them, for the end and for blocks that must be there */
};

/**
 * Begin a page.
 *
 * @limit: bytes that the file may have.
 * @kept: bytes of them that wt_report_page_add() leaves for wt_report_page_must_add().
 */
void wt_report_page_init(struct wt_report_page *page, size_t limit, size_t kept);
void wt_report_page_deinit(struct wt_report_page *page);

/** How many bytes blocks may still take. */
size_t wt_report_page_room(const struct wt_report_page *page);

/** A share of the whole page in bytes, from percent, but no more than are left: a limit for one kind of block. */
size_t wt_report_page_share(const struct wt_report_page *page, unsigned int percent);

/**
 * Add a block of data, if it takes no more than @room bytes and fits.
 *
 * @id: of the block in the page: letters, digits and '-'.
 * @json: the reference is taken over. NULL means that memory ran out.
 * @room: SIZE_MAX for all that is left.
 * @added_ret: whether it is in the page.
 *
 * Errors: no memory.
 */
struct wt_error *wt_report_page_add(struct wt_report_page *page, const char *id, json_t *json,
				    size_t room, bool *added_ret);

/** The same for a block without which the page is none. Errors: also LIMIT, if it does not fit. */
struct wt_error *wt_report_page_must_add(struct wt_report_page *page, const char *id, json_t *json);

/** Append the script. Errors: no memory. */
struct wt_error *wt_report_page_end(struct wt_report_page *page);

/**
 * JSON as it can stand in a script element: in strings `<`, `>` and `&` are escapes, so that nothing ends the element or begins
 * another. Outside of strings JSON has none of them.
 */
void wt_report_append_json(struct wt_buffer *buffer, const char *text, size_t size);

#endif /* WT_CLI_REPORT_PAGE_H */
