/* SPDX-License-Identifier: MIT */
/* Our decoder and that of protobuf-c make the same of the same bytes, also of wrong ones. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/with-cmocka.h"

#include "tests/unit/share.h"
#include "trace-format/message/encode.h"
#include "trace-format/messages.h"
#include "trace-format/trace.pb-c.h"

/* Random messages of each kind. */
#define MESSAGES 12000u
/* The limits of trace-format/reader/chunk-load.c: no message needs more memory. */
#define SLACK ((size_t)1 << 20)
#define FACTOR 96u

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

/* ---- One message by both ---- */

static void same_message(const struct wt_wire_message *message, const uint8_t *ours,
			 const ProtobufCMessage *theirs);

/* A member, or an element of a list. Messages of theirs are pointers; of ours, those that are members. */
static void same_value(const struct wt_wire_rule *rule, const ProtobufCFieldDescriptor *field,
		       const uint8_t *ours, const uint8_t *theirs)
{
	const ProtobufCBinaryData *bytes = (const void *)theirs;
	const struct wt_cursor *cursor = (const void *)ours;
	const ProtobufCMessage *message;

	switch (field->type) {
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_ENUM:
		assert_int_equal(rule->kind, WT_KIND_U32);
		assert_memory_equal(ours, theirs, sizeof(uint32_t));
		break;
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_SINT64:
		assert_int_equal(rule->kind, field->type == PROTOBUF_C_TYPE_UINT64
						     ? WT_KIND_U64
						     : WT_KIND_SINT64);
		assert_memory_equal(ours, theirs, sizeof(uint64_t));
		break;
	case PROTOBUF_C_TYPE_BOOL:
		assert_int_equal(rule->kind, WT_KIND_BOOL);
		assert_int_equal(*(const bool *)ours, *(const protobuf_c_boolean *)theirs != 0);
		break;
	case PROTOBUF_C_TYPE_STRING:
		assert_int_equal(rule->kind, WT_KIND_TEXT);
		assert_string_equal(*(const char *const *)ours, *(const char *const *)theirs);
		break;
	case PROTOBUF_C_TYPE_BYTES:
		assert_int_equal(rule->kind, WT_KIND_BYTES);
		assert_int_equal(cursor->remaining, bytes->len);
		if (bytes->len)
			assert_memory_equal(cursor->data, bytes->data, bytes->len);
		else
			assert_null(cursor->data);
		break;
	case PROTOBUF_C_TYPE_MESSAGE:
		assert_int_equal(rule->kind, WT_KIND_MESSAGE);
		message = *(const ProtobufCMessage *const *)theirs;
		if (!rule->repeated)
			ours = *(const uint8_t *const *)ours;
		assert_true(!ours == !message);
		if (message)
			same_message(rule->message, ours, message);
		break;
	default:
		fail_msg("a field of another type");
	}
}

static size_t size_of(const ProtobufCFieldDescriptor *field, const struct wt_wire_rule *rule,
		      bool of_ours)
{
	switch (field->type) {
	case PROTOBUF_C_TYPE_UINT32:
		return sizeof(uint32_t);
	case PROTOBUF_C_TYPE_BYTES:
		return of_ours ? sizeof(struct wt_cursor) : sizeof(ProtobufCBinaryData);
	case PROTOBUF_C_TYPE_MESSAGE:
		return of_ours ? rule->message->size : sizeof(ProtobufCMessage *);
	default:
		return sizeof(uint64_t);
	}
}

static void same_list(const struct wt_wire_rule *rule, const ProtobufCFieldDescriptor *field,
		      const struct wt_wire_list *ours, const uint8_t *theirs, size_t count)
{
	const size_t our_size = size_of(field, rule, true),
		     their_size = size_of(field, rule, false);

	assert_true(rule->repeated);
	assert_int_equal(ours->count, count);
	for (size_t i = 0; i < count; i++)
		same_value(rule, field, (const uint8_t *)ours->elements + i * our_size,
			   theirs + i * their_size);
}

static void same_member(const struct wt_wire_rule *rule, const ProtobufCFieldDescriptor *field,
			const uint8_t *ours, const uint8_t *theirs)
{
	const uint8_t *quantifier = theirs + field->quantifier_offset;
	const uint8_t *member = theirs + field->offset;

	if (field->label == PROTOBUF_C_LABEL_REPEATED) {
		same_list(rule, field, (const void *)(ours + rule->offset),
			  *(const uint8_t *const *)(const void *)member,
			  *(const size_t *)(const void *)quantifier);
		return;
	}
	assert_false(rule->repeated);
	if (rule->is_choice) {
		assert_memory_equal(ours + rule->choice, quantifier, sizeof(uint32_t));
		if (memcmp(quantifier, &field->id, sizeof(uint32_t)) != 0)
			return;
	}
	same_value(rule, field, ours + rule->offset, member);
}

static void same_message(const struct wt_wire_message *message, const uint8_t *ours,
			 const ProtobufCMessage *theirs)
{
	const ProtobufCMessageDescriptor *descriptor = theirs->descriptor;

	for (unsigned int i = 0; i < descriptor->n_fields; i++) {
		const ProtobufCFieldDescriptor *field = &descriptor->fields[i];

		assert_true(field->id < message->count);
		if (!message->rules[field->id].checked)
			same_member(&message->rules[field->id], field, ours,
				    (const uint8_t *)theirs);
	}
}

/* How often is a field there? */
static size_t count_fields(struct wt_cursor body, uint32_t number)
{
	struct wt_wire_field field;
	size_t count = 0;

	while (body.remaining && wt_wire_next(&body, &field))
		count += field.number == number;
	return count;
}

/* protobuf-c keeps numbers of the first one of two pieces of a message that the second one sets to 0. */
static bool is_merged(const ProtobufCMessageDescriptor *descriptor, struct wt_cursor body)
{
	for (unsigned int i = 0; i < descriptor->n_fields; i++)
		if (descriptor->fields[i].type == PROTOBUF_C_TYPE_MESSAGE &&
		    descriptor->fields[i].label != PROTOBUF_C_LABEL_REPEATED &&
		    count_fields(body, descriptor->fields[i].id) > 1)
			return true;
	return false;
}

/* Messages of which one is looked at after the other. */
static void same_checked(const struct wt_wire_message *message, const ProtobufCMessage *theirs,
			 struct wt_cursor body)
{
	for (uint32_t number = 0; number < message->count; number++) {
		struct wt_cursor rest = body, element;
		const ProtobufCFieldDescriptor *field;
		size_t count = 0;

		if (!message->rules[number].checked)
			continue;
		field = protobuf_c_message_descriptor_get_field(theirs->descriptor, number);
		for (; wt_wire_each(&rest, number, &element); count++)
			assert_int_equal(wt_wire_check(message->rules[number].message, element),
					 WT_DECODED);
		assert_int_equal(rest.remaining, 0);
		assert_int_equal(count, *(const size_t *)(const void *)((const uint8_t *)theirs +
									field->quantifier_offset));
	}
}

/* A message, and what it is for protobuf-c. */
struct kind {
	const struct wt_wire_message *message;
	const ProtobufCMessageDescriptor *descriptor;
};

/* Return: was it decoded? */
static bool same_decoded(const struct kind *kind, const struct wt_buffer *packet)
{
	/* Exactly as long, so that a read past it is found. */
	uint8_t *body = malloc(packet->size + !packet->size);
	void *ours = malloc(kind->message->size + 1);
	ProtobufCMessage *theirs;
	struct wt_cursor cursor;
	enum wt_decoded decoded;
	struct wt_arena arena;

	assert_non_null(body);
	assert_non_null(ours);
	assert_false(packet->failed);
	if (packet->size)
		memcpy(body, packet->data, packet->size);
	cursor = wt_cursor_init(body, packet->size);
	wt_arena_init(&arena, SLACK + packet->size * FACTOR);
	theirs = protobuf_c_message_unpack(kind->descriptor, NULL, packet->size, body);
	decoded = wt_wire_decode(kind->message, cursor, &arena, ours);
	assert_int_equal(decoded, theirs ? WT_DECODED : WT_MALFORMED);
	assert_int_equal(wt_wire_check(kind->message, cursor), decoded);
	if (theirs && !is_merged(kind->descriptor, cursor))
		same_message(kind->message, ours, theirs);
	if (theirs) {
		same_checked(kind->message, theirs, cursor);
		protobuf_c_message_free_unpacked(theirs, NULL);
	}
	wt_arena_deinit(&arena);
	free(ours);
	free(body);
	return decoded == WT_DECODED;
}

static const struct kind kinds[] = {
	{&wt_message_header, &wavetape__header__descriptor},
	{&wt_message_names, &wavetape__names__descriptor},
	{&wt_message_blob, &wavetape__blob__descriptor},
	{&wt_message_call_begin, &wavetape__call_begin__descriptor},
	{&wt_message_callback, &wavetape__callback__descriptor},
	{&wt_message_call_end, &wavetape__call_end__descriptor},
	{&wt_message_item, &wavetape__item__descriptor},
	{&wt_message_facts, &wavetape__facts__descriptor},
	{&wt_message_moment, &wavetape__moment__descriptor},
	{&wt_message_late, &wavetape__late__descriptor},
	{&wt_message_notice, &wavetape__notice__descriptor},
	{&wt_message_host, &wavetape__host__descriptor},
	{&wt_message_summary, &wavetape__summary__descriptor},
	{&wt_message_end, &wavetape__end__descriptor},
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static void random_messages(void **state)
{
	unsigned int messages = (unsigned int)(MESSAGES / test_share());

	(void)state;
	for (size_t kind = 0; kind < KINDS; kind++) {
		unsigned int decoded = 0;

		for (unsigned int i = 0; i < messages; i++) {
			wt_cleanup_buffer struct wt_buffer packet = {0};

			put_message(&packet, kinds[kind].descriptor, 12);
			decoded += same_decoded(&kinds[kind], &packet);
		}
		assert_true(decoded > messages / 10 && decoded < messages - messages / 50);
	}
}

/* ---- What chance does not make often ---- */

/* Ends of calls: what is true, what is a tag. */
static void odd_messages(void **state)
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
	const struct kind kind = {&wt_message_call_end, &wavetape__call_end__descriptor};

	(void)state;
	for (size_t i = 0; i < sizeof(packets) / sizeof(*packets); i++) {
		wt_cleanup_buffer struct wt_buffer packet = {0};

		wt_buffer_append(&packet, packets[i].bytes, packets[i].size);
		assert_int_equal(same_decoded(&kind, &packet), packets[i].decoded);
	}
}

/* Numbers of each length at each place in a row, of which each has one byte more or less than others may have. */
static void packed_numbers(void **state)
{
	const struct kind kind = {&wt_message_item, &wavetape__item__descriptor};
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
			decoded += same_decoded(&kind, &packet);
			packet.data[packet.size - 1] |= 0x80;
			assert_false(same_decoded(&kind, &packet));
		}
	}
	assert_int_equal(decoded, 18 * 10);
}

/* The least bytes that make an element: none of a message, text or bytes. */
static void put_least(struct wt_buffer *packet, uint32_t number, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wt_encode_end(packet, wt_encode_begin(packet, number));
}

/* Lists of so many elements that a byte of the message takes much more than a byte of memory: it stays below the limit. */
static void very_many_elements(void **state)
{
	(void)state;
	for (size_t i = 0; i < KINDS; i++) {
		for (uint32_t number = 1; number < kinds[i].message->count; number++) {
			const struct wt_wire_rule *rule = &kinds[i].message->rules[number];
			wt_cleanup_buffer struct wt_buffer packet = {0};

			if (!rule->repeated)
				continue;
			put_least(&packet, number, 100000);
			assert_true(same_decoded(&kinds[i], &packet));
			/* Elements with a list of their own. */
			for (uint32_t inner = 1; rule->message && inner < rule->message->count;
			     inner++) {
				wt_cleanup_buffer struct wt_buffer nested = {0};

				if (!rule->message->rules[inner].repeated)
					continue;
				for (unsigned int j = 0; j < 20000; j++) {
					size_t mark = wt_encode_begin(&nested, number);

					put_least(&nested, inner, 1);
					wt_encode_end(&nested, mark);
				}
				assert_true(same_decoded(&kinds[i], &nested));
			}
		}
	}
}

/* A message in 50,000 pieces, each with one element: that neither takes too much memory, nor long. */
static void many_pieces(void **state)
{
	const struct kind kind = {&wt_message_notice, &wavetape__notice__descriptor};
	wt_cleanup_buffer struct wt_buffer packet = {0};
	struct wt_packed_notice notice;
	struct wt_arena arena;

	(void)state;
	for (unsigned int i = 0; i < 50000; i++) {
		size_t mark = wt_encode_begin(&packet, WT_FIELD_NOTICE_HOST);

		put_least(&packet, WT_FIELD_HOST_MAP, 1);
		wt_encode_end(&packet, mark);
	}
	wt_arena_init(&arena, SLACK + packet.size * FACTOR);
	assert_int_equal(wt_wire_decode(kind.message, wt_cursor_init(packet.data, packet.size),
					&arena, &notice),
			 WT_DECODED);
	assert_int_equal(notice.host->map.count, 50000);
	wt_arena_deinit(&arena);
	/* There is a limit all the same. */
	wt_arena_init(&arena, packet.size);
	assert_int_equal(wt_wire_decode(kind.message, wt_cursor_init(packet.data, packet.size),
					&arena, &notice),
			 WT_DECODED_NO_MEMORY);
	assert_true(arena.exhausted && !arena.no_memory);
	wt_arena_deinit(&arena);
}

/* The second piece of a message counts, also where it sets a number to 0, and its elements follow those of the first one. */
static void two_pieces(void **state)
{
	static const uint8_t first[] = {0x22, 6, 0x10, 7, 0x48, 9, 0x2a, 0};
	static const uint8_t second[] = {0x22, 6, 0x10, 0, 0x2a, 2, 0x08, 5};
	wt_cleanup_buffer struct wt_buffer packet = {0};
	const struct wt_packed_host_map *maps;
	struct wt_packed_notice notice;
	struct wt_arena arena;

	(void)state;
	wt_arena_init(&arena, 0);
	wt_buffer_append(&packet, first, sizeof(first));
	wt_buffer_append(&packet, second, sizeof(second));
	assert_int_equal(wt_wire_decode(&wt_message_notice,
					wt_cursor_init(packet.data, packet.size), &arena, &notice),
			 WT_DECODED);
	maps = notice.host->map.elements;
	assert_int_equal(notice.host->process_id, 0);
	assert_int_equal(notice.host->time, 9);
	assert_int_equal(notice.host->map.count, 2);
	assert_int_equal(maps[0].start, 0);
	assert_int_equal(maps[1].start, 5);
	assert_string_equal(maps[1].path, "");
	wt_arena_deinit(&arena);
}

/* An arena that is emptied has none of its blocks, and what is taken from it then is as from a new one. */
static void empty_arena(void **state)
{
	const size_t large = (size_t)1 << 20;
	struct wt_arena arena;
	uint8_t *bytes;

	(void)state;
	wt_arena_init(&arena, 2 * large);
	assert_non_null(wt_arena_alloc(&arena, large));
	assert_non_null(wt_arena_alloc(&arena, large));
	assert_null(wt_arena_alloc(&arena, 1));
	wt_arena_reset(&arena, large);
	assert_null(arena.blocks);
	assert_int_equal(arena.used, 0);
	bytes = wt_arena_alloc(&arena, large);
	assert_non_null(bytes);
	memset(bytes, 0xa5, large);
	wt_arena_deinit(&arena);
	assert_null(arena.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_messages), cmocka_unit_test(odd_messages),
		cmocka_unit_test(packed_numbers),  cmocka_unit_test(very_many_elements),
		cmocka_unit_test(many_pieces),	   cmocka_unit_test(two_pieces),
		cmocka_unit_test(empty_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
