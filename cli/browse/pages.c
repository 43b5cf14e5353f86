/* SPDX-License-Identifier: MIT */
/* The pages of a session as a book, and what is at the top of the screen. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/browse/browser-session.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/look/show.h"
#include "cli/output.h"

static const struct wt_page_kind *const kinds[WT_PAGES] = {
	[WT_PAGE_OVERVIEW] = &wt_page_overview,
	[WT_PAGE_STOPS] = &wt_page_stops,
	[WT_PAGE_WAVES] = &wt_page_waves,
	[WT_PAGE_CODE] = &wt_page_code,
	[WT_PAGE_REGISTERS] = &wt_page_registers,
	[WT_PAGE_MEMORY] = &wt_page_memory,
	[WT_PAGE_STACK] = &wt_page_stack,
	[WT_PAGE_CAUSE] = &wt_page_cause,
	[WT_PAGE_JOURNAL] = &wt_page_journal,
	[WT_PAGE_HELP] = &wt_page_help,
	[WT_PAGE_WAY] = &wt_page_way,
};

/* Commands that the user types behind ":". */

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

/* Run a command: what is typed behind ":". False: there is none of that name. */
static bool session_command(struct wt_session *session, const char *word, const char *rest,
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

/* NULL if there is no memory for it. */
static void *session_page(struct wt_session *session, enum wt_page page)
{
	struct wt_session **created;

	if (session->pages[page])
		return session->pages[page];
	created = calloc(1, kinds[page]->size);
	if (!created)
		return NULL;
	*created = session;
	if (kinds[page]->begin)
		kinds[page]->begin(created);
	session->pages[page] = created;
	return created;
}

void wt_session_close_pages(struct wt_session *session)
{
	for (enum wt_page page = 0; page < WT_PAGES; page++) {
		if (session->pages[page])
			kinds[page]->deinit(session->pages[page]);
		free(session->pages[page]);
	}
}

static size_t book_count(void *opaque, enum wt_page page, size_t want)
{
	void *shown = session_page(opaque, page);

	return shown ? kinds[page]->count(shown, want) : 0;
}

static void book_put_line(void *opaque, enum wt_page page, size_t number, struct wt_line *line)
{
	void *shown = session_page(opaque, page);

	if (shown)
		kinds[page]->line(shown, number, line);
}

static bool book_ended(void *opaque, enum wt_page page)
{
	void *shown = session_page(opaque, page);

	return !shown || !kinds[page]->ended || kinds[page]->ended(shown);
}

static void book_title(void *opaque, enum wt_page page, struct wt_line *line)
{
	void *shown = session_page(opaque, page);

	if (shown)
		kinds[page]->title(shown, line);
	else
		wt_line_put(line, WT_STYLE_FAULT, "out of memory");
}

static uint64_t book_version(void *opaque, enum wt_page page)
{
	const struct wt_session *session = opaque;
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->version)
		return kinds[page]->version(shown);
	return session->stop_version + session->wave_version;
}

static size_t book_home(void *opaque, enum wt_page page)
{
	void *shown = session_page(opaque, page);

	return shown && kinds[page]->home ? kinds[page]->home(shown) : 0;
}

static void book_look(void *opaque, enum wt_page page, size_t columns, size_t cursor)
{
	struct wt_session *session = opaque;

	session->widths[page] = columns;
	session->cursors[page] = cursor;
}

static void book_moved(void *opaque, enum wt_page page, size_t line)
{
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->moved)
		kinds[page]->moved(shown, line);
}

/* Keys that go to other stops and waves, on every page. */
static bool session_step_key(struct wt_session *session, int pressed, struct wt_outcome *answer)
{
	switch (pressed) {
	case ']':
	case '[':
		wt_session_step_stop(session, pressed == ']' ? 1 : -1, answer);
		return true;
	case '}':
	case '{':
		wt_session_step_wave(session, pressed == '}' ? 1 : -1, answer);
		return true;
	default:
		return false;
	}
}

static bool book_key(void *opaque, enum wt_page page, size_t line, int pressed,
		     struct wt_outcome *answer)
{
	void *shown = session_page(opaque, page);

	if (shown && kinds[page]->key && kinds[page]->key(shown, line, pressed, answer))
		return true;
	return session_step_key(opaque, pressed, answer);
}

static bool book_command(void *opaque, const char *word, const char *rest,
			 struct wt_outcome *answer)
{
	return session_command(opaque, word, rest, answer);
}

static void book_where(void *opaque, struct wt_looking *place)
{
	const struct wt_session *session = opaque;

	*place = (struct wt_looking){
		.stop = session->stop,
		.wave = session->wave,
		.address = session->address,
		.code = session->code,
		.frame = session->frame,
		.space = session->space,
	};
}

static void book_go_back(void *opaque, const struct wt_looking *place)
{
	struct wt_session *session = opaque;

	wt_session_go_stop(session, place->stop);
	wt_session_go_wave(session, place->wave);
	wt_session_go_frame(session, place->frame);
	if (session->address != place->address || session->space != place->space)
		wt_session_go_address(session, (enum wt_memory_space)place->space, place->address);
	if (session->code != place->code)
		wt_session_go_code(session, place->code);
}

static bool book_stop(void *opaque)
{
	const struct wt_session *session = opaque;

	return session->interrupted && session->interrupted();
}

static const char *book_hint(void *opaque, enum wt_page page)
{
	(void)opaque;
	return kinds[page]->hint;
}

/* ---- The top of the screen ---- */

static void session_put_wave(struct wt_session *session, struct wt_line *line)
{
	struct wt_explain_wave wave;
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];
	struct wt_error *error;

	/* The top of the screen opens no view: it shows the wave once a page has opened one. */
	if (!session->view || !session->wave || !wt_session_explainer(session))
		return;
	error = wt_explain_wave(session->explainer, session->wave, &wave);
	if (error) {
		wt_error_destroy(error);
		return;
	}
	wt_line_put(line, WT_STYLE_PLAIN, "  w%" PRIu64 " %s  ", session->wave,
		    wt_describe_coordinates(&wave, text));
	wt_line_text(line, WT_STYLE_NAME, wave.kernel ? wt_cli_name(wave.kernel, name) : "?");
	if (wave.state == WAVETAPE_WAVE_STOPPED)
		wt_line_put(line, wave.reasons & WT_FAULT_REASONS ? WT_STYLE_FAULT : WT_STYLE_PLAIN,
			    "  %s", wt_describe_reasons_plainly(wave.reasons, text));
	else
		wt_line_put(line, WT_STYLE_QUIET, "  %s", wt_wave_state_name(wave.state));
	wt_explain_wave_deinit(&wave);
}

static void book_context(void *opaque, struct wt_line *line)
{
	struct wt_session *session = opaque;

	wt_line_put(line, WT_STYLE_PLAIN, " ");
	wt_line_text(line, WT_STYLE_STRONG, wt_text_file_name(session->trace->path));
	if (wt_reader_damage(session->trace->reader))
		wt_line_put(line, WT_STYLE_FAULT, "  damaged");
	if (session->stop)
		wt_line_put(line, WT_STYLE_PLAIN, "  stop %u of %u", session->stop,
			    session->trace->stops.count);
	else
		wt_line_put(line, WT_STYLE_PLAIN, "  no stop");
	if (session->lost)
		wt_line_put(line, WT_STYLE_FAULT, "  its state is lost");
	session_put_wave(session, line);
}

struct wt_book wt_session_book(struct wt_session *session)
{
	return (struct wt_book){
		.opaque = session,
		.count = book_count,
		.line = book_put_line,
		.ended = book_ended,
		.title = book_title,
		.context = book_context,
		.version = book_version,
		.home = book_home,
		.look = book_look,
		.moved = book_moved,
		.key = book_key,
		.command = book_command,
		.where = book_where,
		.go_back = book_go_back,
		.stop = book_stop,
		.hint = book_hint,
	};
}
