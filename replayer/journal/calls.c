/* SPDX-License-Identifier: MIT */
#include "replayer/journal/calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More callbacks in one call than any library makes. */
#define MAX_CALLBACKS (1u << 20)

void wt_whole_call_destroy(struct wt_whole_call *call)
{
	if (!call)
		return;
	free(call->outputs);
	for (size_t i = 0; i < call->callback_count; i++)
		free(call->callbacks[i].inputs ? call->callbacks[i].inputs
					       : call->callbacks[i].outputs);
	if (call->callbacks != call->few)
		free(call->callbacks);
	free(call);
}

bool wt_whole_call_gives_core(const struct wt_whole_call *call)
{
	for (size_t i = 0; i < call->callback_count; i++) {
		const struct wt_whole_callback *callback = &call->callbacks[i];

		if (callback->kind == WT_CALLBACK_CLIENT_PROCESS_GET_INFO &&
		    callback->input_count > 1 &&
		    callback->inputs[1].number == AMD_DBGAPI_CLIENT_PROCESS_INFO_CORE_STATE &&
		    callback->result == AMD_DBGAPI_STATUS_SUCCESS)
			return true;
	}
	return false;
}

static struct wt_error *too_many(size_t count)
{
	return wt_error_create(WT_ERROR_INPUT, "cannot read the journal", "",
			       "a call has %zu values: no function has as many", count);
}

/* The bytes of a value begin behind others, at an address that is aligned for a number. */
static size_t start_behind(size_t end)
{
	return (end + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* Bytes that values take, with what they point to. */
static size_t values_room(const struct wt_value *values, size_t count)
{
	size_t room = count * sizeof(*values);

	for (size_t i = 0; i < count; i++)
		if (values[i].form == WT_VALUE_DATA)
			room = start_behind(room) + values[i].size;
	return room;
}

/* Copy values to where there is room for them; the last bytes end with it, so that a read past them is found. */
static void values_put(struct wt_value *to, const struct wt_value *from, size_t count)
{
	size_t room = count * sizeof(*to);

	for (size_t i = 0; i < count; i++) {
		to[i] = from[i];
		to[i].data = NULL;
		if (from[i].form != WT_VALUE_DATA)
			continue;
		room = start_behind(room);
		to[i].data = (uint8_t *)to + room;
		if (from[i].size)
			memcpy((uint8_t *)to + room, from[i].data, from[i].size);
		room += from[i].size;
	}
}

/* @values_ret: NULL if there are none. */
static struct wt_error *copy_values(struct wt_value **values_ret, size_t *count_ret,
				    const struct wt_value *from, size_t count)
{
	struct wt_value *values;

	if (count > WT_ARGUMENTS)
		return too_many(count);
	if (!count)
		return NULL;
	values = malloc(values_room(from, count));
	if (!values)
		return &wt_error_no_memory;
	values_put(values, from, count);
	*values_ret = values;
	*count_ret = count;
	return NULL;
}

struct wt_error *wt_calls_open(struct wt_reader *reader, struct wt_calls *calls_ret)
{
	struct wt_trace_info info;

	memset(calls_ret, 0, sizeof(*calls_ret));
	wt_reader_info(reader, &info);
	calls_ret->reader = reader;
	calls_ret->last = info.part.calls_before;
	TAILQ_INIT(&calls_ret->pending);
	return wt_journal_open(reader, &calls_ret->journal);
}

void wt_calls_close(struct wt_calls *calls)
{
	struct wt_whole_call *call;

	while ((call = TAILQ_FIRST(&calls->pending))) {
		TAILQ_REMOVE(&calls->pending, call, link);
		wt_whole_call_destroy(call);
	}
	if (calls->journal)
		wt_journal_close(calls->journal);
	calls->journal = NULL;
}

/* A name stands for one function in all of the journal. */
static enum wt_function function_of(struct wt_calls *calls, uint32_t name)
{
	const char *text = wt_reader_name(calls->reader, name);
	enum wt_function function;

	if (text && name < WT_CALLS_NAMES && calls->functions[name])
		return (enum wt_function)(calls->functions[name] - 1);
	function = text ? wt_function_find(text) : WT_FUNCTION_COUNT;
	if (text && name < WT_CALLS_NAMES)
		calls->functions[name] = (uint16_t)(function + 1);
	return function;
}

static int callback_of(const struct wt_reader *reader, uint32_t name)
{
	const char *text = wt_reader_name(reader, name);

	for (int i = 0; text && i < WT_CALLBACK_COUNT; i++)
		if (!strcmp(text, wt_callback_names[i]))
			return i;
	return text && !strcmp(text, "symbolizer") ? WT_CALLBACK_SYMBOLIZER : WT_CALLBACK_UNKNOWN;
}

static struct wt_whole_call *pending_call_find(struct wt_calls *calls, uint64_t number)
{
	struct wt_whole_call *call;

	TAILQ_FOREACH(call, &calls->pending, link)
	if (call->number == number)
		return call;
	return NULL;
}

/* A call that is under way at a gap is torn: nobody knows what it did there. */
__attribute__((format(printf, 2, 3))) static void find_gap(struct wt_calls *calls,
							   const char *format, ...)
{
	struct wt_whole_call *call;
	va_list arguments;

	TAILQ_FOREACH(call, &calls->pending, link)
	call->torn |= !call->ended;
	if (calls->gap)
		return;
	calls->gap = true;
	va_start(arguments, format);
	vsnprintf(calls->why, sizeof(calls->why), format, arguments);
	va_end(arguments);
}

/* NULL if there is no memory. */
static struct wt_whole_call *whole_call_create(const struct wt_call_begin *record)
{
	struct wt_whole_call *call =
		malloc(sizeof(*call) + values_room(record->inputs, record->input_count));

	if (!call)
		return NULL;
	*call = (struct wt_whole_call){.number = record->number,
				       .input_count = record->input_count,
				       .callback_capacity = WT_FEW_CALLBACKS};
	call->callbacks = call->few;
	if (record->input_count) {
		call->inputs = (struct wt_value *)(call + 1);
		values_put(call->inputs, record->inputs, record->input_count);
	}
	return call;
}

static struct wt_error *call_record_begin(struct wt_calls *calls,
					  const struct wt_call_begin *record)
{
	struct wt_whole_call *call;

	if (record->input_count > WT_ARGUMENTS)
		return too_many(record->input_count);
	call = whole_call_create(record);
	if (!call)
		return &wt_error_no_memory;
	if (record->number > calls->last + 1)
		find_gap(calls, "calls %llu to %llu are not in the trace",
			 (unsigned long long)calls->last + 1,
			 (unsigned long long)record->number - 1);
	calls->last = record->number;
	call->torn = calls->gap;
	call->function = function_of(calls, record->function);
	TAILQ_INSERT_TAIL(&calls->pending, call, link);
	return NULL;
}

/* Room for one more; NULL if there is no memory. */
static struct wt_whole_callback *add_callback(struct wt_whole_call *call)
{
	if (call->callback_count == call->callback_capacity) {
		struct wt_whole_callback *before =
			call->callbacks == call->few ? NULL : call->callbacks;
		struct wt_whole_callback *grown =
			reallocarray(before, 2 * call->callback_capacity, sizeof(*call->callbacks));

		if (!grown)
			return NULL;
		if (!before)
			memcpy(grown, call->few, sizeof(call->few));
		call->callbacks = grown;
		call->callback_capacity *= 2;
	}
	return &call->callbacks[call->callback_count];
}

/* False if there is no memory. */
static bool copy_callback(struct wt_whole_callback *callback, const struct wt_callback *record)
{
	size_t inputs = start_behind(values_room(record->inputs, record->input_count));
	uint8_t *room = NULL;

	*callback = (struct wt_whole_callback){.result = record->result};
	if (!record->input_count && !record->output_count)
		return true;
	room = malloc(inputs + values_room(record->outputs, record->output_count));
	if (!room)
		return false;
	if (record->input_count) {
		callback->inputs = (struct wt_value *)(void *)room;
		values_put(callback->inputs, record->inputs, record->input_count);
	}
	if (record->output_count) {
		callback->outputs = (struct wt_value *)(void *)(room + inputs);
		values_put(callback->outputs, record->outputs, record->output_count);
	}
	callback->input_count = record->input_count;
	callback->output_count = record->output_count;
	return true;
}

/*
 * A callback of no call, and an end of none, are a damaged part's: what is left of it says nothing.
 */
static struct wt_error *callback(struct wt_calls *calls, const struct wt_callback *record)
{
	struct wt_whole_call *call = pending_call_find(calls, record->call);
	struct wt_whole_callback *added;

	if (!call || call->callback_count == MAX_CALLBACKS)
		return NULL;
	if (record->input_count > WT_ARGUMENTS || record->output_count > WT_ARGUMENTS)
		return too_many(record->input_count > WT_ARGUMENTS ? record->input_count
								   : record->output_count);
	added = add_callback(call);
	if (!added || !copy_callback(added, record))
		return &wt_error_no_memory;
	added->kind = callback_of(calls->reader, record->function);
	call->callback_count++;
	return NULL;
}

static struct wt_error *call_record_end(struct wt_calls *calls, const struct wt_call_end *record)
{
	struct wt_whole_call *call = pending_call_find(calls, record->number);

	if (!call || call->ended)
		return NULL;
	call->ended = true;
	call->status = record->status;
	return copy_values(&call->outputs, &call->output_count, record->outputs,
			   record->output_count);
}

static struct wt_error *journal_record_take(struct wt_calls *calls,
					    const struct wt_journal_record *record)
{
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return call_record_begin(calls, &record->begin);
	case WT_JOURNAL_CALLBACK:
		return callback(calls, &record->callback);
	case WT_JOURNAL_END:
		return call_record_end(calls, &record->end);
	case WT_JOURNAL_MOMENT:
		return calls->moment ? calls->moment(calls->opaque, record->moment) : NULL;
	case WT_JOURNAL_NOTICE:
		if (record->notice_kind == WT_NOTICE_LOST && !record->notice_call)
			find_gap(calls, "%s", record->notice);
		break;
	}
	return NULL;
}

/* At the end of the journal, calls without an end must not hold up those that have one. */
static struct wt_whole_call *first_ready(struct wt_calls *calls)
{
	struct wt_whole_call *call = TAILQ_FIRST(&calls->pending);

	if (!call || call->ended)
		return call;
	if (!calls->at_end)
		return NULL;
	TAILQ_FOREACH(call, &calls->pending, link)
	if (call->ended)
		return call;
	return TAILQ_FIRST(&calls->pending);
}

struct wt_error *wt_calls_next(struct wt_calls *calls, struct wt_whole_call **call_ret)
{
	struct wt_whole_call *call;

	while (!(call = first_ready(calls)) && !calls->at_end) {
		const struct wt_journal_record *record;
		struct wt_error *error = wt_journal_next(calls->journal, &record);

		if (!error && record)
			error = journal_record_take(calls, record);
		if (error)
			return error;
		calls->at_end = !record;
	}
	if (call)
		TAILQ_REMOVE(&calls->pending, call, link);
	*call_ret = call;
	return NULL;
}
