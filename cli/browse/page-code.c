/* SPDX-License-Identifier: MIT */
/* The page of code: instructions from the start of a function on, with the source lines that they are of; or the source. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/plural.h"
#include "base/text.h"
#include "cli/browse/browser-session.h"
#include "cli/describe.h"
#include "replayer/view/explain-lines.h"

#define MAX_ROWS 1000000

enum row_kind { ROW_LABEL, ROW_SOURCE, ROW_INSTRUCTION };

struct row {
	uint64_t address;
	enum row_kind kind;
};

struct code_page {
	struct wt_session *session;
	uint64_t version; /* for which the rest was made */
	const struct gfx_architecture *architecture;
	uint64_t focus; /* the address that is to be seen; 0: none is known */
	struct row *rows;
	size_t count, capacity;
	uint64_t next; /* address behind the last row */
	bool ended;
	char *last_file; /* of the last instruction */
	uint32_t last_line;
	uint64_t *standing; /* where waves stand, in order */
	size_t standing_count;
	uint64_t standing_version;
	bool encodings;
	/* The source in place of instructions. */
	bool as_source;
	struct wt_source_text source;
	char *source_file;
	uint32_t source_line;
	enum wt_source_match source_match;
	uint64_t look_version;
};

static void code_page_forget_source(struct code_page *page)
{
	wt_source_text_deinit(&page->source);
	free(page->source_file);
	page->source_file = NULL;
	page->source_line = 0;
	page->source_match = WT_SOURCE_NOT_KNOWN;
}

static void code_page_deinit(void *opaque)
{
	struct code_page *page = opaque;

	code_page_forget_source(page);
	free(page->last_file);
	free(page->rows);
	free(page->standing);
}

static uint64_t session_version(const struct wt_session *session)
{
	return session->stop_version + session->wave_version + session->code_version;
}

/* ---- Where waves stand ---- */

static uint64_t stopping_address(struct wt_view *view, const struct gfx_architecture *architecture,
				 uint64_t wave)
{
	uint64_t pc, reasons;

	if (!wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_PC, &pc) ||
	    !wt_view_number(view, WT_OBJECT_WAVE, wave, AMD_DBGAPI_WAVE_INFO_STOP_REASON,
			    &reasons) ||
	    !architecture)
		return 0;
	return wt_view_stopping_address(view, architecture, (uint32_t)reasons, pc);
}

static void code_page_find_standing(struct code_page *page, struct wt_view *view)
{
	const uint64_t *waves;
	size_t count;

	if (page->standing_version == page->session->stop_version + 1)
		return;
	page->standing_version = page->session->stop_version + 1;
	free(page->standing);
	page->standing_count = 0;
	count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	page->standing = calloc(count + 1, sizeof(*page->standing));
	for (size_t i = 0; page->standing && i < count; i++) {
		uint64_t address = stopping_address(view, page->architecture, waves[i]);

		if (address)
			page->standing[page->standing_count++] = address;
	}
	if (page->standing_count)
		qsort(page->standing, page->standing_count, sizeof(*page->standing),
		      wt_compare_u64);
}

/* The number of waves that stand at addresses below one. */
static size_t code_page_standing_below(const struct code_page *page, uint64_t address)
{
	size_t from = 0, to = page->standing_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (page->standing[middle] < address)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* ---- Instructions ---- */

static bool code_page_add_row(struct code_page *page, uint64_t address, enum row_kind kind)
{
	if (page->count == page->capacity) {
		size_t capacity = page->capacity ? 2 * page->capacity : 256;
		void *rows = reallocarray(page->rows, capacity, sizeof(*page->rows));

		if (!rows)
			return false;
		page->rows = rows;
		page->capacity = capacity;
	}
	page->rows[page->count++] = (struct row){address, kind};
	return true;
}

static bool code_page_add_instruction(struct code_page *page, const struct wavetape_place *code)
{
	if (code->symbol && !code->symbol_offset &&
	    !code_page_add_row(page, code->address, ROW_LABEL))
		return false;
	if (code->file &&
	    (code->line != page->last_line || !wt_same_text(code->file, page->last_file))) {
		free(page->last_file);
		page->last_file = strdup(code->file);
		page->last_line = code->line;
		/* Line 0 is the compiler's own. */
		if (code->line && !code_page_add_row(page, code->address, ROW_SOURCE))
			return false;
	}
	return code_page_add_row(page, code->address, ROW_INSTRUCTION);
}

/* Explain an address. Return: false if that failed. */
static bool code_page_explain(struct code_page *page, uint64_t address,
			      struct wavetape_place *code_ret)
{
	struct wt_error *error =
		wt_explain_address(page->session->explainer, page->architecture, address, code_ret);

	wt_error_destroy(error);
	return !error;
}

/* Rows of the next instruction; false if there is none. */
static bool code_page_decode_next(struct code_page *page)
{
	struct wt_explainer *explainer = wt_session_explainer(page->session);
	struct wavetape_place code;
	uint32_t size;

	if (page->ended || !explainer || page->count >= MAX_ROWS ||
	    !code_page_explain(page, page->next, &code)) {
		page->ended = true;
		return false;
	}
	size = code.instruction_bytes;
	page->ended = !size || !code_page_add_instruction(page, &code);
	page->next += size;
	wt_explain_code_deinit(&code);
	return !page->ended;
}

static const struct gfx_architecture *session_architecture(struct wt_session *session,
							   struct wt_view *view)
{
	const struct gfx_architecture *found =
		session->wave ? wt_view_architecture(view, WT_OBJECT_WAVE, session->wave) : NULL;
	const uint64_t *agents;

	if (!found && wt_view_objects(view, WT_OBJECT_AGENT, &agents))
		found = wt_view_architecture(view, WT_OBJECT_AGENT, agents[0]);
	return found;
}

static void code_page_name_source(struct code_page *page, const struct wavetape_place *place)
{
	struct wt_sources *sources = page->session->sources;

	page->source_file = strdup(place->file);
	page->source_line = place->line;
	page->source_match = WT_SOURCE_NOT_KNOWN;
	if (sources)
		wt_error_destroy(wt_sources_check(sources, place, &page->source_match));
}

/* Begin where the function around the focus does: instructions differ in length. */
static void code_page_start_at(struct code_page *page, const struct wavetape_place *code)
{
	page->next = code->symbol ? code->address - code->symbol_offset : code->address;
	if (code->file)
		code_page_name_source(page, code);
}

static void code_page_make(struct code_page *page)
{
	struct wt_session *session = page->session;
	struct wt_view *view = wt_session_view(session);
	uint64_t version = session_version(session) + 1;
	struct wavetape_place code;

	if (page->version == version)
		return;
	page->version = version;
	page->count = 0;
	page->ended = false;
	page->focus = 0;
	page->last_line = 0;
	free(wt_take(page->last_file));
	code_page_forget_source(page);
	if (!view || !wt_session_explainer(session))
		return;
	page->architecture = session_architecture(session, view);
	code_page_find_standing(page, view);
	page->focus = session->code ? session->code
				    : stopping_address(view, page->architecture, session->wave);
	if (!page->focus)
		return;
	if (!code_page_explain(page, page->focus, &code))
		return;
	code_page_start_at(page, &code);
	wt_explain_code_deinit(&code);
	while (page->next <= page->focus && code_page_decode_next(page))
		;
}

static void code_page_read_source(struct code_page *page)
{
	code_page_make(page);
	if (page->as_source && page->source_file && !page->source.data)
		wt_error_destroy(wt_source_text_read(wt_session_view(page->session),
						     page->session->maps, page->source_file,
						     &page->source));
}

/* A code object can be large, and the user may interrupt the reading of it. */
static bool code_page_is_interrupted(const struct code_page *page)
{
	const struct wt_session *session = page->session;

	return page->count % 256 == 255 && session->interrupted && session->interrupted();
}

static size_t code_page_count(void *opaque, size_t want)
{
	struct code_page *page = opaque;

	code_page_make(page);
	if (page->as_source) {
		code_page_read_source(page);
		return page->source.count ? page->source.count : 1;
	}
	if (!page->focus)
		return 1;
	while (page->count <= want && !code_page_is_interrupted(page) &&
	       code_page_decode_next(page))
		;
	return page->count ? page->count : 1;
}

static bool code_page_ended(void *opaque)
{
	const struct code_page *page = opaque;

	return page->as_source || page->ended || !page->focus;
}

static void code_put_encoding(const struct wavetape_place *code, struct wt_line *line)
{
	for (uint32_t i = 0; i < 2; i++)
		if (i < code->instruction_bytes / 4)
			wt_line_put(line, WT_STYLE_QUIET, " %08x", code->words[i]);
		else
			wt_line_put(line, WT_STYLE_QUIET, " %8s", "");
	wt_line_put(line, WT_STYLE_PLAIN, " ");
}

static void code_page_put_instruction(const struct code_page *page,
				      const struct wavetape_place *code, struct wt_line *line)
{
	size_t from = code_page_standing_below(page, code->address);
	size_t waves = code_page_standing_below(page, code->address + 1) - from;
	bool here = code->address == page->focus;

	wt_line_put(line, WT_STYLE_HERE, "%s", here ? "=>" : waves ? " *" : "  ");
	wt_line_put(line, WT_STYLE_ADDRESS, " 0x%012" PRIx64 " ", code->address);
	if (page->encodings)
		code_put_encoding(code, line);
	wt_line_put(line, WT_STYLE_PLAIN, " ");
	if (code->instruction)
		wt_line_text(line, here ? WT_STYLE_STRONG : WT_STYLE_PLAIN, code->instruction);
	else
		wt_line_put(line, WT_STYLE_QUIET, ".long 0x%08x  (%s%s)", code->words[0],
			    code->not_decoded ? "not decoded: " : "no instruction",
			    code->not_decoded ? code->not_decoded : "");
	if (waves)
		wt_line_put(line, WT_STYLE_HERE, "  ; %zu %s", waves,
			    wt_plural(waves, "wave", "waves"));
}

static void code_page_put_source_of(const struct code_page *page, const struct wavetape_place *code,
				    struct wt_line *line)
{
	const char *file = code->file ? code->file : "?";
	struct wt_lines lines;
	struct wt_error *error;

	wt_line_put(line, WT_STYLE_SOURCE, "   ");
	wt_line_text(line, WT_STYLE_SOURCE, wt_text_file_name(file));
	wt_line_put(line, WT_STYLE_SOURCE, ":%u", code->line);
	error = wt_lines_read(wt_session_view(page->session), page->session->maps, code->file,
			      code->line, &lines);
	if (error) {
		wt_error_destroy(error);
		return;
	}
	for (size_t i = 0; i < lines.count; i++)
		if (lines.first + i == code->line) {
			/* The indentation is left out: it is seen in the source itself. */
			wt_line_put(line, WT_STYLE_SOURCE, "  ");
			wt_line_text(line, WT_STYLE_SOURCE,
				     lines.text[i] + strspn(lines.text[i], " \t"));
		}
	wt_lines_deinit(&lines);
}

static void code_page_put_why(const struct code_page *page, struct wt_line *line)
{
	if (!page->session->view || (!page->session->wave && !page->focus))
		wt_session_put_why(page->session, line);
	else if (!page->focus)
		wt_line_put(line, WT_STYLE_QUIET,
			    "the wave runs at this stop: its pc is not known");
	else
		wt_line_put(line, WT_STYLE_QUIET, "no code was recorded at 0x%" PRIx64,
			    page->focus);
}

static void code_page_put_source_line(const struct code_page *page, size_t number,
				      struct wt_line *line)
{
	const char *text;
	bool here = number + 1 == page->source_line;

	if (!page->source.count) {
		wt_line_put(line, WT_STYLE_QUIET, "the source is not at hand: %s",
			    page->source_file ? "name its directory by --source-map FROM=TO"
					      : "the code object does not name it");
		return;
	}
	text = page->source.data + page->source.starts[number];
	wt_line_put(line, here ? WT_STYLE_HERE : WT_STYLE_QUIET, "%s%5zu  ", here ? "=>" : "  ",
		    number + 1);
	for (; *text == '\t'; text++)
		wt_line_put(line, WT_STYLE_PLAIN, "    ");
	wt_line_text(line, here ? WT_STYLE_STRONG : WT_STYLE_PLAIN, text);
}

static void code_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct code_page *page = opaque;
	struct wavetape_place code;

	if (page->as_source) {
		code_page_put_source_line(page, number, line);
		return;
	}
	if (!page->count) {
		code_page_put_why(page, line);
		return;
	}
	if (!code_page_explain(page, page->rows[number].address, &code))
		return;
	if (page->rows[number].kind == ROW_LABEL) {
		wt_line_text(line, WT_STYLE_NAME, code.symbol);
		wt_line_put(line, WT_STYLE_NAME, ":");
	} else if (page->rows[number].kind == ROW_SOURCE) {
		code_page_put_source_of(page, &code, line);
	} else {
		code_page_put_instruction(page, &code, line);
	}
	wt_explain_code_deinit(&code);
}

static void code_page_title(void *opaque, struct wt_line *line)
{
	struct code_page *page = opaque;

	code_page_make(page);
	if (page->source_file)
		wt_line_text(line, WT_STYLE_QUIET, page->source_file);
	if (page->source_file && page->source_line)
		wt_line_put(line, WT_STYLE_QUIET, ":%u", page->source_line);
	if (page->source_match == WT_SOURCE_DIFFERS)
		wt_line_put(line, WT_STYLE_HERE, " (differs from the one compiled)");
}

static uint64_t code_page_version(void *opaque)
{
	const struct code_page *page = opaque;

	return session_version(page->session) + page->look_version;
}

static size_t code_page_home(void *opaque)
{
	struct code_page *page = opaque;
	size_t found = 0;

	code_page_make(page);
	if (page->as_source)
		return page->source_line ? page->source_line - 1 : 0;
	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].kind == ROW_INSTRUCTION && page->rows[i].address <= page->focus)
			found = i;
	return found;
}

/* The source is that of the instruction under the cursor. */
static void code_page_take_source(struct code_page *page, size_t number)
{
	struct wavetape_place code;

	if (number >= page->count || !code_page_explain(page, page->rows[number].address, &code))
		return;
	if (code.file) {
		code_page_forget_source(page);
		code_page_name_source(page, &code);
	}
	wt_explain_code_deinit(&code);
}

static bool code_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct code_page *page = opaque;

	(void)answer;
	switch (pressed) {
	case 's':
		if (!page->as_source)
			code_page_take_source(page, line);
		page->as_source = !page->as_source;
		page->look_version++;
		return true;
	case 'e':
		page->encodings = !page->encodings;
		return true;
	default:
		return false;
	}
}

const struct wt_page_kind wt_page_code = {
	.size = sizeof(struct code_page),
	.deinit = code_page_deinit,
	.count = code_page_count,
	.line = code_page_put_line,
	.title = code_page_title,
	.ended = code_page_ended,
	.version = code_page_version,
	.home = code_page_home,
	.key = code_page_key,
	.hint = " s source  e encodings  { } waves  [ ] stops  / search  F1 help  q quit",
};
