/* SPDX-License-Identifier: MIT */
/* Keys and what they do: those of vi and less, and prompts behind ":", "/" and "?". */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/browse/model.h"

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
		wt_model_say(model, "%.80s: %s", model->input, why);
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
	struct wt_pane *pane = wt_model_pane(model, page, &list);

	if (!model->has_regex) {
		wt_model_say(model, "nothing has been searched for yet: / searches");
		return;
	}
	switch (wt_pane_search(pane, &list, &model->regex, forward, model->book->stop,
			       model->book->opaque)) {
	case WT_FOUND:
		break;
	case WT_FOUND_WRAPPED:
		wt_model_say(model, "from the other end");
		break;
	case WT_FOUND_NOTHING:
		wt_model_say(model, "not found in %s", wt_page_name(page));
		break;
	case WT_FOUND_STOPPED:
		wt_model_say(model, "the search was stopped");
		break;
	}
}

/* ---- What is typed in the last line ---- */

static void model_run_command(struct wt_model *model)
{
	struct wt_spot spot = wt_model_spot(model);
	struct wt_outcome answer = {.turn = false};
	char *rest = model->input, *word = strsep(&rest, " ");

	if (!*word)
		return;
	if (!strcmp(word, "q") || !strcmp(word, "quit"))
		model->quit = true;
	else if (!strcmp(word, "h") || !strcmp(word, "help"))
		wt_model_turn(model, WT_PAGE_HELP);
	else if (model->book->command(model->book->opaque, word, rest ? rest : "", &answer))
		wt_model_follow(model, &spot, &answer);
	else
		wt_model_say(model, "%.80s: no such command; :help lists them", word);
}

static void prompt_finish(struct wt_model *model)
{
	int prompt = model->prompt;

	model->prompt = 0;
	if (prompt == ':') {
		model_run_command(model);
	} else if (!model->input_size && prompt == '?') {
		wt_model_turn(model, WT_PAGE_HELP);
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
	struct wt_pane *pane = wt_model_pane(model, wt_model_active(model), &list);
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

	if (wt_model_beside(model) != model->page)
		model->aside = !model->aside;
	else
		model->page = (enum wt_page)(((int)model->page + direction + pages) % pages);
}

static void model_name_mark(struct wt_model *model, int key)
{
	int pending = model->pending;

	model->pending = 0;
	if (key < 'a' || key > 'z') {
		wt_model_say(model, "marks are named a to z");
	} else if (pending == 'm') {
		model->marks[key - 'a'] = wt_model_spot(model);
		wt_model_say(model, "mark %c is set; '%c goes back to it", key, key);
	} else if (!model->marks[key - 'a'].set) {
		wt_model_say(model, "mark %c is not set; m%c sets it", key, key);
	} else {
		wt_model_go_to_spot(model, &model->marks[key - 'a']);
	}
}

static void model_leave_page(struct wt_model *model)
{
	if (model->page == WT_PAGE_HELP)
		wt_model_go_back(model);
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
		wt_model_go_back(model);
		break;
	case '\t':
		model_tab(model, 1);
		break;
	case WT_KEY_BACK_TAB:
		model_tab(model, -1);
		break;
	case WT_KEY_F1:
		wt_model_turn(model, WT_PAGE_HELP);
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
			wt_model_turn(model, (enum wt_page)(key - '1'));
		else if (key == 'w')
			wt_model_turn(model, WT_PAGE_WAY);
		else if (!model_move(model, key) && key > ' ' && key < 0x7f)
			wt_model_say(model, "%c has no meaning here; F1 lists the keys", key);
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
	if (wt_model_is_too_small(model) && key != 'q' && key != 'Q')
		return;
	if (key == '\r')
		key = WT_KEY_ENTER;
	spot = wt_model_spot(model);
	pane = wt_model_pane(model, spot.page, &list);
	if (model->book->key(model->book->opaque, spot.page, pane->cursor, key, &answer))
		wt_model_follow(model, &spot, &answer);
	else
		model_plain_key(model, key);
}

void wt_model_key(struct wt_model *model, int key)
{
	enum wt_page page = wt_model_active(model);
	struct wt_list list;
	size_t before;

	model->message[0] = '\0';
	if (wt_model_is_too_small(model)) {
		model_handle_key(model, key);
		return;
	}
	/* Keys before this one have put the cursor on its line. */
	before = wt_model_pane(model, page, &list)->cursor;
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
