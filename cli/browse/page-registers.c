/* SPDX-License-Identifier: MIT */
/* The page of registers: by class, with those marked that the stop before had other values of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/browse/browser-session.h"
#include "cli/browse/number.h"

#define NAME_COLUMNS 14
#define LANE_BYTES 4

enum form { FORM_HEX, FORM_INT, FORM_FLOAT, FORMS };

enum row_kind { ROW_CLASS, ROW_REGISTER, ROW_LANE };

struct row {
	enum row_kind kind;
	size_t position; /* of the register, or number of the class */
	uint32_t lane;
};

struct registers_page {
	struct wt_session *session;
	enum form form;
	bool changed_alone;
	size_t open; /* position of the vector register whose lanes are rows; SIZE_MAX: none */
	struct row *rows;
	size_t count, capacity;
	uint64_t version, look_version;
};

/* The classes that tell registers apart, in the order in which they are shown. A register is of the first that has it. */
static const char *const classes[] = {"scalar", "vector", "system", "general"};
static const size_t shown_order[] = {3, 0, 1, 2, 4};
#define CLASS_COUNT (sizeof(shown_order) / sizeof(*shown_order))

static void registers_page_begin(void *opaque)
{
	struct registers_page *page = opaque;

	page->open = SIZE_MAX;
}

static void registers_page_deinit(void *opaque)
{
	struct registers_page *page = opaque;

	free(page->rows);
}

/* ---- What it was before ---- */

/* The same register at the stop before; false if it was not recorded there. */
static bool registers_page_find_earlier(struct registers_page *page, size_t position,
					const struct wt_view_register *reg,
					struct wt_view_register *earlier_ret)
{
	struct wt_view *earlier = wt_session_earlier(page->session);
	uint64_t wave = page->session->wave;

	if (!earlier || !wt_view_register_count(earlier, wave))
		return false;
	if (!wt_view_register_at(earlier, wave, position, earlier_ret) ||
	    strcmp(earlier_ret->name, reg->name))
		if (!wt_view_register(earlier, wave, reg->name, earlier_ret))
			return false;
	return earlier_ret->value && earlier_ret->size == reg->size;
}

/* Has one of so many bytes of the register changed? */
static bool registers_page_has_changed(struct registers_page *page, size_t position,
				       const struct wt_view_register *reg, size_t from, size_t size)
{
	struct wt_view_register earlier;

	return reg->value && registers_page_find_earlier(page, position, reg, &earlier) &&
	       memcmp(reg->value + from, earlier.value + from, size) != 0;
}

/* ---- Rows ---- */

static void registers_page_add_row(struct registers_page *page, enum row_kind kind, size_t position,
				   uint32_t lane)
{
	if (page->count == page->capacity) {
		size_t capacity = page->capacity ? 2 * page->capacity : 256;
		void *rows = reallocarray(page->rows, capacity, sizeof(*page->rows));

		if (!rows)
			return;
		page->rows = rows;
		page->capacity = capacity;
	}
	page->rows[page->count++] = (struct row){kind, position, lane};
}

static size_t register_class(struct wt_view *view, const struct wt_view_register *reg)
{
	size_t number = 0;

	while (number < sizeof(classes) / sizeof(*classes) &&
	       !wt_view_register_in_class(view, reg->id, classes[number]))
		number++;
	return number;
}

static void registers_page_add_register(struct registers_page *page, size_t position,
					const struct wt_view_register *reg)
{
	if (page->changed_alone && !registers_page_has_changed(page, position, reg, 0, reg->size))
		return;
	registers_page_add_row(page, ROW_REGISTER, position, 0);
	for (uint32_t lane = 0; position == page->open && lane < reg->size / LANE_BYTES; lane++)
		registers_page_add_row(page, ROW_LANE, position, lane);
}

static void registers_page_add_class(struct registers_page *page, struct wt_view *view,
				     const unsigned char *class_numbers, size_t total,
				     size_t number)
{
	size_t before = page->count;
	struct wt_view_register reg;

	registers_page_add_row(page, ROW_CLASS, number, 0);
	for (size_t i = 0; i < total; i++)
		if (class_numbers[i] == number &&
		    wt_view_register_at(view, page->session->wave, i, &reg))
			registers_page_add_register(page, i, &reg);
	if (page->count == before + 1)
		page->count = before;
}

static void registers_page_make(struct registers_page *page)
{
	struct wt_session *session = page->session;
	uint64_t version = session->stop_version + session->wave_version + page->look_version + 1;
	struct wt_view *view = wt_session_view(session);
	unsigned char *class_numbers;
	size_t total;

	if (page->version == version)
		return;
	page->version = version;
	page->count = 0;
	total = view && session->wave ? wt_view_register_count(view, session->wave) : 0;
	class_numbers = calloc(total + 1, 1);
	for (size_t i = 0; class_numbers && i < total; i++) {
		struct wt_view_register reg;

		if (wt_view_register_at(view, session->wave, i, &reg))
			class_numbers[i] = (unsigned char)register_class(view, &reg);
	}
	for (size_t i = 0; class_numbers && i < CLASS_COUNT; i++)
		registers_page_add_class(page, view, class_numbers, total, shown_order[i]);
	free(class_numbers);
}

static size_t registers_page_count(void *opaque, size_t want)
{
	struct registers_page *page = opaque;

	(void)want;
	registers_page_make(page);
	return page->count ? page->count : 1;
}

/* ---- Lines ---- */

static void register_put_word(enum form form, unsigned int style, uint32_t word,
			      struct wt_line *line)
{
	char text[WT_NUMBER_MAX];

	switch (form) {
	case FORM_INT:
		wt_line_put(line, style, "%11" PRId32, (int32_t)word);
		break;
	case FORM_FLOAT:
		wt_line_put(line, style, "%13s", wt_number_float(word, text));
		break;
	case FORM_HEX:
	case FORMS:
		wt_line_put(line, style, "%08" PRIx32, word);
	}
}

static bool registers_page_is_active(const struct registers_page *page, uint32_t lane)
{
	uint64_t exec = wt_view_number_or(page->session->view, WT_OBJECT_WAVE, page->session->wave,
					  AMD_DBGAPI_WAVE_INFO_EXEC_MASK, UINT64_MAX);

	return lane >= 64 || (exec >> lane & 1);
}

static bool register_lanes_equal(const struct wt_view_register *reg)
{
	return !memcmp(reg->value, reg->value + LANE_BYTES, reg->size - LANE_BYTES);
}

static void registers_page_put_lanes(struct registers_page *page, size_t position,
				     const struct wt_view_register *reg, struct wt_line *line)
{
	uint32_t lanes = reg->size / LANE_BYTES;
	bool one = lanes > 1 && register_lanes_equal(reg) &&
		   !registers_page_has_changed(page, position, reg, 0, reg->size);

	if (one)
		wt_line_put(line, WT_STYLE_QUIET, "all %u lanes ", lanes);
	for (uint32_t lane = 0; lane < (one ? 1 : lanes); lane++) {
		size_t from = (size_t)lane * LANE_BYTES;
		bool changed =
			!one && registers_page_has_changed(page, position, reg, from, LANE_BYTES);
		unsigned int style = changed ? WT_STYLE_CHANGED
				     : !one && !registers_page_is_active(page, lane)
					     ? WT_STYLE_QUIET
					     : WT_STYLE_PLAIN;

		register_put_word(page->form, style,
				  (uint32_t)wt_number_read(reg->value + from, LANE_BYTES), line);
		wt_line_put(line, WT_STYLE_PLAIN, " ");
	}
}

static void registers_page_put_value(struct registers_page *page, size_t position,
				     const struct wt_view_register *reg, struct wt_line *line)
{
	bool changed = registers_page_has_changed(page, position, reg, 0, reg->size);
	unsigned int style = changed ? WT_STYLE_CHANGED : WT_STYLE_PLAIN;
	char text[WT_NUMBER_MAX];
	uint64_t number;

	wt_line_put(line, WT_STYLE_CHANGED, "%s ", changed ? "*" : " ");
	wt_line_field(line, style, reg->name, NAME_COLUMNS);
	wt_line_put(line, WT_STYLE_PLAIN, " ");
	if (!reg->value) {
		wt_line_put(line, WT_STYLE_QUIET, "not recorded");
		return;
	}
	if (reg->vector && reg->size >= LANE_BYTES) {
		registers_page_put_lanes(page, position, reg, line);
		return;
	}
	number = wt_number_read(reg->value, reg->size);
	if (reg->size > 8) {
		for (size_t i = reg->size; i-- > 0;)
			wt_line_put(line, style, "%02x", reg->value[i]);
	} else if (reg->size > 4) {
		wt_line_put(line, style, "0x%016" PRIx64, number);
	} else {
		wt_line_put(line, style, "0x%08" PRIx64 "  ", number);
		wt_line_put(line, style, "%11" PRId32 "  ", (int32_t)number);
		wt_line_put(line, WT_STYLE_QUIET, "%13s", wt_number_float((uint32_t)number, text));
	}
}

static void registers_page_put_lane(struct registers_page *page, const struct row *row,
				    const struct wt_view_register *reg, struct wt_line *line)
{
	size_t from = (size_t)row->lane * LANE_BYTES;
	bool changed, active = registers_page_is_active(page, row->lane);
	char text[WT_NUMBER_MAX];
	unsigned int style;
	uint32_t word;

	if (!reg->value)
		return;
	changed = registers_page_has_changed(page, row->position, reg, from, LANE_BYTES);
	style = changed ? WT_STYLE_CHANGED : active ? WT_STYLE_PLAIN : WT_STYLE_QUIET;
	word = (uint32_t)wt_number_read(reg->value + from, LANE_BYTES);
	wt_line_put(line, WT_STYLE_CHANGED, "%s ", changed ? "*" : " ");
	wt_line_put(line, style, "  lane %2u      0x%08x  %11" PRId32 "  %13s%s", row->lane, word,
		    (int32_t)word, wt_number_float(word, text), active ? "" : "  not active");
}

static void registers_page_put_class(const struct registers_page *page, size_t number,
				     struct wt_line *line)
{
	const char *name = number < sizeof(classes) / sizeof(*classes) ? classes[number] : "other";

	wt_line_put(line, WT_STYLE_STRONG, "%s", name);
	if (!strcmp(name, "vector"))
		wt_line_put(line, WT_STYLE_QUIET, "  lanes 0, 1, 2 ... as %s",
			    page->form == FORM_HEX   ? "hex"
			    : page->form == FORM_INT ? "int"
						     : "float");
}

static void registers_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	struct registers_page *page = opaque;
	struct wt_view_register reg;
	const struct row *row;

	if (!page->count) {
		if (!page->session->view || !page->session->wave)
			wt_session_put_why(page->session, line);
		else if (page->changed_alone)
			wt_line_put(line, WT_STYLE_QUIET, "none has changed; c shows all");
		else
			wt_line_put(line, WT_STYLE_QUIET,
				    "no register of this wave was recorded at this stop");
		return;
	}
	row = &page->rows[number];
	if (row->kind == ROW_CLASS)
		registers_page_put_class(page, row->position, line);
	else if (!wt_view_register_at(page->session->view, page->session->wave, row->position,
				      &reg))
		wt_line_put(line, WT_STYLE_QUIET, "not recorded");
	else if (row->kind == ROW_LANE)
		registers_page_put_lane(page, row, &reg, line);
	else
		registers_page_put_value(page, row->position, &reg, line);
}

static void registers_page_title(void *opaque, struct wt_line *line)
{
	struct registers_page *page = opaque;
	struct wt_session *session = page->session;
	struct wt_view *earlier = session->wave ? wt_session_earlier(session) : NULL;

	if (session->wave)
		wt_line_put(line, WT_STYLE_QUIET, "w%" PRIu64, session->wave);
	if (earlier && wt_view_register_count(earlier, session->wave))
		wt_line_put(line, WT_STYLE_QUIET, ", * changed since stop %u",
			    session->earlier_stop);
}

static uint64_t registers_page_version(void *opaque)
{
	const struct registers_page *page = opaque;

	return page->session->stop_version + page->session->wave_version;
}

/* A register and the next one are an address together. */
static bool registers_page_follow(struct registers_page *page, const struct row *row,
				  struct wt_outcome *answer)
{
	struct wt_view *view = page->session->view;
	uint64_t wave = page->session->wave, value;
	struct wt_view_register reg, next;
	size_t from = (size_t)row->lane * LANE_BYTES;

	if (!wt_view_register_at(view, wave, row->position, &reg) || !reg.value)
		return false;
	if (!reg.vector && reg.size > LANE_BYTES) {
		value = wt_number_read(reg.value, reg.size);
	} else {
		value = wt_number_read(reg.value + from, LANE_BYTES);
		if (wt_view_register_at(view, wave, row->position + 1, &next) && next.value &&
		    next.vector == reg.vector && next.size == reg.size)
			value |= wt_number_read(next.value + from, LANE_BYTES) << 32;
	}
	wt_session_follow(page->session, value, answer);
	return true;
}

/* A row of lanes, or what a register points to. */
static bool registers_page_enter(struct registers_page *page, size_t line,
				 struct wt_outcome *answer)
{
	const struct row *row;
	struct wt_view_register reg;

	if (line >= page->count || page->rows[line].kind == ROW_CLASS)
		return false;
	row = &page->rows[line];
	if (row->kind == ROW_REGISTER &&
	    wt_view_register_at(page->session->view, page->session->wave, row->position, &reg) &&
	    reg.vector) {
		page->open = page->open == row->position ? SIZE_MAX : row->position;
		page->look_version++;
		return true;
	}
	return registers_page_follow(page, row, answer);
}

static bool registers_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct registers_page *page = opaque;

	switch (pressed) {
	case 'x':
		page->form = (enum form)((page->form + 1) % FORMS);
		return true;
	case 'c':
		page->changed_alone = !page->changed_alone;
		page->look_version++;
		return true;
	case WT_KEY_ENTER:
		return registers_page_enter(page, line, answer);
	default:
		return false;
	}
}

const struct wt_page_kind wt_page_registers = {
	.size = sizeof(struct registers_page),
	.begin = registers_page_begin,
	.deinit = registers_page_deinit,
	.count = registers_page_count,
	.line = registers_page_put_line,
	.title = registers_page_title,
	.version = registers_page_version,
	.key = registers_page_key,
	.hint = " Enter lanes, pointer  x form  c changed  { } waves  [ ] stops  F1 help",
};
