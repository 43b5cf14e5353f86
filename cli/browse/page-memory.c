/* SPDX-License-Identifier: MIT */
/* The page of memory: all that was recorded of an address space, and Enter follows the pointer under the cursor. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/browse/browser-session.h"
#include "cli/browse/number.h"

#define ROW_BYTES 16u
#define POINTER_BYTES 8u

enum form { FORM_BYTES, FORM_WORDS, FORM_LONGS, FORM_INT, FORM_FLOAT, FORMS };

/* Bytes that were recorded without a gap, with a line above them that says so. */
struct run {
	uint64_t from, to;
	size_t first; /* number of that line */
};

struct memory_page {
	struct wt_session *session;
	enum form form;
	unsigned int column; /* which of the row's pointers the cursor is on */
	struct run *runs;
	size_t run_count, capacity, count;
	uint64_t version; /* for which they are */
};

static const char *const names[WT_SPACES] = {"global", "local", "private_wave"};

static void memory_page_deinit(void *opaque)
{
	struct memory_page *page = opaque;

	free(page->runs);
}

/* The owner of the memory that is shown: a workgroup, a wave, or the process. */
static uint64_t session_memory_owner(const struct wt_session *session, struct wt_view *view)
{
	switch (session->space) {
	case WT_SPACE_LOCAL:
		return wt_view_number_or(view, WT_OBJECT_WAVE, session->wave,
					 AMD_DBGAPI_WAVE_INFO_WORKGROUP, 0);
	case WT_SPACE_PRIVATE:
		return session->wave;
	case WT_SPACE_GLOBAL:
	case WT_SPACES:
		break;
	}
	return wt_view_moment(view)->process;
}

static size_t run_row_count(const struct run *run)
{
	uint64_t begin = run->from - run->from % ROW_BYTES;

	return (size_t)((run->to - begin + ROW_BYTES - 1) / ROW_BYTES);
}

static bool memory_page_add_run(struct memory_page *page, uint64_t from, uint64_t to)
{
	if (page->run_count == page->capacity) {
		size_t capacity = page->capacity ? 2 * page->capacity : 64;
		void *runs = reallocarray(page->runs, capacity, sizeof(*page->runs));

		if (!runs)
			return false;
		page->runs = runs;
		page->capacity = capacity;
	}
	page->runs[page->run_count] = (struct run){from, to, page->count};
	page->count += 1 + run_row_count(&page->runs[page->run_count++]);
	return true;
}

static uint64_t session_memory_version(const struct wt_session *session)
{
	return session->stop_version + session->wave_version + session->address_version;
}

static void memory_page_make(struct memory_page *page)
{
	struct wt_session *session = page->session;
	struct wt_view *view = wt_session_view(session);
	uint64_t address = 0, from, to, owner;

	if (page->version == session_memory_version(session) + 1)
		return;
	page->version = session_memory_version(session) + 1;
	page->run_count = page->count = 0;
	if (!view || (session->space != WT_SPACE_GLOBAL && !session->wave))
		return;
	owner = session_memory_owner(session, view);
	if (!owner)
		return;
	while (wt_view_memory_next(view, names[session->space], owner, address, &from, &to) &&
	       to > address && memory_page_add_run(page, from, to))
		address = to;
}

/* The run that has a line. */
static const struct run *memory_page_run(const struct memory_page *page, size_t number)
{
	size_t from = 0, to = page->run_count;

	while (to - from > 1) {
		size_t middle = from + (to - from) / 2;

		if (page->runs[middle].first <= number)
			from = middle;
		else
			to = middle;
	}
	return &page->runs[from];
}

/* The address of a row; false for the line above a run. */
static bool memory_page_address(const struct memory_page *page, size_t number,
				const struct run **run_ret, uint64_t *address_ret)
{
	*run_ret = memory_page_run(page, number);
	if (number == (*run_ret)->first)
		return false;
	*address_ret = (*run_ret)->from - (*run_ret)->from % ROW_BYTES +
		       (uint64_t)(number - (*run_ret)->first - 1) * ROW_BYTES;
	return true;
}

static size_t memory_page_count(void *opaque, size_t want)
{
	struct memory_page *page = opaque;

	(void)want;
	memory_page_make(page);
	return page->count ? page->count : 1;
}

/* Bytes of a row, as far as they are of the run: bits of @known_ret. */
static void memory_page_read_row(const struct memory_page *page, struct wt_view *view,
				 const struct run *run, uint64_t address, uint8_t bytes[ROW_BYTES],
				 uint32_t *known_ret)
{
	uint64_t from = address < run->from ? run->from : address;
	uint64_t to = run->to - address < ROW_BYTES ? run->to : address + ROW_BYTES;
	size_t offset = (size_t)(from - address), size;

	memset(bytes, 0, ROW_BYTES);
	size = wt_view_memory(view, names[page->session->space], page->session->wave, 0, from,
			      bytes + offset, (size_t)(to - from));
	*known_ret = ((1U << size) - 1) << offset;
}

struct memory_row {
	uint64_t address;
	uint8_t bytes[ROW_BYTES];
	uint32_t known, changed; /* bit for each byte */
	unsigned int flagged; /* the byte at which the cursor's pointer begins; ROW_BYTES: none */
};

static void memory_row_find_changes(struct memory_page *page, const struct run *run,
				    struct memory_row *row)
{
	struct wt_view *earlier = wt_session_earlier(page->session);
	uint8_t before[ROW_BYTES];
	uint32_t known;

	if (!earlier)
		return;
	memory_page_read_row(page, earlier, run, row->address, before, &known);
	for (unsigned int i = 0; i < ROW_BYTES; i++)
		if ((known & row->known) >> i & 1 && before[i] != row->bytes[i])
			row->changed |= 1U << i;
}

static unsigned int memory_row_style(const struct memory_row *row, unsigned int from,
				     unsigned int size)
{
	uint32_t mask = ((1U << size) - 1) << from;
	unsigned int style = row->changed & mask ? WT_STYLE_CHANGED : WT_STYLE_PLAIN;

	if (from >= row->flagged && from < row->flagged + POINTER_BYTES)
		style |= WT_STYLE_MATCH;
	return style;
}

static bool memory_row_is_known(const struct memory_row *row, unsigned int from, unsigned int size)
{
	uint32_t mask = ((1U << size) - 1) << from;

	return (row->known & mask) == mask;
}

static void memory_row_put_bytes(const struct memory_row *row, struct wt_line *line)
{
	for (unsigned int i = 0; i < ROW_BYTES; i++) {
		if (i)
			wt_line_put(line, WT_STYLE_PLAIN, i == ROW_BYTES / 2 ? "  " : " ");
		if (memory_row_is_known(row, i, 1))
			wt_line_put(line, memory_row_style(row, i, 1), "%02x", row->bytes[i]);
		else
			wt_line_put(line, WT_STYLE_QUIET, "  ");
	}
}

static void memory_row_put_cells(enum form form, const struct memory_row *row, struct wt_line *line)
{
	unsigned int size = form == FORM_LONGS ? 8 : 4;
	char text[WT_NUMBER_MAX];

	for (unsigned int i = 0; i < ROW_BYTES; i += size) {
		uint64_t number = wt_number_read(row->bytes + i, size);
		unsigned int style = memory_row_style(row, i, size);

		if (i)
			wt_line_put(line, WT_STYLE_PLAIN, "  ");
		if (!memory_row_is_known(row, i, size))
			wt_line_put(line, WT_STYLE_QUIET, "%*s", size == 8 ? 18 : 13, "");
		else if (form == FORM_INT)
			wt_line_put(line, style, "%13" PRId32, (int32_t)number);
		else if (form == FORM_FLOAT)
			wt_line_put(line, style, "%13s", wt_number_float((uint32_t)number, text));
		else
			wt_line_put(line, style, size == 8 ? "0x%016" PRIx64 : "   0x%08" PRIx64,
				    number);
	}
}

static void memory_row_put_characters(const struct memory_row *row, struct wt_line *line)
{
	wt_line_put(line, WT_STYLE_QUIET, " ");
	for (unsigned int i = 0; i < ROW_BYTES; i++)
		wt_line_put(line, WT_STYLE_QUIET, "%c",
			    !memory_row_is_known(row, i, 1)		     ? ' '
			    : row->bytes[i] < 0x7f && isprint(row->bytes[i]) ? row->bytes[i]
									     : '.');
}

static void memory_page_put_why(const struct memory_page *page, struct wt_line *line)
{
	struct wt_trace_info info;

	if (!page->session->view) {
		wt_session_put_why(page->session, line);
		return;
	}
	wt_reader_info(page->session->trace->reader, &info);
	wt_line_put(line, WT_STYLE_QUIET, "no %s memory was recorded here%s",
		    names[page->session->space],
		    info.redacted ? ": it was left out on purpose (--redact)" : "");
}

static void memory_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct memory_page *page = opaque;
	struct memory_row row = {.flagged = ROW_BYTES};
	const struct run *run;

	if (!page->count) {
		memory_page_put_why(page, line);
		return;
	}
	if (!memory_page_address(page, number, &run, &row.address)) {
		wt_line_put(line, WT_STYLE_QUIET, "0x%012" PRIx64 " - 0x%012" PRIx64, run->from,
			    run->to);
		wt_line_put(line, WT_STYLE_QUIET, "  %" PRIu64 " bytes", run->to - run->from);
		return;
	}
	memory_page_read_row(page, page->session->view, run, row.address, row.bytes, &row.known);
	memory_row_find_changes(page, run, &row);
	if (page->session->cursors[WT_PAGE_MEMORY] == number)
		row.flagged = page->column * POINTER_BYTES;
	wt_line_put(line, WT_STYLE_ADDRESS, "%012" PRIx64, row.address);
	wt_line_put(line, WT_STYLE_CHANGED, row.changed ? "*" : " ");
	if (page->form == FORM_BYTES)
		memory_row_put_bytes(&row, line);
	else
		memory_row_put_cells(page->form, &row, line);
	if (page->form < FORM_INT)
		memory_row_put_characters(&row, line);
}

/* The pointer under the cursor; false if there is none. */
static bool memory_page_pointer(const struct memory_page *page, size_t number,
				uint64_t *address_ret, uint64_t *value_ret)
{
	struct memory_row row = {.flagged = ROW_BYTES};
	unsigned int from = page->column * POINTER_BYTES;
	const struct run *run;

	if (!page->count || number >= page->count ||
	    !memory_page_address(page, number, &run, &row.address))
		return false;
	memory_page_read_row(page, page->session->view, run, row.address, row.bytes, &row.known);
	if (!memory_row_is_known(&row, from, POINTER_BYTES))
		return false;
	*address_ret = row.address + from;
	*value_ret = wt_number_read(row.bytes + from, POINTER_BYTES);
	return true;
}

static void memory_page_title(void *opaque, struct wt_line *line)
{
	struct memory_page *page = opaque;
	static const char *const forms[FORMS] = {"bytes", "words", "long words", "int", "float"};
	uint64_t address, value;

	memory_page_make(page);
	wt_line_put(line, WT_STYLE_QUIET, "%s", names[page->session->space]);
	if (page->session->space != WT_SPACE_GLOBAL)
		wt_line_put(line, WT_STYLE_QUIET, " of w%" PRIu64, page->session->wave);
	wt_line_put(line, WT_STYLE_QUIET, ", %s", forms[page->form]);
	if (memory_page_pointer(page, page->session->cursors[WT_PAGE_MEMORY], &address, &value))
		wt_line_put(line, WT_STYLE_QUIET, "  %" PRIx64 " -> 0x%" PRIx64, address, value);
}

static uint64_t memory_page_version(void *opaque)
{
	const struct memory_page *page = opaque;

	return session_memory_version(page->session);
}

static size_t memory_page_home(void *opaque)
{
	struct memory_page *page = opaque;
	uint64_t address = page->session->address;
	size_t found = 0;

	memory_page_make(page);
	for (size_t i = 0; i < page->run_count && page->runs[i].from <= address; i++) {
		const struct run *run = &page->runs[i];
		uint64_t begin = run->from - run->from % ROW_BYTES;

		found = run->first + 1;
		if (address < run->to)
			found += (size_t)((address - begin) / ROW_BYTES);
		else
			found = run->first + run_row_count(run);
	}
	if (found)
		page->column = address % ROW_BYTES >= POINTER_BYTES;
	return found;
}

static bool memory_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct memory_page *page = opaque;
	uint64_t address, value;

	switch (pressed) {
	case 'h':
	case WT_KEY_LEFT:
	case 'l':
	case WT_KEY_RIGHT:
		page->column = pressed == 'l' || pressed == WT_KEY_RIGHT;
		return true;
	case 'x':
		page->form = (enum form)((page->form + 1) % FORMS);
		return true;
	case 'a':
		wt_session_go_address(
			page->session,
			(enum wt_memory_space)((page->session->space + 1) % WT_SPACES), 0);
		return true;
	case WT_KEY_ENTER:
		if (!memory_page_pointer(page, line, &address, &value))
			return false;
		/* The way back leads here. */
		page->session->address = address;
		wt_session_follow(page->session, value, answer);
		return true;
	default:
		return false;
	}
}

const struct wt_page_kind wt_page_memory = {
	.size = sizeof(struct memory_page),
	.deinit = memory_page_deinit,
	.count = memory_page_count,
	.line = memory_page_put_line,
	.title = memory_page_title,
	.version = memory_page_version,
	.home = memory_page_home,
	.key = memory_page_key,
	.hint = " Enter follow  h l column  x form  a space  :x ADDRESS  Esc back  F1 help",
};
