/* SPDX-License-Identifier: MIT */
#include "trace-format/message/protobuf-decode.h"

#include <endian.h>

/* More is given back: a message has a few elements, and one of a hostile file may have millions. */
#define KEPT_BYTES ((size_t)256 << 10)
#define FIRST_ELEMENTS 16u

bool wt_wire_is_true(const struct wt_wire_field *field)
{
	for (size_t i = 0; i < field->behind.remaining; i++)
		if (field->behind.data[i] & 0x7f)
			return true;
	return false;
}

void wt_wire_list_deinit(struct wt_wire_list *list)
{
	free(list->elements);
	*list = (struct wt_wire_list){0};
}

void wt_wire_list_start(struct wt_wire_list *list)
{
	list->count = 0;
	/* An element has at least four bytes. */
	if (list->capacity > KEPT_BYTES / sizeof(uint32_t))
		wt_wire_list_deinit(list);
}

static bool reserve(struct wt_wire_list *list, size_t more, size_t size)
{
	size_t capacity = list->capacity ? 2 * list->capacity : FIRST_ELEMENTS;
	void *elements;

	if (more <= list->capacity - list->count)
		return true;
	if (capacity < list->count + more)
		capacity = list->count + more;
	elements = reallocarray(list->elements, capacity, size);
	if (!elements)
		return false;
	list->elements = elements;
	list->capacity = capacity;
	return true;
}

/* A place for one more element of @size bytes, the same for all of a list; NULL if there is no memory. */
static void *add_element(struct wt_wire_list *list, size_t size)
{
	if (list->count == list->capacity && !reserve(list, 1, size))
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

static enum wt_decoded add_packed(struct wt_wire_list *list, enum wt_wire_kind kind,
				  struct wt_cursor packed)
{
	const uint8_t *place = packed.data;
	size_t count;

	if (!count_packed(packed, &count))
		return WT_MALFORMED;
	if (!list || !count)
		return WT_DECODED;
	if (!reserve(list, count, kind == WT_KIND_U64S ? sizeof(uint64_t) : sizeof(uint32_t)))
		return WT_DECODED_NO_MEMORY;
	if (kind == WT_KIND_U64S) {
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

static enum wt_decoded add_number(struct wt_wire_list *list, enum wt_wire_kind kind, uint64_t value)
{
	void *place = add_element(list, kind == WT_KIND_U64S ? sizeof(uint64_t) : sizeof(uint32_t));

	if (!place)
		return WT_DECODED_NO_MEMORY;
	if (kind == WT_KIND_U64S)
		*(uint64_t *)place = value;
	else
		*(uint32_t *)place = (uint32_t)value;
	return WT_DECODED;
}

/* ---- Fields: @member is NULL where they are only checked ---- */

static enum wt_decoded add_numbers(struct wt_wire_list *list, enum wt_wire_kind kind,
				   const struct wt_wire_field *field)
{
	if (field->type == WT_WIRE_BYTES)
		return add_packed(list, kind, field->bytes);
	if (field->type != WT_WIRE_VARINT)
		return WT_MALFORMED;
	return list ? add_number(list, kind, field->value) : WT_DECODED;
}

static enum wt_decoded add_message(struct wt_wire_list *list, const struct wt_wire_rule *rule,
				   const struct wt_wire_field *field)
{
	void *element = NULL;

	if (field->type != WT_WIRE_BYTES)
		return WT_MALFORMED;
	if (list) {
		element = add_element(list, rule->size);
		if (!element)
			return WT_DECODED_NO_MEMORY;
		memset(element, 0, rule->size);
	}
	return rule->decode(field->bytes, element);
}

static enum wt_decoded take_varint(void *member, enum wt_wire_kind kind,
				   const struct wt_wire_field *field)
{
	if (field->type != WT_WIRE_VARINT)
		return WT_MALFORMED;
	if (member)
		wt_wire_put_number(member, kind, field->value);
	return WT_DECODED;
}

static enum wt_decoded take_bytes(struct wt_cursor *member, const struct wt_wire_field *field)
{
	if (field->type != WT_WIRE_BYTES)
		return WT_MALFORMED;
	if (member)
		*member = field->bytes.remaining ? field->bytes : (struct wt_cursor){0};
	return WT_DECODED;
}

static enum wt_decoded rule_take_field(const struct wt_wire_rule *rule, void *member,
				       const struct wt_wire_field *field)
{
	switch (rule->kind) {
	case WT_KIND_U64:
	case WT_KIND_U32:
	case WT_KIND_SINT64:
		return take_varint(member, rule->kind, field);
	case WT_KIND_BOOL:
		if (member)
			*(bool *)member = wt_wire_is_true(field);
		return WT_DECODED;
	case WT_KIND_BYTES:
		return take_bytes(member, field);
	case WT_KIND_U64S:
	case WT_KIND_U32S:
		return add_numbers(member, rule->kind, field);
	case WT_KIND_MESSAGES:
		return add_message(member, rule, field);
	case WT_KIND_CHECKED:
		return add_message(NULL, rule, field);
	case WT_KIND_NONE:
		break;
	}
	return WT_DECODED;
}

enum wt_decoded wt_wire_decode(struct wt_cursor body, const struct wt_wire_rule *rules,
			       size_t count, void *structure)
{
	enum wt_decoded decoded = WT_DECODED;
	struct wt_wire_field field;

	while (body.remaining && decoded == WT_DECODED) {
		const struct wt_wire_rule *rule;

		if (!wt_wire_next(&body, &field))
			return WT_MALFORMED;
		if (field.number >= count)
			continue;
		rule = &rules[field.number];
		decoded = rule_take_field(
			rule, structure ? (uint8_t *)structure + rule->offset : NULL, &field);
	}
	return decoded;
}
