/* SPDX-License-Identifier: MIT */
/* Protobuf decoding of single fields straight from bytes, for packets of which there are too many to build trees of. */
#ifndef WT_TRACE_FORMAT_MESSAGE_DECODE_H
#define WT_TRACE_FORMAT_MESSAGE_DECODE_H

#include "base/buffer.h"

/* The longest varint of a number, in bytes. */
#define WT_VARINT_MAX 10u

enum wt_wire_type {
	WT_WIRE_VARINT = 0,
	WT_WIRE_64 = 1,
	WT_WIRE_BYTES = 2,
	WT_WIRE_32 = 5,
};

/* One field of a message. */
struct wt_wire_field {
	uint64_t number;
	enum wt_wire_type type;
	uint64_t value;		 /* of a varint; bits above the 64th are dropped */
	struct wt_cursor bytes;	 /* of WT_WIRE_BYTES; its data is NULL for other types */
	struct wt_cursor behind; /* all bytes behind the tag, with the length of WT_WIRE_BYTES */
};

/** Take a varint of at most @longest bytes, up to WT_VARINT_MAX; false, and nothing is taken, if there is none. */
static inline bool wt_wire_varint(struct wt_cursor *cursor, size_t longest, uint64_t *value_ret)
{
	size_t most = cursor->remaining < longest ? cursor->remaining : longest;
	uint64_t value = 0;

	/* Most are of one byte. */
	if (cursor->remaining && *cursor->data < 0x80) {
		*value_ret = *cursor->data++;
		cursor->remaining--;
		return true;
	}
	for (size_t i = 0; i < most; i++) {
		uint8_t byte = cursor->data[i];

		value |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (byte & 0x80)
			continue;
		cursor->data += i + 1;
		cursor->remaining -= i + 1;
		*value_ret = value;
		return true;
	}
	return false;
}

static inline bool wt_wire_skip(struct wt_cursor *cursor, uint64_t size)
{
	if (size > cursor->remaining)
		return false;
	cursor->data += size;
	cursor->remaining -= (size_t)size;
	return true;
}

/**
 * Take the next field.
 *
 * @longest: bytes that a tag, and a length, may have: decoders differ in that.
 *
 * Return: false if it is not whole, or of a type that proto3 does not have; the cursor is then of no use.
 */
static inline bool wt_wire_take(struct wt_cursor *cursor, size_t longest,
				struct wt_wire_field *field)
{
	uint64_t tag, length;

	if (!wt_wire_varint(cursor, longest, &tag))
		return false;
	field->number = tag >> 3;
	field->type = (enum wt_wire_type)(tag & 7);
	field->value = 0;
	field->bytes = (struct wt_cursor){0};
	field->behind = *cursor;
	switch (field->type) {
	case WT_WIRE_VARINT:
		if (!wt_wire_varint(cursor, WT_VARINT_MAX, &field->value))
			return false;
		break;
	case WT_WIRE_64:
		if (!wt_wire_skip(cursor, sizeof(uint64_t)))
			return false;
		break;
	case WT_WIRE_BYTES:
		if (!wt_wire_varint(cursor, longest, &length))
			return false;
		field->bytes = wt_cursor_init(cursor->data, (size_t)length);
		if (!wt_wire_skip(cursor, length))
			return false;
		break;
	case WT_WIRE_32:
		if (!wt_wire_skip(cursor, sizeof(uint32_t)))
			return false;
		break;
	default:
		return false;
	}
	field->behind.remaining -= cursor->remaining;
	return true;
}

#endif /* WT_TRACE_FORMAT_MESSAGE_DECODE_H */
