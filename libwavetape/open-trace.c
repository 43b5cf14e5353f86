/* SPDX-License-Identifier: MIT */
#include "libwavetape/handles.h"

#include <stdlib.h>
#include <string.h>

static const char cannot_open[] = "cannot open the trace";
static const char cannot_read[] = "cannot read the trace";

void wt_trace_release(struct wavetape_trace *trace)
{
	if (!trace || --trace->users)
		return;
	wt_stops_deinit(&trace->stops);
	wt_reader_close(trace->reader);
	free(trace->path);
	free(trace);
}

static struct wt_error *open_reader(const char *path, uint64_t memory_limit,
				    struct wt_reader **reader_ret)
{
	const struct wt_reader_options options = {
		.size = sizeof(options),
		.decode_budget = memory_limit,
		.cache_limit = memory_limit,
	};

	return wt_reader_open_with(path, &options, reader_ret);
}

struct wavetape_error *wavetape_trace_open(const char *path, const struct wavetape_options *options,
					   struct wavetape_trace **trace_ret)
{
	struct wavetape_trace *trace;
	uint64_t memory_limit = 0;
	struct wt_error *error;

	if (!path || !trace_ret)
		return wt_wrong_argument(cannot_open,
					 "the path or the place for the trace is NULL");
	if (options && options->size < sizeof(options->size))
		return wt_wrong_argument(cannot_open, "the `size` of the options is not set");
	if (options && options->size >= sizeof(*options))
		memory_limit = options->memory_limit;
	trace = calloc(1, sizeof(*trace));
	if (!trace)
		return wt_public(&wt_error_no_memory);
	trace->users = 1;
	trace->path = strdup(path);
	error = trace->path ? open_reader(path, memory_limit, &trace->reader) : &wt_error_no_memory;
	if (error) {
		wt_trace_release(trace);
		return wt_public(error);
	}
	trace->stops = (struct wt_stops){.reader = trace->reader, .path = trace->path};
	*trace_ret = trace;
	return NULL;
}

void wavetape_trace_close(struct wavetape_trace *trace)
{
	wt_trace_release(trace);
}

struct wavetape_error *wavetape_trace_info(struct wavetape_trace *trace,
					   struct wavetape_trace_info *info_ret)
{
	static const char *const no_words[] = {NULL};
	struct wavetape_trace_info info;
	struct wt_trace_info known;

	if (!trace)
		return wt_wrong_argument(cannot_read, "the trace is NULL");
	wt_reader_info(trace->reader, &known);
	wt_trace_info_facts_take(&known, &info);
	info.path = trace->path;
	if (!info.command_line)
		info.command_line = no_words;
	return wt_give(cannot_read, &info, sizeof(info), info_ret);
}

struct wavetape_error *wavetape_trace_missing_count(struct wavetape_trace *trace, size_t *count_ret)
{
	struct wt_error *error;

	if (!trace || !count_ret)
		return wt_wrong_argument(cannot_read,
					 "the trace or the place for the count is NULL");
	/* Damage that nobody met yet does not count: so everything is read. */
	wt_stops_forget(&trace->stops);
	error = wt_stops_find(&trace->stops);
	if (!error)
		error = wt_missing_read(trace->reader, &trace->missing);
	if (!error)
		*count_ret = trace->missing.count;
	return wt_public(error);
}

const char *wavetape_trace_missing(const struct wavetape_trace *trace, size_t index)
{
	return trace && index < trace->missing.count ? trace->missing.reasons[index] : NULL;
}

size_t wavetape_trace_damage_count(const struct wavetape_trace *trace)
{
	return trace ? wt_reader_damage_count(trace->reader) : 0;
}

struct wavetape_error *wavetape_trace_damage(const struct wavetape_trace *trace, size_t index,
					     struct wavetape_damage *damage_ret)
{
	struct wavetape_damage damage;

	if (!trace || index >= wt_reader_damage_count(trace->reader))
		return wt_wrong_argument(cannot_read,
					 "the trace is NULL, or there is no such damage");
	wt_damage_facts_take(wt_reader_damage_at(trace->reader, index), &damage);
	return wt_give(cannot_read, &damage, sizeof(damage), damage_ret);
}

struct wavetape_error *wavetape_trace_stop_count(struct wavetape_trace *trace, uint32_t *count_ret)
{
	struct wt_error *error = NULL;

	if (!trace || !count_ret)
		return wt_wrong_argument(cannot_read,
					 "the trace or the place for the count is NULL");
	wt_stops_forget(&trace->stops);
	if (!wt_stops_take_list(&trace->stops))
		error = wt_stops_find(&trace->stops);
	if (!error)
		*count_ret = trace->stops.count;
	return wt_public(error);
}
