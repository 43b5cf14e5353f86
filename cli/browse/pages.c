/* SPDX-License-Identifier: MIT */
/* The pages of a session as a book, and what is at the top of the screen. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/browse/browser-session.h"
#include "cli/describe.h"
#include "cli/function-names.h"

static const struct wt_page_kind *const kinds[WT_PAGES] = {
	[WT_PAGE_OVERVIEW] = &wt_page_overview,
	[WT_PAGE_STOPS] = &wt_page_stops,
	[WT_PAGE_WAVES] = &wt_page_waves,
	[WT_PAGE_CODE] = &wt_page_code,
	[WT_PAGE_REGISTERS] = &wt_page_registers,
	[WT_PAGE_MEMORY] = &wt_page_memory,
	[WT_PAGE_STACK] = &wt_page_stack,
	[WT_PAGE_CAUSE] = &wt_page_cause,
	[WT_PAGE_JOURNAL] = &wt_page_journal,
	[WT_PAGE_HELP] = &wt_page_help,
	[WT_PAGE_WAY] = &wt_page_way,
};

/* NULL if there is no memory for it. */
static void *session_page(struct wt_session *session, enum wt_page page)
{
	struct wt_session **created;

	if (session->pages[page])
		return session->pages[page];
	created = calloc(1, kinds[page]->size);
	if (!created)
		return NULL;
	*created = session;
	if (kinds[page]->begin)
		kinds[page]->begin(created);
	session->pages[page] = created;
	return created;
}

void wt_session_close_pages(struct wt_session *session)
{
	for (enum wt_page page = 0; page < WT_PAGES; page++) {
		if (session->pages[page])
			kinds[page]->deinit(session->pages[page]);
		free(session->pages[page]);
	}
}

static size_t book_count(void *opaque, enum wt_page page, size_t want)
{
	void *shown = session_page(opaque, page);

	return shown ? kinds[page]->count(shown, want) : 0;
}

static void book_put_line(void *opaque, enum wt_page page, size_t number, struct wt_line *line)
{
	void *shown = session_page(opaque, page);

	if (shown)
		kinds[page]->line(shown, number, line);
}

static bool book_ended(void *opaque, enum wt_page page)
{
	void *shown = session_page(opaque, page);

	return !shown || !kinds[page]->ended || kinds[page]->ended(shown);
}

static void book_title(void *opaque, enum wt_page page, struct wt_line *line)
{
	void *shown = session_page(opaque, page);

	if (shown)
		kinds[page]->title(shown, line);
	else
		wt_line_put(line, WT_STYLE_FAULT, "out of memory");
}

static uint64_t book_version(void *opaque, enum wt_page page)
{
	const struct wt_session *session = opaque;
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->version)
		return kinds[page]->version(shown);
	return session->stop_version + session->wave_version;
}

static size_t book_home(void *opaque, enum wt_page page)
{
	void *shown = session_page(opaque, page);

	return shown && kinds[page]->home ? kinds[page]->home(shown) : 0;
}

static void book_look(void *opaque, enum wt_page page, size_t columns, size_t cursor)
{
	struct wt_session *session = opaque;

	session->widths[page] = columns;
	session->cursors[page] = cursor;
}

static void book_moved(void *opaque, enum wt_page page, size_t line)
{
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->moved)
		kinds[page]->moved(shown, line);
}

/* Keys that go to other stops and waves, on every page. */
static bool session_step_key(struct wt_session *session, int pressed, struct wt_outcome *answer)
{
	switch (pressed) {
	case ']':
	case '[':
		wt_session_step_stop(session, pressed == ']' ? 1 : -1, answer);
		return true;
	case '}':
	case '{':
		wt_session_step_wave(session, pressed == '}' ? 1 : -1, answer);
		return true;
	default:
		return false;
	}
}

static bool book_key(void *opaque, enum wt_page page, size_t line, int pressed,
		     struct wt_outcome *answer)
{
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->key && kinds[page]->key(shown, line, pressed, answer))
		return true;
	return session_step_key(opaque, pressed, answer);
}

static bool book_command(void *opaque, const char *word, const char *rest,
			 struct wt_outcome *answer)
{
	return wt_session_command(opaque, word, rest, answer);
}

static void book_where(void *opaque, struct wt_looking *place)
{
	const struct wt_session *session = opaque;

	*place = (struct wt_looking){
		.stop = session->stop,
		.wave = session->wave,
		.address = session->address,
		.code = session->code,
		.frame = session->frame,
		.space = session->space,
	};
}

static void book_go_back(void *opaque, const struct wt_looking *place)
{
	struct wt_session *session = opaque;

	wt_session_go_stop(session, place->stop);
	wt_session_go_wave(session, place->wave);
	wt_session_go_frame(session, place->frame);
	if (session->address != place->address || session->space != place->space)
		wt_session_go_address(session, (enum wt_memory_space)place->space, place->address);
	if (session->code != place->code)
		wt_session_go_code(session, place->code);
}

static bool book_stop(void *opaque)
{
	const struct wt_session *session = opaque;

	return session->interrupted && session->interrupted();
}

static const char *book_hint(void *opaque, enum wt_page page)
{
	(void)opaque;
	return kinds[page]->hint;
}

/* ---- The top of the screen ---- */

static void session_put_wave(struct wt_session *session, struct wt_line *line)
{
	struct wt_explain_wave wave;
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];
	struct wt_error *error;

	/* The top of the screen opens no view: it shows the wave once a page has opened one. */
	if (!session->view || !session->wave || !wt_session_explainer(session))
		return;
	error = wt_explain_wave(session->explainer, session->wave, &wave);
	if (error) {
		wt_error_destroy(error);
		return;
	}
	wt_line_put(line, WT_STYLE_PLAIN, "  w%" PRIu64 " %s  ", session->wave,
		    wt_describe_coordinates(&wave, text));
	wt_line_text(line, WT_STYLE_NAME, wave.kernel ? wt_cli_name(wave.kernel, name) : "?");
	if (wave.state == WAVETAPE_WAVE_STOPPED)
		wt_line_put(line, wave.reasons & WT_FAULT_REASONS ? WT_STYLE_FAULT : WT_STYLE_PLAIN,
			    "  %s", wt_describe_reasons_plainly(wave.reasons, text));
	else
		wt_line_put(line, WT_STYLE_QUIET, "  %s", wt_wave_state_name(wave.state));
	wt_explain_wave_deinit(&wave);
}

static void book_context(void *opaque, struct wt_line *line)
{
	struct wt_session *session = opaque;

	wt_line_put(line, WT_STYLE_PLAIN, " ");
	wt_line_text(line, WT_STYLE_STRONG, wt_text_file_name(session->trace->path));
	if (wt_reader_damage(session->trace->reader))
		wt_line_put(line, WT_STYLE_FAULT, "  damaged");
	if (session->stop)
		wt_line_put(line, WT_STYLE_PLAIN, "  stop %u of %u", session->stop,
			    session->trace->stops.count);
	else
		wt_line_put(line, WT_STYLE_PLAIN, "  no stop");
	if (session->lost)
		wt_line_put(line, WT_STYLE_FAULT, "  its state is lost");
	session_put_wave(session, line);
}

struct wt_book wt_session_book(struct wt_session *session)
{
	return (struct wt_book){
		.opaque = session,
		.count = book_count,
		.line = book_put_line,
		.ended = book_ended,
		.title = book_title,
		.context = book_context,
		.version = book_version,
		.home = book_home,
		.look = book_look,
		.moved = book_moved,
		.key = book_key,
		.command = book_command,
		.where = book_where,
		.go_back = book_go_back,
		.stop = book_stop,
		.hint = book_hint,
	};
}
