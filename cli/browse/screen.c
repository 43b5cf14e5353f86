/* SPDX-License-Identifier: MIT */
#include "cli/browse/screen.h"

#include <stdio.h>
#include <string.h>

static void line_fill_up(struct wt_line *line, size_t columns)
{
	while (line->columns < columns)
		wt_line_put(line, line->columns ? line->styles[line->columns - 1] : WT_STYLE_BAR,
			    " ");
}

/* Names where there is room for all, else that of the page that is shown alone. */
static void screen_put_tabs(const struct wt_model *model, struct wt_line *line)
{
	enum wt_page active = wt_model_active(model);
	enum wt_page last = active == WT_PAGE_HELP ? WT_PAGE_HELP : WT_PAGE_JOURNAL;
	size_t needed = 1;

	for (enum wt_page page = 0; page <= last; page++)
		needed += strlen(wt_page_name(page)) + 3;
	for (enum wt_page page = 0; page <= last; page++) {
		unsigned int style = page == active ? WT_STYLE_TAB : WT_STYLE_BAR;

		if (page < WT_PAGE_HELP)
			wt_line_put(line, style, " %d", (int)page + 1);
		if (page == active || needed <= model->columns)
			wt_line_put(line, style, " %s", wt_page_name(page));
		if (page == active)
			wt_line_put(line, style, " ");
	}
}

/* Put the cursor's line and the number of lines at the right end of the title. */
static void screen_put_position(struct wt_model *model, enum wt_page page, size_t columns,
				struct wt_line *line)
{
	struct wt_list list;
	struct wt_pane *pane = wt_model_pane(model, page, &list);
	size_t count = list.count(list.opaque, pane->top + pane->height), length;
	struct wt_line text;
	char left[32] = "";

	wt_line_clear(&text);
	if (pane->left)
		snprintf(left, sizeof(left), "column %zu, ", pane->left + 1);
	if (count)
		wt_line_put(&text, WT_STYLE_QUIET, " %s%zu/%zu%s", left, pane->cursor + 1, count,
			    model->book->ended(model->book->opaque, page) ? "" : "+");
	length = text.columns < columns ? text.columns : columns;
	if (line->columns > columns - length)
		line->columns = columns - length;
	while (line->columns < columns - length)
		wt_line_put(line, WT_STYLE_QUIET, " ");
	wt_line_window(line, &text, 0, length, 0);
}

static void screen_put_title(struct wt_model *model, enum wt_page page, size_t columns,
			     struct wt_line *line)
{
	struct wt_line title;
	struct wt_list list;

	/* A title may say what is under the cursor. */
	wt_model_pane(model, page, &list);
	wt_line_clear(&title);
	wt_line_put(&title, page == wt_model_active(model) ? WT_STYLE_STRONG : WT_STYLE_QUIET, "%s",
		    wt_page_name(page));
	wt_line_put(&title, WT_STYLE_QUIET, "  ");
	model->book->title(model->book->opaque, page, &title);
	screen_put_position(model, page, columns, &title);
	wt_line_window(line, &title, 0, columns, 0);
}

/* @row: of the window, from 0. */
static void screen_put_body(struct wt_model *model, enum wt_page page, size_t row, size_t columns,
			    struct wt_line *line)
{
	struct wt_list list;
	struct wt_pane *pane = wt_model_pane(model, page, &list);
	size_t number = pane->top + row;
	struct wt_line body;
	unsigned int flags = 0;

	wt_line_clear(&body);
	if (number < list.count(list.opaque, number)) {
		list.line(list.opaque, number, &body);
		if (model->has_regex)
			wt_pane_mark(&body, &model->regex);
		if (number == pane->cursor)
			flags = page == wt_model_active(model) ? WT_STYLE_CURSOR : WT_STYLE_AWAY;
	}
	wt_line_window(line, &body, pane->left, columns, flags);
	/* There is more to the right. */
	if (body.columns > pane->left + columns && columns) {
		line->cells[line->columns - 1] = '>';
		line->styles[line->columns - 1] = (unsigned char)(WT_STYLE_QUIET | flags);
	}
}

static void screen_put_last(const struct wt_model *model, struct wt_line *line)
{
	if (model->prompt) {
		wt_line_put(line, WT_STYLE_PLAIN, "%c", model->prompt);
		wt_line_text(line, WT_STYLE_PLAIN, model->input);
		if (model->prompt == '?' && !model->input_size)
			wt_line_put(line, WT_STYLE_QUIET, "    (search back; Enter alone: help)");
	} else if (model->pending) {
		wt_line_put(line, WT_STYLE_PLAIN, "%s which mark, a to z?",
			    model->pending == 'm' ? "set" : "go to");
	} else if (model->message[0]) {
		wt_line_text(line, WT_STYLE_STRONG, model->message);
	} else {
		wt_line_text(line, WT_STYLE_BAR,
			     model->book->hint(model->book->opaque, wt_model_active(model)));
		line_fill_up(line, model->columns);
	}
}

static void screen_put_panes(struct wt_model *model, size_t row, struct wt_line *line)
{
	enum wt_page beside = wt_model_beside(model);
	size_t left = wt_model_left_columns(model);

	if (row == 2)
		screen_put_title(model, model->page, left, line);
	else
		screen_put_body(model, model->page, row - 3, left, line);
	if (beside == model->page)
		return;
	wt_line_put(line, WT_STYLE_QUIET, "|");
	if (row == 2)
		screen_put_title(model, beside, model->columns - left - 1, line);
	else
		screen_put_body(model, beside, row - 3, model->columns - left - 1, line);
}

static void screen_put_too_small(const struct wt_model *model, size_t row, struct wt_line *line)
{
	if (row == 0)
		wt_line_put(line, WT_STYLE_STRONG, "too small: %zux%zu", model->columns,
			    model->rows);
	else if (row == 1)
		wt_line_put(line, WT_STYLE_PLAIN, "%dx%d is needed; q quits", WT_MIN_COLUMNS,
			    WT_MIN_ROWS);
}

void wt_screen_row(struct wt_model *model, size_t row, struct wt_line *line)
{
	struct wt_line whole;

	wt_line_clear(&whole);
	if (wt_model_is_too_small(model)) {
		screen_put_too_small(model, row, &whole);
	} else if (row == 0) {
		screen_put_tabs(model, &whole);
		while (whole.columns < model->columns)
			wt_line_put(&whole, WT_STYLE_BAR, " ");
	} else if (row == 1) {
		model->book->context(model->book->opaque, &whole);
	} else if (row + 1 == model->rows) {
		screen_put_last(model, &whole);
	} else {
		screen_put_panes(model, row, &whole);
	}
	wt_line_clear(line);
	wt_line_window(line, &whole, 0, model->columns, 0);
}

bool wt_screen_cursor(const struct wt_model *model, size_t *row_ret, size_t *column_ret)
{
	struct wt_line line;

	if (!model->prompt || wt_model_is_too_small(model))
		return false;
	wt_line_clear(&line);
	wt_line_text(&line, WT_STYLE_PLAIN, model->input);
	*row_ret = model->rows - 1;
	*column_ret = line.columns + 1;
	return true;
}
