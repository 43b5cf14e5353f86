/* SPDX-License-Identifier: MIT */
/* The page of stops: Enter goes to one. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/browse/browser-session.h"
#include "cli/describe.h"
#include "replayer/view/stop-summary.h"
#include "trace-format/reader/summary.h"

struct stops_page {
	struct wt_session *session;
	/* One summary for each stop of the trace. Without a list in the trace, a stop is looked at when it is seen. */
	struct wt_stop_summaries summaries;
	bool *looked; /* NULL: all are there */
};

static void stops_page_begin(void *opaque)
{
	struct stops_page *page = opaque;
	const struct wt_session *session = page->session;
	struct wt_stops own = {.reader = session->trace->reader, .path = session->trace->path};
	struct wt_error *failed = NULL;
	size_t count;

	if (session->is_listed && wt_reader_listed_stops(own.reader, &count)) {
		wt_error_destroy(wt_stop_summaries_find(&own, &page->summaries, &failed));
		wt_error_destroy(failed);
		wt_stops_deinit(&own);
	}
}

static void stops_page_deinit(void *opaque)
{
	struct stops_page *page = opaque;

	wt_stop_summaries_deinit(&page->summaries);
	free(page->looked);
}

/* The stops that were found count: the list may turn out to be wrong. */
static void stops_page_make_room(struct stops_page *page)
{
	size_t stops = page->session->trace->stops.count;

	if (page->summaries.count == stops)
		return;
	wt_stop_summaries_deinit(&page->summaries);
	free(page->looked);
	page->looked = calloc(stops, sizeof(*page->looked));
	page->summaries.of = calloc(stops, sizeof(*page->summaries.of));
	if (page->looked && page->summaries.of)
		page->summaries.count = page->summaries.capacity = stops;
}

static size_t stops_page_count(void *opaque, size_t want)
{
	struct stops_page *page = opaque;

	(void)want;
	stops_page_make_room(page);
	return page->summaries.count ? page->summaries.count : 1;
}

/* By its state. */
static bool stops_page_look_at(struct stops_page *page, size_t number,
			       struct wt_stop_summary *summary)
{
	const struct wt_stops *stops = &page->session->trace->stops;
	struct wt_view *view = NULL;
	struct wt_error *error = wt_view_open(stops->reader, stops->moments[number], &view);

	if (!error || wt_error_is_loss(error))
		error = wt_stop_summary_make(stops->reader, stops->moments[number], view, summary);
	wt_view_close(view);
	wt_error_destroy(error);
	return !error;
}

static const struct wt_stop_summary *stops_page_summary(struct stops_page *page, size_t number)
{
	struct wt_stop_summary *summary = &page->summaries.of[number];

	if (page->looked && !page->looked[number]) {
		page->looked[number] = true;
		summary->failed = !stops_page_look_at(page, number, summary);
	}
	return summary;
}

/* "WAVE_STOP x 2, RUNTIME" */
static void summary_put_events(const struct wt_stop_summary *summary, struct wt_line *line)
{
	const char *separator = "";

	for (uint32_t kind = 0; kind <= AMD_DBGAPI_EVENT_KIND_QUEUE_ERROR; kind++) {
		uint64_t events = 0;
		char text[WT_DESCRIBE_MAX];

		for (size_t i = 0; i < summary->event_runs; i++)
			events += summary->events[i].kind == kind ? summary->events[i].count : 0;
		if (!events)
			continue;
		wt_line_put(line, WT_STYLE_QUIET, "%s%s", separator,
			    wt_describe_event_kind(kind, text));
		if (events > 1)
			wt_line_put(line, WT_STYLE_QUIET, " x %" PRIu64, events);
		separator = ", ";
	}
}

static void summary_put_waves(const struct wt_stop_summary *summary, struct wt_line *line)
{
	char text[WT_DESCRIBE_MAX], waves[64];

	snprintf(waves, sizeof(waves), "%" PRIu64 "/%" PRIu64, summary->stopped, summary->waves);
	wt_line_put(line, WT_STYLE_PLAIN, "%11s  ", waves);
	if (summary->stopped)
		wt_line_put(line,
			    summary->reasons & WT_FAULT_REASONS ? WT_STYLE_FAULT : WT_STYLE_PLAIN,
			    "%s  ", wt_describe_reasons_plainly(summary->reasons, text));
	if (summary->has_place)
		wt_line_put(line, WT_STYLE_NAME, "%s  ", wt_describe_code(&summary->place, text));
}

static void stops_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct stops_page *page = opaque;
	const struct wt_stop_summary *summary;
	bool here = number + 1 == page->session->stop;

	if (!page->summaries.count) {
		wt_line_put(line, WT_STYLE_QUIET, "the trace has no stop");
		return;
	}
	summary = stops_page_summary(page, number);
	wt_line_put(line, here ? WT_STYLE_HERE : WT_STYLE_PLAIN, "%s%5zu ", here ? "=>" : "  ",
		    number + 1);
	if (summary->failed) {
		wt_line_put(line, WT_STYLE_FAULT, "cannot be looked at");
		return;
	}
	if (summary->state_lost)
		wt_line_put(line, WT_STYLE_FAULT, "its state is lost  ");
	else
		summary_put_waves(summary, line);
	summary_put_events(summary, line);
	wt_line_put(line, WT_STYLE_QUIET, "  call %" PRIu64, summary->call);
}

static void stops_page_title(void *opaque, struct wt_line *line)
{
	(void)opaque;
	wt_line_put(line, WT_STYLE_QUIET, "stopped/all waves, why and where, events");
}

static uint64_t stops_page_version(void *opaque)
{
	const struct stops_page *page = opaque;

	return page->session->stop_version;
}

static size_t stops_page_home(void *opaque)
{
	const struct stops_page *page = opaque;

	return page->session->stop ? page->session->stop - 1 : 0;
}

static bool stops_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct stops_page *page = opaque;

	if (pressed != WT_KEY_ENTER || !page->summaries.count)
		return false;
	wt_session_go_stop(page->session, (uint32_t)line + 1);
	answer->turn = true;
	answer->page = WT_PAGE_WAVES;
	return true;
}

const struct wt_page_kind wt_page_stops = {
	.size = sizeof(struct stops_page),
	.begin = stops_page_begin,
	.deinit = stops_page_deinit,
	.count = stops_page_count,
	.line = stops_page_put_line,
	.title = stops_page_title,
	.version = stops_page_version,
	.home = stops_page_home,
	.key = stops_page_key,
	.hint = " Enter go to this stop  [ ] stop before, after  / search  F1 help  q quit",
};
