/* SPDX-License-Identifier: MIT */
#include "trace-format/message/protobuf-decode.h"

#include <endian.h>

/* Is any bit of it set, whatever its type? */
static bool field_is_true(const struct wt_wire_field *field)
{
	for (size_t i = 0; i < field->behind.remaining; i++)
		if (field->behind.data[i] & 0x7f)
			return true;
	return false;
}

/* Bytes of a member, or of an element. */
static size_t rule_size(const struct wt_wire_rule *rule)
{
	switch (rule->kind) {
	case WT_KIND_U32:
		return sizeof(uint32_t);
	case WT_KIND_BOOL:
		return sizeof(bool);
	case WT_KIND_BYTES:
		return sizeof(struct wt_cursor);
	case WT_KIND_TEXT:
		return sizeof(const char *);
	case WT_KIND_MESSAGE:
		return rule->message->size;
	default:
		return sizeof(uint64_t);
	}
}

/* ---- Lists ---- */

static bool wire_list_reserve(struct wt_wire_list *list, size_t more, size_t size,
			      struct wt_arena *arena)
{
	size_t room = list->count + more;
	void *elements;

	if (more <= list->room - list->count)
		return true;
	/* A message may come in many pieces, with an element in each. */
	if (room < 2 * list->room)
		room = 2 * list->room;
	elements = wt_arena_array(arena, room, size);
	if (!elements)
		return false;
	if (list->count)
		memcpy(elements, list->elements, list->count * size);
	memset((uint8_t *)elements + list->count * size, 0, (room - list->count) * size);
	list->elements = elements;
	list->room = room;
	return true;
}

/* How many fields of this number follow? Lists so get the memory that they need, and no more. */
static size_t wire_count_fields(struct wt_cursor rest, uint64_t number)
{
	struct wt_wire_field field;
	size_t count = 0;

	while (rest.remaining && wt_wire_next(&rest, &field))
		count += field.number == number;
	return count;
}

/* A place for one more element; NULL if there is no memory. @rest: the message behind it. */
static void *wire_list_add(struct wt_wire_list *list, const struct wt_wire_rule *rule,
			   uint64_t number, struct wt_cursor rest, struct wt_arena *arena)
{
	size_t size = rule_size(rule);

	if (list->count == list->room &&
	    !wire_list_reserve(list, 1 + wire_count_fields(rest, number), size, arena))
		return NULL;
	return (uint8_t *)list->elements + size * list->count++;
}

/* ---- Rows of packed numbers: lists of handles are most of a keyframe ---- */

#define EACH_TOP_BIT UINT64_C(0x8080808080808080)

/* How many of the top bits of bytes are set, when no other bits are. */
static inline size_t count_top_bits(uint64_t bits)
{
	return (size_t)((bits >> 7) * UINT64_C(0x0101010101010101) >> 56);
}

/* The next 8 bytes as a little-endian number; behind the end there are zeros. */
static uint64_t next_bytes(struct wt_cursor *cursor)
{
	size_t size = cursor->remaining < sizeof(uint64_t) ? cursor->remaining : sizeof(uint64_t);
	uint64_t bytes = 0;

	if (size)
		memcpy(&bytes, cursor->data, size);
	cursor->data += size;
	cursor->remaining -= size;
	return le64toh(bytes);
}

/*
 * How many numbers are packed? Each ends with the first byte without the top bit. False if one has too many bytes, or the last
 * one does not end.
 */
static bool count_packed(struct wt_cursor packed, size_t *count_ret)
{
	unsigned int open = 0; /* bytes of a number that did not end yet */
	size_t count = 0;

	if (packed.remaining && packed.data[packed.remaining - 1] & 0x80)
		return false;
	while (packed.remaining) {
		size_t size = packed.remaining;
		uint64_t ends = ~next_bytes(&packed) & EACH_TOP_BIT;

		if (size < sizeof(uint64_t))
			ends &= (UINT64_C(1) << 8 * size) - 1;
		count += count_top_bits(ends);
		open += ends ? (unsigned int)__builtin_ctzll(ends) / 8 : 8;
		if (open >= WT_VARINT_MAX)
			return false;
		if (ends)
			open = (unsigned int)__builtin_clzll(ends) / 8;
	}
	*count_ret = count;
	return true;
}

/* The next number of a row that was counted. */
static inline uint64_t next_packed(const uint8_t **place)
{
	const uint8_t *at = *place;
	uint64_t value = *at & 0x7f;

	for (unsigned int shift = 7; *at++ & 0x80; shift += 7)
		value |= (uint64_t)(*at & 0x7f) << shift;
	*place = at;
	return value;
}

static enum wt_decoded wire_list_add_packed(struct wt_wire_list *list,
					    const struct wt_wire_rule *rule,
					    struct wt_cursor packed, struct wt_arena *arena)
{
	const uint8_t *place = packed.data;
	size_t count;

	if (!count_packed(packed, &count))
		return WT_MALFORMED;
	if (!list || !count)
		return WT_DECODED;
	if (!wire_list_reserve(list, count, rule_size(rule), arena))
		return WT_DECODED_NO_MEMORY;
	if (rule->kind == WT_KIND_U64) {
		uint64_t *numbers = (uint64_t *)list->elements + list->count;

		for (size_t i = 0; i < count; i++)
			numbers[i] = next_packed(&place);
	} else {
		uint32_t *numbers = (uint32_t *)list->elements + list->count;

		for (size_t i = 0; i < count; i++)
			numbers[i] = (uint32_t)next_packed(&place);
	}
	list->count += count;
	return WT_DECODED;
}

/* ---- Fields: @member is NULL where they are only checked ---- */

static enum wt_decoded message_merge(const struct wt_wire_message *message, struct wt_cursor body,
				     struct wt_arena *arena, void *structure);

static void wire_put_number(void *member, enum wt_wire_kind kind, uint64_t value)
{
	if (kind == WT_KIND_U32)
		*(uint32_t *)member = (uint32_t)value;
	else if (kind == WT_KIND_SINT64)
		*(int64_t *)member = (int64_t)(value >> 1 ^ -(value & 1));
	else
		*(uint64_t *)member = value;
}

/* Text that ends with a NUL. */
static bool wire_put_text(const char **member, struct wt_cursor bytes, struct wt_arena *arena)
{
	char *text;

	*member = "";
	if (!bytes.remaining)
		return true;
	text = wt_arena_alloc(arena, bytes.remaining + 1);
	if (!text)
		return false;
	memcpy(text, bytes.data, bytes.remaining);
	text[bytes.remaining] = '\0';
	*member = text;
	return true;
}

/* Texts that are not there are empty. */
static void message_put_texts(const struct wt_wire_message *message, void *structure)
{
	if (!message->has_texts)
		return;
	for (size_t i = 0; i < message->count; i++)
		if (message->rules[i].kind == WT_KIND_TEXT && !message->rules[i].repeated)
			*(const char **)((uint8_t *)structure + message->rules[i].offset) = "";
}

/* A message that is there for the second time adds to the first one. */
static enum wt_decoded merge_member(const struct wt_wire_message *message, struct wt_cursor body,
				    struct wt_arena *arena, void **member)
{
	if (!*member) {
		*member = wt_arena_alloc(arena, message->size);
		if (!*member)
			return WT_DECODED_NO_MEMORY;
		memset(*member, 0, message->size);
		message_put_texts(message, *member);
	}
	return message_merge(message, body, arena, *member);
}

static enum wt_decoded wire_take_message(const struct wt_wire_rule *rule, struct wt_cursor body,
					 struct wt_arena *arena, void *member)
{
	if (member && !rule->repeated)
		return merge_member(rule->message, body, arena, member);
	if (member)
		message_put_texts(rule->message, member);
	return message_merge(rule->message, body, arena, member);
}

static enum wt_decoded wire_take_value(const struct wt_wire_rule *rule,
				       const struct wt_wire_field *field, struct wt_arena *arena,
				       void *member)
{
	if (rule->kind < WT_KIND_BOOL) {
		if (field->type != WT_WIRE_VARINT)
			return WT_MALFORMED;
		if (member)
			wire_put_number(member, rule->kind, field->value);
		return WT_DECODED;
	}
	if (rule->kind == WT_KIND_BOOL) {
		if (member)
			*(bool *)member = field_is_true(field);
		return WT_DECODED;
	}
	if (field->type != WT_WIRE_BYTES)
		return WT_MALFORMED;
	if (rule->kind == WT_KIND_MESSAGE)
		return wire_take_message(rule, field->bytes, arena, member);
	if (member && rule->kind == WT_KIND_TEXT)
		return wire_put_text(member, field->bytes, arena) ? WT_DECODED
								  : WT_DECODED_NO_MEMORY;
	if (member)
		*(struct wt_cursor *)member =
			field->bytes.remaining ? field->bytes : (struct wt_cursor){0};
	return WT_DECODED;
}

/* @rest: the message behind the field. @structure: NULL: the field is only checked. */
static enum wt_decoded wire_take_field(const struct wt_wire_rule *rule,
				       const struct wt_wire_field *field, struct wt_cursor rest,
				       struct wt_arena *arena, void *structure)
{
	void *member = NULL;

	if (structure && !rule->checked)
		member = (uint8_t *)structure + rule->offset;
	if (rule->repeated && rule->kind < WT_KIND_BOOL && field->type == WT_WIRE_BYTES)
		return wire_list_add_packed(member, rule, field->bytes, arena);
	if (member && rule->repeated) {
		member = wire_list_add(member, rule, field->number, rest, arena);
		if (!member)
			return WT_DECODED_NO_MEMORY;
	}
	if (member && rule->is_choice)
		*(uint32_t *)(void *)((uint8_t *)structure + rule->choice) =
			(uint32_t)field->number;
	return wire_take_value(rule, field, arena, member);
}

/* ---- Messages ---- */

static enum wt_decoded message_merge(const struct wt_wire_message *message, struct wt_cursor body,
				     struct wt_arena *arena, void *structure)
{
	enum wt_decoded decoded = WT_DECODED;
	struct wt_wire_field field;

	while (body.remaining && decoded == WT_DECODED) {
		const struct wt_wire_rule *rule;

		if (!wt_wire_next(&body, &field))
			return WT_MALFORMED;
		if (field.number >= message->count)
			continue;
		rule = &message->rules[field.number];
		if (rule->kind != WT_KIND_NONE)
			decoded = wire_take_field(rule, &field, body, arena, structure);
	}
	return decoded;
}

enum wt_decoded wt_wire_decode(const struct wt_wire_message *message, struct wt_cursor body,
			       struct wt_arena *arena, void *structure)
{
	memset(structure, 0, message->size);
	message_put_texts(message, structure);
	return message_merge(message, body, arena, structure);
}

enum wt_decoded wt_wire_check(const struct wt_wire_message *message, struct wt_cursor body)
{
	return message_merge(message, body, NULL, NULL);
}

bool wt_wire_each(struct wt_cursor *body, unsigned int number, struct wt_cursor *element_ret)
{
	struct wt_wire_field field;

	while (body->remaining) {
		struct wt_cursor ahead = *body;

		if (!wt_wire_next(&ahead, &field))
			return false;
		if (field.number == number && field.type != WT_WIRE_BYTES)
			return false;
		*body = ahead;
		if (field.number != number)
			continue;
		*element_ret = field.bytes;
		return true;
	}
	return false;
}
