/* SPDX-License-Identifier: MIT */
/* Commands that the user types behind ":". */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "cli/arguments.h"
#include "cli/browse/browser-session.h"
#include "cli/look/show.h"
#include "cli/output.h"

static void command_go_stop(struct wt_session *session, const char *text, struct wt_outcome *answer)
{
	uint32_t count = session->trace->stops.count;
	uint64_t number;

	if (!wt_cli_number(text, &number) || !number || number > count)
		wt_outcome_say(answer, "stop takes a number from 1 to %u, not \"%.40s\"", count,
			       text);
	else
		wt_session_go_stop(session, (uint32_t)number);
}

/*
 * "(1,0,0)/2", as the list of waves has it, or without what is 0: "1/2", "1.2".
 *
 * @numbers: x, y, z, and the number in the workgroup.
 */
static bool coordinates_parse(const char *text, uint32_t numbers[4])
{
	size_t at = 0;

	memset(numbers, 0, 4 * sizeof(*numbers));
	text += *text == '(';
	for (;;) {
		char *end;

		if (!isdigit((unsigned char)*text))
			return false;
		numbers[at] = (uint32_t)strtoul(text, &end, 10);
		text = end + (*end == ')');
		if (!*text)
			return at == 3;
		if (*text == ',' && at < 2)
			at++;
		else if ((*text == '/' || *text == '.') && at < 3)
			at = 3;
		else
			return false;
		text++;
	}
}

static uint64_t view_wave_at(struct wt_view *view, const uint32_t numbers[4])
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	for (size_t i = 0; i < count; i++) {
		uint32_t group[3];
		uint64_t number;

		if (wt_view_array(view, WT_OBJECT_WAVE, waves[i],
				  AMD_DBGAPI_WAVE_INFO_WORKGROUP_COORD, group, 3) &&
		    wt_view_number(view, WT_OBJECT_WAVE, waves[i],
				   AMD_DBGAPI_WAVE_INFO_WAVE_NUMBER_IN_WORKGROUP, &number) &&
		    !memcmp(group, numbers, sizeof(group)) && number == numbers[3])
			return waves[i];
	}
	return 0;
}

static void command_go_wave(struct wt_session *session, const char *text, struct wt_outcome *answer)
{
	struct wt_view *view = wt_session_view(session);
	uint32_t numbers[4];
	uint64_t wave = 0;

	if (!view) {
		wt_outcome_say(answer, "there is no state at this stop");
		return;
	}
	if (coordinates_parse(text, numbers))
		wave = view_wave_at(view, numbers);
	else if (!wt_cli_number(text + (*text == 'w'), &wave)) {
		wt_outcome_say(answer,
			       "wave takes a number, or workgroup and number as in "
			       "(1,0,0)/2 or 1.2, not \"%.40s\"",
			       text);
		return;
	}
	if (!wave || !wt_view_exists(view, WT_OBJECT_WAVE, wave))
		wt_outcome_say(answer, "there is no wave %.40s at this stop", text);
	else
		wt_session_go_wave(session, wave);
}

/* In hexadecimal, with or without 0x: addresses are never typed otherwise. */
static bool address_parse(const char *text, uint64_t *address_ret)
{
	char *end;

	if (!isxdigit((unsigned char)*text))
		return false;
	*address_ret = strtoull(text, &end, 16);
	return !*end;
}

static void command_go_memory(struct wt_session *session, const char *text,
			      struct wt_outcome *answer)
{
	uint64_t address;

	if (!address_parse(text, &address)) {
		wt_outcome_say(answer, "x takes an address, not \"%.40s\"", text);
		return;
	}
	wt_session_go_address(session, session->space, address);
	answer->turn = true;
	answer->page = WT_PAGE_MEMORY;
}

static void command_go_code(struct wt_session *session, const char *text, struct wt_outcome *answer)
{
	uint64_t address = 0;

	if (*text && !address_parse(text, &address)) {
		wt_outcome_say(answer, "code takes an address, not \"%.40s\"", text);
		return;
	}
	wt_session_go_code(session, address);
	answer->turn = true;
	answer->page = WT_PAGE_CODE;
}

static void command_go_frame(struct wt_session *session, const char *text,
			     struct wt_outcome *answer)
{
	struct wt_stack *stack = wt_session_stack(session);
	uint64_t number;

	if (!stack)
		wt_outcome_say(answer, "the wave is not stopped, so its calls are not known");
	else if (!wt_cli_number(text, &number) || number >= wt_stack_count(stack))
		wt_outcome_say(answer, "frame takes a number from 0 to %zu, not \"%.40s\"",
			       wt_stack_count(stack) - 1, text);
	else
		wt_session_go_frame(session, (size_t)number);
}

/* The value of an expression in the frame; what is wrong with it is said at once. */
static void command_print_expression(struct wt_session *session, const char *text,
				     struct wt_outcome *answer)
{
	struct wt_stack *stack = wt_session_stack(session);
	wt_cleanup_free char *printed = NULL;
	struct wt_cli_capture capture;
	struct wt_error *error, *failed;

	if (!*text) {
		wt_session_keep_expression(session, NULL);
		return;
	}
	if (!stack || session->frame >= wt_stack_count(stack)) {
		wt_outcome_say(answer, "the wave is not stopped, so its variables are not known");
		return;
	}
	failed = wt_cli_capture_begin(&capture);
	if (!failed) {
		failed = wt_cli_expression_print(stack, session->frame, text, false);
		error = wt_cli_capture_end(&capture, &printed);
		if (failed)
			wt_error_destroy(error);
		else
			failed = error;
	}
	if (failed) {
		wt_outcome_say(answer, "%.80s: %s", text, failed->why);
		wt_error_destroy(failed);
		return;
	}
	wt_session_keep_expression(session, text);
	answer->turn = true;
	answer->page = WT_PAGE_STACK;
}

static bool command_open_page(const char *word, struct wt_outcome *answer)
{
	for (enum wt_page page = 0; page < WT_PAGES; page++)
		if (!strcasecmp(word, wt_page_name(page))) {
			answer->turn = true;
			answer->page = page;
			return true;
		}
	return false;
}

bool wt_session_command(struct wt_session *session, const char *word, const char *rest,
			struct wt_outcome *answer)
{
	static const struct {
		const char *word;
		void (*run)(struct wt_session *session, const char *text,
			    struct wt_outcome *answer);
	} commands[] = {
		{"stop", command_go_stop},	 {"wave", command_go_wave},
		{"x", command_go_memory},	 {"code", command_go_code},
		{"frame", command_go_frame},	 {"print", command_print_expression},
		{"p", command_print_expression},
	};
	uint64_t number;

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(word, commands[i].word)) {
			commands[i].run(session, rest, answer);
			return true;
		}
	if (command_open_page(word, answer))
		return true;
	if (!wt_cli_number(word, &number) || !number)
		return false;
	answer->has_line = true;
	answer->line = (size_t)number - 1;
	return true;
}
