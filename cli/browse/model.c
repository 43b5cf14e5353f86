/* SPDX-License-Identifier: MIT */
#include "cli/browse/model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *wt_page_name(enum wt_page page)
{
	static const char *const names[WT_PAGES] = {
		"Info",	 "Stops", "Waves",   "Code", "Registers", "Memory",
		"Stack", "Cause", "Journal", "Help", "Way",
	};

	return names[page];
}

void wt_model_init(struct wt_model *model, const struct wt_book *book)
{
	memset(model, 0, sizeof(*model));
	model->book = book;
	for (enum wt_page page = 0; page < WT_PAGES; page++)
		model->lists[page] = (struct wt_page_list){book, page};
}

void wt_model_deinit(struct wt_model *model)
{
	if (model->has_regex)
		regfree(&model->regex);
	model->has_regex = false;
}

void wt_model_say(struct wt_model *model, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(model->message, sizeof(model->message), format, arguments);
	va_end(arguments);
}

/* ---- What is where ---- */

bool wt_model_is_too_small(const struct wt_model *model)
{
	return model->rows < WT_MIN_ROWS || model->columns < WT_MIN_COLUMNS;
}

/* The page that is shown beside another one; the page itself if none is. */
static enum wt_page page_companion(enum wt_page page)
{
	switch (page) {
	case WT_PAGE_STOPS:
		return WT_PAGE_WAVES;
	case WT_PAGE_CODE:
	case WT_PAGE_MEMORY:
		return WT_PAGE_REGISTERS;
	case WT_PAGE_WAVES:
	case WT_PAGE_REGISTERS:
	case WT_PAGE_STACK:
	case WT_PAGE_CAUSE:
		return WT_PAGE_CODE;
	case WT_PAGE_OVERVIEW:
	case WT_PAGE_JOURNAL:
	case WT_PAGE_HELP:
	case WT_PAGE_WAY:
	case WT_PAGES:
		break;
	}
	return page;
}

enum wt_page wt_model_beside(const struct wt_model *model)
{
	return model->columns < WT_WIDE_COLUMNS ? model->page : page_companion(model->page);
}

size_t wt_model_left_columns(const struct wt_model *model)
{
	return wt_model_beside(model) == model->page ? model->columns : model->columns / 2;
}

enum wt_page wt_model_active(const struct wt_model *model)
{
	return model->aside ? wt_model_beside(model) : model->page;
}

static void model_tell_look(struct wt_model *model, enum wt_page page)
{
	size_t left = wt_model_left_columns(model);

	model->book->look(model->book->opaque, page,
			  page == model->page ? left : model->columns - left - 1,
			  model->panes[page].cursor);
}

static size_t list_count(void *opaque, size_t want)
{
	const struct wt_page_list *list = opaque;

	return list->book->count(list->book->opaque, list->page, want);
}

static void list_line(void *opaque, size_t number, struct wt_line *line)
{
	const struct wt_page_list *list = opaque;

	list->book->line(list->book->opaque, list->page, number, line);
}

struct wt_pane *wt_model_pane(struct wt_model *model, enum wt_page page, struct wt_list *list_ret)
{
	const struct wt_book *book = model->book;
	struct wt_pane *pane = &model->panes[page];
	uint64_t version;

	*list_ret = (struct wt_list){list_count, list_line, &model->lists[page]};
	model_tell_look(model, page);
	pane->height = model->rows > WT_BAR_ROWS ? model->rows - WT_BAR_ROWS : 1;
	version = book->version(book->opaque, page);
	if (!model->seen[page] || model->versions[page] != version) {
		model->seen[page] = true;
		model->versions[page] = version;
		wt_pane_center(pane, list_ret, book->home(book->opaque, page));
	} else {
		/* The list, or the window, may have become smaller. */
		wt_pane_go(pane, list_ret, pane->cursor);
	}
	model_tell_look(model, page);
	return pane;
}

void wt_model_resize(struct wt_model *model, size_t rows, size_t columns)
{
	model->rows = rows;
	model->columns = columns < WT_LINE_COLUMNS ? columns : WT_LINE_COLUMNS;
	if (wt_model_beside(model) == model->page && model->aside) {
		/* The page that has the keys stays. */
		model->page = page_companion(model->page);
		model->aside = false;
	}
}

/* ---- To and fro ---- */

struct wt_spot wt_model_spot(struct wt_model *model)
{
	enum wt_page page = wt_model_active(model);
	struct wt_spot spot = {.set = true, .page = page, .pane = model->panes[page]};

	model->book->where(model->book->opaque, &spot.place);
	return spot;
}

static void model_remember(struct wt_model *model, const struct wt_spot *spot)
{
	if (model->history_count == WT_HISTORY_MAX) {
		memmove(model->history, model->history + 1,
			(WT_HISTORY_MAX - 1) * sizeof(*model->history));
		model->history_count--;
	}
	model->history[model->history_count++] = *spot;
}

static void model_show_page(struct wt_model *model, enum wt_page page)
{
	if (page != wt_model_active(model) && page == wt_model_beside(model)) {
		model->aside = true;
	} else if (page != wt_model_active(model)) {
		model->page = page;
		model->aside = false;
	}
}

void wt_model_turn(struct wt_model *model, enum wt_page page)
{
	struct wt_spot spot = wt_model_spot(model);

	if (page == spot.page)
		return;
	model_remember(model, &spot);
	model_show_page(model, page);
}

void wt_model_follow(struct wt_model *model, const struct wt_spot *spot,
		     const struct wt_outcome *answer)
{
	struct wt_list list;

	if (answer->message[0])
		wt_model_say(model, "%s", answer->message);
	if (answer->turn) {
		model_remember(model, spot);
		model_show_page(model, answer->page);
	}
	if (answer->has_line) {
		struct wt_pane *pane = wt_model_pane(model, wt_model_active(model), &list);

		wt_pane_center(pane, &list, answer->line);
	}
}

void wt_model_go_to_spot(struct wt_model *model, const struct wt_spot *spot)
{
	struct wt_list list;
	struct wt_pane *pane;

	model->book->go_back(model->book->opaque, &spot->place);
	model_show_page(model, spot->page);
	pane = wt_model_pane(model, spot->page, &list);
	pane->left = spot->pane.left;
	pane->top = spot->pane.top;
	wt_pane_go(pane, &list, spot->pane.cursor);
}

void wt_model_go_back(struct wt_model *model)
{
	if (!model->history_count)
		wt_model_say(model, "there is no way further back; q quits");
	else
		wt_model_go_to_spot(model, &model->history[--model->history_count]);
}
