/* SPDX-License-Identifier: MIT */
/* The page of the journal: every call. Its lines are counted as far as they are looked at, and made where they are seen. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/browse/browser-session.h"
#include "cli/browse/page-lines.h"
#include "cli/look/show.h"
#include "cli/output.h"

#define RECORDS_IN_PART 512
#define KEPT_PARTS 4

/* Some lines that are made together. */
struct part {
	struct wt_journal_part is;
	size_t first; /* line */
};

struct kept {
	struct wt_text text;
	size_t part;   /* that the text is of */
	uint64_t used; /* when it was last used; 0: it has no text */
};

struct journal_page {
	struct wt_session *session;
	struct wt_journal_printer *counter, *printer;
	struct wt_buffer parts; /* struct part, in order, so far */
	size_t lines;		/* of all of them */
	struct kept kept[KEPT_PARTS];
	uint64_t now; /* for struct kept */
	bool ended;
	char *why; /* the journal could not be read to its end; NULL: it could */
};

static void journal_page_begin(void *opaque)
{
	struct journal_page *page = opaque;
	struct wt_error *error = wt_journal_printer_create(page->session->trace, &page->counter);

	if (!error)
		error = wt_journal_printer_create(page->session->trace, &page->printer);
	page->why = wt_error_line(error);
	page->ended = page->why != NULL;
}

static void journal_page_deinit(void *opaque)
{
	struct journal_page *page = opaque;

	wt_journal_printer_destroy(page->counter);
	wt_journal_printer_destroy(page->printer);
	for (size_t i = 0; i < KEPT_PARTS; i++)
		wt_text_deinit(&page->kept[i].text);
	wt_buffer_deinit(&page->parts);
	free(page->why);
}

/* ---- Counting ---- */

static struct part *journal_page_part(struct journal_page *page, size_t number)
{
	return (struct part *)(void *)page->parts.data + number;
}

static size_t journal_page_part_count(const struct journal_page *page)
{
	return page->parts.size / sizeof(struct part);
}

static void journal_page_count_on(struct journal_page *page)
{
	struct part part = {.first = page->lines};

	page->why = wt_error_line(
		wt_journal_printer_pass(page->counter, RECORDS_IN_PART, &part.is, &page->ended));
	if (part.is.lines)
		wt_buffer_append(&page->parts, &part, sizeof(part));
	if (page->parts.failed) {
		page->why = page->why ? page->why : strdup("out of memory");
		page->ended = true;
		return;
	}
	page->lines += part.is.lines;
}

static size_t journal_page_count(void *opaque, size_t want)
{
	struct journal_page *page = opaque;

	while (!page->ended && page->lines <= want) {
		journal_page_count_on(page);
		if (page->session->interrupted && page->session->interrupted())
			break;
	}
	return page->lines + (page->why != NULL);
}

static bool journal_page_ended(void *opaque)
{
	const struct journal_page *page = opaque;

	return page->ended;
}

/* ---- The lines of a part ---- */

struct printing {
	struct wt_journal_printer *printer;
	const struct wt_journal_part *part;
};

static struct wt_error *journal_page_print_part(void *opaque)
{
	const struct printing *printing = opaque;

	return wt_journal_printer_print_part(printing->printer, printing->part);
}

/* Lost packets, which are found when they are printed, make lines of their own: parts behind move. */
static void journal_page_correct_lines(struct journal_page *page, size_t number, size_t lines)
{
	size_t before = journal_page_part(page, number)->is.lines;

	if (lines == before)
		return;
	journal_page_part(page, number)->is.lines = lines;
	for (size_t i = number + 1; i < journal_page_part_count(page); i++)
		journal_page_part(page, i)->first += lines - before;
	page->lines += lines - before;
}

/* The text of a part, made if it is not kept in place of the one that was not used for longest. */
static const struct wt_text *journal_page_text(struct journal_page *page, size_t number)
{
	struct kept *kept = &page->kept[0];

	for (size_t i = 0; i < KEPT_PARTS; i++) {
		if (page->kept[i].used && page->kept[i].part == number) {
			page->kept[i].used = ++page->now;
			return &page->kept[i].text;
		}
		if (page->kept[i].used < kept->used)
			kept = &page->kept[i];
	}
	wt_text_print(&kept->text, journal_page_print_part,
		      &(struct printing){page->printer, &journal_page_part(page, number)->is});
	kept->part = number;
	kept->used = ++page->now;
	journal_page_correct_lines(page, number, kept->text.count);
	return &kept->text;
}

/* The part that has a line, which is below the count. */
static size_t journal_page_find_part(struct journal_page *page, size_t line)
{
	size_t low = 0, high = journal_page_part_count(page);

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (journal_page_part(page, middle)->first <= line)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void journal_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct journal_page *page = opaque;
	const struct wt_text *text;
	wt_cleanup_free char *row = NULL;
	size_t part;

	if (number >= page->lines) {
		if (page->why)
			wt_line_text(line, WT_STYLE_FAULT, page->why);
		return;
	}
	/* To make a part may move the line into another one. */
	do {
		part = journal_page_find_part(page, number);
		text = journal_page_text(page, part);
	} while (number - journal_page_part(page, part)->first >= text->count &&
		 number < page->lines);
	row = wt_text_row(text, number - journal_page_part(page, part)->first);
	if (row)
		wt_line_text(line,
			     strstr(row, " = SUCCESS") || !strstr(row, " = ") ? WT_STYLE_PLAIN
									      : WT_STYLE_FAULT,
			     row);
}

static void journal_page_title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "every call of the recorded session");
}

static uint64_t journal_page_version(void *opaque)
{
	(void)opaque;
	return 0;
}

/* ---- Keys ---- */

/* The last part that begins with the call or one before it; calls are counted up to there. */
static bool journal_page_find_call(struct journal_page *page, uint64_t call, size_t *part_ret)
{
	bool found = false;

	for (size_t i = 0;; i++) {
		if (i >= journal_page_part_count(page))
			journal_page_count(page, page->lines);
		if (i >= journal_page_part_count(page) ||
		    journal_page_part(page, i)->is.call > call)
			return found;
		if (journal_page_part(page, i)->is.call) {
			found = true;
			*part_ret = i;
		}
	}
}

/* Put the cursor on the call at which the stop was made. */
static void journal_page_go_to_stop(struct journal_page *page, struct wt_outcome *answer)
{
	struct wt_view *view = wt_session_view(page->session);
	uint64_t call = view ? wt_view_moment(view)->call : 0;
	const struct wt_text *text;
	size_t part;

	if (call && journal_page_find_call(page, call, &part)) {
		text = journal_page_text(page, part);
		for (size_t i = 0; i < text->count; i++) {
			wt_cleanup_free char *row = wt_text_row(text, i);

			if (row && strtoull(row, NULL, 10) == call) {
				answer->has_line = true;
				answer->line = journal_page_part(page, part)->first + i;
				return;
			}
		}
	}
	wt_outcome_say(answer, "the call of this stop is not in the journal");
}

static bool journal_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	(void)line;
	if (pressed != 'c')
		return false;
	journal_page_go_to_stop(opaque, answer);
	return true;
}

const struct wt_page_kind wt_page_journal = {
	.size = sizeof(struct journal_page),
	.begin = journal_page_begin,
	.deinit = journal_page_deinit,
	.count = journal_page_count,
	.line = journal_page_put_line,
	.ended = journal_page_ended,
	.title = journal_page_title,
	.version = journal_page_version,
	.key = journal_page_key,
	.hint = " c call of this stop  h l left, right  / search  F1 help  q quit",
};
