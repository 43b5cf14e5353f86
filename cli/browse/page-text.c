/* SPDX-License-Identifier: MIT */
/* The pages that show what verbs print: `wavetape info`, `wavetape explain`; and the help. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/browse/browser-session.h"
#include "cli/browse/page-lines.h"
#include "cli/look/show.h"

struct text_page {
	struct wt_session *session;
	enum wt_page page;
	struct wt_text text;
	uint64_t version; /* of stop and wave, for which it was made */
};

static void text_page_deinit(void *opaque)
{
	struct text_page *page = opaque;

	wt_text_deinit(&page->text);
}

static void text_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	const struct text_page *page = opaque;

	wt_text_line(&page->text, number, line);
}

/* Enter follows the first address in the line. */
static bool text_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct text_page *page = opaque;
	wt_cleanup_free char *row = wt_text_row(&page->text, line);

	return pressed == WT_KEY_ENTER && row && wt_session_follow_text(page->session, row, answer);
}

static size_t text_page_wrap(struct text_page *page)
{
	wt_text_wrap(&page->text, page->session->widths[page->page]);
	return page->text.count;
}

/* ---- What was recorded, and the crash ---- */

static void overview_page_begin(void *opaque)
{
	struct text_page *page = opaque;

	page->page = WT_PAGE_OVERVIEW;
}

static struct wt_error *overview_page_print_info(void *opaque)
{
	struct text_page *page = opaque;
	const struct wt_cli_trace *trace = page->session->trace;
	/* `info` finds the stops itself, and without a number the stop that the user came to first. */
	struct wt_cli_trace own = {
		.path = trace->path,
		.has_stop = trace->has_stop || page->session->stop != page->session->begun,
		.stop = page->session->stop,
	};
	struct wt_error *error;

	wt_cli_trace_use(&own, trace->reader);
	error = wt_cli_info_print(&own, page->session->maps);
	wt_stops_deinit(&own.stops);
	return error;
}

/* The crash comes first: it is what one has come for. What was recorded follows. */
static void turn_round(struct wt_text *text)
{
	char *crash = text->text ? strstr(text->text, "\n\n") : NULL, *turned = NULL;

	if (!crash)
		return;
	*crash = '\0';
	if (asprintf(&turned, "%s\n%s\n", crash + 2, text->text) >= 0)
		wt_text_set(text, turned);
}

static void overview_page_print(struct text_page *page)
{
	wt_text_print(&page->text, overview_page_print_info, page);
	turn_round(&page->text);
}

static uint64_t overview_page_version(void *opaque)
{
	const struct text_page *page = opaque;

	return page->session->stop_version;
}

static size_t overview_page_count(void *opaque, size_t want)
{
	struct text_page *page = opaque;
	uint64_t version = overview_page_version(page) + 1;

	(void)want;
	if (page->version != version)
		overview_page_print(page);
	page->version = version;
	return text_page_wrap(page);
}

static void overview_page_title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "the crash, and what was recorded");
}

/* The help never changes. */
static uint64_t help_page_version(void *opaque)
{
	(void)opaque;
	return 0;
}

const struct wt_page_kind wt_page_overview = {
	.size = sizeof(struct text_page),
	.begin = overview_page_begin,
	.deinit = text_page_deinit,
	.count = overview_page_count,
	.line = text_page_put_line,
	.title = overview_page_title,
	.version = overview_page_version,
	.key = text_page_key,
	.hint = " 1-9 pages  j/k move  Enter follow an address  / search  F1 help  q quit",
};

/* ---- Why the wave stopped ---- */

static void cause_page_begin(void *opaque)
{
	struct text_page *page = opaque;

	page->page = WT_PAGE_CAUSE;
}

static struct wt_error *cause_page_print(void *opaque)
{
	struct text_page *page = opaque;
	struct wt_session *session = page->session;

	return wt_cli_explain_print(session->explainer, session->wave, session->stop,
				    session->maps);
}

static uint64_t cause_page_version(void *opaque)
{
	const struct text_page *page = opaque;

	return page->session->stop_version + page->session->wave_version;
}

static size_t cause_page_count(void *opaque, size_t want)
{
	struct text_page *page = opaque;
	uint64_t version = cause_page_version(page) + 1;

	(void)want;
	if (!wt_session_explainer(page->session) || !page->session->wave)
		return 1;
	if (page->version != version)
		wt_text_print(&page->text, cause_page_print, page);
	page->version = version;
	return text_page_wrap(page);
}

static void cause_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	const struct text_page *page = opaque;

	if (!page->session->view || !page->session->wave)
		wt_session_put_why(page->session, line);
	else
		text_page_put_line(opaque, number, line);
}

static void cause_page_title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "why the wave stopped");
}

const struct wt_page_kind wt_page_cause = {
	.size = sizeof(struct text_page),
	.begin = cause_page_begin,
	.deinit = text_page_deinit,
	.count = cause_page_count,
	.line = cause_page_put_line,
	.title = cause_page_title,
	.version = cause_page_version,
	.key = text_page_key,
	.hint = " Enter follow an address  { } waves  [ ] stops  / search  F1 help  q quit",
};

/* ---- Help ---- */

static const char help[] =
	"Pages\n"
	"  1 Info       2 Stops      3 Waves     4 Code    5 Registers\n"
	"  6 Memory     7 Stack      8 Cause     9 Journal   w Way\n"
	"  Tab          the page beside this one, or the next\n"
	"  Enter        open: a stop, a wave, a pointer, a frame\n"
	"  Esc, Backspace  back to where you were\n"
	"  q            quit; here: back\n"
	"\n"
	"Moving\n"
	"  j k, arrows  a line down, up        h l          left, right\n"
	"  ^D ^U        half a page            ^F ^B, Space a page\n"
	"  g G          first, last line       :12          line 12\n"
	"  [ ]          stop before, after     { }          wave before, after\n"
	"  ma 'a        set mark a, go to it (a to z)\n"
	"\n"
	"Searching, in every list\n"
	"  /text ?text  forward, back: regular expressions; small letters find any case\n"
	"  n N          again, and the other way\n"
	"\n"
	"Commands\n"
	"  :stop 3              :wave w5, :wave 1.2, :wave (1,0,0)/2\n"
	"  :x 0x210000000000    memory at an address\n"
	"  :code 0x200000001de8 code at an address; :code alone: where the wave stands\n"
	"  :frame 1             :registers and so on: a page by its name\n"
	"  :print out[i]        the value, on page 7, of each wave from now on; :print: no more\n"
	"  :help :q\n"
	"\n"
	"On a page\n"
	"  Waves        f  waves with a fault alone\n"
	"  Code         s  source text   e  encodings\n"
	"  Registers    x  hex, int, float   c  changed ones alone   Enter  lanes, pointer\n"
	"  Memory       x  bytes, words, int, float   a  address space   h l  column\n"
	"               Enter  follow the pointer under the cursor\n"
	"  Stack        Enter  the frame's variables and code   e  the value in each lane\n"
	"  Journal      c  the call of this stop\n"
	"  Way          < >  source line before, behind   Enter  who wrote what it reads\n"
	"\n"
	"  *  changed since the stop before    =>  where the wave stands\n";

static void help_page_begin(void *opaque)
{
	struct text_page *page = opaque;

	page->page = WT_PAGE_HELP;
	wt_text_set(&page->text, strdup(help));
}

static size_t help_page_count(void *opaque, size_t want)
{
	(void)want;
	return text_page_wrap(opaque);
}

static void help_page_title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "keys and commands");
}

const struct wt_page_kind wt_page_help = {
	.size = sizeof(struct text_page),
	.begin = help_page_begin,
	.deinit = text_page_deinit,
	.count = help_page_count,
	.line = text_page_put_line,
	.title = help_page_title,
	.version = help_page_version,
	.hint = " q back",
};
