/* SPDX-License-Identifier: MIT */
#include "cli/look/journal-json.h"

#include <stdio.h>

#include "cli/facts.h"
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

static json_t *inputs_json(const struct wt_shown_call *call)
{
	json_t *inputs = json_object();

	for (size_t i = 0; i < call->input_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_input(call, i);
		char name[24];

		snprintf(name, sizeof(name), "%zu", i);
		json_object_set_new(inputs, parameter ? parameter->name : name,
				    value_json(call, parameter, &call->inputs[i]));
	}
	return inputs;
}

static json_t *outputs_json(const struct wt_shown_call *call, const struct wt_call_end *end)
{
	json_t *outputs = json_object();

	for (size_t i = 0; i < end->output_count; i++) {
		const struct wt_parameter *parameter = wt_shown_call_output(call, i);

		if (end->outputs[i].form == WT_VALUE_ABSENT)
			continue;
		json_object_set_new(outputs, parameter ? parameter->name : "result",
				    value_json(call, parameter, &end->outputs[i]));
	}
	return outputs;
}

static void calls_put_begin(struct wt_cli_calls_json *calls, const struct wavetape_entry *entry)
{
	calls->shown = wt_shown_call_passes(&calls->filter, &calls->call);
	if (!calls->shown)
		return;
	calls->json = wt_entry_call_json(entry, inputs_json(&calls->call));
	json_array_append_new(calls->waiting, calls->json);
}

static void calls_put_callback(struct wt_cli_calls_json *calls, const struct wavetape_entry *entry)
{
	json_t *list;

	if (!calls->shown || !calls->call.open || calls->call.number != entry->call)
		return;
	list = json_object_get(calls->json, "callbacks");
	if (!list) {
		list = json_array();
		json_object_set_new(calls->json, "callbacks", list);
	}
	json_array_append_new(list, wt_entry_callback_json(entry));
}

static void calls_put_end(struct wt_cli_calls_json *calls, const struct wavetape_entry *entry,
			  const struct wt_call_end *end)
{
	if (calls->call.returned && calls->shown) {
		json_t *end_json = wt_entry_return_json(entry, outputs_json(&calls->call, end));

		json_object_update(calls->json, end_json);
		json_decref(end_json);
	}
	/* The end does not follow its call: another one began between them, or the call itself is lost. */
	if (!calls->call.returned && wt_shown_call_is_in_range(&calls->filter, entry->call) &&
	    !calls->filter.function)
		json_array_append_new(calls->waiting, wt_entry_answer_json(entry));
}

static struct wt_error *calls_note_record(struct wt_cli_calls_json *calls,
					  const struct wt_journal_record *record)
{
	struct wavetape_entry entry = {0};
	struct wt_error *error = wt_shown_entry_take(&calls->call, calls->reader, record, &entry);

	if (error)
		return error;
	switch (record->kind) {
	case WT_JOURNAL_BEGIN:
		calls_put_begin(calls, &entry);
		break;
	case WT_JOURNAL_CALLBACK:
		calls_put_callback(calls, &entry);
		break;
	case WT_JOURNAL_END:
		calls_put_end(calls, &entry, &record->end);
		break;
	case WT_JOURNAL_NOTICE:
		json_array_append_new(calls->waiting, wt_entry_notice_json(&entry));
		break;
	case WT_JOURNAL_MOMENT:
		break;
	}
	return NULL;
}

struct wt_error *wt_cli_calls_json_take(struct wt_cli_calls_json *calls,
					const struct wt_journal_record *record)
{
	struct wt_error *error;

	if (!calls->waiting)
		calls->waiting = json_array();
	if (!calls->waiting)
		return &wt_error_no_memory;
	error = calls_note_record(calls, record);
	return error || calls->call.open ? error : wt_cli_calls_json_end(calls);
}

struct wt_error *wt_cli_calls_json_end(struct wt_cli_calls_json *calls)
{
	struct wt_error *error = NULL;
	json_t *entry;
	size_t i;

	json_array_foreach(calls->waiting, i, entry)
	{
		error = calls->put(calls->opaque, entry);
		if (error)
			break;
	}
	json_array_clear(calls->waiting);
	return error;
}

void wt_cli_calls_json_deinit(struct wt_cli_calls_json *calls)
{
	wt_shown_call_deinit(&calls->call);
	json_decref(calls->waiting);
}
