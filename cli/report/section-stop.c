/* SPDX-License-Identifier: MIT */
/* A stop in a report: its waves, where they stand, and the map of them by agent, queue and dispatch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/describe.h"
#include "cli/function-names.h"
#include "cli/output.h"
#include "cli/report/report.h"
#include "replayer/view/kernel-launch.h"
#include "replayer/view/stack.h"

#define SHOWN_WAVES 8 /* of each place with a fault, as `wavetape info` shows */

/* ---- Waves ---- */

static enum wt_report_state wave_report_state(const struct wt_explain_wave *wave)
{
	if (wave->state == WAVETAPE_WAVE_UNKNOWN)
		return WT_REPORT_UNKNOWN;
	if (wave->state != WAVETAPE_WAVE_STOPPED)
		return WT_REPORT_RUNNING;
	if (wave->reasons & WT_FAULT_REASONS)
		return WT_REPORT_FAULT;
	return wave->reasons ? WT_REPORT_REASON : WT_REPORT_STOPPED;
}

static json_t *wave_place_json(const struct wt_explain_wave *wave)
{
	char text[WT_DESCRIBE_MAX], name[WT_CLI_NAME];
	json_t *json = wt_describe_code_json(&wave->code);

	json_object_set_new(json, "reasons",
			    json_string(wt_describe_reasons_plainly(wave->reasons, text)));
	json_object_set_new(json, "fault", json_boolean(wave->reasons & WT_FAULT_REASONS));
	json_object_set_new(
		json, "kernel",
		wt_cli_json_text(wave->kernel ? wt_cli_name(wave->kernel, name) : NULL));
	json_object_set_new(json, "text", wt_cli_json_text(wt_describe_code(&wave->code, text)));
	json_object_set_new(json, "waves", json_integer(0));
	return json;
}

/* The key of a place; keys are in the order of stop->places. */
struct place {
	uint64_t address;
	uint32_t reasons;
	bool certain;
};

struct places {
	struct place *list;
	size_t count, capacity;
};

static bool same_place(const struct place *a, const struct place *b)
{
	return a->address == b->address && a->reasons == b->reasons && a->certain == b->certain;
}

static struct wt_error *places_find(struct wt_report_stop *stop, struct places *places,
				    const struct wt_explain_wave *wave, size_t *position_ret)
{
	const struct place place = {wave->code.address, wave->reasons, wave->certain};
	size_t i = places->count;

	/* Waves that follow each other are often at one place. */
	while (i && !same_place(&places->list[i - 1], &place))
		i--;
	if (i) {
		*position_ret = i - 1;
		return NULL;
	}
	if (places->count == places->capacity) {
		size_t capacity = places->capacity ? 2 * places->capacity : 16;
		struct place *grown = reallocarray(places->list, capacity, sizeof(*grown));

		if (!grown)
			return &wt_error_no_memory;
		places->list = grown;
		places->capacity = capacity;
	}
	places->list[places->count] = place;
	*position_ret = places->count++;
	json_array_append_new(stop->places, wave_place_json(wave));
	return NULL;
}

/* Count the wave at its place, and keep what the first ones accessed. */
static void stop_note_place(struct wt_report_stop *stop, const struct wt_explain_wave *wave,
			    struct wt_report_wave *shown)
{
	json_t *place = json_array_get(stop->places, shown->place);
	json_int_t count = json_integer_value(json_object_get(place, "waves"));
	char text[WT_DESCRIBE_MAX], number[24];

	json_object_set_new(place, "waves", json_integer(count + 1));
	shown->is_first = !count;
	if (shown->state != WT_REPORT_FAULT || count >= SHOWN_WAVES)
		return;
	snprintf(number, sizeof(number), "%" PRIu64, wave->wave);
	if (!wave->has_access) {
		char lanes[WT_DESCRIBE_MAX];

		snprintf(text, sizeof(text), "active lanes %.480s",
			 wt_describe_lanes(wave->exec, lanes));
	} else {
		wt_describe_access(wave, text);
	}
	json_object_set_new(stop->access, number, json_string(text));
}

static void stop_note_kernel(struct wt_report_stop *stop, uint64_t dispatch, const char *kernel)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRIu64, dispatch);
	if (kernel && !json_object_get(stop->kernels, number))
		json_object_set_new(stop->kernels, number, wt_describe_name_json(kernel));
}

static struct wt_error *stop_look_at_wave(struct wt_report_stop *stop, struct places *places,
					  struct wt_report_wave *shown)
{
	struct wt_explain_wave wave;
	struct wt_error *error = wt_explain_wave(stop->explainer, shown->handle, &wave);

	if (error)
		return error;
	shown->state = wave_report_state(&wave);
	shown->dispatch = wt_view_number_or(stop->view, WT_OBJECT_WAVE, shown->handle,
					    AMD_DBGAPI_WAVE_INFO_DISPATCH, 0);
	shown->place = SIZE_MAX;
	if (wave.has_coordinates)
		memcpy(shown->group, wave.workgroup, sizeof(shown->group));
	shown->number = wave.number_in_workgroup;
	stop_note_kernel(stop, shown->dispatch, wave.kernel);
	if (wave.state == WAVETAPE_WAVE_STOPPED) {
		shown->address = wave.code.address;
		shown->code_object = wave.code.code_object;
		error = places_find(stop, places, &wave, &shown->place);
		if (!error)
			stop_note_place(stop, &wave, shown);
	}
	wt_explain_wave_deinit(&wave);
	return error;
}

static struct wt_error *stop_look_at_waves(struct wt_report_stop *stop)
{
	struct places places = {0};
	struct wt_error *error = NULL;
	const uint64_t *waves;

	stop->wave_count = wt_view_objects(stop->view, WT_OBJECT_WAVE, &waves);
	stop->waves = calloc(stop->wave_count + 1, sizeof(*stop->waves));
	stop->places = json_array();
	stop->access = json_object();
	stop->kernels = json_object();
	if (!stop->waves || !stop->places || !stop->access || !stop->kernels)
		return &wt_error_no_memory;
	for (size_t i = 0; !error && i < stop->wave_count; i++) {
		stop->waves[i].handle = waves[i];
		error = stop_look_at_wave(stop, &places, &stop->waves[i]);
	}
	free(places.list);
	return error;
}

struct wt_error *wt_report_stop_open(struct wt_report *report, uint32_t number,
				     struct wt_report_stop *stop_ret)
{
	struct wt_reader *reader = report->trace->reader;
	const uint32_t *moments = report->trace->stops.moments;
	struct wt_report_stop stop = {.number = number};
	struct wt_error *error = wt_view_open(reader, moments[number - 1], &stop.view);

	if (!error && number > 1)
		error = wt_view_open(reader, moments[number - 2], &stop.before);
	/* Without the state before the report cannot say what changed. */
	if (error && stop.view && wt_error_is_loss(error))
		error = NULL;
	if (!error)
		error = wt_explainer_create(stop.view, &stop.explainer);
	if (!error)
		error = wt_stacks_create(stop.view, &stop.stacks);
	if (!error)
		error = wt_sources_create_mapped(reader, report->maps, &stop.sources);
	if (!error)
		error = stop_look_at_waves(&stop);
	if (error)
		wt_report_stop_close(&stop);
	else
		*stop_ret = stop;
	return error;
}

void wt_report_stop_close(struct wt_report_stop *stop)
{
	json_decref(stop->kernels);
	json_decref(stop->access);
	json_decref(stop->places);
	free(stop->waves);
	wt_sources_destroy(stop->sources);
	wt_stacks_destroy(stop->stacks);
	wt_explainer_destroy(stop->explainer);
	wt_view_close(stop->before);
	wt_view_close(stop->view);
	*stop = (struct wt_report_stop){0};
}

/* ---- The map ---- */

static json_t *agents_json(struct wt_view *view)
{
	const uint64_t *agents;
	size_t count = wt_view_objects(view, WT_OBJECT_AGENT, &agents);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		struct wavetape_agent agent;

		wt_view_agent(view, agents[i], &agent);
		json_array_append_new(array, wt_agent_facts_json(&agent));
	}
	return array;
}

static json_t *dispatches_json(const struct wt_view *view)
{
	const uint64_t *dispatches;
	size_t count = wt_view_objects(view, WT_OBJECT_DISPATCH, &dispatches);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		struct wt_view_dispatch dispatch;

		wt_view_dispatch(view, dispatches[i], &dispatch);
		json_array_append_new(array, wt_dispatch_facts_json(&dispatch.facts));
	}
	return array;
}

/* Columns, because names of members in each of thousands of waves would be most of the page. */
static const char *const columns[] = {"id", "dispatch", "x", "y", "z", "number", "state", "place"};

#define COLUMNS (sizeof(columns) / sizeof(*columns))

static json_t *waves_json(const struct wt_report_stop *stop, enum wt_report_state least,
			  size_t most)
{
	json_t *lists[COLUMNS], *json = json_object();

	for (size_t i = 0; i < COLUMNS; i++) {
		lists[i] = json_array();
		json_object_set_new(json, columns[i], lists[i]);
	}
	for (size_t i = 0; i < stop->wave_count && json_array_size(lists[0]) < most; i++) {
		const struct wt_report_wave *wave = &stop->waves[i];
		const json_int_t values[COLUMNS] = {
			(json_int_t)wave->handle,
			(json_int_t)wave->dispatch,
			wave->group[0],
			wave->group[1],
			wave->group[2],
			wave->number,
			wave->state,
			wave->place == SIZE_MAX ? -1 : (json_int_t)wave->place,
		};

		for (size_t j = 0; wave->state >= least && j < COLUMNS; j++)
			json_array_append_new(lists[j], json_integer(values[j]));
	}
	return json;
}

static json_t *map_json(const struct wt_report_stop *stop, enum wt_report_state least, size_t most)
{
	struct wt_view *view = stop->view;
	json_t *json = json_pack("{s:o, s:o, s:O, s:O, s:O, s:I, s:o, s:b}", "agents",
				 agents_json(view), "dispatches", dispatches_json(view), "places",
				 stop->places, "access", stop->access, "kernels", stop->kernels,
				 "count", (json_int_t)stop->wave_count, "waves",
				 waves_json(stop, least, most), "compared", stop->before != NULL);

	if (wt_view_processes(view) > 1)
		json_object_set_new(json, "process",
				    json_integer((json_int_t)wt_view_moment(view)->process));
	return json;
}

struct wt_error *wt_report_add_map(struct wt_report *report, struct wt_report_stop *stop,
				   size_t room, bool *added_ret)
{
	enum wt_report_state least = WT_REPORT_UNKNOWN;
	size_t most = stop->wave_count;
	struct wt_error *error;
	char id[32];

	snprintf(id, sizeof(id), "map-%u", stop->number);
	do {
		error = wt_report_page_add(&report->page, id, map_json(stop, least, most), room,
					   added_ret);
		if (error || *added_ret)
			break;
		if (least == WT_REPORT_UNKNOWN)
			least = WT_REPORT_FAULT;
		else
			most /= 2;
	} while (most);
	if (!error && *added_ret && least != WT_REPORT_UNKNOWN)
		wt_report_leave_out(report,
				    "waves in the map of stop %u: it has some of those with a "
				    "fault alone, of %zu waves",
				    stop->number, stop->wave_count);
	return error;
}
