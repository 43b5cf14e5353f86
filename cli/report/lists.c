/* SPDX-License-Identifier: MIT */
/* Lists in a report, beside waves: stops, calls of the journal, facts of the host, and what is missing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/plural.h"
#include "cli/look/journal-json.h"
#include "cli/look/verb-host.h"
#include "cli/output.h"
#include "cli/report/report.h"

/* ---- Stops ---- */

/* "WAVE_STOP x 12, RUNTIME" of a list of events. */
static json_t *event_kinds_json(const json_t *events)
{
	wt_cleanup_buffer struct wt_buffer text = {0};
	size_t count = json_array_size(events);

	for (size_t i = 0, same; i < count; i += same) {
		const json_t *kind = json_object_get(json_array_get(events, i), "kind");

		for (same = 1; i + same < count; same++)
			if (!json_equal(kind,
					json_object_get(json_array_get(events, i + same), "kind")))
				break;
		if (i)
			wt_buffer_append(&text, ", ", 2);
		wt_buffer_append(&text, json_string_value(kind), json_string_length(kind));
		if (same > 1)
			wt_buffer_append_format(&text, " x %zu", same);
	}
	if (text.failed)
		return NULL;
	return json_stringn(text.size ? (const char *)text.data : "", text.size);
}

struct wt_error *wt_report_add_stops(struct wt_report *report, json_t *stops, uint32_t number,
				     size_t room)
{
	size_t count = json_array_size(stops), shown = count, first;
	struct wt_error *error;
	bool added = false;

	for (size_t i = 0; i < count; i++) {
		json_t *stop = json_array_get(stops, i);

		json_object_set_new(stop, "events",
				    event_kinds_json(json_object_get(stop, "events")));
	}
	do {
		json_t *part = json_array();

		first = number > shown / 2 ? number - shown / 2 : 1;
		first = first + shown > count + 1 ? count + 1 - shown : first;
		for (size_t i = 0; i < shown; i++)
			json_array_append(part, json_array_get(stops, first - 1 + i));
		error = wt_report_page_add(&report->page, "stops", part, room, &added);
		shown = added ? shown : shown / 2;
	} while (!error && !added && shown);
	json_decref(stops);
	if (!error && shown < count)
		wt_report_leave_out(report, "stops: %zu of %zu are listed", shown, count);
	return error;
}

/* ---- The journal ---- */

#define BLOCK_CALLS 512

/* Rows as text, those to be dropped first at the front. */
struct calls {
	struct row {
		char *text;
		size_t size;
		uint64_t call;
	} * rows;
	size_t first, count, capacity; /* those from `first` on are kept */
	size_t bytes, room,
		behind; /* taken; that may be taken; that are left for calls behind the stop */
	uint64_t call, dropped;
};

static void calls_deinit(struct calls *calls)
{
	for (size_t i = calls->first; i < calls->count; i++)
		free(calls->rows[i].text);
	free(calls->rows);
}

/* "wave_id=3, query=AMD_DBGAPI_WAVE_INFO_PC" of an object. */
static void values_append(struct wt_buffer *text, json_t *values)
{
	const char *name, *separator = "";
	json_t *value;

	json_object_foreach(values, name, value)
	{
		wt_buffer_append_format(text, "%s%s=", separator, name);
		if (json_is_string(value))
			wt_buffer_append(text, json_string_value(value), json_string_length(value));
		else if (json_is_null(value))
			wt_buffer_append_text(text, "NULL");
		else
			wt_buffer_append_format(text, "%" JSON_INTEGER_FORMAT,
						json_integer_value(value));
		separator = ", ";
	}
}

static json_t *buffer_json(const struct wt_buffer *text)
{
	if (text->failed)
		return NULL;
	return json_stringn(text->size ? (const char *)text->data : "", text->size);
}

/* A row: call, ns, thread, function, inputs, status, outputs, ns it took. A notice has nothing but its text. */
static json_t *call_row_json(json_t *call)
{
	static const char prefix[] = "amd_dbgapi_";
	const char *function = json_string_value(json_object_get(call, "function"));
	wt_cleanup_buffer struct wt_buffer inputs = {0}, outputs = {0};
	json_t *notice = json_object_get(call, "notice");
	json_t *status = json_object_get(call, "status"), *callback;
	size_t i;

	if (notice)
		return json_pack("[O]", notice);
	values_append(&inputs, json_object_get(call, "inputs"));
	values_append(&outputs, json_object_get(call, "outputs"));
	json_array_foreach(json_object_get(call, "callbacks"), i, callback)
	{
		wt_buffer_append_text(&outputs, outputs.size ? "; callback " : "callback ");
		wt_buffer_append_text(&outputs,
				      json_string_value(json_object_get(callback, "callback")));
	}
	if (function && !strncmp(function, prefix, strlen(prefix)))
		function += strlen(prefix);
	return json_pack("[I, I, I, s, o, O, o, I]",
			 json_integer_value(json_object_get(call, "call")),
			 json_integer_value(json_object_get(call, "start_ns")),
			 json_integer_value(json_object_get(call, "thread")),
			 function ? function : "(an answer without its call)", buffer_json(&inputs),
			 status ? status : json_null(), buffer_json(&outputs),
			 json_integer_value(json_object_get(call, "duration_ns")));
}

static void calls_drop_first(struct calls *calls)
{
	struct row *row = &calls->rows[calls->first++];

	calls->bytes -= row->size;
	calls->dropped++;
	free(row->text);
	row->text = NULL;
}

static struct wt_error *calls_take(struct calls *calls, json_t *json)
{
	uint64_t call = (uint64_t)json_integer_value(json_object_get(json, "call"));
	bool is_before = !calls->call || call <= calls->call;
	json_t *row_value = call_row_json(json);
	char *text = row_value ? json_dumps(row_value, JSON_COMPACT) : NULL;
	struct row *row;

	json_decref(row_value);
	if (!text)
		return &wt_error_no_memory;
	if (!is_before && calls->bytes + strlen(text) + 1 > calls->room) {
		free(text);
		calls->dropped++;
		/* No later one either: a row of calls has no gap. */
		calls->room = calls->bytes;
		return NULL;
	}
	if (calls->count == calls->capacity) {
		size_t capacity = calls->capacity ? 2 * calls->capacity : 1024;
		struct row *grown = reallocarray(calls->rows, capacity, sizeof(*grown));

		if (!grown) {
			free(text);
			return &wt_error_no_memory;
		}
		calls->rows = grown;
		calls->capacity = capacity;
	}
	row = &calls->rows[calls->count++];
	*row = (struct row){.text = text, .size = strlen(text) + 1, .call = call};
	calls->bytes += row->size;
	while (is_before && calls->bytes > calls->room - calls->behind)
		calls_drop_first(calls);
	return NULL;
}

/* Take what has been collected, if nothing will be added to it: a long journal is never in memory as a whole. */
static struct wt_error *calls_take_collected(struct wt_cli_calls_json *json, struct calls *calls)
{
	struct wt_error *error = NULL;
	json_t *call;
	size_t i;

	if (json->call.open)
		return NULL;
	json_array_foreach(json->array, i, call) if (!error) error = calls_take(calls, call);
	json_array_clear(json->array);
	return error;
}

static struct wt_error *calls_read(struct wt_reader *reader, struct calls *calls)
{
	struct wt_cli_calls_json json = {
		.reader = reader, .filter = {.to = UINT64_MAX}, .array = json_array()};
	const struct wt_journal_record *record = NULL;
	struct wt_journal *journal = NULL;
	struct wt_error *error =
		json.array ? wt_journal_open(reader, &journal) : &wt_error_no_memory;

	while (!error) {
		error = wt_journal_next(journal, &record);
		if (error || !record)
			break;
		error = wt_cli_calls_json_take(&json, record);
		if (!error)
			error = calls_take_collected(&json, calls);
	}
	/* The last call did not return. */
	json.call.open = false;
	if (!error)
		error = calls_take_collected(&json, calls);
	wt_cli_calls_json_deinit(&json);
	json_decref(json.array);
	wt_journal_close(journal);
	return error;
}

static struct wt_error *report_add_calls(struct wt_report *report, const struct calls *calls)
{
	struct wt_error *error = NULL;
	size_t number = 0;

	for (size_t i = calls->first; !error && i < calls->count;) {
		json_t *block = json_array();
		char id[32];
		bool added;

		for (size_t j = 0; j < BLOCK_CALLS && i < calls->count; j++, i++)
			json_array_append_new(block, json_loads(calls->rows[i].text, 0, NULL));
		snprintf(id, sizeof(id), "journal-%zu", number++);
		error = wt_report_page_add(&report->page, id, block, SIZE_MAX, &added);
		if (!error && !added) {
			wt_report_leave_out(report, "the newest calls of the journal");
			break;
		}
	}
	return error;
}

struct wt_error *wt_report_add_journal(struct wt_report *report, uint64_t call, size_t room)
{
	/* Blocks have some bytes of their own, and `<` takes six. */
	struct calls calls = {.room = room / 8 * 7, .behind = room / 16, .call = call};
	struct wt_error *error = calls_read(report->trace->reader, &calls);

	if (!error)
		error = report_add_calls(report, &calls);
	if (!error && calls.dropped)
		wt_report_leave_out(report,
				    "%" PRIu64 " of %" PRIu64
				    " calls of the journal: it has those up to the stop",
				    calls.dropped, calls.dropped + calls.count - calls.first);
	calls_deinit(&calls);
	return error;
}

/* ---- The host ---- */

struct wt_error *wt_report_add_host(struct wt_report *report, size_t room)
{
	static const char *const parts[] = {"maps", "threads", "environment"};
	struct wt_host *host = NULL;
	struct wt_error *error = wt_reader_host(report->trace->reader, &host);
	bool added = false;
	json_t *json;

	if (wt_error_is_loss(error))
		return NULL;
	if (error || !host)
		return error;
	json = wt_host_json(host);
	wt_host_destroy(host);
	for (size_t i = 0; !error && !added && i <= sizeof(parts) / sizeof(*parts); i++) {
		error = wt_report_page_add(&report->page, "host", json_incref(json), room, &added);
		if (error || added || i == sizeof(parts) / sizeof(*parts))
			break;
		wt_report_leave_out(report, "of the host: %s", parts[i]);
		json_object_del(json, parts[i]);
	}
	json_decref(json);
	if (!error && !added)
		wt_report_leave_out(report, "what was recorded of the host");
	return error;
}

/* ---- What is missing ---- */

#define MOST_DAMAGE 100 /* pieces that are named */

static json_t *damage_json(const struct wt_reader *reader)
{
	size_t count = wt_reader_damage_count(reader);
	json_t *array = json_array();

	for (size_t i = 0; i < count && i < MOST_DAMAGE; i++)
		json_array_append_new(array,
				      wt_cli_json_text(wt_reader_damage_at(reader, i)->text));
	return array;
}

/* The shortest sentences are kept where there are too many of them. */
static void left_out_shorten(json_t *left_out)
{
	size_t count = json_array_size(left_out);

	if (count <= MOST_DAMAGE)
		return;
	while (json_array_size(left_out) > MOST_DAMAGE)
		json_array_remove(left_out, MOST_DAMAGE);
	json_array_append_new(left_out, json_sprintf("and %zu more", count - MOST_DAMAGE));
}

struct wt_error *wt_report_add_missing(struct wt_report *report)
{
	const struct wt_reader *reader = report->trace->reader;
	struct wt_trace_info info;

	wt_reader_info(reader, &info);
	left_out_shorten(report->left_out);
	return wt_report_page_must_add(
		&report->page, "missing",
		json_pack("{s:o, s:I, s:b, s:o, s:o, s:O}", "damage", damage_json(reader),
			  "damage_count",
			  (json_int_t)(wt_reader_damage_count(reader) +
				       wt_reader_damage_dropped(reader)),
			  "redacted", info.redacted, "policy", wt_cli_json_text(info.policy),
			  "ended_early", wt_cli_json_text(info.cut ? info.end_reason : NULL),
			  "left_out", report->left_out));
}
