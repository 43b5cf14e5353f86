/* SPDX-License-Identifier: MIT */
#include "cli/browse/pane.h"

#include <stdint.h>

static size_t number_add(size_t number, long delta)
{
	if (delta < 0)
		return number > (size_t)-delta ? number - (size_t)-delta : 0;
	return number > SIZE_MAX - (size_t)delta ? SIZE_MAX : number + (size_t)delta;
}

/* The last line up to @line; 0 in an empty list. */
static size_t list_clamp(const struct wt_list *list, size_t line)
{
	size_t count = list->count(list->opaque, line);

	if (line < count)
		return line;
	return count ? count - 1 : 0;
}

static void pane_see_cursor(struct wt_pane *pane)
{
	size_t height = pane->height ? pane->height : 1;

	if (pane->top > pane->cursor)
		pane->top = pane->cursor;
	if (pane->cursor - pane->top >= height)
		pane->top = pane->cursor - height + 1;
}

void wt_pane_go(struct wt_pane *pane, const struct wt_list *list, size_t line)
{
	pane->cursor = list_clamp(list, line);
	pane_see_cursor(pane);
}

void wt_pane_center(struct wt_pane *pane, const struct wt_list *list, size_t line)
{
	size_t before = pane->top;

	wt_pane_go(pane, list, line);
	if (pane->top != before)
		pane->top = number_add(pane->cursor, -(long)(pane->height / 2));
}

void wt_pane_move(struct wt_pane *pane, const struct wt_list *list, long delta)
{
	wt_pane_go(pane, list, number_add(pane->cursor, delta));
}

void wt_pane_scroll(struct wt_pane *pane, const struct wt_list *list, long delta)
{
	size_t top = number_add(pane->top, delta), last;

	pane->cursor = list_clamp(list, number_add(pane->cursor, delta));
	/* No further than to a last screen that is full. */
	last = list_clamp(list, number_add(top, (long)pane->height));
	if (number_add(top, (long)pane->height) > last + 1)
		top = number_add(last + 1, -(long)pane->height);
	pane->top = top;
	pane_see_cursor(pane);
}

void wt_pane_shift(struct wt_pane *pane, long delta)
{
	size_t left = number_add(pane->left, delta);

	pane->left = left < WT_LINE_COLUMNS ? left : pane->left;
}

static bool list_line_matches(const struct wt_list *list, size_t number, const regex_t *regex)
{
	char text[WT_LINE_BYTES];
	struct wt_line line;

	wt_line_clear(&line);
	list->line(list->opaque, number, &line);
	return !regexec(regex, wt_line_string(&line, text, NULL), 0, NULL, 0);
}

/* Go to the next line in a direction; false if that was around the end. */
static bool list_step(const struct wt_list *list, bool forward, size_t *number)
{
	if (!forward && *number) {
		--*number;
		return true;
	}
	if (forward && list->count(list->opaque, *number + 1) > *number + 1) {
		++*number;
		return true;
	}
	*number = forward ? 0 : list_clamp(list, SIZE_MAX);
	return false;
}

enum wt_found wt_pane_search(struct wt_pane *pane, const struct wt_list *list, const regex_t *regex,
			     bool forward, bool (*stop)(void *opaque), void *opaque)
{
	size_t start = list_clamp(list, pane->cursor), number = start;
	bool wrapped = false;

	if (!list->count(list->opaque, 0))
		return WT_FOUND_NOTHING;
	for (size_t steps = 1;; steps++) {
		wrapped |= !list_step(list, forward, &number);
		if (list_line_matches(list, number, regex)) {
			wt_pane_center(pane, list, number);
			return wrapped ? WT_FOUND_WRAPPED : WT_FOUND;
		}
		if (number == start)
			return WT_FOUND_NOTHING;
		if (stop && steps % 64 == 0 && stop(opaque))
			return WT_FOUND_STOPPED;
	}
}

void wt_pane_mark(struct wt_line *line, const regex_t *regex)
{
	uint16_t starts[WT_LINE_BYTES];
	char text[WT_LINE_BYTES];
	const char *from = wt_line_string(line, text, starts);
	regmatch_t match;

	while (*from && !regexec(regex, from, 1, &match, from == text ? 0 : REG_NOTBOL)) {
		const char *begin = from + match.rm_so, *end = from + match.rm_eo;

		if (begin < end)
			wt_line_flag(line, starts[begin - text],
				     *end ? starts[end - text] : line->columns, WT_STYLE_MATCH);
		/* A match of nothing would be found again and again. */
		from = end > from ? end : from + 1;
	}
}
