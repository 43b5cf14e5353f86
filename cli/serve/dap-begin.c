/* SPDX-License-Identifier: MIT */
/* How a session begins and ends: what the adapter can do, what is opened, and going to another stop. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "cli/replay/running.h"
#include "cli/serve/dap.h"
#include "replayer/view/explain-cause.h"

static bool arguments_flag(const json_t *arguments, const char *name)
{
	return json_is_true(json_object_get(arguments, name));
}

static bool arguments_deny(const json_t *arguments, const char *name)
{
	return json_is_false(json_object_get(arguments, name));
}

static struct wt_error *handle_initialize(struct wt_dap *dap, const json_t *arguments,
					  json_t **body_ret)
{
	static const char *const can[] = {
		"supportsConfigurationDoneRequest",
		"supportsFunctionBreakpoints",
		"supportsConditionalBreakpoints",
		"supportsStepBack",
		"supportsGotoTargetsRequest",
		"supportsSteppingGranularity",
		"supportsInstructionBreakpoints",
		"supportsDataBreakpoints",
		"supportsBreakpointLocationsRequest",
		"supportsEvaluateForHovers",
		"supportsSetVariable",
		"supportsCompletionsRequest",
		"supportsModulesRequest",
		"supportsRestartRequest",
		"supportsExceptionInfoRequest",
		"supportsDelayedStackTraceLoading",
		"supportsLoadedSourcesRequest",
		"supportsTerminateRequest",
		"supportsReadMemoryRequest",
		"supportsDisassembleRequest",
		"supportsCancelRequest",
		"supportsClipboardContext",
	};

	if (dap->is_initialized)
		return wt_dap_wrong("cannot initialize", "this was done before");
	dap->is_initialized = true;
	dap->client.lines_from_0 = arguments_deny(arguments, "linesStartAt1");
	dap->client.columns_from_0 = arguments_deny(arguments, "columnsStartAt1");
	dap->client.types = arguments_flag(arguments, "supportsVariableType");
	dap->client.progress = arguments_flag(arguments, "supportsProgressReporting");
	dap->client.invalidated = arguments_flag(arguments, "supportsInvalidatedEvent");
	*body_ret = json_object();
	for (size_t i = 0; i < sizeof(can) / sizeof(*can); i++)
		json_object_set_new(*body_ret, can[i], json_true());
	return NULL;
}

/* ---- Where one is ---- */

uint32_t wt_dap_lane(const struct wt_dap *dap, uint64_t active)
{
	if (!active || active >> dap->lane & 1)
		return dap->lane;
	if (active & dap->failed_lanes)
		active &= dap->failed_lanes;
	return (uint32_t)__builtin_ctzll(active);
}

struct wt_error *wt_dap_take_lane(struct wt_dap *dap, json_int_t lane)
{
	if (lane < 0 || lane > 63)
		return wt_dap_wrong("cannot look at the lane", "lanes are 0 to 63");
	dap->lane = (uint32_t)lane;
	if (dap->client.invalidated)
		wt_dap_event_later(dap, "invalidated", json_pack("{s:[s]}", "areas", "variables"));
	return NULL;
}

static struct wt_error *handle_lane(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	json_int_t lane;
	struct wt_error *error = wt_dap_number(arguments, "lane", 0, 63, -1, &lane);

	if (!error)
		error = wt_dap_take_lane(dap, lane);
	if (!error)
		*body_ret = json_pack("{s:I}", "lane", (json_int_t)dap->lane);
	return error;
}

/* The wave and the lane to begin with: those that failed. */
static struct wt_error *dap_choose(struct wt_dap *dap, uint64_t wanted)
{
	struct wt_view *view = dap->opened->view;
	struct wt_error *error;
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	dap->wave = wanted ? wanted : wt_view_telling_wave(view);
	if (!dap->wave && count)
		dap->wave = waves[0];
	dap->failed_lanes = 0;
	if (!dap->wave)
		return NULL;
	error = wt_explain_failed_lanes(dap->opened->explainer, dap->wave, &dap->failed_lanes);
	if (dap->failed_lanes)
		dap->lane = (uint32_t)__builtin_ctzll(dap->failed_lanes);
	return error;
}

struct wt_error *wt_dap_go_stop(struct wt_dap *dap, uint32_t stop)
{
	struct wt_error *error = wt_opened_go(dap->opened, stop);
	struct wt_replay_answer answer = {0};
	char request[WT_CONTROL_REQUEST];

	if (error)
		return error;
	wt_dap_forget(dap);
	if (dap->has_replay) {
		snprintf(request, sizeof(request), "goto %" PRIu32, dap->opened->stop);
		error = wt_replay_ask(&dap->replay, request, &answer);
		wt_replay_answer_deinit(&answer);
	}
	if (error) {
		/* The trace is looked at all the same. */
		wt_cleanup_free char *line = wt_opened_error_line(error);

		wt_dap_say(dap, "important", line ? line : "the replay did not go along");
		dap->has_replay = false;
	}
	return dap_choose(dap, 0);
}

void wt_dap_tell_stop(struct wt_dap *dap, const char *reason, const char *text)
{
	wt_cleanup_free char *sentence = NULL;
	bool fault = dap->wave && wt_view_wave_has_fault(dap->opened->view, dap->wave);
	char reasons[WT_DESCRIBE_MAX];
	json_t *body;
	uint64_t bits;

	if (!text && fault) {
		wt_error_destroy(wt_crash_sentence(dap->opened->explainer, dap->wave,
						   wt_cli_demangle, &sentence));
		text = sentence;
	}
	if (!reason)
		reason = fault ? "exception" : "pause";
	body = json_pack("{s:s, s:I, s:b, s:b}", "reason", reason, "threadId",
			 dap->wave ? (json_int_t)dap->wave : (json_int_t)WT_DAP_NO_WAVE,
			 "allThreadsStopped", 1, "preserveFocusHint", 0);
	if (text)
		json_object_set_new(body, "text", wt_cli_json_visible(text));
	if (fault && wt_view_number(dap->opened->view, WT_OBJECT_WAVE, dap->wave,
				    AMD_DBGAPI_WAVE_INFO_STOP_REASON, &bits))
		json_object_set_new(
			body, "description",
			json_string(wt_describe_reasons_plainly((uint32_t)bits, reasons)));
	wt_dap_event_later(dap, "stopped", body);
}

/* The first stop is told once both are done: something is open, and the client has said all that it has to say. */
static void dap_tell_begin(struct wt_dap *dap)
{
	if (!dap->opened || !dap->is_configured || dap->is_stop_told)
		return;
	dap->is_stop_told = true;
	wt_dap_tell_stop(dap, NULL, NULL);
}

static struct wt_error *handle_configuration_done(struct wt_dap *dap, const json_t *arguments,
						  json_t **body_ret)
{
	(void)arguments;
	(void)body_ret;
	dap->is_configured = true;
	dap_tell_begin(dap);
	return NULL;
}

/* ---- Opening ---- */

static struct wt_error *maps_add(struct wt_dap *dap, char *text)
{
	if (!text)
		return &wt_error_no_memory;
	if (dap->map_text_count == WT_SOURCE_MAPS || !wt_source_maps_add(&dap->maps, text)) {
		free(text);
		return wt_dap_wrong("cannot open the trace",
				    "sourceMap takes up to %d pairs of FROM and TO",
				    WT_SOURCE_MAPS);
	}
	dap->map_texts[dap->map_text_count++] = text;
	return NULL;
}

/* {"FROM": "TO"} or ["FROM=TO"]. */
static struct wt_error *maps_take(struct wt_dap *dap, const json_t *arguments)
{
	json_t *maps = json_object_get(arguments, "sourceMap"), *value;
	struct wt_error *error = NULL;
	const char *from;
	size_t i;

	json_object_foreach(maps, from, value)
	{
		if (!error)
			error = maps_add(
				dap,
				wt_text("%s=%s", from,
					json_is_string(value) ? json_string_value(value) : ""));
	}
	json_array_foreach(maps, i, value)
	{
		if (!error)
			error = maps_add(
				dap, strdup(json_is_string(value) ? json_string_value(value) : ""));
	}
	return error;
}

static void dap_tell_missing(struct wt_dap *dap)
{
	const char *damage = wt_reader_damage(dap->opened->trace.reader);
	struct wt_trace_info info;

	wt_reader_info(dap->opened->trace.reader, &info);
	if (damage) {
		wt_cleanup_free char *text = wt_text("the trace is not whole: %s", damage);

		wt_dap_say(dap, "important", text ? text : "the trace is not whole");
	}
	if (info.cut) {
		wt_cleanup_free char *text =
			wt_text("the recording ended early: %s", info.end_reason);

		wt_dap_say(dap, "important", text ? text : "the recording ended early");
	}
}

/* Something was opened: look at the wave that is asked for. */
static struct wt_error *dap_begin(struct wt_dap *dap, const json_t *arguments)
{
	json_int_t wave = 0;
	struct wt_error *error = wt_dap_number(arguments, "wave", 1, INT64_MAX, 0, &wave);

	if (!error && wave && !wt_view_exists(dap->opened->view, WT_OBJECT_WAVE, (uint64_t)wave))
		error = wt_dap_wrong("cannot open the trace",
				     "there is no wave %" PRId64 " at this stop", (int64_t)wave);
	if (!error)
		error = dap_choose(dap, (uint64_t)wave);
	if (error) {
		wt_opened_close(wt_take(dap->opened));
		return error;
	}
	dap_tell_missing(dap);
	wt_dap_event_later(dap, "initialized", NULL);
	dap_tell_begin(dap);
	return NULL;
}

static struct wt_error *dap_open(struct wt_dap *dap, const json_t *arguments, const char *path)
{
	json_int_t stop;
	struct wt_error *error =
		wt_dap_number(arguments, "stop", 1, UINT32_MAX, dap->options->stop, &stop);

	if (!error)
		error = maps_take(dap, arguments);
	if (!error)
		error = wt_opened_create(path, &dap->maps, (uint32_t)stop, &dap->opened);
	return error ? error : dap_begin(dap, arguments);
}

static struct wt_error *dap_check_none(const struct wt_dap *dap)
{
	return dap->opened ? wt_dap_wrong("cannot open the trace", "one is open already") : NULL;
}

/* A trace by one of its names in the arguments; else the one of the command line. */
static const char *arguments_trace(const struct wt_dap *dap, const json_t *arguments)
{
	const char *path = wt_dap_text(arguments, "trace");

	if (!path)
		path = wt_dap_text(arguments, "program");
	return path ? path : dap->options->path;
}

static struct wt_error *handle_launch(struct wt_dap *dap, const json_t *arguments,
				      json_t **body_ret)
{
	const char *path = arguments_trace(dap, arguments);
	struct wt_error *error = dap_check_none(dap);

	(void)body_ret;
	if (error)
		return error;
	if (!path)
		return wt_dap_wrong("cannot open the trace",
				    "\"program\" or \"trace\" is its file");
	return dap_open(dap, arguments, path);
}

/* A running replay, by its process or its trace: one looks at the stop at which it is. */
static struct wt_error *attach_replay(struct wt_dap *dap, const json_t *arguments, const char *name)
{
	struct wt_replay_answer answer = {0};
	struct wt_error *error = wt_replays_find(name, &dap->replay);

	if (!error)
		error = wt_replay_ask(&dap->replay, "info", &answer);
	if (!error && !answer.trace)
		error = wt_dap_wrong("cannot attach",
				     "the replay does not say of which trace it is");
	if (!error)
		error = maps_take(dap, arguments);
	if (!error)
		error = wt_opened_create(answer.trace, &dap->maps, answer.stop, &dap->opened);
	if (!error)
		error = dap_begin(dap, arguments);
	dap->has_replay = !error;
	wt_replay_answer_deinit(&answer);
	return error;
}

static struct wt_error *handle_attach(struct wt_dap *dap, const json_t *arguments,
				      json_t **body_ret)
{
	const json_t *replay = json_object_get(arguments, "replay");
	const char *core = wt_dap_text(arguments, "core"), *path;
	struct wt_error *error = dap_check_none(dap);

	(void)body_ret;
	if (error)
		return error;
	if (core) {
		error = maps_take(dap, arguments);
		if (!error)
			error = wt_opened_create_core(core, &dap->maps, &dap->opened);
		return error ? error : dap_begin(dap, arguments);
	}
	if (json_is_integer(replay) || json_is_string(replay)) {
		wt_cleanup_free char *name =
			json_is_string(replay)
				? strdup(json_string_value(replay))
				: wt_text("%" PRId64, (int64_t)json_integer_value(replay));

		return name ? attach_replay(dap, arguments, name) : &wt_error_no_memory;
	}
	path = arguments_trace(dap, arguments);
	if (!path)
		return wt_dap_wrong("cannot attach",
				    "\"trace\" or \"core\" is a file, \"replay\" a process");
	return dap_open(dap, arguments, path);
}

/* ---- Going, and the end ---- */

/* To the stop that the new arguments name, or back to the one that tells most. */
static struct wt_error *handle_restart(struct wt_dap *dap, const json_t *arguments,
				       json_t **body_ret)
{
	json_int_t stop;
	struct wt_error *error = wt_dap_number(json_object_get(arguments, "arguments"), "stop", 1,
					       UINT32_MAX, dap->options->stop, &stop);

	(void)body_ret;
	if (!error)
		error = wt_dap_go_stop(dap, (uint32_t)stop);
	if (!error)
		wt_dap_tell_stop(dap, NULL, NULL);
	return error;
}

static struct wt_error *handle_go_stop(struct wt_dap *dap, const json_t *arguments,
				       json_t **body_ret)
{
	json_int_t stop;
	struct wt_error *error = wt_dap_number(arguments, "stop", 1, UINT32_MAX, 0, &stop);

	if (!error && !stop)
		error = wt_dap_wrong("cannot go there", "stop is missing");
	if (!error)
		error = wt_dap_go_stop(dap, (uint32_t)stop);
	if (error)
		return error;
	*body_ret = json_pack("{s:I}", "stop", (json_int_t)dap->opened->stop);
	wt_dap_tell_stop(dap, "goto", NULL);
	return NULL;
}

static struct wt_error *handle_pause(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	(void)arguments;
	(void)body_ret;
	wt_dap_tell_stop(dap, "pause", NULL);
	return NULL;
}

static struct wt_error *handle_end(struct wt_dap *dap, const json_t *arguments, json_t **body_ret)
{
	(void)arguments;
	(void)body_ret;
	dap->is_over = true;
	return NULL;
}

static struct wt_error *handle_terminate(struct wt_dap *dap, const json_t *arguments,
					 json_t **body_ret)
{
	(void)arguments;
	(void)body_ret;
	wt_dap_event_later(dap, "terminated", NULL);
	return NULL;
}

const struct wt_dap_command wt_dap_begin_commands[] = {
	{"initialize", handle_initialize, true},
	{"launch", handle_launch, true},
	{"attach", handle_attach, true},
	{"configurationDone", handle_configuration_done, true},
	{"restart", handle_restart, false},
	{"wavetape/goStop", handle_go_stop, false},
	{"wavetape/lane", handle_lane, false},
	{"pause", handle_pause, false},
	{"disconnect", handle_end, true},
	{"terminate", handle_terminate, true},
	{NULL, NULL, false},
};
