/* SPDX-License-Identifier: MIT */
#include "replayer/journal/call-text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_BYTES 32
#define TEXT_MAX WT_SHOWN_VALUE

/* A name by its number, or in @lost that it is lost. */
static const char *shown_name_find(const struct wt_reader *reader, uint32_t number,
				   char lost[WT_SHOWN_LOST_NAME])
{
	const char *name = wt_reader_name(reader, number);

	if (name)
		return name;
	snprintf(lost, WT_SHOWN_LOST_NAME, "(lost name %" PRIu32 ")", number);
	return lost;
}

/* ---- Values ---- */

/** A number as its enumerator, a handle, or decimal; large ones that are likely addresses in hex. */
static void number_text(uint64_t number, const struct wt_enumeration *enumeration, bool is_handle,
			char *text)
{
	const char *name = enumeration ? wt_enumerator_name(enumeration, (int64_t)number) : NULL;

	if (!name && enumeration)
		name = wt_enumerator_name(enumeration, (int32_t)number);
	if (name)
		snprintf(text, TEXT_MAX, "%s", name);
	else if (enumeration)
		wt_enumeration_flags(enumeration->name, number, "", text, TEXT_MAX);
	else if (is_handle)
		snprintf(text, TEXT_MAX, "#%" PRIu64, number);
	else if (number > 0xffff)
		snprintf(text, TEXT_MAX, "0x%" PRIx64, number);
	else
		snprintf(text, TEXT_MAX, "%" PRIu64, number);
}

static bool printable(const struct wt_value *value)
{
	for (size_t i = 0; i < value->size; i++)
		if (!isprint(value->data[i]))
			return false;
	return value->size > 0;
}

/** Bytes in hex, the first few and how many there are. */
static void bytes_text(const struct wt_value *value, char *text)
{
	size_t shown = value->size < SHOWN_BYTES ? value->size : SHOWN_BYTES, used = 0;

	for (size_t i = 0; i < shown; i++)
		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%02x", value->data[i]);
	if (shown < value->size)
		snprintf(text + used, TEXT_MAX - used, "... (%zu bytes)", value->size);
	if (!value->size)
		strcpy(text, "(0 bytes)");
}

static uint64_t shown_value_number(const struct wt_value *value)
{
	uint64_t number = 0;

	for (size_t i = 0; i < value->size && i < 8; i++)
		number |= (uint64_t)value->data[i] << (8 * i);
	return number;
}

static void handles_text(const struct wt_value *value, char *text)
{
	size_t count = value->size / 8, used;

	used = (size_t)snprintf(text, TEXT_MAX, "[");
	for (size_t i = 0; i < count && i < 16; i++) {
		struct wt_value element = {.data = value->data + 8 * i, .size = 8};

		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s#%" PRIu64, i ? " " : "",
					 shown_value_number(&element));
	}
	snprintf(text + used, TEXT_MAX - used, count > 16 ? " ... %zu]" : "]", count);
}

void wt_shown_result_text(const struct wt_query *query, const struct wt_value *value,
			  char text[WT_SHOWN_VALUE])
{
	if (query && query->result == WT_RESULT_STRING)
		snprintf(text, TEXT_MAX, "\"%.*s\"", (int)(value->size < 400 ? value->size : 400),
			 (const char *)value->data);
	else if (query && query->result == WT_RESULT_HANDLES)
		handles_text(value, text);
	else if (query && query->result == WT_RESULT_FIXED && value->size <= 8)
		number_text(shown_value_number(value), query->enumeration, query->is_handle, text);
	else
		bytes_text(value, text);
}

/** Writes the answer of a get_info, by its query. */
static void result_text(const struct wt_shown_call *call, const struct wt_parameter *parameter,
			const struct wt_value *value, char *text)
{
	const struct wt_value *query = &call->inputs[parameter->query_index];

	wt_shown_result_text(wt_query_find(call->function->object, (uint32_t)query->number), value,
			     text);
}

void wt_shown_value_text(const struct wt_shown_call *call, const struct wt_parameter *parameter,
			 const struct wt_value *value, char text[WT_SHOWN_VALUE])
{
	switch (value->form) {
	case WT_VALUE_ABSENT:
		strcpy(text, "NULL");
		return;
	case WT_VALUE_PRESENT:
		strcpy(text, value->number ? "*" : "NULL");
		return;
	case WT_VALUE_NUMBER:
		number_text(value->number, parameter ? parameter->enumeration : NULL,
			    parameter && parameter->is_handle, text);
		return;
	case WT_VALUE_DATA:
		break;
	}
	if (parameter && parameter->shape == WT_SHAPE_OUT_QUERY &&
	    (size_t)parameter->query_index < call->input_count)
		result_text(call, parameter, value, text);
	else if (parameter && parameter->shape == WT_SHAPE_OUT_ARRAY)
		handles_text(value, text);
	else if (printable(value) && (!parameter || parameter->shape == WT_SHAPE_OUT_STRING ||
				      parameter->shape == WT_SHAPE_OUT_STATIC_STRING))
		snprintf(text, TEXT_MAX, "\"%.*s\"", (int)(value->size < 400 ? value->size : 400),
			 (const char *)value->data);
	else
		bytes_text(value, text);
}

/* ---- Calls ---- */

static struct wt_error *copy_inputs(struct wt_shown_call *call, const struct wt_call_begin *begin)
{
	size_t bytes = begin->input_count * sizeof(struct wt_value), offset = bytes;
	struct wt_value *copy;

	for (size_t i = 0; i < begin->input_count; i++)
		bytes += begin->inputs[i].size;
	free(call->inputs);
	call->inputs = copy = malloc(bytes ? bytes : 1);
	call->input_count = 0;
	if (!copy)
		return &wt_error_no_memory;
	call->input_count = begin->input_count;
	for (size_t i = 0; i < begin->input_count; i++) {
		uint8_t *data = (uint8_t *)copy + offset;

		copy[i] = begin->inputs[i];
		if (!copy[i].size)
			continue;
		memcpy(data, begin->inputs[i].data, copy[i].size);
		copy[i].data = data;
		offset += copy[i].size;
	}
	return NULL;
}

/* Take the begin of a call, in place of the one before it. Errors: no memory. */
static struct wt_error *shown_call_begin(struct wt_shown_call *call, const struct wt_reader *reader,
					 const struct wt_call_begin *begin)
{
	enum wt_function function;

	call->name = shown_name_find(reader, begin->function, call->lost_name);
	function = wt_function_find(call->name);
	call->function = function == WT_FUNCTION_COUNT ? NULL : &wt_functions[function];
	call->number = begin->number;
	call->start = begin->start;
	call->thread = begin->thread;
	call->open = true;
	return copy_inputs(call, begin);
}

void wt_shown_call_deinit(struct wt_shown_call *call)
{
	free(call->inputs);
	call->inputs = NULL;
	call->input_count = 0;
}

const struct wt_parameter *wt_shown_call_input(const struct wt_shown_call *call, size_t index)
{
	return call->function && index < call->function->parameter_count
		       ? &call->function->parameters[index]
		       : NULL;
}

const struct wt_parameter *wt_shown_call_output(const struct wt_shown_call *call, size_t index)
{
	for (size_t i = 0; call->function && i < call->function->parameter_count; i++)
		if (wt_shape_is_output(call->function->parameters[i].shape) && !index--)
			return &call->function->parameters[i];
	return NULL;
}

/* A function that we do not know is taken to return a status, as most do. */
static bool shown_call_returns_status(const struct wt_shown_call *call)
{
	return !call->function || call->function->returns == WT_RETURNS_STATUS;
}

bool wt_shown_call_is_in_range(const struct wt_shown_call_filter *filter, uint64_t number)
{
	return number >= filter->from && number <= filter->to;
}

bool wt_shown_call_passes(const struct wt_shown_call_filter *filter,
			  const struct wt_shown_call *call)
{
	return wt_shown_call_is_in_range(filter, call->number) &&
	       (!filter->function || strstr(call->name, filter->function));
}

/* ---- Entries ---- */

static struct wt_error *entry_take_begin(struct wt_shown_call *call, const struct wt_reader *reader,
					 const struct wt_call_begin *begin,
					 struct wavetape_entry *entry)
{
	struct wt_error *error = shown_call_begin(call, reader, begin);

	*entry = (struct wavetape_entry){
		.call = begin->number,
		.time_ns = begin->start,
		.name = call->name,
		.values = begin->input_count,
		.thread = begin->thread,
		.kind = WAVETAPE_ENTRY_CALL,
	};
	return error;
}

/*
 * A call that another one has followed before it ended can be told by its status alone: its values need its arguments.
 */
static void entry_take_end(struct wt_shown_call *call, const struct wt_call_end *end,
			   struct wavetape_entry *entry)
{
	call->returned = call->open && call->number == end->number;
	*entry = (struct wavetape_entry){
		.call = end->number,
		.time_ns = end->duration,
		.status = wt_status_name(end->status),
		.values = call->returned ? end->output_count : 0,
		.kind = WAVETAPE_ENTRY_RETURN,
	};
	if (!call->returned)
		return;
	call->open = false;
	if (!shown_call_returns_status(call))
		entry->status = NULL;
}

struct wt_error *wt_shown_entry_take(struct wt_shown_call *call, const struct wt_reader *reader,
				     const struct wt_journal_record *record,
				     struct wavetape_entry *entry_ret)
{
	call->returned = false;
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return entry_take_begin(call, reader, &record->begin, entry_ret);
	case WT_JOURNAL_CALLBACK:
		*entry_ret = (struct wavetape_entry){
			.call = record->callback.call,
			.name = shown_name_find(reader, record->callback.function,
						call->lost_callback),
			.result = record->callback.result,
			.values = record->callback.input_count,
			.kind = WAVETAPE_ENTRY_CALLBACK,
		};
		return NULL;
	case WT_JOURNAL_END:
		entry_take_end(call, &record->end, entry_ret);
		return NULL;
	case WT_JOURNAL_NOTICE:
		*entry_ret = (struct wavetape_entry){
			.call = record->notice_call,
			.name = record->notice,
			.kind = WAVETAPE_ENTRY_NOTICE,
			.host = record->notice_is_host,
		};
		return NULL;
	case WT_JOURNAL_MOMENT:
		return NULL;
	}
	return NULL;
}
