/* SPDX-License-Identifier: MIT */
/* Objects of a stop as JSON. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/describe.h"
#include "cli/output.h"

uint64_t wt_describe_number(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;

	for (size_t i = 0; i < size && i < sizeof(value); i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

json_t *wt_describe_register_json(const struct wt_view_register *reg)
{
	json_t *value = NULL, *lanes = NULL;
	struct wavetape_register facts;

	wt_register_facts_take(reg, &facts);
	if (!reg->value) {
		value = json_null();
	} else if (reg->vector) {
		lanes = json_array();
		for (uint32_t lane = 0; lane < reg->size / 4; lane++)
			json_array_append_new(
				lanes, json_sprintf("0x%08" PRIx64,
						    wt_describe_number(reg->value + lane * 4, 4)));
	} else {
		value = wt_cli_json_hex(wt_describe_number(reg->value, reg->size));
	}
	return wt_register_facts_json(&facts, value, lanes);
}

static json_t *summary_events_json(const struct wt_stop_summary *summary)
{
	json_t *events = json_array();
	char text[WT_DESCRIBE_MAX];

	for (size_t i = 0; i < summary->event_runs; i++) {
		const struct wt_stop_events *run = &summary->events[i];

		for (uint64_t j = 0; j < run->count; j++)
			json_array_append_new(events,
					      json_pack("{s:I, s:s}", "event",
							(json_int_t)(run->first + j), "kind",
							wt_describe_event_kind(run->kind, text)));
	}
	return events;
}

json_t *wt_describe_stop_json(const struct wt_stop_summary *summary, bool several)
{
	bool has_place = summary->has_place && !summary->state_lost;
	char code[WT_DESCRIBE_MAX];

	return wt_stop_summary_facts_json(
		&summary->facts, several, summary_events_json(summary),
		has_place ? wt_cli_json_text(wt_describe_code(&summary->place, code)) : NULL);
}

/* ---- By the table of queries ---- */

/* "AMD_DBGAPI_QUEUE_INFO_OS_ID" is "os_id". */
static void query_key(const struct wt_query *query, char key[WT_DESCRIBE_MAX])
{
	static const char mark[] = "_INFO_";
	const char *name = strstr(query->name, mark);
	size_t length = 0;

	for (name = name ? name + strlen(mark) : query->name; name[length]; length++)
		key[length] = (char)tolower((unsigned char)name[length]);
	key[length] = '\0';
}

static json_t *number_json(const struct wt_query *query, uint64_t number)
{
	char text[WT_DESCRIBE_MAX];
	const char *name =
		query->enumeration ? wt_enumerator_name(query->enumeration, (int64_t)number) : NULL;

	if (name)
		return json_string(name);
	if (query->enumeration)
		return json_string(wt_enumeration_flags(query->enumeration->name, number, "", text,
							sizeof(text)));
	if (strstr(query->type, "address") || number > INT64_MAX)
		return wt_cli_json_hex(number);
	return json_integer((json_int_t)number);
}

/* @element: its size in bytes, at most 8. */
static json_t *numbers_json(const uint8_t *data, size_t size, size_t element)
{
	json_t *array = json_array();

	for (; size >= element; data += element, size -= element)
		json_array_append_new(array,
				      json_integer((json_int_t)wt_describe_number(data, element)));
	return array;
}

static json_t *answer_json(const struct wt_query *query, const uint8_t *data, size_t size)
{
	const char *bracket = strchr(query->type, '[');
	wt_cleanup_free char *text = NULL;

	switch (query->result) {
	case WT_RESULT_FIXED:
		if (bracket)
			return numbers_json(data, size, query->size / (size_t)(bracket[1] - '0'));
		return size <= 8 ? number_json(query, wt_describe_number(data, size))
				 : wt_cli_json_bytes(data, size);
	case WT_RESULT_HANDLES:
		return numbers_json(data, size, sizeof(uint64_t));
	case WT_RESULT_STRING:
		text = strndup((const char *)data, size);
		return text ? wt_cli_json_text(text) : NULL;
	default:
		return wt_cli_json_bytes(data, size);
	}
}

json_t *wt_describe_object_json(struct wt_view *view, enum wt_object object, uint64_t handle)
{
	const struct wt_object_info *info = &wt_objects[object];
	json_t *json = json_pack("{s:I}", info->name, (json_int_t)handle);

	for (size_t i = 0; i < info->query_count; i++) {
		const struct wt_query *query = &info->queries[i];
		char key[WT_DESCRIBE_MAX];
		const uint8_t *data;
		size_t size;

		if (wt_view_answer(view, object, handle, query->value, &data, &size) !=
		    AMD_DBGAPI_STATUS_SUCCESS)
			continue;
		query_key(query, key);
		json_object_set_new(json, key, answer_json(query, data, size));
	}
	return json;
}

json_t *wt_describe_event_json(const struct wt_view *view, size_t position)
{
	const struct wt_object_info *info = &wt_objects[WT_OBJECT_EVENT];
	const struct wt_event *event = &wt_view_moment(view)->events[position];
	char text[WT_DESCRIBE_MAX];
	json_t *json = json_pack("{s:I, s:s}", "event", (json_int_t)event->handle, "kind",
				 wt_describe_event_kind(event->kind, text));

	for (size_t i = 0; i < info->query_count; i++) {
		const struct wt_query *query = &info->queries[i];
		char key[WT_DESCRIBE_MAX];
		uint64_t number;

		if (query->value == AMD_DBGAPI_EVENT_INFO_KIND ||
		    !wt_view_event_number(view, position, query->value, &number))
			continue;
		query_key(query, key);
		json_object_set_new(json, key, number_json(query, number));
	}
	return json;
}
