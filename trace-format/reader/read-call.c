/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/read-call.h"

#include <stddef.h>
#include <string.h>

void wt_call_values_deinit(struct wt_call_values *values)
{
	wt_wire_list_deinit(&values->inputs);
	wt_wire_list_deinit(&values->outputs);
}

/* A Value: the last of its forms counts. */
static enum wt_decoded call_value_decode(struct wt_cursor body, void *element)
{
	struct wt_value *value = element;
	struct wt_wire_field field;

	while (body.remaining) {
		if (!wt_wire_next(&body, &field))
			return WT_MALFORMED;
		if (field.number == WT_FIELD_VALUE_NUMBER) {
			if (field.type != WT_WIRE_VARINT)
				return WT_MALFORMED;
			*value = (struct wt_value){.form = WT_VALUE_NUMBER, .number = field.value};
		} else if (field.number == WT_FIELD_VALUE_DATA) {
			if (field.type != WT_WIRE_BYTES)
				return WT_MALFORMED;
			*value = (struct wt_value){
				.form = WT_VALUE_DATA,
				.data = field.bytes.remaining ? field.bytes.data : NULL,
				.size = field.bytes.remaining,
			};
		} else if (field.number == WT_FIELD_VALUE_PRESENT) {
			*value = (struct wt_value){.form = WT_VALUE_PRESENT,
						   .number = wt_wire_is_true(&field)};
		}
	}
	return WT_DECODED;
}

/* The fields that packets of all kinds have. */
struct packet {
	uint64_t number, time;
	uint32_t function, thread;
	int64_t result;
	struct wt_call_values values;
};

#define RULE(kind, member) WT_WIRE_RULE(kind, struct packet, member)
#define VALUES(member)                                                                             \
	WT_WIRE_MESSAGES(struct packet, values.member, struct wt_value, call_value_decode)

static const struct wt_wire_rule begin_rules[] = {
	[WT_FIELD_CALL_BEGIN_NUMBER] = RULE(U64, number),
	[WT_FIELD_CALL_BEGIN_FUNCTION] = RULE(U32, function),
	[WT_FIELD_CALL_BEGIN_THREAD] = RULE(U32, thread),
	[WT_FIELD_CALL_BEGIN_START] = RULE(U64, time),
	[WT_FIELD_CALL_BEGIN_INPUT] = VALUES(inputs),
};

static const struct wt_wire_rule callback_rules[] = {
	[WT_FIELD_CALLBACK_CALL] = RULE(U64, number),
	[WT_FIELD_CALLBACK_FUNCTION] = RULE(U32, function),
	[WT_FIELD_CALLBACK_INPUT] = VALUES(inputs),
	[WT_FIELD_CALLBACK_RESULT] = RULE(SINT64, result),
	[WT_FIELD_CALLBACK_OUTPUT] = VALUES(outputs),
};

static const struct wt_wire_rule end_rules[] = {
	[WT_FIELD_CALL_END_NUMBER] = RULE(U64, number),
	[WT_FIELD_CALL_END_STATUS] = RULE(SINT64, result),
	[WT_FIELD_CALL_END_DURATION] = RULE(U64, time),
	[WT_FIELD_CALL_END_OUTPUT] = VALUES(outputs),
};

/*
 * Nearly all packets have fields with tags of one byte, short values, and numbers: these are decoded here. What else there may
 * be, and what is malformed, is for the rules.
 */

/* The bytes that follow, whose length takes one byte or two. */
static inline bool plain_bytes(struct wt_cursor *at, struct wt_cursor *bytes_ret)
{
	uint64_t length;

	if (!wt_wire_varint(at, 2, &length))
		return false;
	*bytes_ret = wt_cursor_init(at->data, (size_t)length);
	return wt_wire_skip(at, length);
}

#define TAG(number, type) ((unsigned int)(number) << 3 | (unsigned int)(type))

/* A Value of one form, or none. */
static inline bool plain_value(struct wt_cursor at, struct wt_value *value)
{
	struct wt_cursor bytes;
	uint64_t tag;

	*value = (struct wt_value){0};
	if (!at.remaining)
		return true;
	if (!wt_wire_varint(&at, 1, &tag))
		return false;
	switch (tag) {
	case TAG(WT_FIELD_VALUE_NUMBER, WT_WIRE_VARINT):
		value->form = WT_VALUE_NUMBER;
		return wt_wire_varint(&at, WT_VARINT_MAX, &value->number) && !at.remaining;
	case TAG(WT_FIELD_VALUE_DATA, WT_WIRE_BYTES):
		value->form = WT_VALUE_DATA;
		if (!plain_bytes(&at, &bytes) || at.remaining)
			return false;
		value->size = bytes.remaining;
		value->data = bytes.remaining ? bytes.data : NULL;
		return true;
	case TAG(WT_FIELD_VALUE_PRESENT, WT_WIRE_VARINT):
		value->form = WT_VALUE_PRESENT;
		if (!wt_wire_varint(&at, 1, &value->number) || at.remaining)
			return false;
		value->number = value->number != 0;
		return true;
	default:
		return false;
	}
}

/* False: it is for the rules, whatever was put into @packet and its lists. */
static bool decode_plain(struct wt_cursor body, const struct wt_wire_rule *rules, size_t count,
			 struct packet *packet)
{
	while (body.remaining) {
		const struct wt_wire_rule *rule;
		struct wt_wire_list *list;
		struct wt_cursor bytes;
		uint64_t tag, value;

		if (!wt_wire_varint(&body, 1, &tag) || tag >> 3 >= count)
			return false;
		rule = &rules[tag >> 3];
		if ((tag & 7) == WT_WIRE_VARINT) {
			if (!wt_wire_varint(&body, WT_VARINT_MAX, &value) ||
			    !wt_wire_put_number((uint8_t *)packet + rule->offset, rule->kind,
						value))
				return false;
			continue;
		}
		if ((tag & 7) != WT_WIRE_BYTES || rule->kind != WT_KIND_MESSAGES ||
		    !plain_bytes(&body, &bytes))
			return false;
		list = (struct wt_wire_list *)(void *)((uint8_t *)packet + rule->offset);
		if (list->count == list->capacity ||
		    !plain_value(bytes, (struct wt_value *)list->elements + list->count))
			return false;
		list->count++;
	}
	return true;
}

static void call_take_begin(const struct packet *packet, struct wt_journal_record *record)
{
	record->kind = WT_JOURNAL_BEGIN;
	record->begin = (struct wt_call_begin){
		.number = packet->number,
		.function = packet->function,
		.thread = packet->thread,
		.start = packet->time,
		.inputs = packet->values.inputs.elements,
		.input_count = packet->values.inputs.count,
	};
}

static void call_take_callback(const struct packet *packet, struct wt_journal_record *record)
{
	record->kind = WT_JOURNAL_CALLBACK;
	record->callback = (struct wt_callback){
		.call = packet->number,
		.function = packet->function,
		.inputs = packet->values.inputs.elements,
		.input_count = packet->values.inputs.count,
		.result = packet->result,
		.outputs = packet->values.outputs.elements,
		.output_count = packet->values.outputs.count,
	};
}

static void call_take_end(const struct packet *packet, struct wt_journal_record *record)
{
	record->kind = WT_JOURNAL_END;
	record->end = (struct wt_call_end){
		.number = packet->number,
		.status = packet->result,
		.duration = packet->time,
		.outputs = packet->values.outputs.elements,
		.output_count = packet->values.outputs.count,
	};
}

enum wt_decoded wt_call_decode(enum wt_field_packet field, struct wt_cursor body,
			       struct wt_call_values *values, struct wt_journal_record *record)
{
	static const struct {
		const struct wt_wire_rule *rules;
		size_t count;
		void (*take)(const struct packet *packet, struct wt_journal_record *record);
	} kinds[WT_PACKET_FIELDS] = {
		[WT_PACKET_CALL_BEGIN] = {begin_rules, WT_WIRE_COUNT(begin_rules), call_take_begin},
		[WT_PACKET_CALLBACK] = {callback_rules, WT_WIRE_COUNT(callback_rules),
					call_take_callback},
		[WT_PACKET_CALL_END] = {end_rules, WT_WIRE_COUNT(end_rules), call_take_end},
	};
	struct packet packet = {.values = *values};
	enum wt_decoded decoded = WT_DECODED;

	wt_wire_list_start(&packet.values.inputs);
	wt_wire_list_start(&packet.values.outputs);
	if (!decode_plain(body, kinds[field].rules, kinds[field].count, &packet)) {
		packet = (struct packet){.values = packet.values};
		wt_wire_list_start(&packet.values.inputs);
		wt_wire_list_start(&packet.values.outputs);
		decoded = wt_wire_decode(body, kinds[field].rules, kinds[field].count, &packet);
	}
	*values = packet.values;
	if (decoded == WT_DECODED)
		kinds[field].take(&packet, record);
	return decoded;
}
