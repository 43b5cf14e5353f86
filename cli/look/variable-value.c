/* SPDX-License-Identifier: MIT */
#include "cli/look/variable-value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/describe.h"
#include "cli/output.h"
#include "replayer/view/value-text.h"

/* Without --lanes, of more different values than this the first are shown. */
#define MAX_VALUES 8

/* ---- The different values ---- */

struct different {
	json_t *value;
	uint64_t lanes;
};

/* The lanes that are left, those that failed first. Return: false if none is. */
static bool lanes_take(const struct wt_cli_lanes *lanes, uint64_t *left, uint32_t *lane_ret)
{
	uint64_t first = *left & lanes->failed;

	if (!*left)
		return false;
	*lane_ret = (uint32_t)__builtin_ctzll(first ? first : *left);
	*left &= ~(UINT64_C(1) << *lane_ret);
	return true;
}

static void values_print(const char *head, const struct wt_cli_lanes *lanes,
			 const struct wt_cli_values *values)
{
	size_t count = values->count;
	size_t shown = lanes->each || count <= MAX_VALUES ? count : MAX_VALUES;
	char text[WT_DESCRIBE_MAX];

	if (count <= 1) {
		printf("%s = %s\n", head, count ? values->of[0].text : "<no lane is active here>");
		return;
	}
	printf("%s:\n", head);
	for (size_t i = 0; i < shown; i++)
		printf("  %s %s = %s\n",
		       values->of[i].lanes & (values->of[i].lanes - 1) ? "lanes" : "lane",
		       wt_describe_lanes(values->of[i].lanes, text), values->of[i].text);
	if (shown < count)
		printf("  and %zu more values; --lanes shows all\n", count - shown);
}

struct wt_error *wt_cli_values_find(const struct wt_cli_lanes *lanes, wt_cli_show_lane show,
				    void *opaque, struct wt_cli_values *values)
{
	uint64_t left = lanes->lanes;
	bool failed = false;
	uint32_t lane;

	values->count = 0;
	while (lanes_take(lanes, &left, &lane)) {
		struct wt_value_text text = {0};
		const struct wt_dwarf_sink sink = wt_value_text_sink(&text);
		size_t found = 0;
		char *value;

		show(opaque, lane, &sink);
		value = wt_buffer_take_text(&text.buffer);
		failed |= !value;
		if (!value)
			continue;
		while (found < values->count && strcmp(values->of[found].text, value))
			found++;
		if (found == values->count) {
			values->of[values->count++] = (struct wt_cli_value){.text = value};
		} else {
			free(value);
		}
		values->of[found].lanes |= UINT64_C(1) << lane;
	}
	if (!failed)
		return NULL;
	wt_cli_values_deinit(values);
	return &wt_error_no_memory;
}

void wt_cli_values_deinit(struct wt_cli_values *values)
{
	for (size_t i = 0; i < values->count; i++)
		free(values->of[i].text);
	values->count = 0;
}

struct wt_error *wt_cli_put_values(const char *head, const struct wt_cli_lanes *lanes,
				   wt_cli_show_lane show, void *opaque)
{
	struct wt_cli_values values;
	struct wt_error *error = wt_cli_values_find(lanes, show, opaque, &values);

	if (error)
		return error;
	values_print(head, lanes, &values);
	wt_cli_values_deinit(&values);
	return NULL;
}

/* ---- JSON ---- */

#define MAX_OPEN 32

struct json {
	json_t *open[MAX_OPEN];	   /* structures and arrays around what comes next */
	bool is_members[MAX_OPEN]; /* an array of members */
	size_t depth;
	struct wt_dwarf_label label; /* of the member that comes next */
	json_t *result;
	const char *unknown; /* of the whole */
};

static json_t *member_json(const struct wt_dwarf_label *label, json_t *value)
{
	json_t *member = json_pack("{s:o}", "name", wt_cli_json_text(label->text));

	if (label->is_base)
		json_object_set_new(member, "base", json_true());
	if (label->is_unnamed)
		json_object_set_new(member, "unnamed", json_true());
	json_object_set_new(member, "value", value);
	return member;
}

static void json_add(struct json *json, json_t *value)
{
	json_t *around = json->depth ? json->open[json->depth - 1] : NULL;

	if (!around) {
		json_decref(json->result);
		json->result = value;
	} else if (json->is_members[json->depth - 1]) {
		json_array_append_new(around, member_json(&json->label, value));
	} else if (json_is_array(around)) {
		json_array_append_new(around, value);
	} else {
		json_t *name = wt_cli_json_text(json->label.text ? json->label.text : "");

		json_object_set_new(around, json_string_value(name) ? json_string_value(name) : "",
				    value);
		json_decref(name);
	}
}

/* The depth of types is limited to less than there is room for. */
static void json_push(struct json *json, json_t *value, bool is_members)
{
	if (json->depth == MAX_OPEN)
		return;
	json->is_members[json->depth] = is_members;
	json->open[json->depth++] = value;
}

static void json_open(void *opaque, enum wt_dwarf_opened what)
{
	bool is_members = what == WT_DWARF_OPEN_MEMBERS;
	json_t *value = what == WT_DWARF_OPEN_STRUCT ? json_object() : json_array();

	json_add(opaque, is_members ? json_pack("{s:O}", "members", value) : value);
	json_push(opaque, value, is_members);
	/* Whoever it was added to holds it. */
	if (is_members)
		json_decref(value);
}

static void json_reference(void *opaque, uint64_t address)
{
	json_t *value = json_pack("{s:o}", "reference", wt_cli_json_hex(address));
	struct json *json = opaque;

	json_add(json, value);
	json->label = (struct wt_dwarf_label){.text = "value"};
	json_push(json, value, false);
}

static void json_close(void *opaque)
{
	struct json *json = opaque;

	if (json->depth)
		json->depth--;
}

static void json_member(void *opaque, const struct wt_dwarf_label *label)
{
	struct json *json = opaque;

	json->label = *label;
}

/* Does it fit into 64 bits with a sign? */
static bool number_is_small(const struct wt_dwarf_scalar *scalar)
{
	bool is_unsigned = scalar->kind == WT_DWARF_TYPE_UNSIGNED ||
			   (scalar->kind == WT_DWARF_TYPE_ENUM && !scalar->is_signed);

	if (scalar->bits > 64)
		return scalar->high == (is_unsigned || !(scalar->number >> 63) ? 0 : UINT64_MAX) &&
		       !(is_unsigned && scalar->number > INT64_MAX);
	return !is_unsigned || scalar->number <= INT64_MAX;
}

static json_t *json_number(const struct wt_dwarf_scalar *scalar)
{
	char text[WT_DWARF_INTEGER_MAX];

	switch (scalar->kind) {
	case WT_DWARF_TYPE_BOOLEAN:
		return json_boolean(scalar->number);
	case WT_DWARF_TYPE_FLOAT:
		if (isfinite(scalar->real))
			return json_real(scalar->real);
		snprintf(text, sizeof(text), "%g", scalar->real);
		return json_string(text);
	case WT_DWARF_TYPE_POINTER:
		return wt_cli_json_hex(scalar->number);
	case WT_DWARF_TYPE_ENUM:
		if (wt_dwarf_scalar_word(scalar))
			return wt_cli_json_text(wt_dwarf_scalar_word(scalar));
		break;
	case WT_DWARF_TYPE_SIGNED:
	case WT_DWARF_TYPE_CHARACTER:
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		break;
	}
	/* Numbers that readers of JSON have no room for are texts. */
	if (!number_is_small(scalar))
		return json_string(wt_dwarf_scalar_integer(scalar, text));
	return json_integer((json_int_t)scalar->number);
}

static void json_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	json_add(opaque, json_number(scalar));
}

static void json_text(void *opaque, const char *string, size_t length)
{
	char copy[WT_DWARF_MAX_ELEMENTS + 1];

	memcpy(copy, string, length);
	copy[length] = '\0';
	json_add(opaque, wt_cli_json_text(copy));
}

static void json_unknown(void *opaque, const char *why)
{
	struct json *json = opaque;

	if (!json->depth)
		json->unknown = why;
	json_add(json, json_pack("{s:s}", "unknown", why));
}

static void json_more(void *opaque, uint64_t count)
{
	json_add(opaque, json_pack("{s:I}", "more", (json_int_t)count));
}

static json_t *lane_json(wt_cli_show_lane show, void *opaque, uint32_t lane)
{
	struct json json = {0};
	const struct wt_dwarf_sink sink = {
		.opaque = &json,
		.open = json_open,
		.reference = json_reference,
		.close = json_close,
		.member = json_member,
		.scalar = json_scalar,
		.text = json_text,
		.unknown = json_unknown,
		.more = json_more,
	};

	show(opaque, lane, &sink);
	if (json.unknown)
		return json.result;
	return json_pack("{s:o}", "value", json.result);
}

json_t *wt_cli_values_json(const struct wt_cli_lanes *lanes, wt_cli_show_lane show, void *opaque)
{
	struct different values[64] = {0};
	/* Readers of JSON find lanes by their numbers. */
	const struct wt_cli_lanes in_order = {.lanes = lanes->lanes};
	uint64_t left = lanes->lanes;
	json_t *array = json_array();
	size_t count = 0;
	uint32_t lane;

	while (lanes_take(&in_order, &left, &lane)) {
		size_t found = 0;
		json_t *value;

		value = lane_json(show, opaque, lane);
		while (found < count && !json_equal(values[found].value, value))
			found++;
		values[found].lanes |= UINT64_C(1) << lane;
		if (found == count)
			values[count++].value = value;
		else
			json_decref(value);
	}
	for (size_t i = 0; i < count; i++) {
		json_t *group =
			json_pack("{s:o}", "lanes", wt_describe_lanes_json(values[i].lanes));

		json_object_update(group, values[i].value);
		json_decref(values[i].value);
		json_array_append_new(array, group);
	}
	return array;
}

/* ---- Frames ---- */

void wt_cli_put_frame(size_t number, const struct wt_stack_frame *frame)
{
	printf("#%zu ", number);
	wt_cli_put(stdout, frame->function ? frame->function : "?");
	if (frame->inlined)
		printf(" (inlined)");
	if (frame->place.file) {
		printf(" at ");
		wt_cli_put(stdout, frame->place.file);
		printf(":%u:%u", frame->place.line, frame->place.column);
	}
	if (frame->source == WT_SOURCE_DIFFERS)
		printf(" (" WT_CLI_SOURCE_DIFFERS ")");
	printf(", pc 0x%" PRIx64 "\n", frame->place.address);
}

json_t *wt_cli_frame_json(size_t number, const struct wt_stack_frame *frame)
{
	json_t *json = wt_describe_code_json(&frame->place);
	json_t *facts = wt_frame_facts_json(&frame->facts, json_integer((json_int_t)number));

	json_object_update(json, facts);
	json_decref(facts);
	wt_describe_match_into(frame->source, json);
	return json;
}
