/* SPDX-License-Identifier: MIT */
#include "cli/browse/browser-session.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/describe.h"
#include "trace-format/reader/summary.h"

char *wt_error_line(struct wt_error *error)
{
	char *text = NULL;

	if (!error)
		return NULL;
	if (asprintf(&text, "%s: %s%s%s", error->what, error->where, error->where[0] ? ": " : "",
		     error->why) < 0)
		text = NULL;
	wt_error_destroy(error);
	return text;
}

void wt_outcome_say(struct wt_outcome *answer, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(answer->message, sizeof(answer->message), format, arguments);
	va_end(arguments);
}

void wt_session_put_why(const struct wt_session *session, struct wt_line *line)
{
	if (session->lost)
		wt_line_text(line, WT_STYLE_FAULT, session->lost);
	else if (!session->stop)
		wt_line_put(line, WT_STYLE_QUIET, "the trace has no stop");
	else if (!session->wave)
		wt_line_put(line, WT_STYLE_QUIET, "there is no wave at this stop");
}

/* ---- What is open at a stop ---- */

static void session_close_stop(struct wt_session *session)
{
	wt_stack_destroy(wt_take(session->stack));
	wt_stacks_destroy(wt_take(session->stacks));
	wt_explainer_destroy(wt_take(session->explainer));
	wt_view_close(wt_take(session->view));
	wt_view_close(wt_take(session->earlier));
	free(wt_take(session->lost));
	session->stack_wave = 0;
	session->earlier_looked = false;
	session->earlier_stop = 0;
}

/* Find the stops in the trace: its list of stops turned out to be wrong. */
static struct wt_error *session_find_stops_again(struct wt_session *session)
{
	struct wt_error *error;

	session->is_listed = false;
	wt_stops_forget(&session->trace->stops);
	error = wt_stops_find(&session->trace->stops);
	if (session->stop > session->trace->stops.count)
		session->stop = session->trace->stops.count;
	return error;
}

static struct wt_error *session_open_view(struct wt_session *session)
{
	struct wt_cli_trace *trace = session->trace;
	struct wt_error *error;
	size_t count;

	error = wt_view_open(trace->reader, trace->stops.moments[session->stop - 1],
			     &session->view);
	if (!session->is_listed || wt_reader_listed_stops(trace->reader, &count))
		return error;
	wt_error_destroy(error);
	wt_view_close(wt_take(session->view));
	error = session_find_stops_again(session);
	if (error || !session->stop)
		return error;
	return wt_view_open(trace->reader, trace->stops.moments[session->stop - 1], &session->view);
}

/* Choose the wave that tells most: the first with a fault, else the first with registers, else the first. */
static uint64_t view_telling_wave(const struct wt_view *view)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);
	uint64_t found = count ? waves[0] : 0;
	bool has_registers = false;

	for (size_t i = 0; i < count; i++) {
		if (wt_view_wave_has_fault(view, waves[i]))
			return waves[i];
		if (!has_registers && wt_view_register_count(view, waves[i])) {
			has_registers = true;
			found = waves[i];
		}
	}
	return found;
}

static void session_choose_wave(struct wt_session *session)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(session->view, WT_OBJECT_WAVE, &waves);

	for (size_t i = 0; i < count; i++)
		if (waves[i] == session->wave)
			return;
	session->wave = view_telling_wave(session->view);
}

struct wt_view *wt_session_view(struct wt_session *session)
{
	if (session->view || session->lost || !session->stop)
		return session->view;
	session->lost = wt_error_line(session_open_view(session));
	if (session->lost) {
		wt_view_close(wt_take(session->view));
		session->wave = 0;
	} else if (session->view) {
		session_choose_wave(session);
	}
	return session->view;
}

struct wt_explainer *wt_session_explainer(struct wt_session *session)
{
	struct wt_view *view = wt_session_view(session);

	if (view && !session->explainer)
		wt_error_destroy(wt_explainer_create(view, &session->explainer));
	return session->explainer;
}

/* Stops of other processes lie between. */
#define LOOK_BACK 64

struct wt_view *wt_session_earlier(struct wt_session *session)
{
	struct wt_view *view = wt_session_view(session);
	const struct wt_cli_trace *trace = session->trace;

	if (!view || session->earlier_looked)
		return session->earlier;
	session->earlier_looked = true;
	for (uint32_t stop = session->stop - 1; stop && session->stop - stop <= LOOK_BACK; stop--) {
		const struct wt_moment *moment;
		wt_cleanup_error struct wt_error *error =
			wt_reader_moment(trace->reader, trace->stops.moments[stop - 1], &moment);

		if (error || moment->process != wt_view_moment(view)->process)
			continue;
		session->earlier_stop = stop;
		wt_error_destroy(wt_view_open(trace->reader, trace->stops.moments[stop - 1],
					      &session->earlier));
		break;
	}
	return session->earlier;
}

struct wt_stack *wt_session_stack(struct wt_session *session)
{
	struct wt_view *view = wt_session_view(session);

	if (!view || session->stack_wave == session->wave)
		return session->stack;
	wt_stack_destroy(wt_take(session->stack));
	session->stack_wave = session->wave;
	if (!session->stacks)
		wt_error_destroy(wt_stacks_create(view, &session->stacks));
	if (session->stacks && session->wave)
		wt_error_destroy(wt_stack_create(session->stacks, session->wave, &session->stack));
	if (session->stack && session->sources)
		wt_error_destroy(wt_stack_use_sources(session->stack, session->sources));
	return session->stack;
}

/* ---- Going somewhere ---- */

void wt_session_go_frame(struct wt_session *session, size_t frame)
{
	if (session->frame != frame)
		session->frame_version++;
	session->frame = frame;
}

void wt_session_go_code(struct wt_session *session, uint64_t address)
{
	session->code = address;
	session->code_version++;
}

void wt_session_keep_expression(struct wt_session *session, const char *expression)
{
	char **all = session->expressions, *kept;
	size_t last = 0;

	session->expressions_version++;
	if (!expression) {
		for (size_t i = 0; i < WT_EXPRESSIONS_MAX; i++)
			free(wt_take(all[i]));
		return;
	}
	kept = strdup(expression);
	if (!kept)
		return;
	/* Room is made by the same expression where it is in the list, by an empty place, or by the oldest expression. */
	while (last < WT_EXPRESSIONS_MAX - 1 && all[last] && strcmp(all[last], expression))
		last++;
	free(all[last]);
	memmove(all + 1, all, last * sizeof(*all));
	all[0] = kept;
}

void wt_session_go_wave(struct wt_session *session, uint64_t wave)
{
	if (session->wave == wave)
		return;
	session->wave = wave;
	session->wave_version++;
	session->frame = 0;
	session->code = 0;
	session->space = WT_SPACE_GLOBAL;
}

void wt_session_go_stop(struct wt_session *session, uint32_t stop)
{
	uint64_t wave = session->wave;

	if (session->stop == stop)
		return;
	session_close_stop(session);
	session->stop = stop;
	session->frame = 0;
	session->code = 0;
	session->stop_version++;
	if (wt_session_view(session) && session->wave != wave)
		session->wave_version++;
}

void wt_session_go_address(struct wt_session *session, enum wt_memory_space space, uint64_t address)
{
	session->space = space;
	session->address = address;
	session->address_version++;
}

void wt_session_step_stop(struct wt_session *session, int by, struct wt_outcome *answer)
{
	if (by < 0 ? session->stop <= 1 : session->stop >= session->trace->stops.count)
		wt_outcome_say(answer, by < 0 ? "this is the first stop" : "this is the last stop");
	else
		wt_session_go_stop(session, by < 0 ? session->stop - 1 : session->stop + 1);
}

void wt_session_step_wave(struct wt_session *session, int by, struct wt_outcome *answer)
{
	struct wt_view *view = wt_session_view(session);
	const uint64_t *waves = NULL;
	size_t count = view ? wt_view_objects(view, WT_OBJECT_WAVE, &waves) : 0, at = 0;

	while (at < count && waves[at] != session->wave)
		at++;
	if (at == count || (by < 0 ? !at : at + 1 == count))
		wt_outcome_say(answer, by < 0 ? "this is the first wave" : "this is the last wave");
	else
		wt_session_go_wave(session, waves[by < 0 ? at - 1 : at + 1]);
}

/* ---- Pointers ---- */

static void outcome_turn(struct wt_outcome *answer, enum wt_page page)
{
	answer->turn = true;
	answer->page = page;
}

void wt_session_follow(struct wt_session *session, uint64_t value, struct wt_outcome *answer)
{
	struct wt_view *view = wt_session_view(session);
	struct wavetape_place code;
	uint8_t byte;

	if (!view) {
		wt_outcome_say(answer, "there is no state at this stop");
		return;
	}
	/* Only the addresses of functions are code: constants lie in code objects too. */
	if (wt_view_code_object_at(view, value, NULL) && wt_session_explainer(session)) {
		struct wt_error *error = wt_explain_address(session->explainer, NULL, value, &code);
		bool is_code = !error && code.symbol;

		if (!error)
			wt_explain_code_deinit(&code);
		wt_error_destroy(error);
		if (is_code) {
			wt_session_go_code(session, value);
			outcome_turn(answer, WT_PAGE_CODE);
			return;
		}
	}
	if (!wt_view_memory(view, "global", 0, 0, value, &byte, 1)) {
		wt_outcome_say(answer, "0x%" PRIx64 " leads to nothing that was recorded", value);
		return;
	}
	wt_session_go_address(session, WT_SPACE_GLOBAL, value);
	outcome_turn(answer, WT_PAGE_MEMORY);
}

bool wt_session_follow_text(struct wt_session *session, const char *text, struct wt_outcome *answer)
{
	const char *found = strstr(text, "0x");

	if (!found)
		return false;
	wt_session_follow(session, strtoull(found, NULL, 16), answer);
	return true;
}

/* ---- Beginning ---- */

static struct wt_error *session_find_stops(struct wt_session *session)
{
	struct wt_cli_trace *trace = session->trace;
	struct wt_error *error;
	size_t count;
	bool lost;

	/* The one that `wavetape info` shows. */
	error = wt_cli_trace_view(trace, &session->view, &session->stop);
	/* A trace without stops has a journal, and a stop whose state is lost is one all the same. */
	lost = wt_error_is_loss(error);
	if (error && !lost)
		return error;
	session->is_listed = wt_reader_listed_stops(trace->reader, &count) != NULL;
	error = wt_stops_find(&trace->stops);
	if (lost)
		session->stop = trace->has_stop && trace->stop <= trace->stops.count
					? trace->stop
					: trace->stops.count;
	session->begun = session->stop;
	return error;
}

static struct wt_error *session_find_wave(struct wt_session *session)
{
	struct wt_cli_trace *trace = session->trace;

	if (!session->view)
		return NULL;
	if (trace->wave && !wt_view_exists(session->view, WT_OBJECT_WAVE, trace->wave))
		return wt_cli_no_wave("cannot browse", trace);
	session->wave = trace->wave ? trace->wave : view_telling_wave(session->view);
	return NULL;
}

struct wt_error *wt_session_create(struct wt_cli_trace *trace, const struct wt_source_maps *maps,
				   bool (*interrupted)(void), struct wt_session **session_ret)
{
	struct wt_session *session = calloc(1, sizeof(*session));
	struct wt_error *error;

	if (!session)
		return &wt_error_no_memory;
	session->trace = trace;
	session->maps = maps;
	session->interrupted = interrupted;
	wt_error_destroy(wt_sources_create_mapped(trace->reader, maps, &session->sources));
	error = session_find_stops(session);
	if (!error)
		error = session_find_wave(session);
	if (error) {
		wt_session_destroy(session);
		return error;
	}
	*session_ret = session;
	return NULL;
}

void wt_session_destroy(struct wt_session *session)
{
	if (!session)
		return;
	wt_session_close_pages(session);
	wt_session_keep_expression(session, NULL);
	session_close_stop(session);
	wt_sources_destroy(session->sources);
	free(session);
}
