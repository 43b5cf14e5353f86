/* SPDX-License-Identifier: MIT */
#include "cli/look/journal-json.h"

#include <stdio.h>

#include "cli/output.h"

static json_t *value_json(const struct wt_shown_call *call, const struct wt_parameter *parameter,
			  const struct wt_value *value)
{
	char text[WT_SHOWN_VALUE];

	if (value->form == WT_VALUE_ABSENT)
		return json_null();
	if (value->form == WT_VALUE_NUMBER && !(parameter && parameter->enumeration) &&
	    value->number <= INT64_MAX)
		return json_integer((json_int_t)value->number);
	wt_shown_value_text(call, parameter, value, text);
	return wt_cli_json_text(text);
}

static json_t *begin_json(const struct wt_shown_call *call)
{
	json_t *inputs = json_object();

	for (size_t i = 0; i < call->input_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_input(call, i);
		char name[24];

		snprintf(name, sizeof(name), "%zu", i);
		json_object_set_new(inputs, parameter ? parameter->name : name,
				    value_json(call, parameter, &call->inputs[i]));
	}
	return json_pack("{s:I, s:o, s:I, s:I, s:o}", "call", (json_int_t)call->number, "function",
			 wt_cli_json_text(call->name), "thread", (json_int_t)call->thread,
			 "start_ns", (json_int_t)call->start, "inputs", inputs);
}

static void put_end(struct wt_cli_calls_json *calls, const struct wt_call_end *end)
{
	const struct wt_shown_call *call = &calls->call;
	json_t *outputs = json_object();

	for (size_t i = 0; i < end->output_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_output(call, i);

		if (end->outputs[i].form == WT_VALUE_ABSENT)
			continue;
		json_object_set_new(outputs, parameter ? parameter->name : "result",
				    value_json(call, parameter, &end->outputs[i]));
	}
	/* The key is there for every call that returned. */
	json_object_set_new(calls->json, "status",
			    wt_shown_call_returns_status(call)
				    ? json_string(wt_status_name(end->status))
				    : json_null());
	json_object_set_new(calls->json, "outputs", outputs);
	json_object_set_new(calls->json, "duration_ns", json_integer((json_int_t)end->duration));
}

static struct wt_error *take_begin(struct wt_cli_calls_json *calls,
				   const struct wt_call_begin *begin)
{
	struct wt_error *error = wt_shown_call_begin(&calls->call, calls->reader, begin);

	calls->shown = !error && wt_shown_call_passes(&calls->filter, &calls->call);
	if (!calls->shown)
		return error;
	calls->json = begin_json(&calls->call);
	json_array_append_new(calls->array, calls->json);
	return NULL;
}

static void take_callback(struct wt_cli_calls_json *calls, const struct wt_callback *callback)
{
	char lost[WT_SHOWN_LOST_NAME];
	json_t *list;

	if (!calls->shown || !calls->call.open || calls->call.number != callback->call)
		return;
	list = json_object_get(calls->json, "callbacks");
	if (!list) {
		list = json_array();
		json_object_set_new(calls->json, "callbacks", list);
	}
	json_array_append_new(
		list,
		json_pack("{s:o, s:I}", "callback",
			  wt_cli_json_text(wt_shown_name(calls->reader, callback->function, lost)),
			  "result", (json_int_t)callback->result));
}

static void take_end(struct wt_cli_calls_json *calls, const struct wt_call_end *end)
{
	if (calls->call.open && calls->call.number == end->number) {
		calls->call.open = false;
		if (calls->shown)
			put_end(calls, end);
		return;
	}
	/* The end does not follow its call: another one began between them, or the call itself is lost. */
	if (wt_shown_call_is_in_range(&calls->filter, end->number) && !calls->filter.function)
		json_array_append_new(calls->array,
				      json_pack("{s:I, s:s}", "call", (json_int_t)end->number,
						"status", wt_status_name(end->status)));
}

struct wt_error *wt_cli_calls_json_take(struct wt_cli_calls_json *calls,
					const struct wt_journal_record *record)
{
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		return take_begin(calls, &record->begin);
	case WT_JOURNAL_CALLBACK:
		take_callback(calls, &record->callback);
		return NULL;
	case WT_JOURNAL_END:
		take_end(calls, &record->end);
		return NULL;
	case WT_JOURNAL_NOTICE:
		json_array_append_new(calls->array, json_pack("{s:o}", "notice",
							      wt_cli_json_text(record->notice)));
		return NULL;
	case WT_JOURNAL_MOMENT:
		return NULL;
	}
	return NULL;
}

void wt_cli_calls_json_deinit(struct wt_cli_calls_json *calls)
{
	wt_shown_call_deinit(&calls->call);
}
