/* SPDX-License-Identifier: MIT */
/* The page of waves: the cursor's is the one that other pages show. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/browse/browser-session.h"
#include "cli/describe.h"
#include "cli/function-names.h"

#define COORDINATES_COLUMNS 14
#define KERNEL_COLUMNS 16

struct waves_page {
	struct wt_session *session;
	bool faults_alone;
	uint64_t *waves; /* those that are listed */
	size_t count, all;
	uint64_t version; /* of the stop, for which they are */
	uint64_t filter_version;
};

static void waves_page_deinit(void *opaque)
{
	struct waves_page *page = opaque;

	free(page->waves);
}

static void waves_page_make(struct waves_page *page)
{
	struct wt_view *view = wt_session_view(page->session);
	uint64_t version = page->session->stop_version + page->filter_version + 1;
	const uint64_t *waves;

	if (page->version == version)
		return;
	page->version = version;
	page->count = page->all = 0;
	free(page->waves);
	page->waves = NULL;
	if (!view)
		return;
	page->all = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	page->waves = calloc(page->all + 1, sizeof(*page->waves));
	for (size_t i = 0; page->waves && i < page->all; i++)
		if (!page->faults_alone || wt_view_wave_has_fault(view, waves[i]))
			page->waves[page->count++] = waves[i];
}

static size_t waves_page_count(void *opaque, size_t want)
{
	struct waves_page *page = opaque;

	(void)want;
	waves_page_make(page);
	return page->count ? page->count : 1;
}

static void wave_put_line(const struct wt_explain_wave *wave, struct wt_line *line)
{
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];

	wt_line_field(line, WT_STYLE_PLAIN, wt_describe_coordinates(wave, text),
		      COORDINATES_COLUMNS);
	wt_line_put(line, WT_STYLE_PLAIN, " ");
	wt_line_field(line, WT_STYLE_NAME, wave->kernel ? wt_cli_name(wave->kernel, name) : "?",
		      KERNEL_COLUMNS);
	if (wave->state != WAVETAPE_WAVE_STOPPED) {
		wt_line_put(line, WT_STYLE_QUIET, " %s", wt_wave_state_name(wave->state));
		return;
	}
	wt_line_put(line, wave->reasons & WT_FAULT_REASONS ? WT_STYLE_FAULT : WT_STYLE_PLAIN, " %s",
		    wt_describe_reasons_plainly(wave->reasons, text));
	wt_line_put(line, WT_STYLE_SOURCE, "  %s", wt_describe_code(&wave->code, text));
	wt_line_put(line, WT_STYLE_QUIET, "  lanes %s", wt_describe_lanes(wave->exec, text));
}

static void waves_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct waves_page *page = opaque;
	struct wt_explainer *explainer = wt_session_explainer(page->session);
	struct wt_explain_wave wave;
	struct wt_error *error;
	bool here;

	if (!page->count && page->all) {
		wt_line_put(line, WT_STYLE_QUIET, "no wave has a fault; f shows all %zu",
			    page->all);
		return;
	}
	if (!page->count || !explainer) {
		wt_session_put_why(page->session, line);
		return;
	}
	here = page->waves[number] == page->session->wave;
	wt_line_put(line, here ? WT_STYLE_HERE : WT_STYLE_PLAIN, "%sw%-6" PRIu64 " ",
		    here ? "=>" : "  ", page->waves[number]);
	error = wt_explain_wave(explainer, page->waves[number], &wave);
	if (error) {
		wt_line_text(line, WT_STYLE_FAULT, error->why);
		wt_error_destroy(error);
		return;
	}
	wave_put_line(&wave, line);
	wt_explain_wave_deinit(&wave);
}

static void waves_page_title(void *opaque, struct wt_line *line)
{
	struct waves_page *page = opaque;

	waves_page_make(page);
	if (page->faults_alone)
		wt_line_put(line, WT_STYLE_QUIET, "with a fault, of %zu", page->all);
	else
		wt_line_put(line, WT_STYLE_QUIET, "at stop %u", page->session->stop);
}

static uint64_t waves_page_version(void *opaque)
{
	const struct waves_page *page = opaque;

	return page->session->stop_version + page->session->wave_version + page->filter_version;
}

static size_t waves_page_home(void *opaque)
{
	struct waves_page *page = opaque;

	waves_page_make(page);
	for (size_t i = 0; i < page->count; i++)
		if (page->waves[i] == page->session->wave)
			return i;
	return 0;
}

/* The wave under the cursor is the one that is looked at. */
static void waves_page_moved(void *opaque, size_t line)
{
	struct waves_page *page = opaque;

	waves_page_make(page);
	if (line < page->count)
		wt_session_go_wave(page->session, page->waves[line]);
}

static bool waves_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct waves_page *page = opaque;

	switch (pressed) {
	case 'f':
		page->faults_alone = !page->faults_alone;
		page->filter_version++;
		waves_page_moved(page, waves_page_home(page));
		return true;
	case WT_KEY_ENTER:
		if (line >= page->count)
			return false;
		wt_session_go_wave(page->session, page->waves[line]);
		answer->turn = true;
		answer->page = WT_PAGE_CODE;
		return true;
	default:
		return false;
	}
}

const struct wt_page_kind wt_page_waves = {
	.size = sizeof(struct waves_page),
	.deinit = waves_page_deinit,
	.count = waves_page_count,
	.line = waves_page_put_line,
	.title = waves_page_title,
	.version = waves_page_version,
	.home = waves_page_home,
	.moved = waves_page_moved,
	.key = waves_page_key,
	.hint = " Enter its code  f faults alone  { } waves  [ ] stops  / search  F1 help",
};
