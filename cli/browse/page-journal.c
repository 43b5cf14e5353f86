/* SPDX-License-Identifier: MIT */
/* The page of the journal: every call, read on as far as it is looked at. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "cli/browse/session.h"
#include "cli/output.h"
#include "cli/show.h"

#define RECORDS_AT_ONCE 256
#define MAX_TEXT (256u << 20) /* bytes that are kept */

struct journal_page {
	struct wt_session *session;
	struct wt_journal_printer *printer;
	struct wt_buffer text;	 /* all lines so far */
	struct wt_buffer starts; /* of lines that have ended, and of the one that has not: size_t */
	bool ended;
	char *why; /* it ended before its end */
};

static void begin_line(struct journal_page *page, size_t start)
{
	wt_buffer_append(&page->starts, &start, sizeof(start));
}

static void *create(struct wt_session *session)
{
	struct journal_page *page = calloc(1, sizeof(*page));

	if (!page)
		return NULL;
	page->session = session;
	page->why = wt_error_line(wt_journal_printer_create(session->trace, &page->printer));
	page->ended = page->why != NULL;
	begin_line(page, 0);
	return page;
}

static void destroy(void *opaque)
{
	struct journal_page *page = opaque;

	wt_journal_printer_destroy(page->printer);
	wt_buffer_deinit(&page->text);
	wt_buffer_deinit(&page->starts);
	free(page->why);
	free(page);
}

static size_t start_of(const struct journal_page *page, size_t number)
{
	size_t start;

	memcpy(&start, page->starts.data + number * sizeof(start), sizeof(start));
	return start;
}

/* Lines that have ended; the last one may have no end. */
static size_t lines(const struct journal_page *page)
{
	size_t count = page->starts.size / sizeof(size_t);

	if (!count)
		return 0;
	return count - (!page->ended || start_of(page, count - 1) == page->text.size);
}

static void keep(struct journal_page *page, const char *text)
{
	size_t from = page->text.size, size = strlen(text);

	wt_buffer_append(&page->text, text, size);
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\n')
			begin_line(page, from + i + 1);
}

static void read_on(struct journal_page *page)
{
	wt_cleanup_free char *text = NULL;
	struct wt_cli_capture capture;
	struct wt_error *error = wt_cli_capture_begin(&capture), *failed;

	if (!error) {
		failed = wt_journal_printer_print(page->printer, RECORDS_AT_ONCE, &page->ended);
		error = wt_cli_capture_end(&capture, &text);
		page->why = wt_error_line(failed);
	}
	if (text)
		keep(page, text);
	if (error && !page->why)
		page->why = wt_error_line(error);
	else
		wt_error_destroy(error);
	if (page->text.failed || page->starts.failed)
		page->why = page->why ? page->why : strdup("out of memory");
	if (page->text.size > MAX_TEXT && !page->why)
		page->why = strdup("what follows is more than is kept here; `wavetape journal "
				   "--from` prints it");
	page->ended |= page->why != NULL;
}

static size_t count(void *opaque, size_t want)
{
	struct journal_page *page = opaque;

	while (!page->ended && lines(page) <= want) {
		read_on(page);
		if (page->session->interrupted && page->session->interrupted())
			break;
	}
	return lines(page) + (page->why != NULL);
}

static bool ended(void *opaque)
{
	const struct journal_page *page = opaque;

	return page->ended;
}

static void put_line(void *opaque, size_t number, struct wt_line *line)
{
	const struct journal_page *page = opaque;
	size_t from, to, size;
	wt_cleanup_free char *text = NULL;

	if (number >= lines(page)) {
		wt_line_text(line, WT_STYLE_FAULT, page->why);
		return;
	}
	from = start_of(page, number);
	to = number + 1 < page->starts.size / sizeof(size_t) ? start_of(page, number + 1)
							     : page->text.size;
	size = to - from;
	if (size && page->text.data[to - 1] == '\n')
		size--;
	text = strndup((const char *)page->text.data + from, size);
	if (text)
		wt_line_text(line,
			     strstr(text, " = SUCCESS") || !strstr(text, " = ") ? WT_STYLE_PLAIN
										: WT_STYLE_FAULT,
			     text);
}

static void title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "every call of the recorded session");
}

static uint64_t version(void *opaque)
{
	(void)opaque;
	return 0;
}

/* To the call at which the stop was made. */
static void go_to_stop(struct journal_page *page, struct wt_outcome *answer)
{
	struct wt_view *view = wt_session_view(page->session);
	uint64_t call = view ? wt_view_moment(view)->call : 0;

	for (size_t i = 0; call && i < count(page, i); i++) {
		const char *text = (const char *)page->text.data + start_of(page, i);

		if (i < lines(page) && strtoull(text, NULL, 10) == call) {
			answer->has_line = true;
			answer->line = i;
			return;
		}
	}
	wt_outcome_say(answer, "the call of this stop is not in the journal");
}

static bool key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	(void)line;
	if (pressed != 'c')
		return false;
	go_to_stop(opaque, answer);
	return true;
}

const struct wt_page_kind wt_page_journal = {
	.create = create,
	.destroy = destroy,
	.count = count,
	.line = put_line,
	.ended = ended,
	.title = title,
	.version = version,
	.key = key,
	.hint = " c call of this stop  h l left, right  / search  F1 help  q quit",
};
