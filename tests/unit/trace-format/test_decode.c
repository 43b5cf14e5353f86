/* SPDX-License-Identifier: MIT */
/* Our decoders and generated code make the same of the same bytes, also of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/share.h"
#include "trace-format/message/encode.h"
#include "trace-format/reader/packed.h"
#include "trace-format/reader/read-call.h"
#include "trace-format/trace.pb-c.h"

/* Of random packets of calls, which are of all three kinds; and of items. */
#define PACKETS 60000u
#define ITEMS 40000u

static uint64_t next_random(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static bool one_in(unsigned int count)
{
	return next_random() % count == 0;
}

/* A number of any length, and now and then with more bytes than it needs, or can have. */
static void put_varint(struct wt_buffer *buffer, uint64_t value)
{
	uint8_t more[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f};

	wt_encode_varint(buffer, value);
	if (!one_in(24))
		return;
	buffer->data[buffer->size - 1] |= 0x80;
	wt_buffer_append(buffer, more + next_random() % sizeof(more), 1);
	while (buffer->data[buffer->size - 1] & 0x80)
		wt_buffer_append(buffer, more + next_random() % sizeof(more), 1);
}

static uint64_t any_number(void)
{
	return next_random() >> next_random() % 64;
}

static void put_random(struct wt_buffer *buffer, size_t size)
{
	for (size_t i = 0; i < size; i++)
		wt_buffer_append(buffer, &(uint8_t){(uint8_t)next_random()}, 1);
}

static void put_message(struct wt_buffer *buffer, const ProtobufCMessageDescriptor *descriptor,
			unsigned int most);

/* What is behind a length: a message, numbers, or anything. */
static void put_content(struct wt_buffer *buffer, const ProtobufCFieldDescriptor *field)
{
	if (field && field->type == PROTOBUF_C_TYPE_MESSAGE)
		put_message(buffer, field->descriptor, 3);
	else if (field && field->type != PROTOBUF_C_TYPE_BYTES &&
		 field->type != PROTOBUF_C_TYPE_STRING)
		for (uint64_t left = next_random() % 20; left; left--)
			put_varint(buffer, any_number());
	else
		put_random(buffer, next_random() % 20);
	if (buffer->size && one_in(60))
		buffer->size -= next_random() % buffer->size;
}

static unsigned int type_of(const ProtobufCFieldDescriptor *field)
{
	bool packable = field && field->label == PROTOBUF_C_LABEL_REPEATED;

	if (!field || one_in(60))
		return (unsigned int)(next_random() % 8);
	if (field->type == PROTOBUF_C_TYPE_MESSAGE || field->type == PROTOBUF_C_TYPE_BYTES ||
	    field->type == PROTOBUF_C_TYPE_STRING || (packable && !one_in(4)))
		return 2;
	return 0;
}

/* A field that the message has, or one more or less than these, or any. */
static void put_field(struct wt_buffer *buffer, const ProtobufCMessageDescriptor *descriptor)
{
	uint64_t number = next_random() % (descriptor->n_fields + 2);
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field(descriptor, (unsigned int)number);
	unsigned int type = type_of(field);
	wt_cleanup_buffer struct wt_buffer content = {0};

	put_varint(buffer, (one_in(90) ? any_number() : number) << 3 | type);
	switch (type) {
	case 0:
		put_varint(buffer, any_number());
		break;
	case 1:
		put_random(buffer, 8);
		break;
	case 2:
		put_content(&content, field);
		put_varint(buffer, one_in(90) ? any_number() : content.size);
		wt_buffer_append(buffer, content.data, content.size);
		break;
	case 5:
		put_random(buffer, 4);
		break;
	default:
		break;
	}
}

static void put_message(struct wt_buffer *buffer, const ProtobufCMessageDescriptor *descriptor,
			unsigned int most)
{
	for (uint64_t left = next_random() % most; left; left--)
		put_field(buffer, descriptor);
	if (buffer->size && one_in(24))
		buffer->size -= next_random() % buffer->size;
}

static void same_values(const struct wt_value *values, size_t count,
			Wavetape__Value *const *expected, size_t expected_count)
{
	assert_int_equal(count, expected_count);
	for (size_t i = 0; i < count; i++) {
		const Wavetape__Value *value = expected[i];

		switch (value->form_case) {
		case WAVETAPE__VALUE__FORM_NUMBER:
			assert_int_equal(values[i].form, WT_VALUE_NUMBER);
			assert_int_equal(values[i].number, value->number);
			break;
		case WAVETAPE__VALUE__FORM_DATA:
			assert_int_equal(values[i].form, WT_VALUE_DATA);
			assert_int_equal(values[i].size, value->data.len);
			if (value->data.len)
				assert_memory_equal(values[i].data, value->data.data,
						    value->data.len);
			break;
		case WAVETAPE__VALUE__FORM_PRESENT:
			assert_int_equal(values[i].form, WT_VALUE_PRESENT);
			assert_int_equal(values[i].number, value->present ? 1 : 0);
			break;
		default:
			assert_int_equal(values[i].form, WT_VALUE_ABSENT);
			break;
		}
	}
}

static void same_begin(const struct wt_journal_record *record, const Wavetape__CallBegin *expected)
{
	const struct wt_call_begin *begin = &record->begin;

	assert_int_equal(record->kind, WT_JOURNAL_BEGIN);
	assert_int_equal(begin->number, expected->number);
	assert_int_equal(begin->function, expected->function);
	assert_int_equal(begin->thread, expected->thread);
	assert_int_equal(begin->start, expected->start);
	same_values(begin->inputs, begin->input_count, expected->input, expected->n_input);
}

static void same_callback(const struct wt_journal_record *record,
			  const Wavetape__Callback *expected)
{
	const struct wt_callback *callback = &record->callback;

	assert_int_equal(record->kind, WT_JOURNAL_CALLBACK);
	assert_int_equal(callback->call, expected->call);
	assert_int_equal(callback->function, expected->function);
	assert_int_equal(callback->result, expected->result);
	same_values(callback->inputs, callback->input_count, expected->input, expected->n_input);
	same_values(callback->outputs, callback->output_count, expected->output,
		    expected->n_output);
}

static void same_end(const struct wt_journal_record *record, const Wavetape__CallEnd *expected)
{
	const struct wt_call_end *end = &record->end;

	assert_int_equal(record->kind, WT_JOURNAL_END);
	assert_int_equal(end->number, expected->number);
	assert_int_equal(end->status, expected->status);
	assert_int_equal(end->duration, expected->duration);
	same_values(end->outputs, end->output_count, expected->output, expected->n_output);
}

static const struct {
	enum wt_field_packet field;
	const ProtobufCMessageDescriptor *descriptor;
} kinds[] = {
	{WT_PACKET_CALL_BEGIN, &wavetape__call_begin__descriptor},
	{WT_PACKET_CALLBACK, &wavetape__callback__descriptor},
	{WT_PACKET_CALL_END, &wavetape__call_end__descriptor},
};

/* Return: was it decoded? */
static bool same_packet(unsigned int kind, const struct wt_buffer *packet,
			struct wt_call_values *values)
{
	/* Exactly as long, so that a read past it is found. */
	uint8_t *body = malloc(packet->size + !packet->size);
	struct wt_journal_record record;
	enum wt_decoded decoded;
	ProtobufCMessage *message;

	assert_non_null(body);
	if (packet->size)
		memcpy(body, packet->data, packet->size);
	message = protobuf_c_message_unpack(kinds[kind].descriptor, NULL, packet->size, body);
	decoded = wt_call_decode(kinds[kind].field, wt_cursor_init(body, packet->size), values,
				 &record);
	assert_int_equal(decoded, message ? WT_DECODED : WT_MALFORMED);
	if (message && kind == 0)
		same_begin(&record, (const Wavetape__CallBegin *)message);
	else if (message && kind == 1)
		same_callback(&record, (const Wavetape__Callback *)message);
	else if (message)
		same_end(&record, (const Wavetape__CallEnd *)message);
	if (message)
		protobuf_c_message_free_unpacked(message, NULL);
	free(body);
	return decoded == WT_DECODED;
}

static void random_packets(void **state)
{
	struct wt_call_values values = {0};
	unsigned int decoded[3] = {0}, malformed[3] = {0},
		     packets = (unsigned int)(PACKETS / test_share());

	(void)state;
	for (unsigned int i = 0; i < packets; i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};
		unsigned int kind = i % 3;

		put_message(&packet, kinds[kind].descriptor, 9);
		assert_false(packet.failed);
		if (same_packet(kind, &packet, &values))
			decoded[kind]++;
		else
			malformed[kind]++;
	}
	wt_call_values_deinit(&values);
	for (unsigned int kind = 0; kind < 3; kind++) {
		assert_true(decoded[kind] > packets / 12);
		assert_true(malformed[kind] > packets / 40);
	}
}

/* Ends of calls that chance does not make often: what is true, what is a tag. */
static void odd_packets(void **state)
{
	static const struct {
		bool decoded;
		size_t size;
		uint8_t bytes[16];
	} packets[] = {
		{true, 4, {0x22, 2, 0x18, 1}},
		{true, 5, {0x22, 3, 0x18, 0x80, 0}},
		{true, 13, {0x22, 11, 0x18, 128, 128, 128, 128, 128, 128, 128, 128, 128, 2}},
		{false, 14, {0x22, 12, 0x18, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 1}},
		{true, 11, {0x22, 9, 0x19, 128, 128, 128, 128, 128, 128, 128, 128}},
		{true, 11, {0x22, 9, 0x19, 128, 128, 128, 128, 128, 128, 128, 1}},
		{true, 5, {0x22, 3, 0x1a, 1, 0}},
		{true, 4, {0x22, 2, 0x1a, 0}},
		{false, 4, {0x22, 2, 0x0a, 0}},
		{false, 4, {0x22, 2, 0x10, 0}},
		{false, 2, {0x00, 1}},
		{true, 3, {0x80, 0, 1}},
		{true, 6, {0x90, 128, 128, 128, 0, 1}},
		{false, 7, {0x90, 128, 128, 128, 128, 0, 1}},
		{true, 6, {0x22, 128, 128, 128, 128, 0}},
		{false, 7, {0x22, 128, 128, 128, 128, 128, 0}},
	};
	struct wt_call_values values = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(packets) / sizeof(*packets); i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};

		wt_buffer_append(&packet, packets[i].bytes, packets[i].size);
		assert_int_equal(same_packet(2, &packet, &values), packets[i].decoded);
	}
	wt_call_values_deinit(&values);
}

/* A packet of nothing but values needs more room than is kept, and the next one finds its values all the same. */
static void very_many_values(void **state)
{
	wt_cleanup_buffer struct wt_buffer many = {0}, few = {0};
	struct wt_call_values values = {0};

	(void)state;
	for (unsigned int i = 0; i < 100000; i++)
		wt_encode_end(&many, wt_encode_begin(&many, WT_FIELD_CALL_BEGIN_INPUT));
	wt_encode_end(&few, wt_encode_begin(&few, WT_FIELD_CALL_BEGIN_INPUT));
	assert_true(same_packet(0, &many, &values));
	assert_true(same_packet(0, &few, &values));
	assert_true(values.inputs.capacity < 100000);
	wt_call_values_deinit(&values);
}

/* ---- Items ---- */

static void same_numbers(const struct wt_wire_list *list, size_t size, const void *expected,
			 size_t count)
{
	assert_int_equal(list->count, count);
	if (count)
		assert_memory_equal(list->elements, expected, count * size);
}

static void same_bytes(const uint8_t *data, size_t size, const ProtobufCBinaryData *expected)
{
	assert_int_equal(size, expected->len);
	if (size)
		assert_memory_equal(data, expected->data, size);
}

static void same_answers(const struct wt_answer *answers, size_t count,
			 Wavetape__Answer *const *expected, size_t expected_count)
{
	assert_int_equal(count, expected_count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(answers[i].query, expected[i]->query);
		assert_int_equal(answers[i].status, expected[i]->status);
		same_bytes(answers[i].value, answers[i].size, &expected[i]->value);
	}
}

static void same_patches(const struct wt_packed_item *item, const Wavetape__Item *expected)
{
	const struct wt_packed_patch *patches = item->patches.elements;

	assert_int_equal(item->patches.count, expected->n_patch);
	for (size_t i = 0; i < expected->n_patch; i++) {
		assert_int_equal(patches[i].offset, expected->patch[i]->offset);
		assert_int_equal(patches[i].encoding, (uint32_t)expected->patch[i]->encoding);
		same_bytes(patches[i].data.data, patches[i].data.remaining,
			   &expected->patch[i]->data);
	}
}

static void same_item(const struct wt_packed_item *item, const Wavetape__Item *expected)
{
	assert_int_equal(item->type, (uint32_t)expected->type);
	assert_int_equal(item->kind, expected->kind);
	assert_int_equal(item->owner, expected->owner);
	assert_int_equal(item->address, expected->address);
	assert_int_equal(item->removed, expected->removed != 0);
	assert_int_equal(item->keep, expected->keep != 0);
	assert_int_equal(item->status, expected->status);
	assert_int_equal(item->blob, expected->blob);
	assert_int_equal(item->handle_blob, expected->handle_blob);
	assert_int_equal(item->size, expected->size);
	same_answers(item->answers.elements, item->answers.count, expected->answer,
		     expected->n_answer);
	same_patches(item, expected);
	same_numbers(&item->handles, sizeof(uint64_t), expected->handle, expected->n_handle);
	same_numbers(&item->numbers, sizeof(uint64_t), expected->number, expected->n_number);
	same_numbers(&item->more_blobs, sizeof(uint32_t), expected->more_blob,
		     expected->n_more_blob);
}

/* Return: was it decoded? */
static bool same_packed(const struct wt_buffer *packet, struct wt_packed_item *item)
{
	uint8_t *body = malloc(packet->size + !packet->size);
	struct wt_cursor cursor = wt_cursor_init(body, packet->size);
	enum wt_decoded decoded;
	struct wt_packed_key key;
	Wavetape__Item *expected;

	assert_non_null(body);
	if (packet->size)
		memcpy(body, packet->data, packet->size);
	expected = wavetape__item__unpack(NULL, packet->size, body);
	decoded = wt_packed_item_decode(cursor, item);
	assert_int_equal(decoded, expected ? WT_DECODED : WT_MALFORMED);
	assert_int_equal(wt_packed_item_check(cursor), decoded);
	if (expected) {
		same_item(item, expected);
		assert_int_equal(wt_packed_key_decode(cursor, &key), WT_DECODED);
		assert_true(key.type == item->type && key.kind == item->kind &&
			    key.owner == item->owner && key.address == item->address);
		wavetape__item__free_unpacked(expected, NULL);
	}
	free(body);
	return decoded == WT_DECODED;
}

static void random_items(void **state)
{
	struct wt_packed_item item = {0};
	unsigned int decoded = 0, items = (unsigned int)(ITEMS / test_share());

	(void)state;
	for (unsigned int i = 0; i < items; i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};

		put_message(&packet, &wavetape__item__descriptor, 12);
		assert_false(packet.failed);
		decoded += same_packed(&packet, &item);
	}
	wt_packed_item_deinit(&item);
	assert_true(decoded > items / 4 && decoded < items - items / 20);
}

/* Numbers of each length at each place in a row, of which each has one byte more or less than others may have. */
static void packed_numbers(void **state)
{
	struct wt_packed_item item = {0};
	unsigned int decoded = 0;

	(void)state;
	for (unsigned int before = 0; before < 18; before++) {
		for (unsigned int size = 1; size < 13; size++) {
			wt_cleanup_buffer struct wt_buffer packet = {0};

			wt_encode_varint(&packet, WT_FIELD_ITEM_HANDLE << 3 | 2);
			wt_encode_varint(&packet, before + size + before % 3);
			for (unsigned int i = 0; i < before + size + before % 3; i++) {
				bool open = i >= before && i + 1 < before + size;

				wt_buffer_append(&packet, open ? "\x91" : "\x22", 1);
			}
			decoded += same_packed(&packet, &item);
			packet.data[packet.size - 1] |= 0x80;
			assert_false(same_packed(&packet, &item));
		}
	}
	assert_int_equal(decoded, 18 * 10);
	wt_packed_item_deinit(&item);
}

static void random_blobs(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < ITEMS / 4; i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};
		struct wt_packed_blob blob;
		Wavetape__Blob *expected;
		enum wt_decoded decoded;

		put_message(&packet, &wavetape__blob__descriptor, 6);
		decoded = wt_packed_blob_decode(wt_cursor_init(packet.data, packet.size), &blob);
		expected = wavetape__blob__unpack(NULL, packet.size, packet.data);
		assert_int_equal(decoded, expected ? WT_DECODED : WT_MALFORMED);
		if (!expected)
			continue;
		assert_int_equal(blob.encoding, (uint32_t)expected->encoding);
		same_bytes(blob.data.data, blob.data.remaining, &expected->data);
		wavetape__blob__free_unpacked(expected, NULL);
	}
}

static void same_events(const struct wt_packed_moment *moment, const Wavetape__Moment *expected)
{
	const struct wt_packed_event *events = moment->events.elements;
	const struct wt_answer *answers = moment->answers.elements;
	size_t all = 0;

	assert_int_equal(moment->events.count, expected->n_event);
	for (size_t i = 0; i < expected->n_event; i++) {
		assert_int_equal(events[i].handle, expected->event[i]->handle);
		assert_int_equal(events[i].kind, expected->event[i]->kind);
		same_answers(answers ? answers + all : NULL, events[i].answer_count,
			     expected->event[i]->answer, expected->event[i]->n_answer);
		all += events[i].answer_count;
	}
	assert_int_equal(moment->answers.count, all);
}

/* Return: how many messages there are. */
static size_t same_log(const struct wt_packed_moment *moment, const Wavetape__Moment *expected)
{
	const struct wt_packed_log *log = moment->log.elements;

	assert_int_equal(moment->log.count, expected->n_log);
	for (size_t i = 0; i < expected->n_log; i++) {
		size_t size = strlen(expected->log[i]->text);

		assert_int_equal(log[i].level, expected->log[i]->level);
		assert_int_equal(log[i].event, expected->log[i]->event);
		assert_true(size <= log[i].text.remaining);
		assert_true(size == log[i].text.remaining || !log[i].text.data[size]);
		if (size)
			assert_memory_equal(log[i].text.data, expected->log[i]->text, size);
	}
	return expected->n_log;
}

/* Without its items. Return: how many events and messages it has. */
static size_t same_moment(const struct wt_packed_moment *moment, const Wavetape__Moment *expected)
{
	assert_int_equal(moment->number, expected->number);
	assert_int_equal(moment->process, expected->process);
	assert_int_equal(moment->cause, (uint32_t)expected->cause);
	assert_int_equal(moment->call, expected->call);
	assert_int_equal(moment->time, expected->time);
	assert_int_equal(moment->keyframe, expected->keyframe != 0);
	assert_int_equal(moment->after_resume, expected->after_resume != 0);
	assert_int_equal(moment->function, expected->function);
	assert_int_equal(moment->status, expected->status);
	same_numbers(&moment->stop_requested, sizeof(uint64_t), expected->stop_requested,
		     expected->n_stop_requested);
	same_events(moment, expected);
	return expected->n_event + same_log(moment, expected);
}

/* Nothing is kept of its items: whether they are right is found out where that is asked for. */
static size_t same_packed_moment(const struct wt_buffer *packet, const Wavetape__Moment *expected,
				 bool fine_items, struct wt_packed_moment *moment)
{
	uint8_t *body = malloc(packet->size + !packet->size);
	struct wt_cursor cursor = wt_cursor_init(body, packet->size);
	enum wt_decoded decoded;
	size_t parts = 0;

	assert_non_null(body);
	if (packet->size)
		memcpy(body, packet->data, packet->size);
	decoded = wt_packed_moment_decode(cursor, true, moment);
	assert_int_equal(decoded, expected ? WT_DECODED : WT_MALFORMED);
	if (expected)
		parts = same_moment(moment, expected);
	decoded = wt_packed_moment_decode(cursor, false, moment);
	if (fine_items)
		assert_int_equal(decoded, expected ? WT_DECODED : WT_MALFORMED);
	if (expected)
		same_moment(moment, expected);
	free(body);
	return parts;
}

/* The packets that have items, of one kind. */
struct kind {
	const ProtobufCMessageDescriptor *descriptor;
	unsigned int items; /* the field that has them */
	enum wt_decoded (*check)(struct wt_cursor body);
};

/* What goes through the items of a packet comes to all of them. @fine_ret: is all of it of fields, and each item right? */
static size_t count_items(const struct wt_buffer *packet, const struct kind *kind, bool *fine_ret)
{
	struct wt_cursor body = wt_cursor_init(packet->data, packet->size), item;
	size_t count = 0;

	*fine_ret = true;
	for (; wt_packed_item_next(&body, kind->items, &item); count++)
		*fine_ret = *fine_ret && wt_packed_item_check(item) == WT_DECODED;
	*fine_ret = *fine_ret && !body.remaining;
	return count;
}

static void random_moments(void **state)
{
	static const struct kind kind = {&wavetape__moment__descriptor, WT_FIELD_MOMENT_ITEM, NULL};
	unsigned int decoded = 0, moments = (unsigned int)(ITEMS / 4 / test_share());
	struct wt_packed_moment moment = {0};
	size_t parts = 0;

	(void)state;
	for (unsigned int i = 0; i < moments; i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};
		Wavetape__Moment *expected;
		size_t count;
		bool fine;

		put_message(&packet, kind.descriptor, 12);
		expected = wavetape__moment__unpack(NULL, packet.size, packet.data);
		count = count_items(&packet, &kind, &fine);
		parts += same_packed_moment(&packet, expected, fine, &moment);
		if (!expected)
			continue;
		decoded++;
		assert_true(fine);
		assert_int_equal(expected->n_item, count);
		wavetape__moment__free_unpacked(expected, NULL);
	}
	wt_packed_moment_deinit(&moment);
	assert_true(decoded > moments / 4 && decoded < moments - moments / 20);
	assert_true(parts > moments / 20);
}

/* Packets of which only the items are used. */
static void random_checked(const struct kind *kind)
{
	unsigned int decoded = 0, packets = (unsigned int)(ITEMS / 4 / test_share());

	for (unsigned int i = 0; i < packets; i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};
		ProtobufCMessage *expected;
		bool fine;

		put_message(&packet, kind->descriptor, 6);
		expected =
			protobuf_c_message_unpack(kind->descriptor, NULL, packet.size, packet.data);
		assert_int_equal(kind->check(wt_cursor_init(packet.data, packet.size)),
				 expected ? WT_DECODED : WT_MALFORMED);
		count_items(&packet, kind, &fine);
		assert_true(fine || !expected);
		if (!expected)
			continue;
		decoded++;
		protobuf_c_message_free_unpacked(expected, NULL);
	}
	assert_true(decoded > packets / 4 && decoded < packets - packets / 20);
}

static void random_lates(void **state)
{
	(void)state;
	random_checked(&(const struct kind){&wavetape__late__descriptor, WT_FIELD_LATE_ITEM,
					    wt_packed_late_check});
}

static void random_facts(void **state)
{
	(void)state;
	random_checked(&(const struct kind){&wavetape__facts__descriptor, WT_FIELD_FACTS_ITEM,
					    wt_packed_facts_check});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_packets),   cmocka_unit_test(odd_packets),
		cmocka_unit_test(very_many_values), cmocka_unit_test(random_items),
		cmocka_unit_test(packed_numbers),   cmocka_unit_test(random_blobs),
		cmocka_unit_test(random_moments),   cmocka_unit_test(random_lates),
		cmocka_unit_test(random_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
