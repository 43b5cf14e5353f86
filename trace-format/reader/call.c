/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/call.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/decode.h"

/* As generated code has it: a tag and a length have up to five bytes, and a tag of one byte is that of a field. */
#define HEAD_MAX 5u
#define LEAST_TAG 8u

/* More is given back: a call has a few, and a packet of a hostile file may have millions. */
#define KEPT_VALUES 4096u

void wt_call_values_deinit(struct wt_call_values *values)
{
	free(values->inputs.values);
	free(values->outputs.values);
	memset(values, 0, sizeof(*values));
}

static void start_list(struct wt_value_list *list)
{
	list->count = 0;
	if (list->capacity <= KEPT_VALUES)
		return;
	free(list->values);
	*list = (struct wt_value_list){0};
}

/* A place for one more value; NULL if there is no memory. */
static struct wt_value *add_value(struct wt_value_list *list)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? 2 * list->capacity : 16;
		struct wt_value *values =
			reallocarray(list->values, capacity, sizeof(*list->values));

		if (!values)
			return NULL;
		list->values = values;
		list->capacity = capacity;
	}
	return &list->values[list->count++];
}

static bool take(struct wt_cursor *cursor, struct wt_wire_field *field)
{
	return *cursor->data >= LEAST_TAG && wt_wire_take(cursor, HEAD_MAX, field);
}

/* A boolean is true if any bit of it is, whatever its type on the wire. */
static bool is_true(const struct wt_cursor *bytes)
{
	for (size_t i = 0; i < bytes->remaining; i++)
		if (bytes->data[i] & 0x7f)
			return true;
	return false;
}

/* A Value: the last of its forms counts. */
static bool take_value(struct wt_cursor cursor, struct wt_value *value)
{
	struct wt_wire_field field;

	*value = (struct wt_value){.form = WT_VALUE_ABSENT};
	while (cursor.remaining) {
		if (!take(&cursor, &field))
			return false;
		if (field.number == WT_VALUE_FIELD_NUMBER) {
			if (field.type != WT_WIRE_VARINT)
				return false;
			*value = (struct wt_value){.form = WT_VALUE_NUMBER, .number = field.value};
		} else if (field.number == WT_VALUE_FIELD_DATA) {
			if (field.type != WT_WIRE_BYTES)
				return false;
			*value = (struct wt_value){
				.form = WT_VALUE_DATA,
				.data = field.bytes.remaining ? field.bytes.data : NULL,
				.size = field.bytes.remaining,
			};
		} else if (field.number == WT_VALUE_FIELD_PRESENT) {
			*value = (struct wt_value){.form = WT_VALUE_PRESENT,
						   .number = is_true(&field.behind)};
		}
	}
	return true;
}

/* What a field of a packet is to become: numbers go to where they point, values into a list. */
struct target {
	uint64_t *number;
	uint32_t *small;  /* a number of 32 bits: higher ones are dropped */
	int64_t *integer; /* sint64 */
	struct wt_value_list *list;
};

static int64_t zigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ -(value & 1));
}

static enum wt_call_decoded take_into(const struct target *target,
				      const struct wt_wire_field *field)
{
	struct wt_value *value;

	if (target->list) {
		if (field->type != WT_WIRE_BYTES)
			return WT_CALL_MALFORMED;
		value = add_value(target->list);
		if (!value)
			return WT_CALL_NO_MEMORY;
		return take_value(field->bytes, value) ? WT_CALL_DECODED : WT_CALL_MALFORMED;
	}
	if (field->type != WT_WIRE_VARINT)
		return WT_CALL_MALFORMED;
	if (target->number)
		*target->number = field->value;
	else if (target->small)
		*target->small = (uint32_t)field->value;
	else
		*target->integer = zigzag(field->value);
	return WT_CALL_DECODED;
}

/* @targets: by the numbers of fields, 1 to @count; other fields are passed over. */
static enum wt_call_decoded decode(struct wt_cursor body, const struct target *targets,
				   size_t count)
{
	enum wt_call_decoded decoded = WT_CALL_DECODED;
	struct wt_wire_field field;

	while (body.remaining && decoded == WT_CALL_DECODED) {
		if (!take(&body, &field))
			return WT_CALL_MALFORMED;
		if (field.number && field.number <= count)
			decoded = take_into(&targets[field.number - 1], &field);
	}
	return decoded;
}

static enum wt_call_decoded decode_begin(struct wt_cursor body, struct wt_value_list *inputs,
					 struct wt_call_begin *begin)
{
	const struct target targets[] = {
		[WT_BEGIN_NUMBER - 1] = {.number = &begin->number},
		[WT_BEGIN_FUNCTION - 1] = {.small = &begin->function},
		[WT_BEGIN_THREAD - 1] = {.small = &begin->thread},
		[WT_BEGIN_START - 1] = {.number = &begin->start},
		[WT_BEGIN_INPUT - 1] = {.list = inputs},
	};
	enum wt_call_decoded decoded;

	*begin = (struct wt_call_begin){0};
	decoded = decode(body, targets, sizeof(targets) / sizeof(*targets));
	begin->inputs = inputs->values;
	begin->input_count = inputs->count;
	return decoded;
}

static enum wt_call_decoded decode_callback(struct wt_cursor body, struct wt_call_values *values,
					    struct wt_callback *callback)
{
	const struct target targets[] = {
		[WT_CALLBACK_CALL - 1] = {.number = &callback->call},
		[WT_CALLBACK_FUNCTION - 1] = {.small = &callback->function},
		[WT_CALLBACK_INPUT - 1] = {.list = &values->inputs},
		[WT_CALLBACK_RESULT - 1] = {.integer = &callback->result},
		[WT_CALLBACK_OUTPUT - 1] = {.list = &values->outputs},
	};
	enum wt_call_decoded decoded;

	*callback = (struct wt_callback){0};
	decoded = decode(body, targets, sizeof(targets) / sizeof(*targets));
	callback->inputs = values->inputs.values;
	callback->input_count = values->inputs.count;
	callback->outputs = values->outputs.values;
	callback->output_count = values->outputs.count;
	return decoded;
}

static enum wt_call_decoded decode_end(struct wt_cursor body, struct wt_value_list *outputs,
				       struct wt_call_end *end)
{
	const struct target targets[] = {
		[WT_END_NUMBER - 1] = {.number = &end->number},
		[WT_END_STATUS - 1] = {.integer = &end->status},
		[WT_END_DURATION - 1] = {.number = &end->duration},
		[WT_END_OUTPUT - 1] = {.list = outputs},
	};
	enum wt_call_decoded decoded;

	*end = (struct wt_call_end){0};
	decoded = decode(body, targets, sizeof(targets) / sizeof(*targets));
	end->outputs = outputs->values;
	end->output_count = outputs->count;
	return decoded;
}

enum wt_call_decoded wt_call_decode(enum wt_packet_field field, struct wt_cursor body,
				    struct wt_call_values *values, struct wt_journal_record *record)
{
	start_list(&values->inputs);
	start_list(&values->outputs);
	switch ((int)field) {
	case WT_PACKET_CALL_BEGIN:
		record->kind = WT_JOURNAL_BEGIN;
		return decode_begin(body, &values->inputs, &record->begin);
	case WT_PACKET_CALLBACK:
		record->kind = WT_JOURNAL_CALLBACK;
		return decode_callback(body, values, &record->callback);
	case WT_PACKET_CALL_END:
		record->kind = WT_JOURNAL_END;
		return decode_end(body, &values->outputs, &record->end);
	default:
		return WT_CALL_MALFORMED;
	}
}
