/* SPDX-License-Identifier: MIT */
#include "cli/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/describe.h"
#include "cli/output.h"

/* Without --lanes, of more different values than this the first are shown. */
#define MAX_VALUES 8

/* ---- Text ---- */

struct text {
	struct wt_buffer buffer;
	bool begun; /* something stands in the structure or array that is open */
	bool named; /* a member's name was just written */
};

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *text, const char *format, ...)
{
	char *line = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&line, format, arguments);
	va_end(arguments);
	if (length < 0)
		text->buffer.failed = true;
	else
		wt_buffer_append(&text->buffer, line, (size_t)length);
	if (length >= 0)
		free(line);
}

static void put_visible(struct text *text, const char *name)
{
	char visible[4 * WT_DWARF_MAX_TYPE];

	put(text, "%s", wt_cli_visible(name, visible, sizeof(visible)));
}

/* What stands between an element and the one before. */
static void separate(struct text *text)
{
	if (text->begun && !text->named)
		put(text, ", ");
	text->begun = true;
	text->named = false;
}

static void text_open(void *opaque, bool is_array)
{
	struct text *text = opaque;

	separate(text);
	put(text, is_array ? "[" : "{");
	text->begun = false;
}

/* Brackets are matched by what was opened last: it is in the text itself. */
static void text_close(void *opaque)
{
	struct text *text = opaque;
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = text->buffer.size; i-- > 0;) {
		char character = (char)text->buffer.data[i];

		quoted ^= character == '"';
		if (quoted)
			continue;
		depth += character == ']' || character == '}';
		if (character != '[' && character != '{')
			continue;
		if (!depth) {
			put(text, character == '[' ? "]" : "}");
			break;
		}
		depth--;
	}
	text->begun = true;
}

static void text_member(void *opaque, const char *name)
{
	struct text *text = opaque;

	separate(text);
	put_visible(text, name);
	put(text, " = ");
	text->named = true;
}

/* As few digits as tell the number from its neighbours. */
static void format_real(const struct wt_dwarf_scalar *scalar, char *buffer, size_t size)
{
	for (int digits = 1; digits <= 17; digits++) {
		double back;

		snprintf(buffer, size, "%.*g", digits, scalar->real);
		back = strtod(buffer, NULL);
		if (scalar->bits < 64 ? (float)back == (float)scalar->real : back == scalar->real)
			return;
	}
}

static void text_scalar(void *opaque, const struct wt_dwarf_scalar *scalar)
{
	struct text *text = opaque;
	char number[64];

	separate(text);
	switch (scalar->kind) {
	case WT_DWARF_TYPE_SIGNED:
		put(text, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_BOOLEAN:
		put(text, scalar->number ? "true" : "false");
		return;
	case WT_DWARF_TYPE_CHARACTER:
		put(text, "%" PRId64, (int64_t)scalar->number);
		if (scalar->number >= 0x20 && scalar->number < 0x7f)
			put(text, " '%c'", (char)scalar->number);
		return;
	case WT_DWARF_TYPE_FLOAT:
		format_real(scalar, number, sizeof(number));
		put(text, "%s", number);
		return;
	case WT_DWARF_TYPE_ENUM:
		if (scalar->name)
			put_visible(text, scalar->name);
		else
			put(text, "%" PRId64, (int64_t)scalar->number);
		return;
	case WT_DWARF_TYPE_POINTER:
		put(text, "0x%" PRIx64, scalar->number);
		return;
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		put(text, "%" PRIu64, scalar->number);
	}
}

static void text_text(void *opaque, const char *string, size_t length)
{
	char copy[WT_DWARF_MAX_ELEMENTS + 1], visible[4 * sizeof(copy)];
	struct text *text = opaque;

	separate(text);
	memcpy(copy, string, length);
	copy[length] = '\0';
	put(text, "\"%s\"", wt_cli_visible(copy, visible, sizeof(visible)));
}

static void text_unknown(void *opaque, const char *why)
{
	struct text *text = opaque;

	separate(text);
	put(text, "<%s>", why);
}

static void text_more(void *opaque, uint64_t count)
{
	struct text *text = opaque;

	separate(text);
	put(text, "... %" PRIu64 " more", count);
}

static struct wt_dwarf_sink text_sink(struct text *text)
{
	return (struct wt_dwarf_sink){
		.opaque = text,
		.open = text_open,
		.close = text_close,
		.member = text_member,
		.scalar = text_scalar,
		.text = text_text,
		.unknown = text_unknown,
		.more = text_more,
	};
}

/* ---- The different values ---- */

struct different {
	char *text;    /* of a text */
	json_t *value; /* or of JSON */
	uint64_t lanes;
};

static void print_values(const char *head, const struct wt_cli_lanes *lanes,
			 const struct different *values, size_t count)
{
	size_t shown = lanes->each || count <= MAX_VALUES ? count : MAX_VALUES;
	char text[WT_DESCRIBE_MAX];

	if (count == 1) {
		printf("%s = %s\n", head, values[0].text);
		return;
	}
	printf("%s:\n", head);
	for (size_t i = 0; i < shown; i++)
		printf("  %s %s = %s\n", values[i].lanes & (values[i].lanes - 1) ? "lanes" : "lane",
		       wt_describe_lanes(values[i].lanes, text), values[i].text);
	if (shown < count)
		printf("  and %zu more values; --lanes shows all\n", count - shown);
}

struct wt_error *wt_cli_put_values(const char *head, const struct wt_cli_lanes *lanes,
				   wt_cli_show_lane show, void *opaque)
{
	struct different values[64] = {0};
	bool failed = false;
	size_t count = 0;

	for (uint32_t lane = 0; lane < 64; lane++) {
		struct text text = {0};
		const struct wt_dwarf_sink sink = text_sink(&text);
		size_t found = 0;

		if (!(lanes->lanes >> lane & 1))
			continue;
		show(opaque, lane, &sink);
		wt_buffer_append(&text.buffer, "", 1);
		failed |= text.buffer.failed;
		if (text.buffer.failed) {
			wt_buffer_deinit(&text.buffer);
			continue;
		}
		while (found < count && strcmp(values[found].text, (char *)text.buffer.data))
			found++;
		values[found].lanes |= UINT64_C(1) << lane;
		if (found == count)
			values[count++].text = (char *)text.buffer.data;
		else
			wt_buffer_deinit(&text.buffer);
	}
	if (!failed)
		print_values(head, lanes, values, count);
	for (size_t i = 0; i < count; i++)
		free(values[i].text);
	return failed ? &wt_error_no_memory : NULL;
}

/* ---- JSON ---- */

#define MAX_OPEN 32

struct json {
	json_t *open[MAX_OPEN]; /* structures and arrays around what comes next */
	size_t depth;
	const char *name; /* of the member that comes next */
	json_t *result;
	const char *unknown; /* of the whole */
};

static void json_add(struct json *json, json_t *value)
{
	json_t *around = json->depth ? json->open[json->depth - 1] : NULL;

	if (!around) {
		json_decref(json->result);
		json->result = value;
	} else if (json_is_array(around)) {
		json_array_append_new(around, value);
	} else {
		json_t *name = wt_cli_json_text(json->name ? json->name : "");

		json_object_set_new(around, json_string_value(name) ? json_string_value(name) : "",
				    value);
		json_decref(name);
	}
}

static void json_open(void *opaque, bool is_array)
{
	struct json *json = opaque;
	json_t *value = is_array ? json_array() : json_object();

	json_add(json, value);
	/* The depth of types is limited to less. */
	if (json->depth < MAX_OPEN)
		json->open[json->depth++] = value;
}

static void json_close(void *opaque)
{
	struct json *json = opaque;

	if (json->depth)
		json->depth--;
}

static void json_member(void *opaque, const char *name)
{
	struct json *json = opaque;

	json->name = name;
}

static json_t *json_number(const struct wt_dwarf_scalar *scalar)
{
	char text[64];

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
		if (scalar->name)
			return wt_cli_json_text(scalar->name);
		return json_integer((json_int_t)scalar->number);
	case WT_DWARF_TYPE_SIGNED:
	case WT_DWARF_TYPE_CHARACTER:
	case WT_DWARF_TYPE_UNSIGNED:
	case WT_DWARF_TYPE_NONE:
	case WT_DWARF_TYPE_ARRAY:
	case WT_DWARF_TYPE_STRUCT:
	case WT_DWARF_TYPE_FUNCTION:
		break;
	}
	if (scalar->kind == WT_DWARF_TYPE_UNSIGNED && scalar->number > INT64_MAX)
		return json_sprintf("%" PRIu64, scalar->number);
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
	json_t *array = json_array();
	size_t count = 0;

	for (uint32_t lane = 0; lane < 64; lane++) {
		size_t found = 0;
		json_t *value;

		if (!(lanes->lanes >> lane & 1))
			continue;
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
		printf(":%d:%d", frame->place.line, frame->place.column);
	}
	printf(", pc 0x%" PRIx64 "\n", frame->address);
}

json_t *wt_cli_frame_json(size_t number, const struct wt_stack_frame *frame)
{
	const struct wt_explain_code code = {
		.address = frame->address,
		.code_object = frame->code_object,
		.elf_address = frame->elf_address,
		.symbol = frame->symbol,
		.symbol_offset = frame->symbol_offset,
		.place = frame->place,
	};
	json_t *json = wt_describe_code_json(&code);

	json_object_set_new(json, "frame", json_integer((json_int_t)number));
	json_object_set_new(json, "function", wt_cli_json_text(frame->function));
	json_object_set_new(json, "inlined", json_boolean(frame->inlined));
	return json;
}
