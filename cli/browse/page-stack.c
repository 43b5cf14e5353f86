/* SPDX-License-Identifier: MIT */
/* The page of the stack: the functions that a wave is in, and the variables of one of them. */
#include <stdio.h>

#include "base/cleanup.h"
#include "cli/browse/browser-session.h"
#include "cli/browse/page-lines.h"
#include "cli/look/show.h"
#include "cli/look/variable-value.h"

struct stack_page {
	struct wt_session *session;
	struct wt_text text;
	uint64_t version;
	bool each; /* all values of a variable, however many lanes differ */
	uint64_t look_version;
};

static void stack_page_deinit(void *opaque)
{
	struct stack_page *page = opaque;

	wt_text_deinit(&page->text);
}

/* One that has no value here says why. */
static void session_print_expressions(const struct wt_session *session, bool each)
{
	char *const *all = session->expressions;

	if (all[0])
		printf("\nexpressions in #%zu\n", session->frame);
	for (size_t i = 0; i < WT_EXPRESSIONS_MAX && all[i]; i++) {
		struct wt_error *error =
			wt_cli_expression_print(session->stack, session->frame, all[i], each);

		if (error)
			printf("%s: %s\n", all[i], error->why);
		wt_error_destroy(error);
	}
}

static struct wt_error *stack_page_print(void *opaque)
{
	const struct stack_page *page = opaque;
	struct wt_stack *stack = page->session->stack;
	size_t chosen = page->session->frame;

	for (size_t i = 0; i < wt_stack_count(stack); i++) {
		printf("%s", i == chosen ? "=> " : "   ");
		wt_cli_put_frame(i, wt_stack_frame(stack, i));
	}
	if (wt_stack_end(stack))
		printf("   outermost known frame: %s\n", wt_stack_end(stack));
	if (chosen >= wt_stack_count(stack))
		return NULL;
	session_print_expressions(page->session, page->each);
	printf("\nvariables of #%zu\n", chosen);
	return wt_cli_locals_print(stack, chosen, page->each);
}

static uint64_t stack_page_version(void *opaque)
{
	const struct stack_page *page = opaque;

	return page->session->stop_version + page->session->wave_version +
	       page->session->frame_version + page->session->expressions_version;
}

static size_t stack_page_count(void *opaque, size_t want)
{
	struct stack_page *page = opaque;

	(void)want;
	if (!wt_session_stack(page->session))
		return 1;
	if (page->version != stack_page_version(page) + page->look_version + 1)
		wt_text_print(&page->text, stack_page_print, page);
	page->version = stack_page_version(page) + page->look_version + 1;
	wt_text_wrap(&page->text, page->session->widths[WT_PAGE_STACK]);
	return page->text.count;
}

static void stack_page_put_line(void *opaque, size_t number, struct wt_line *line)
{
	const struct stack_page *page = opaque;

	if (page->session->stack)
		wt_text_line(&page->text, number, line);
	else if (!page->session->view || !page->session->wave)
		wt_session_put_why(page->session, line);
	else
		wt_line_put(line, WT_STYLE_QUIET,
			    "the wave runs at this stop, or its calls were not recorded");
}

static void stack_page_title(void *opaque, struct wt_line *line)
{
	struct stack_page *page = opaque;
	struct wt_stack *stack = wt_session_stack(page->session);

	if (stack)
		wt_line_put(line, WT_STYLE_QUIET, "frame #%zu of %zu, and its variables",
			    page->session->frame, wt_stack_count(stack));
}

static size_t stack_page_home(void *opaque)
{
	const struct stack_page *page = opaque;

	return page->session->frame;
}

/* "#1 helper": the frame of a row; false if it is of none. */
static bool row_frame(const char *row, size_t *frame_ret)
{
	return sscanf(row, "%*[=> ]#%zu ", frame_ret) == 1;
}

static bool stack_page_key(void *opaque, size_t line, int pressed, struct wt_outcome *answer)
{
	struct stack_page *page = opaque;
	wt_cleanup_free char *row = wt_text_row(&page->text, line);
	struct wt_stack *stack = wt_session_stack(page->session);
	size_t frame;

	if (pressed == 'e') {
		page->each = !page->each;
		page->look_version++;
		return true;
	}
	if (pressed != WT_KEY_ENTER || !row || !stack)
		return false;
	if (!row_frame(row, &frame) || frame >= wt_stack_count(stack))
		return wt_session_follow_text(page->session, row, answer);
	/* Once more, and one sees its code. */
	if (page->session->frame == frame) {
		answer->turn = true;
		answer->page = WT_PAGE_CODE;
	}
	wt_session_go_frame(page->session, frame);
	wt_session_go_code(page->session, frame ? wt_stack_frame(stack, frame)->place.address : 0);
	return true;
}

const struct wt_page_kind wt_page_stack = {
	.size = sizeof(struct stack_page),
	.deinit = stack_page_deinit,
	.count = stack_page_count,
	.line = stack_page_put_line,
	.title = stack_page_title,
	.version = stack_page_version,
	.home = stack_page_home,
	.key = stack_page_key,
	.hint = " Enter frame, then code  :p EXPR  e each lane  { } waves  [ ] stops  F1 help",
};
