/* SPDX-License-Identifier: MIT */
#include "cli/trace.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/output.h"
#include "replayer/view/explain.h"

void wt_cli_damage(const struct wt_reader *reader, const char *path, size_t *told)
{
	const char *damage = wt_reader_damage(reader);
	wt_cleanup_free char *copy = NULL;
	char *rest, *line;

	if (!damage || strlen(damage) <= *told)
		return;
	/* Text is only ever added, in lines of its own. */
	copy = strdup(damage + *told + (*told && damage[*told] == '\n'));
	*told = strlen(damage);
	fflush(stdout);
	wt_progress_hide();
	if (!copy)
		wt_cli_fail(&wt_error_no_memory);
	for (rest = copy; (line = strsep(&rest, "\n"));) {
		fprintf(stderr, "wavetape: the trace is not whole: ");
		wt_cli_put(stderr, path);
		fprintf(stderr, ": ");
		wt_cli_put(stderr, line);
		putc('\n', stderr);
	}
}

void wt_cli_trace_use(struct wt_cli_trace *trace, struct wt_reader *reader)
{
	trace->reader = trace->stops.reader = reader;
	trace->stops.path = trace->path;
}

struct wt_error *wt_cli_trace_open(struct wt_cli_trace *trace)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(trace->path, &reader);

	if (error)
		return error;
	wt_cli_trace_use(trace, reader);
	wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
	return NULL;
}

bool wt_cli_trace_close(struct wt_cli_trace *trace, int code)
{
	bool partial = false;

	if (trace->reader) {
		wt_cli_damage(trace->reader, trace->path, &trace->damage_told);
		partial = wt_reader_damage(trace->reader) ||
			  (code == WT_EXIT_FINE && wt_cli_cut(trace->reader, trace->path));
	}
	wt_stops_deinit(&trace->stops);
	wt_reader_close(trace->reader);
	trace->reader = NULL;
	return partial;
}

bool wt_cli_cut(const struct wt_reader *reader, const char *path)
{
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	if (!info.cut)
		return false;
	fflush(stdout);
	fprintf(stderr, "wavetape: the recording ended early: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": ");
	wt_cli_put(stderr, info.end_reason);
	putc('\n', stderr);
	return true;
}

/* Text that is printed piece by piece on the same terminal shows by itself how far it is. */
static bool trace_shows_progress(const struct wt_cli_trace *trace)
{
	return trace->verb && (trace->hides_progress || (trace->json && !trace->streams_json) ||
			       trace->output || !isatty(STDOUT_FILENO));
}

int wt_cli_trace_run(struct wt_cli_trace *trace, wt_cli_show show, void *options)
{
	struct wt_error *error = wt_cli_trace_open(trace);
	int code = WT_EXIT_FINE;
	json_t *json = NULL;

	if (trace_shows_progress(trace))
		trace->progress = wt_progress_start(trace->verb);
	if (!error)
		error = show(trace, options, &json);
	wt_progress_end(&trace->progress);
	if (error) {
		code = wt_cli_fail(error);
		json_decref(json);
	} else if (trace->json && !trace->streams_json) {
		code = wt_cli_json(trace->path, trace->viewed, json);
	}
	if (wt_cli_trace_close(trace, code) && code == WT_EXIT_FINE)
		code = WT_EXIT_PARTIAL;
	return code;
}

static bool trace_needs(void *opaque, const struct wt_key *key)
{
	const struct wt_cli_trace *trace = opaque;

	if (key->type == WT_ITEM_REGISTERS)
		return trace->needed.values;
	return key->type != WT_ITEM_LIST || !key->kind || key->kind != trace->needed.list;
}

void wt_cli_trace_need_no_registers(struct wt_cli_trace *trace, bool values)
{
	trace->needed.list = wt_reader_name_number(
		trace->reader, wt_functions[WT_FUNCTION_WAVE_REGISTER_LIST].name);
	trace->needed.values = values;
	wt_reader_need(trace->reader, trace_needs, trace);
}

struct wt_error *wt_cli_trace_view(struct wt_cli_trace *trace, struct wt_view **view_ret,
				   uint32_t *stop_ret)
{
	struct wt_error *error =
		wt_stops_view(&trace->stops, trace->has_stop ? trace->stop : 0, view_ret, stop_ret);

	if (!error)
		trace->viewed = *stop_ret;
	return error;
}

struct wt_error *wt_cli_no_wave(const char *action, const struct wt_cli_trace *trace)
{
	/* The same mistake as a --stop that is not there. */
	return wt_error_create(WT_ERROR_USAGE, action, trace->path,
			       "there is no wave %" PRIu64
			       " at this stop; `wavetape waves` lists them",
			       trace->wave);
}

static struct wt_error *trace_none_stopped_error(const char *action,
						 const struct wt_cli_trace *trace)
{
	return wt_error_create(WT_ERROR_NOT_FOUND, action, trace->path,
			       "no wave is stopped at this stop");
}

struct wt_error *wt_cli_choose_wave(const char *action, struct wt_cli_trace *trace,
				    struct wt_view *view)
{
	if (trace->wave) {
		/* Registers of a wave may be there where the wave itself is lost. */
		if (wt_view_exists(view, WT_OBJECT_WAVE, trace->wave) ||
		    wt_view_register_count(view, trace->wave))
			return NULL;
		return wt_cli_no_wave(action, trace);
	}
	trace->wave = wt_view_telling_wave(view);
	return trace->wave ? NULL : trace_none_stopped_error(action, trace);
}
