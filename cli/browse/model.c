/* SPDX-License-Identifier: MIT */
#include "cli/browse/model.h"

#include <ctype.h>
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

/* Show a text in the last line. */
__attribute__((format(printf, 2, 3))) static void model_say(struct wt_model *model,
							    const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(model->message, sizeof(model->message), format, arguments);
	va_end(arguments);
}

/* ---- What is where ---- */

/* Is the terminal too small for anything? */
static bool model_is_too_small(const struct wt_model *model)
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
		break;
	}
	return page;
}

/* The page beside the one on the left; that one itself if there is none. */
static enum wt_page model_beside(const struct wt_model *model)
{
	return model->columns < WT_WIDE_COLUMNS ? model->page : page_companion(model->page);
}

/* How many columns the page on the left has. */
static size_t model_left_columns(const struct wt_model *model)
{
	return model_beside(model) == model->page ? model->columns : model->columns / 2;
}

enum wt_page wt_model_active(const struct wt_model *model)
{
	return model->aside ? model_beside(model) : model->page;
}

static void model_tell_look(struct wt_model *model, enum wt_page page)
{
	size_t left = model_left_columns(model);

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

/* The pane of a page, with the cursor where it belongs, and the list that it is a window on. */
static struct wt_pane *model_pane(struct wt_model *model, enum wt_page page,
				  struct wt_list *list_ret)
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
	if (model_beside(model) == model->page && model->aside) {
		/* The page that has the keys stays. */
		model->page = page_companion(model->page);
		model->aside = false;
	}
}

/* ---- To and fro ---- */

static struct wt_spot model_spot(struct wt_model *model)
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
	if (page != wt_model_active(model) && page == model_beside(model)) {
		model->aside = true;
	} else if (page != wt_model_active(model)) {
		model->page = page;
		model->aside = false;
	}
}

/* Show a page, and remember where the user was. */
static void model_turn(struct wt_model *model, enum wt_page page)
{
	struct wt_spot spot = model_spot(model);

	if (page == spot.page)
		return;
	model_remember(model, &spot);
	model_show_page(model, page);
}

/* Do what a page or a command answered, from where the user was: @spot. */
static void model_follow(struct wt_model *model, const struct wt_spot *spot,
			 const struct wt_outcome *answer)
{
	struct wt_list list;

	if (answer->message[0])
		model_say(model, "%s", answer->message);
	if (answer->turn) {
		model_remember(model, spot);
		model_show_page(model, answer->page);
	}
	if (answer->has_line) {
		struct wt_pane *pane = model_pane(model, wt_model_active(model), &list);

		wt_pane_center(pane, &list, answer->line);
	}
}

static void model_go_to_spot(struct wt_model *model, const struct wt_spot *spot)
{
	struct wt_list list;
	struct wt_pane *pane;

	model->book->go_back(model->book->opaque, &spot->place);
	model_show_page(model, spot->page);
	pane = model_pane(model, spot->page, &list);
	pane->left = spot->pane.left;
	pane->top = spot->pane.top;
	wt_pane_go(pane, &list, spot->pane.cursor);
}

/* Back to where the user was before. */
static void model_go_back(struct wt_model *model)
{
	if (!model->history_count)
		model_say(model, "there is no way further back; q quits");
	else
		model_go_to_spot(model, &model->history[--model->history_count]);
}

/* ---- Keys and what they do: those of vi and less, and prompts behind ":", "/" and "?" ---- */

#define SHIFT_COLUMNS 8

/* ---- Searching ---- */

/* A pattern without capital letters matches letters of any case. */
static int regex_flags(const char *pattern)
{
	for (const char *c = pattern; *c; c++)
		if (isupper((unsigned char)*c))
			return REG_EXTENDED;
	return REG_EXTENDED | REG_ICASE;
}

static bool model_take_pattern(struct wt_model *model)
{
	char why[WT_MESSAGE_MAX / 2];
	regex_t regex;
	int code = regcomp(&regex, model->input, regex_flags(model->input));

	if (code) {
		regerror(code, &regex, why, sizeof(why));
		model_say(model, "%.80s: %s", model->input, why);
		return false;
	}
	if (model->has_regex)
		regfree(&model->regex);
	model->regex = regex;
	model->has_regex = true;
	return true;
}

static void model_search(struct wt_model *model, bool forward)
{
	enum wt_page page = wt_model_active(model);
	struct wt_list list;
	struct wt_pane *pane = model_pane(model, page, &list);

	if (!model->has_regex) {
		model_say(model, "nothing has been searched for yet: / searches");
		return;
	}
	switch (wt_pane_search(pane, &list, &model->regex, forward, model->book->stop,
			       model->book->opaque)) {
	case WT_FOUND:
		break;
	case WT_FOUND_WRAPPED:
		model_say(model, "from the other end");
		break;
	case WT_FOUND_NOTHING:
		model_say(model, "not found in %s", wt_page_name(page));
		break;
	case WT_FOUND_STOPPED:
		model_say(model, "the search was stopped");
		break;
	}
}

/* ---- What is typed in the last line ---- */

static void model_run_command(struct wt_model *model)
{
	struct wt_spot spot = model_spot(model);
	struct wt_outcome answer = {.turn = false};
	char *rest = model->input, *word = strsep(&rest, " ");

	if (!*word)
		return;
	if (!strcmp(word, "q") || !strcmp(word, "quit"))
		model->quit = true;
	else if (!strcmp(word, "h") || !strcmp(word, "help"))
		model_turn(model, WT_PAGE_HELP);
	else if (model->book->command(model->book->opaque, word, rest ? rest : "", &answer))
		model_follow(model, &spot, &answer);
	else
		model_say(model, "%.80s: no such command; :help lists them", word);
}

static void prompt_finish(struct wt_model *model)
{
	int prompt = model->prompt;

	model->prompt = 0;
	if (prompt == ':') {
		model_run_command(model);
	} else if (!model->input_size && prompt == '?') {
		model_turn(model, WT_PAGE_HELP);
	} else if (!model->input_size || model_take_pattern(model)) {
		model->forward = prompt == '/';
		model_search(model, model->forward);
	}
}

/* Remove the last character: all bytes of it. */
static void prompt_rub_out(struct wt_model *model)
{
	while (model->input_size) {
		unsigned char last = (unsigned char)model->input[model->input_size - 1];

		model->input_size--;
		if ((last & 0xc0) != 0x80)
			break;
	}
	model->input[model->input_size] = '\0';
}

static void prompt_type(struct wt_model *model, int key)
{
	struct wt_line line;
	char text[WT_LINE_BYTES];
	size_t size;

	wt_line_clear(&line);
	line.cells[0] = (uint32_t)key;
	line.styles[0] = WT_STYLE_PLAIN;
	line.columns = 1;
	size = strlen(wt_line_string(&line, text, NULL));
	if (model->input_size + size >= WT_INPUT_MAX)
		return;
	memcpy(model->input + model->input_size, text, size + 1);
	model->input_size += size;
}

static void prompt_key(struct wt_model *model, int key)
{
	switch (key) {
	case WT_KEY_ENTER:
	case '\r':
		prompt_finish(model);
		break;
	case WT_KEY_ESCAPE:
		model->prompt = 0;
		break;
	case WT_KEY_BACKSPACE:
		if (!model->input_size)
			model->prompt = 0;
		prompt_rub_out(model);
		break;
	case WT_CONTROL('u'):
		model->input[model->input_size = 0] = '\0';
		break;
	default:
		if (key >= ' ' && key < WT_KEY_UP && key != 0x7f)
			prompt_type(model, key);
	}
}

static void prompt_open(struct wt_model *model, int prompt)
{
	model->prompt = prompt;
	model->input[model->input_size = 0] = '\0';
}

/* ---- Moving ---- */

/* False if the key does not move. */
static bool model_move(struct wt_model *model, int key)
{
	struct wt_list list;
	struct wt_pane *pane = model_pane(model, wt_model_active(model), &list);
	long page = pane->height > 1 ? (long)pane->height - 1 : 1;
	long half = pane->height > 1 ? (long)pane->height / 2 : 1;

	switch (key) {
	case 'j':
	case WT_KEY_DOWN:
	case WT_CONTROL('n'):
		wt_pane_move(pane, &list, 1);
		return true;
	case 'k':
	case WT_KEY_UP:
	case WT_CONTROL('p'):
		wt_pane_move(pane, &list, -1);
		return true;
	case WT_CONTROL('d'):
		wt_pane_scroll(pane, &list, half);
		return true;
	case WT_CONTROL('u'):
		wt_pane_scroll(pane, &list, -half);
		return true;
	case ' ':
	case WT_CONTROL('f'):
	case WT_KEY_PAGE_DOWN:
		wt_pane_scroll(pane, &list, page);
		return true;
	case WT_CONTROL('b'):
	case WT_KEY_PAGE_UP:
		wt_pane_scroll(pane, &list, -page);
		return true;
	case 'g':
	case WT_KEY_HOME:
		wt_pane_go(pane, &list, 0);
		return true;
	case 'G':
	case WT_KEY_END:
		wt_pane_go(pane, &list, SIZE_MAX);
		return true;
	case 'h':
	case WT_KEY_LEFT:
		wt_pane_shift(pane, -SHIFT_COLUMNS);
		return true;
	case 'l':
	case WT_KEY_RIGHT:
		wt_pane_shift(pane, SHIFT_COLUMNS);
		return true;
	case '0':
	case '^':
		pane->left = 0;
		return true;
	default:
		return false;
	}
}

/* Give the keys to the page beside this one; if there is none, show the next page. */
static void model_tab(struct wt_model *model, int direction)
{
	int pages = WT_PAGE_HELP;

	if (model_beside(model) != model->page)
		model->aside = !model->aside;
	else
		model->page = (enum wt_page)(((int)model->page + direction + pages) % pages);
}

static void model_name_mark(struct wt_model *model, int key)
{
	int pending = model->pending;

	model->pending = 0;
	if (key < 'a' || key > 'z') {
		model_say(model, "marks are named a to z");
	} else if (pending == 'm') {
		model->marks[key - 'a'] = model_spot(model);
		model_say(model, "mark %c is set; '%c goes back to it", key, key);
	} else if (!model->marks[key - 'a'].set) {
		model_say(model, "mark %c is not set; m%c sets it", key, key);
	} else {
		model_go_to_spot(model, &model->marks[key - 'a']);
	}
}

static void model_leave_page(struct wt_model *model)
{
	if (model->page == WT_PAGE_HELP)
		model_go_back(model);
	else
		model->quit = true;
}

static void model_plain_key(struct wt_model *model, int key)
{
	switch (key) {
	case 'q':
		model_leave_page(model);
		break;
	case 'Q':
		model->quit = true;
		break;
	case WT_KEY_ESCAPE:
	case WT_KEY_BACKSPACE:
		model_go_back(model);
		break;
	case '\t':
		model_tab(model, 1);
		break;
	case WT_KEY_BACK_TAB:
		model_tab(model, -1);
		break;
	case WT_KEY_F1:
		model_turn(model, WT_PAGE_HELP);
		break;
	case ':':
	case '/':
	case '?':
		prompt_open(model, key);
		break;
	case 'n':
	case 'N':
		model_search(model, model->forward == (key == 'n'));
		break;
	case 'm':
	case '\'':
		model->pending = key;
		break;
	default:
		if (key >= '1' && key <= '9')
			model_turn(model, (enum wt_page)(key - '1'));
		else if (key == 'w')
			model_turn(model, WT_PAGE_WAY);
		else if (!model_move(model, key) && key > ' ' && key < 0x7f)
			model_say(model, "%c has no meaning here; F1 lists the keys", key);
	}
}

static void model_handle_key(struct wt_model *model, int key)
{
	struct wt_spot spot;
	struct wt_outcome answer = {.turn = false};
	struct wt_list list;
	struct wt_pane *pane;

	if (model->prompt) {
		prompt_key(model, key);
		return;
	}
	if (model->pending) {
		model_name_mark(model, key);
		return;
	}
	if (model_is_too_small(model) && key != 'q' && key != 'Q')
		return;
	if (key == '\r')
		key = WT_KEY_ENTER;
	spot = model_spot(model);
	pane = model_pane(model, spot.page, &list);
	if (model->book->key(model->book->opaque, spot.page, pane->cursor, key, &answer))
		model_follow(model, &spot, &answer);
	else
		model_plain_key(model, key);
}

void wt_model_key(struct wt_model *model, int key)
{
	enum wt_page page = wt_model_active(model);
	struct wt_list list;
	size_t before;

	model->message[0] = '\0';
	if (model_is_too_small(model)) {
		model_handle_key(model, key);
		return;
	}
	/* Keys before this one have put the cursor on its line. */
	before = model_pane(model, page, &list)->cursor;
	model_handle_key(model, key);
	if (wt_model_active(model) == page && model->panes[page].cursor != before)
		model->book->moved(model->book->opaque, page, model->panes[page].cursor);
}

void wt_model_interrupt(struct wt_model *model)
{
	model->message[0] = '\0';
	if (model->prompt || model->pending)
		model->prompt = model->pending = 0;
	else
		model->quit = true;
}

/* ---- Rows of the screen: bars, tabs, and the windows on pages ---- */

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
	struct wt_pane *pane = model_pane(model, page, &list);
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
	model_pane(model, page, &list);
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
	struct wt_pane *pane = model_pane(model, page, &list);
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
	enum wt_page beside = model_beside(model);
	size_t left = model_left_columns(model);

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
	if (model_is_too_small(model)) {
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

	if (!model->prompt || model_is_too_small(model))
		return false;
	wt_line_clear(&line);
	wt_line_text(&line, WT_STYLE_PLAIN, model->input);
	*row_ret = model->rows - 1;
	*column_ret = line.columns + 1;
	return true;
}
