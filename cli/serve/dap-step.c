/* SPDX-License-Identifier: MIT */
/*
 * Walking in the way of a wave: step by step, by lines, to breakpoints, forwards and backwards, and to other stops. Each wave stands where
 * it was walked to; the others are at the stop.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/compare.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/serve/dap.h"
#include "replayer/view/stop-summary.h"

#define CANNOT_STEP "cannot step"
#define CANNOT_GO "cannot go there"

/* ---- Work that may take long ---- */

#define WORK_SHOWN_NS UINT64_C(200000000) /* behind which a client is told of it, and how often */

static bool work_goes_on(void *opaque, uint64_t instructions)
{
	struct wt_dap *dap = opaque;
	uint64_t now = wt_clock_ns();
	wt_cleanup_free char *text = NULL;

	if (wt_dap_is_cancelled(dap))
		return false;
	if (!dap->client.progress || now - dap->work.told_ns < WORK_SHOWN_NS)
		return true;
	dap->work.told_ns = now;
	text = wt_text("%" PRIu64 " instructions", instructions);
	if (!dap->work.is_shown)
		wt_dap_event(dap, "progressStart",
			     json_pack("{s:s, s:s, s:I, s:b}", "progressId", WT_DAP_PROGRESS,
				       "title", dap->work.title, "requestId", dap->current,
				       "cancellable", 1));
	else
		wt_dap_event(dap, "progressUpdate",
			     json_pack("{s:s, s:o}", "progressId", WT_DAP_PROGRESS, "message",
				       wt_cli_json_text(text)));
	dap->work.is_shown = true;
	return true;
}

void wt_dap_leave(struct wt_dap *dap, uint64_t wave, const char *title)
{
	wt_opened_leave(dap->opened, wave);
	dap->work.title = title;
	dap->work.is_shown = false;
	dap->work.told_ns = wt_clock_ns();
}

void wt_dap_work_end(struct wt_dap *dap)
{
	if (dap->work.is_shown)
		wt_dap_event(dap, "progressEnd", json_pack("{s:s}", "progressId", WT_DAP_PROGRESS));
	dap->work.is_shown = false;
}

struct wt_error *wt_dap_way(struct wt_dap *dap, uint64_t wave, const char *what,
			    struct wt_way **way_ret)
{
	const struct wt_way_options options = {.go_on = work_goes_on, .opaque = dap};
	const struct wt_way_summary *summary;
	struct wt_error *error;

	if (!wave)
		return wt_dap_wrong(what, "no wave is here");
	wt_dap_leave(dap, wave, "following the wave");
	error = wt_opened_way(dap->opened, wave, &options, way_ret);
	wt_dap_work_end(dap);
	if (error)
		return error;
	summary = wt_way_summary(*way_ret);
	return summary->found ? NULL
			      : wt_dap_wrong(what, "the way of wave %" PRIu64 " is not known: %s",
					     wave, summary->why_not ? summary->why_not : "?");
}

char *wt_dap_position(struct wt_dap *dap, uint64_t wave)
{
	const struct wt_way *way = wt_opened_way_at(dap->opened, wave);

	return way ? wt_text("step %" PRIu64 " of %" PRIu64, wt_way_position(way),
			     wt_way_summary(way)->steps)
		   : NULL;
}

/* ---- Where one is after a move ---- */

static void stop_tell(struct wt_dap *dap, uint64_t wave, const char *reason, const char *text,
		      json_int_t breakpoint)
{
	wt_cleanup_free char *position = wt_dap_position(dap, wave);
	json_t *body;

	wt_dap_forget(dap);
	dap->wave = wave;
	/* At its end the way is at the stop, with what happened there. */
	if (!position && !breakpoint) {
		wt_dap_tell_stop(dap, NULL, text);
		return;
	}
	body = json_pack("{s:s, s:I, s:b, s:b}", "reason", reason, "threadId", (json_int_t)wave,
			 "allThreadsStopped", 1, "preserveFocusHint", 0);
	if (position)
		json_object_set_new(body, "description", json_string(position));
	if (text)
		json_object_set_new(body, "text", wt_cli_json_visible(text));
	if (breakpoint)
		json_object_set_new(body, "hitBreakpointIds", json_pack("[I]", breakpoint));
	wt_dap_event_later(dap, "stopped", body);
}

/* The way ends, or begins, where one stands: say so. */
static const char *edge_describe(const struct wt_way *way, bool back)
{
	const struct wt_way_summary *summary = wt_way_summary(way);

	if (!back)
		return "the way ends here, where the wave stopped";
	return summary->from_stop ? "the way begins here, at an earlier stop of the wave"
				  : "the way begins here, at the launch of the wave";
}

/* ---- Steps ---- */

static struct wt_error *step_by(struct wt_way *way, bool back, enum wt_way_stride stride,
				bool instruction, bool *edge_ret)
{
	struct wt_way_found found;
	struct wt_error *error;
	uint64_t position;

	*edge_ret = false;
	if (instruction) {
		*edge_ret = !wt_way_next(way, back, &position);
		return *edge_ret ? NULL : wt_way_go(way, position);
	}
	error = wt_way_stride(way, back, stride, &found);
	if (!error)
		*edge_ret = found.answer != WT_WAY_FOUND;
	return error;
}

static struct wt_error *step_handle(struct wt_dap *dap, const json_t *arguments, bool back,
				    enum wt_way_stride stride)
{
	const char *granularity = wt_dap_text(arguments, "granularity");
	bool instruction = granularity && !strcmp(granularity, "instruction"), edge = false;
	struct wt_way *way = NULL;
	uint64_t wave;
	struct wt_error *error = wt_dap_wave(dap, arguments, CANNOT_STEP, &wave);

	if (!error)
		error = wt_dap_way(dap, wave, CANNOT_STEP, &way);
	if (error)
		return error;
	wt_dap_leave(dap, wave, "stepping");
	error = step_by(way, back, stride, instruction && stride != WT_WAY_OUT, &edge);
	wt_dap_work_end(dap);
	if (!error)
		stop_tell(dap, wave, "step", edge ? edge_describe(way, back) : NULL, 0);
	return error;
}

static struct wt_error *handle_next(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, false, WT_WAY_OVER);
}

static struct wt_error *handle_step_in(struct wt_dap *dap, const json_t *arguments,
				       json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, false, WT_WAY_INTO);
}

static struct wt_error *handle_step_out(struct wt_dap *dap, const json_t *arguments,
					json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, false, WT_WAY_OUT);
}

static struct wt_error *handle_step_back(struct wt_dap *dap, const json_t *arguments,
					 json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, true, WT_WAY_OVER);
}

static struct wt_error *handle_step_back_in(struct wt_dap *dap, const json_t *arguments,
					    json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, true, WT_WAY_INTO);
}

static struct wt_error *handle_step_back_out(struct wt_dap *dap, const json_t *arguments,
					     json_t **body_ret)
{
	(void)body_ret;
	return step_handle(dap, arguments, true, WT_WAY_OUT);
}

/* ---- Breakpoints ---- */

static struct wt_way_until breakpoint_until(const struct wt_dap_breakpoint *breakpoint)
{
	struct wt_way_until until = {
		.kind = WT_WAY_UNTIL_INSTRUCTION,
		.addresses = breakpoint->addresses,
		.address_count = breakpoint->address_count,
		.text = breakpoint->text,
		.lane = breakpoint->lane,
	};

	if (breakpoint->kind == WT_DAP_BREAK_LINE) {
		until.kind = WT_WAY_UNTIL_LINE;
		until.file = breakpoint->file;
		until.line = breakpoint->line;
	} else if (breakpoint->kind == WT_DAP_BREAK_DATA) {
		until.kind = WT_WAY_UNTIL_CHANGE;
	}
	return until;
}

static const char *breakpoint_reason(const struct wt_dap_breakpoint *breakpoint)
{
	static const char *const reasons[] = {
		[WT_DAP_BREAK_LINE] = "breakpoint",
		[WT_DAP_BREAK_FUNCTION] = "function breakpoint",
		[WT_DAP_BREAK_INSTRUCTION] = "instruction breakpoint",
		[WT_DAP_BREAK_DATA] = "data breakpoint",
	};

	return reasons[breakpoint->kind];
}

/* @which_ret: the place of the breakpoint that was met, SIZE_MAX: none. */
static struct wt_error *way_continue(struct wt_dap *dap, struct wt_way *way, bool back,
				     size_t *which_ret)
{
	wt_cleanup_free struct wt_way_until *untils =
		calloc(dap->breakpoint_count + 1, sizeof(*untils));
	wt_cleanup_free size_t *places = calloc(dap->breakpoint_count + 1, sizeof(*places));
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	struct wt_error *error;
	size_t count = 0;

	*which_ret = SIZE_MAX;
	if (!untils || !places)
		return &wt_error_no_memory;
	for (size_t i = 0; i < dap->breakpoint_count; i++) {
		if (!dap->breakpoints[i].is_known)
			continue;
		places[count] = i;
		untils[count++] = breakpoint_until(&dap->breakpoints[i]);
	}
	error = wt_way_run(way, back, untils, count, &found);
	if (!error && found.answer == WT_WAY_GIVEN_UP)
		return wt_dap_wrong("cannot go on", "this was taken back");
	if (!error && found.answer == WT_WAY_FOUND && found.which < count)
		*which_ret = places[found.which];
	return error;
}

/* From the end of a way to the next stop, from its beginning to the one before. False if there is none. */
static struct wt_error *stop_continue(struct wt_dap *dap, uint64_t wave, bool back, bool *gone_ret)
{
	uint32_t stop = dap->opened->stop + (back ? 0 : 1) - (back ? 1 : 0);
	struct wt_error *error = wt_stops_find(&dap->opened->trace.stops);

	*gone_ret = false;
	if (error || !stop || stop > dap->opened->trace.stops.count)
		return error;
	error = wt_dap_go_stop(dap, stop);
	if (error)
		return error;
	*gone_ret = true;
	if (wt_view_exists(dap->opened->view, WT_OBJECT_WAVE, wave))
		dap->wave = wave;
	return NULL;
}

static struct wt_error *continue_handle(struct wt_dap *dap, const json_t *arguments, bool back)
{
	static const char what[] = "cannot go on";
	struct wt_way *way = NULL;
	size_t which = SIZE_MAX;
	bool gone = false, edge;
	const char *text = NULL;
	uint64_t wave, position;
	struct wt_error *error = wt_dap_wave(dap, arguments, what, &wave), *no_way;

	if (error)
		return error;
	no_way = wt_dap_way(dap, wave, what, &way);
	edge = no_way || !wt_way_next(way, back, &position);
	if (edge)
		error = stop_continue(dap, wave, back, &gone);
	if (error || gone) {
		wt_error_destroy(no_way);
		if (!error)
			wt_dap_tell_stop(dap, NULL, NULL);
		return error;
	}
	if (no_way)
		return no_way;
	wt_dap_leave(dap, wave, back ? "going back" : "going on");
	error = way_continue(dap, way, back, &which);
	wt_dap_work_end(dap);
	if (error)
		return error;
	if (which == SIZE_MAX && !wt_way_next(way, back, &position))
		text = edge_describe(way, back);
	stop_tell(dap, wave,
		  which == SIZE_MAX ? "step" : breakpoint_reason(&dap->breakpoints[which]), text,
		  which == SIZE_MAX ? 0 : dap->breakpoints[which].number);
	return NULL;
}

static struct wt_error *handle_continue(struct wt_dap *dap, const json_t *arguments,
					json_t **body_ret)
{
	struct wt_error *error = continue_handle(dap, arguments, false);

	if (!error)
		*body_ret = json_pack("{s:b}", "allThreadsContinued", 0);
	return error;
}

static struct wt_error *handle_reverse_continue(struct wt_dap *dap, const json_t *arguments,
						json_t **body_ret)
{
	(void)body_ret;
	return continue_handle(dap, arguments, true);
}

/* ---- Going to a place ---- */

static struct wt_error *position_go(struct wt_dap *dap, uint64_t wave, uint64_t position)
{
	struct wt_way *way = NULL;
	struct wt_error *error = wt_dap_way(dap, wave, CANNOT_GO, &way);

	if (error)
		return error;
	wt_dap_leave(dap, wave, "going there");
	error = wt_way_go(way, position);
	wt_dap_work_end(dap);
	return error;
}

static struct wt_error *handle_go_position(struct wt_dap *dap, const json_t *arguments,
					   json_t **body_ret)
{
	json_int_t position;
	uint64_t wave;
	struct wt_error *error = wt_dap_wave(dap, arguments, CANNOT_GO, &wave);

	if (!error)
		error = wt_dap_number(arguments, "position", 0, INT64_MAX, -1, &position);
	if (!error && position < 0)
		error = wt_dap_wrong(CANNOT_GO, "position is missing");
	if (!error)
		error = position_go(dap, wave, (uint64_t)position);
	if (error)
		return error;
	*body_ret = json_pack("{s:I}", "position", position);
	stop_tell(dap, wave, "goto", NULL, 0);
	return NULL;
}

static void target_add(struct wt_dap *dap, const struct wt_dap_target *target, const char *label,
		       uint32_t line, json_t *array)
{
	struct wt_dap_target *grown =
		reallocarray(dap->targets, dap->target_count + 1, sizeof(*grown));

	if (!grown)
		return;
	dap->targets = grown;
	grown[dap->target_count++] = *target;
	json_array_append_new(
		array, json_pack("{s:I, s:o, s:I}", "id", (json_int_t)dap->target_count, "label",
				 wt_cli_json_text(label), "line", wt_dap_line(dap, line)));
}

/* The next time, or the last, that the wave comes to a line. */
static struct wt_error *target_find(struct wt_dap *dap, struct wt_way *way, bool back,
				    const char *file, uint32_t line, json_t *array)
{
	const struct wt_way_until until = {.kind = WT_WAY_UNTIL_LINE, .file = file, .line = line};
	uint64_t before = wt_way_position(way);
	struct wt_way_found found;
	wt_cleanup_free char *label = NULL;
	struct wt_error *error = wt_way_run(way, back, &until, 1, &found);

	if (!error && found.answer == WT_WAY_FOUND) {
		const struct wt_dap_target target = {.wave = dap->wave, .position = found.position};

		label = wt_text("%s: step %" PRIu64 " of wave %" PRIu64,
				back ? "the time before" : "the next time", found.position,
				dap->wave);
		target_add(dap, &target, label ? label : "?", line, array);
	}
	return error ? error : wt_way_go(way, before);
}

/* Stops whose wave that tells most is at the line. */
static struct wt_error *targets_add_stops(struct wt_dap *dap, const char *file, uint32_t line,
					  json_t *array)
{
	struct wt_stop_summaries summaries = {0};
	wt_cleanup_error struct wt_error *failed = NULL;
	struct wt_error *error =
		wt_stop_summaries_find(&dap->opened->trace.stops, &summaries, &failed);

	for (size_t i = 0; i < summaries.count && !error; i++) {
		const struct wt_stop_summary *summary = &summaries.of[i];
		const struct wt_dap_target target = {.stop = summary->number};
		wt_cleanup_free char *label = NULL;

		if (summary->failed || !wt_same_text(summary->place.file, file) ||
		    summary->place.line != line)
			continue;
		label = wt_text("stop %" PRIu32, summary->number);
		target_add(dap, &target, label ? label : "?", line, array);
	}
	wt_stop_summaries_deinit(&summaries);
	return error;
}

static struct wt_error *handle_goto_targets(struct wt_dap *dap, const json_t *arguments,
					    json_t **body_ret)
{
	json_t *array = json_array();
	wt_cleanup_free char *file = NULL;
	struct wt_way *way = NULL;
	uint32_t line = 0;
	struct wt_error *error = wt_dap_line_find(dap, arguments, &file, &line);

	dap->target_count = 0;
	if (!error && file)
		error = targets_add_stops(dap, file, line, array);
	if (!error && file && dap->wave) {
		struct wt_error *no_way = wt_dap_way(dap, dap->wave, CANNOT_GO, &way);

		/* There are stops all the same. */
		if (no_way)
			wt_error_destroy(no_way);
		else
			error = target_find(dap, way, true, file, line, array);
		if (!no_way && !error)
			error = target_find(dap, way, false, file, line, array);
		wt_dap_work_end(dap);
	}
	if (error)
		json_decref(array);
	else
		*body_ret = json_pack("{s:o}", "targets", array);
	return error;
}

static struct wt_error *handle_goto(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	struct wt_dap_target target;
	struct wt_error *error;
	json_int_t number;

	(void)body_ret;
	error = wt_dap_number(arguments, "targetId", 1, INT32_MAX, 0, &number);
	if (error)
		return error;
	if (!number || (size_t)number > dap->target_count)
		return wt_dap_wrong(CANNOT_GO, "there is no target %" PRId64, (int64_t)number);
	target = dap->targets[number - 1];
	if (target.stop) {
		error = wt_dap_go_stop(dap, target.stop);
		if (!error)
			wt_dap_tell_stop(dap, "goto", NULL);
		return error;
	}
	error = position_go(dap, target.wave, target.position);
	if (!error)
		stop_tell(dap, target.wave, "goto", NULL, 0);
	return error;
}

/* ---- Questions on a way ---- */

static struct wt_error *handle_way(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	const struct wt_way_summary *summary;
	wt_cleanup_free char *text = NULL;
	struct wt_way *way = NULL;
	uint64_t wave;
	struct wt_error *error = wt_dap_wave(dap, arguments, CANNOT_STEP, &wave);

	if (!error)
		error = wt_dap_way(dap, wave, CANNOT_STEP, &way);
	if (!error)
		error = wt_way_describe(way, &text);
	if (error)
		return error;
	summary = wt_way_summary(way);
	*body_ret = json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I}", "description",
			      wt_cli_json_text(text), "position", (json_int_t)wt_way_position(way),
			      "steps", (json_int_t)summary->steps, "cutFrom",
			      (json_int_t)summary->cut_from, "cutCount",
			      (json_int_t)summary->cut_count, "recorded",
			      (json_int_t)summary->recorded, "proved", (json_int_t)summary->proved);
	return NULL;
}

static const char *const answers[] = {
	[WT_WAY_FOUND] = "found",	  [WT_WAY_NOWHERE] = "nowhere",
	[WT_WAY_IN_CUT] = "cut out",	  [WT_WAY_UNCERTAIN] = "uncertain",
	[WT_WAY_GIVEN_UP] = "taken back",
};

/* Who wrote it last, or reads it first. @go: go there. */
static struct wt_error *touch_find(struct wt_dap *dap, uint64_t wave, const char *name, bool read,
				   bool go, struct wt_way_found *found_ret)
{
	struct wt_way_target target = {.lane = UINT32_MAX};
	wt_cleanup_free char *text = wt_dap_condition(dap, name, &target.lane);
	struct wt_way *way = NULL;
	struct wt_error *error;

	if (!text)
		return &wt_error_no_memory;
	target.text = text;
	error = wt_dap_way(dap, wave, "cannot say who touched this", &way);
	if (!error)
		error = read ? wt_way_first_read(way, &target, found_ret)
			     : wt_way_last_write(way, &target, found_ret);
	if (!error && go &&
	    (found_ret->answer == WT_WAY_FOUND || found_ret->answer == WT_WAY_UNCERTAIN))
		error = position_go(dap, wave, found_ret->position);
	return error;
}

static struct wt_error *touch_handle(struct wt_dap *dap, const json_t *arguments, bool read,
				     json_t **body_ret)
{
	static const char what[] = "cannot say who touched this";
	const char *name = wt_dap_text(arguments, "name");
	bool go = json_is_true(json_object_get(arguments, "go"));
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	uint64_t wave;
	struct wt_error *error = wt_dap_wave(dap, arguments, what, &wave);

	if (!error && !name)
		error = wt_dap_wrong(what, "name is missing");
	if (!error)
		error = touch_find(dap, wave, name, read, go, &found);
	if (error)
		return error;
	*body_ret = json_pack("{s:s}", "answer", answers[found.answer]);
	if (found.answer != WT_WAY_FOUND && found.answer != WT_WAY_UNCERTAIN)
		return NULL;
	json_object_set_new(*body_ret, "position", json_integer((json_int_t)found.position));
	if (go)
		stop_tell(dap, wave, "goto", NULL, 0);
	return NULL;
}

static struct wt_error *handle_last_write(struct wt_dap *dap, const json_t *arguments,
					  json_t **body_ret)
{
	return touch_handle(dap, arguments, false, body_ret);
}

static struct wt_error *handle_first_read(struct wt_dap *dap, const json_t *arguments,
					  json_t **body_ret)
{
	return touch_handle(dap, arguments, true, body_ret);
}

/* ---- The console ---- */

static struct wt_error *console_touch(struct wt_dap *dap, const char *name, bool read,
				      char **text_ret)
{
	struct wt_way_found found = {.answer = WT_WAY_NOWHERE};
	struct wt_error *error = touch_find(dap, dap->wave, name, read, true, &found);

	if (error)
		return error;
	if (found.answer != WT_WAY_FOUND && found.answer != WT_WAY_UNCERTAIN) {
		*text_ret = wt_text("%s: %s", name, answers[found.answer]);
		return NULL;
	}
	*text_ret = wt_text("%s: %s, step %" PRIu64, name,
			    found.answer == WT_WAY_UNCERTAIN ? "maybe"
			    : read			     ? "read by"
							     : "written by",
			    found.position);
	stop_tell(dap, dap->wave, "goto", NULL, 0);
	return NULL;
}

static struct wt_error *console_position(struct wt_dap *dap, uint64_t position, char **text_ret)
{
	struct wt_error *error = position_go(dap, dap->wave, position);

	if (error)
		return error;
	*text_ret = wt_text("step %" PRIu64, position);
	stop_tell(dap, dap->wave, "goto", NULL, 0);
	return NULL;
}

/* The requests that some editors have no key for, of the wave that is shown. */
static struct wt_error *console_back(struct wt_dap *dap, bool far, char **text_ret)
{
	json_t *arguments =
		json_pack("{s:I}", "threadId", dap->wave ? (json_int_t)dap->wave : WT_DAP_NO_WAVE);
	struct wt_error *error = far ? continue_handle(dap, arguments, true)
				     : step_handle(dap, arguments, true, WT_WAY_OVER);

	json_decref(arguments);
	if (!error)
		*text_ret = wt_text("%s",
				    far ? "back as far as the way or a breakpoint" : "a line back");
	return error;
}

bool wt_dap_console_way(struct wt_dap *dap, const char *line, char **text_ret,
			struct wt_error **error_ret)
{
	static const char write[] = "last-write ", read[] = "first-read ";
	struct wt_way *way = NULL;
	uint64_t position;
	char end;

	if (!strcmp(line, "way")) {
		*error_ret = wt_dap_way(dap, dap->wave, CANNOT_STEP, &way);
		if (!*error_ret)
			*error_ret = wt_way_describe(way, text_ret);
	} else if (!strcmp(line, "step back") || !strcmp(line, "run back")) {
		*error_ret = console_back(dap, *line == 'r', text_ret);
	} else if (sscanf(line, "step %" SCNu64 "%c", &position, &end) == 1) {
		*error_ret = console_position(dap, position, text_ret);
	} else if (!strncmp(line, write, strlen(write))) {
		*error_ret = console_touch(dap, line + strlen(write), false, text_ret);
	} else if (!strncmp(line, read, strlen(read))) {
		*error_ret = console_touch(dap, line + strlen(read), true, text_ret);
	} else {
		return false;
	}
	return true;
}

const struct wt_dap_command wt_dap_step_commands[] = {
	{"next", handle_next, false},
	{"stepIn", handle_step_in, false},
	{"stepOut", handle_step_out, false},
	{"stepBack", handle_step_back, false},
	{"wavetape/stepBackIn", handle_step_back_in, false},
	{"wavetape/stepBackOut", handle_step_back_out, false},
	{"continue", handle_continue, false},
	{"reverseContinue", handle_reverse_continue, false},
	{"gotoTargets", handle_goto_targets, false},
	{"goto", handle_goto, false},
	{"wavetape/goPosition", handle_go_position, false},
	{"wavetape/way", handle_way, false},
	{"wavetape/lastWrite", handle_last_write, false},
	{"wavetape/firstRead", handle_first_read, false},
	{NULL, NULL, false},
};
