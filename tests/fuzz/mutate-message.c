/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "mutate.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/container/tape.h"

#define FIELDS_MAX 512u
#define DEPTH_MAX 8u

/* A field of a message: tag and value, and where the content of one with a length begins. */
struct field {
	size_t start, content, end;
	uint64_t tag, number;
};

uint32_t mutate_below(uint64_t *seed, uint32_t limit)
{
	uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32) % limit;
}

bool mutate_take_varint(struct wt_cursor *cursor, uint64_t *value_ret)
{
	const uint8_t *byte;

	*value_ret = 0;
	for (unsigned int shift = 0; shift < 64; shift += 7) {
		if (!wt_cursor_take(cursor, 1, &byte))
			return false;
		*value_ret |= (uint64_t)(*byte & 0x7f) << shift;
		if (*byte < 0x80)
			return true;
	}
	return false;
}

static bool take_field(struct wt_cursor *cursor, size_t size, struct field *field)
{
	const uint8_t *content;

	field->start = size - cursor->remaining;
	if (!mutate_take_varint(cursor, &field->tag) || !(field->tag >> 3))
		return false;
	field->content = size - cursor->remaining;
	switch (field->tag & 7) {
	case 0:
		if (!mutate_take_varint(cursor, &field->number))
			return false;
		break;
	case 1:
	case 5:
		if (!wt_cursor_take(cursor, (field->tag & 7) == 1 ? 8 : 4, &content))
			return false;
		break;
	case 2:
		if (!mutate_take_varint(cursor, &field->number) ||
		    field->number > cursor->remaining)
			return false;
		field->content = size - cursor->remaining;
		wt_cursor_take(cursor, (size_t)field->number, &content);
		break;
	default:
		return false;
	}
	field->end = size - cursor->remaining;
	return true;
}

/* How many fields a message has, if it is one; no more than FIELDS_MAX are looked at. */
static size_t split(const uint8_t *data, size_t size, struct field *fields)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	size_t count = 0;

	while (cursor.remaining && count < FIELDS_MAX)
		if (!take_field(&cursor, size, &fields[count++]))
			return 0;
	return count;
}

static uint64_t other_number(uint64_t number, uint64_t *seed)
{
	static const uint64_t odd[] = {0,	  1,	      2,	  0x7f,
				       0x80,	  UINT16_MAX, UINT32_MAX, INT32_MAX,
				       INT64_MAX, UINT64_MAX, 1u << 31,	  UINT32_MAX - 1};

	switch (mutate_below(seed, 4)) {
	case 0:
		return number + 1;
	case 1:
		return number - 1;
	case 2:
		return odd[mutate_below(seed, sizeof(odd) / sizeof(*odd))];
	default:
		return number ^ UINT64_C(1) << mutate_below(seed, 64);
	}
}

static void mutate_level(const uint8_t *data, size_t size, size_t room, unsigned int depth,
			 uint64_t *seed, struct wt_buffer *result);

/* Any change of bytes, by libFuzzer. */
static void mutate_bytes(const uint8_t *data, size_t size, size_t room, struct wt_buffer *result)
{
	size_t limit = size + (room < 64 ? room : 64), used;
	uint8_t *place = limit ? wt_buffer_extend(result, limit) : NULL;

	if (!place)
		return;
	memcpy(place, data, size);
	used = LLVMFuzzerMutate(place, size, limit);
	result->size -= limit - used;
}

static void put_changed(const uint8_t *data, const struct field *field, size_t room,
			unsigned int depth, uint64_t *seed, struct wt_buffer *result)
{
	wt_cleanup_buffer struct wt_buffer content = {0};
	size_t size = field->end - field->content;

	wt_encode_varint(result, mutate_below(seed, 64) ? field->tag : field->tag + 8);
	switch (field->tag & 7) {
	case 0:
		wt_encode_varint(result, other_number(field->number, seed));
		return;
	case 2:
		mutate_level(data + field->content, size, room, depth + 1, seed, &content);
		wt_encode_varint(result, content.size);
		break;
	default:
		mutate_bytes(data + field->content, size, 0, &content);
	}
	wt_buffer_append(result, content.data, content.size);
}

/* One field, in its place, is changed, left out, doubled, or changed with another one. */
static void mutate_field(const uint8_t *data, size_t size, const struct field *fields, size_t count,
			 size_t room, unsigned int depth, uint64_t *seed, struct wt_buffer *result)
{
	const struct field *field = &fields[mutate_below(seed, (uint32_t)count)];
	const struct field *other = &fields[mutate_below(seed, (uint32_t)count)];

	wt_buffer_append(result, data, field->start);
	switch (mutate_below(seed, 16)) {
	case 0:
		break;
	case 1:
		wt_buffer_append(result, data + field->start, field->end - field->start);
		wt_buffer_append(result, data + other->start, other->end - other->start);
		break;
	case 2:
		wt_buffer_append(result, data + other->start, other->end - other->start);
		break;
	case 3:
		wt_buffer_append(result, data + other->start, other->end - other->start);
		wt_buffer_append(result, data + field->start, field->end - field->start);
		break;
	default:
		put_changed(data, field, room, depth, seed, result);
	}
	wt_buffer_append(result, data + field->end, size - field->end);
}

static void mutate_level(const uint8_t *data, size_t size, size_t room, unsigned int depth,
			 uint64_t *seed, struct wt_buffer *result)
{
	struct field *fields = malloc(FIELDS_MAX * sizeof(*fields));
	size_t count = fields && depth < DEPTH_MAX ? split(data, size, fields) : 0;

	if (count && mutate_below(seed, 32))
		mutate_field(data, size, fields, count, room, depth, seed, result);
	else
		mutate_bytes(data, size, room, result);
	free(fields);
}

static size_t mutate_message(uint8_t *data, size_t size, size_t max_size, uint64_t *seed)
{
	wt_cleanup_buffer struct wt_buffer result = {0};

	mutate_level(data, size, max_size - size, 0, seed, &result);
	if (result.failed || result.size > max_size || !result.size)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(data, result.data, result.size);
	return result.size;
}

/* A varint of as many bytes as there were, so that nothing moves: the last ones may add nothing. */
static void put_number(uint8_t *place, size_t size, uint64_t number)
{
	for (size_t i = 0; i < size; i++, number >>= 7)
		place[i] = (uint8_t)((number & 0x7f) | (i + 1 < size ? 0x80 : 0));
}

/* How many were before. */
struct counts {
	uint64_t names, moments;
};

static void number_names(uint8_t *body, size_t size, struct counts *counts)
{
	struct wt_cursor cursor = wt_cursor_init(body, size);
	uint64_t first = counts->names + 1;
	struct field field;

	while (cursor.remaining && take_field(&cursor, size, &field)) {
		if (field.tag == WT_FIELD_NAMES_FIRST << 3)
			put_number(body + field.content, field.end - field.content, first);
		counts->names += field.tag == (WT_FIELD_NAMES_TEXT << 3 | 2);
	}
}

static void number_moment(uint8_t *body, size_t size, struct counts *counts)
{
	struct wt_cursor cursor = wt_cursor_init(body, size);
	struct field field;

	while (cursor.remaining && take_field(&cursor, size, &field))
		if (field.tag == WT_FIELD_MOMENT_NUMBER << 3)
			put_number(body + field.content, field.end - field.content,
				   counts->moments);
	counts->moments++;
}

/*
 * Names and moments are numbered one after the other, or what they are in is damaged as a whole, and nothing else is
 * tested.
 */
static void number_packets(uint8_t *data, size_t size)
{
	struct wt_cursor packets = wt_cursor_init(data, size), bodies;
	struct counts counts = {0};
	struct field packet, body;

	while (packets.remaining && take_field(&packets, size, &packet)) {
		size_t length = packet.end - packet.content;
		uint8_t *content = data + packet.content;

		bodies = wt_cursor_init(content, length);
		while (packet.tag == (1 << 3 | 2) && bodies.remaining &&
		       take_field(&bodies, length, &body)) {
			size_t inside = body.end - body.content;

			if (body.tag == (WT_PACKET_NAMES << 3 | 2))
				number_names(content + body.content, inside, &counts);
			else if (body.tag == (WT_PACKET_MOMENT << 3 | 2))
				number_moment(content + body.content, inside, &counts);
		}
	}
}

size_t mutate_packets(uint8_t *data, size_t size, size_t max_size, uint64_t *seed)
{
	size = mutate_message(data, size, max_size, seed);
	if (mutate_below(seed, 1024))
		number_packets(data, size);
	return size;
}
