/* SPDX-License-Identifier: MIT */
/* The decoder for packets of calls and generated code make the same of the same bytes, also of wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/share.h"
#include "trace-format/message/encode.h"
#include "trace-format/reader/call.h"
#include "trace-format/trace.pb-c.h"

/* Of random packets, which are of all three kinds. */
#define PACKETS 60000u

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

/* A field of any number, and of the right type or of any. */
static unsigned int put_tag(struct wt_buffer *buffer, unsigned int fields,
			    const unsigned int *types)
{
	unsigned int field = (unsigned int)(next_random() % (fields + 2));
	unsigned int type =
		field && field <= fields ? types[field - 1] : (unsigned int)(next_random() % 6);

	if (one_in(40))
		type = (unsigned int)(next_random() % 8);
	put_varint(buffer, one_in(60) ? any_number() << 3 | type : (uint64_t)field << 3 | type);
	return type;
}

static void put_random(struct wt_buffer *buffer, size_t size)
{
	for (size_t i = 0; i < size; i++)
		wt_buffer_append(buffer, &(uint8_t){(uint8_t)next_random()}, 1);
}

static void put_value(struct wt_buffer *buffer)
{
	static const unsigned int types[] = {0, 2, 0};

	for (uint64_t left = next_random() % 3; left; left--) {
		switch (put_tag(buffer, 3, types)) {
		case 0:
			put_varint(buffer, any_number());
			break;
		case 1:
			put_random(buffer, 8);
			break;
		case 2: {
			size_t size = next_random() % 20;

			put_varint(buffer, one_in(60) ? any_number() : size);
			put_random(buffer, size);
			break;
		}
		case 5:
			put_random(buffer, 4);
			break;
		default:
			break;
		}
	}
}

static void put_packet(struct wt_buffer *buffer, unsigned int fields, const unsigned int *types)
{
	for (uint64_t left = next_random() % 9; left; left--) {
		wt_cleanup_buffer struct wt_buffer value = {0};

		switch (put_tag(buffer, fields, types)) {
		case 0:
			put_varint(buffer, any_number());
			break;
		case 1:
			put_random(buffer, 8);
			break;
		case 2:
			put_value(&value);
			put_varint(buffer, one_in(90) ? any_number() : value.size);
			wt_buffer_append(buffer, value.data, value.size);
			break;
		case 5:
			put_random(buffer, 4);
			break;
		default:
			break;
		}
	}
	if (buffer->size && one_in(12))
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
	enum wt_packet_field field;
	const ProtobufCMessageDescriptor *descriptor;
	unsigned int fields, types[5];
} kinds[] = {
	{WT_PACKET_CALL_BEGIN, &wavetape__call_begin__descriptor, 5, {0, 0, 0, 0, 2}},
	{WT_PACKET_CALLBACK, &wavetape__callback__descriptor, 5, {0, 0, 2, 0, 2}},
	{WT_PACKET_CALL_END, &wavetape__call_end__descriptor, 4, {0, 0, 0, 2}},
};

/* Return: was it decoded? */
static bool same_packet(unsigned int kind, const struct wt_buffer *packet,
			struct wt_call_values *values)
{
	/* Exactly as long, so that a read past it is found. */
	uint8_t *body = malloc(packet->size + !packet->size);
	struct wt_journal_record record;
	enum wt_call_decoded decoded;
	ProtobufCMessage *message;

	assert_non_null(body);
	if (packet->size)
		memcpy(body, packet->data, packet->size);
	message = protobuf_c_message_unpack(kinds[kind].descriptor, NULL, packet->size, body);
	decoded = wt_call_decode(kinds[kind].field, wt_cursor_init(body, packet->size), values,
				 &record);
	assert_int_equal(decoded, message ? WT_CALL_DECODED : WT_CALL_MALFORMED);
	if (message && kind == 0)
		same_begin(&record, (const Wavetape__CallBegin *)message);
	else if (message && kind == 1)
		same_callback(&record, (const Wavetape__Callback *)message);
	else if (message)
		same_end(&record, (const Wavetape__CallEnd *)message);
	if (message)
		protobuf_c_message_free_unpacked(message, NULL);
	free(body);
	return decoded == WT_CALL_DECODED;
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

		put_packet(&packet, kinds[kind].fields, kinds[kind].types);
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
		wt_encode_end(&many, wt_encode_begin(&many, WT_BEGIN_INPUT));
	wt_encode_end(&few, wt_encode_begin(&few, WT_BEGIN_INPUT));
	assert_true(same_packet(0, &many, &values));
	assert_true(same_packet(0, &few, &values));
	assert_true(values.inputs.capacity < 100000);
	wt_call_values_deinit(&values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_packets),
		cmocka_unit_test(odd_packets),
		cmocka_unit_test(very_many_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
