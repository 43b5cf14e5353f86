/* SPDX-License-Identifier: MIT */
/* One stop, what there is at it, and places in its code. */
#include "libwavetape/handles.h"

#include <stdlib.h>
#include <string.h>

static const char cannot_open[] = "cannot open the stop";
static const char cannot_show[] = "cannot show the stop";

void wt_stop_release(struct wavetape_stop *stop)
{
	if (!stop || --stop->users)
		return;
	wt_stop_forget_waves(stop);
	for (size_t i = 0; i < stop->place_count; i++)
		wt_explain_code_deinit(&stop->places[i]);
	free(stop->places);
	wt_explainer_destroy(stop->explainer);
	free(stop->crash);
	wt_view_close(stop->before);
	wt_view_close(stop->view);
	wt_trace_release(stop->trace);
	free(stop);
}

struct wavetape_error *wavetape_stop_open(struct wavetape_trace *trace, uint32_t number,
					  struct wavetape_stop **stop_ret)
{
	struct wavetape_stop *stop;
	struct wt_error *error;

	if (!trace || !stop_ret)
		return wt_wrong_argument(cannot_open,
					 "the trace or the place for the stop is NULL");
	stop = calloc(1, sizeof(*stop));
	if (!stop)
		return wt_public(&wt_error_no_memory);
	stop->users = 1;
	stop->trace = trace;
	trace->users++;
	wt_stops_forget(&trace->stops);
	error = wt_stops_view(&trace->stops, number, &stop->view, &stop->number);
	if (!error)
		error = wt_explainer_create(stop->view, &stop->explainer);
	if (error) {
		wt_stop_release(stop);
		return wt_public(error);
	}
	*stop_ret = stop;
	return NULL;
}

void wavetape_stop_close(struct wavetape_stop *stop)
{
	wt_stop_release(stop);
}

static uint32_t precision_of(const struct wt_view *view)
{
	uint32_t mode;

	if (!wt_view_memory_precision(view, &mode))
		return WAVETAPE_PRECISION_UNKNOWN;
	return mode == AMD_DBGAPI_MEMORY_PRECISION_PRECISE ? WAVETAPE_PRECISION_PRECISE
							   : WAVETAPE_PRECISION_NONE;
}

struct wavetape_error *wavetape_stop_info(const struct wavetape_stop *stop,
					  struct wavetape_stop_info *info_ret)
{
	const struct wt_moment *moment;
	struct wavetape_stop_info info;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	moment = wt_view_moment(stop->view);
	info = (struct wavetape_stop_info){
		.process = moment->process,
		.processes = wt_view_processes(stop->view),
		.call = moment->call,
		.time_ns = moment->time,
		.number = stop->number,
		.memory_precision = precision_of(stop->view),
		.fault = wt_view_has_fault(stop->view),
	};
	return wt_give(cannot_show, &info, sizeof(info), info_ret);
}

static bool object_of(int kind, enum wt_object *object_ret)
{
	static const enum wt_object objects[] = {
		[WAVETAPE_OBJECT_AGENT] = WT_OBJECT_AGENT,
		[WAVETAPE_OBJECT_QUEUE] = WT_OBJECT_QUEUE,
		[WAVETAPE_OBJECT_DISPATCH] = WT_OBJECT_DISPATCH,
		[WAVETAPE_OBJECT_WORKGROUP] = WT_OBJECT_WORKGROUP,
		[WAVETAPE_OBJECT_WAVE] = WT_OBJECT_WAVE,
		[WAVETAPE_OBJECT_CODE_OBJECT] = WT_OBJECT_CODE_OBJECT,
	};

	if (kind < WAVETAPE_OBJECT_AGENT || kind > WAVETAPE_OBJECT_CODE_OBJECT)
		return false;
	*object_ret = objects[kind];
	return true;
}

struct wavetape_error *wavetape_stop_objects(const struct wavetape_stop *stop, int kind,
					     const uint64_t **numbers_ret, size_t *count_ret)
{
	enum wt_object object;

	if (!stop || !numbers_ret || !count_ret)
		return wt_wrong_argument(cannot_show, "the stop or a place for a result is NULL");
	if (!object_of(kind, &object))
		return wt_wrong_argument(cannot_show, "there is no such kind of object");
	*count_ret = wt_view_objects(stop->view, object, numbers_ret);
	return NULL;
}

/* ---- Places ---- */

/* The architecture of the first wave, or agent, that has one. */
static const struct gfx_architecture *stop_architecture(struct wt_view *view)
{
	static const enum wt_object kinds[] = {WT_OBJECT_WAVE, WT_OBJECT_AGENT};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const uint64_t *handles;
		size_t count = wt_view_objects(view, kinds[i], &handles);

		for (size_t j = 0; j < count; j++) {
			const struct gfx_architecture *found =
				wt_view_architecture(view, kinds[i], handles[j]);

			if (found)
				return found;
		}
	}
	return NULL;
}

static struct wt_error *add_place(struct wavetape_stop *stop, uint64_t address)
{
	struct wavetape_place *places =
		reallocarray(stop->places, stop->place_count + 1, sizeof(*places));
	struct wt_error *error;

	if (!places)
		return &wt_error_no_memory;
	stop->places = places;
	error = wt_explain_address(stop->explainer, stop_architecture(stop->view), address,
				   &places[stop->place_count]);
	stop->place_count += !error;
	return error;
}

struct wavetape_error *wavetape_stop_place(struct wavetape_stop *stop, uint64_t address,
					   struct wavetape_place *place_ret)
{
	struct wt_error *error;
	size_t i = 0;

	if (!stop)
		return wt_wrong_argument(cannot_show, "the stop is NULL");
	while (i < stop->place_count && stop->places[i].address != address)
		i++;
	error = i == stop->place_count ? add_place(stop, address) : NULL;
	if (error)
		return wt_public(error);
	return wt_give(cannot_show, &stop->places[i], sizeof(struct wavetape_place), place_ret);
}
