/* SPDX-License-Identifier: MIT */
/*
 * Protobuf decoding, for all messages of trace.proto: the structures that they become, and the rules for that, are made by
 * tools/generate-fields.py. Whatever bytes there are, a decoded message takes a limited number of bytes of memory for each of
 * them, and no read leaves them.
 */
#ifndef WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H
#define WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H

#include "base/buffer.h"
#include "trace-format/message/arena.h"
#include "trace-format/message/packet.h"

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
static inline __attribute__((always_inline)) bool
wt_wire_take(struct wt_cursor *cursor, size_t longest, struct wt_wire_field *field)
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

/* A tag and a length of a field have up to five bytes, and a tag of one byte is that of a field: as other decoders have it. */
#define WT_WIRE_HEAD_MAX 5u
#define WT_WIRE_LEAST_TAG 8u

/** Take the next field of a message. There must be bytes left. */
static inline bool wt_wire_next(struct wt_cursor *cursor, struct wt_wire_field *field)
{
	return *cursor->data >= WT_WIRE_LEAST_TAG && wt_wire_take(cursor, WT_WIRE_HEAD_MAX, field);
}

/* The elements of a repeated field, in their order; NULL if there are none. They are in an arena. */
struct wt_wire_list {
	void *elements;
	size_t count, room;
};

enum wt_decoded { WT_DECODED, WT_MALFORMED, WT_DECODED_NO_MEMORY };

/* How a field becomes the member of a structure. */
struct wt_wire_rule {
	enum __attribute__((packed)) wt_wire_kind {
		WT_KIND_NONE, /* there is no field of this number */
		WT_KIND_U64,
		WT_KIND_U32, /* higher bits are dropped */
		WT_KIND_SINT64,
		WT_KIND_BOOL, /* true if any bit is, whatever its type on the wire */
		WT_KIND_BYTES, /* struct wt_cursor into the body; its data is NULL if there are none */
		WT_KIND_TEXT,	 /* a copy that ends with a NUL; "" if there is none */
		WT_KIND_MESSAGE, /* NULL if there is none */
	} kind;
	bool repeated; /* the member is a struct wt_wire_list of these, and numbers may be packed */
	bool checked;  /* a message that has no member, because wt_wire_each() is for it */
	bool is_choice; /* the last one of these that is there counts: its number is at `choice` */
	uint16_t offset, choice;
	const struct wt_wire_message *message;
};

struct wt_wire_message {
	size_t size;			  /* of the structure */
	const struct wt_wire_rule *rules; /* by the numbers of fields; others are passed over */
	size_t count;
	bool has_texts; /* among the members */
};

/**
 * Decode a message.
 *
 * @body: has to stay as long as the structure is used, which points into it.
 * @arena: where lists, texts and messages in it are. After NO_MEMORY it says whether its limit was the reason.
 * @structure: of the message, cleared here.
 */
enum wt_decoded wt_wire_decode(const struct wt_wire_message *message, struct wt_cursor body,
			       struct wt_arena *arena, void *structure);

/** Only find out whether a message can be decoded. */
enum wt_decoded wt_wire_check(const struct wt_wire_message *message, struct wt_cursor body);

/**
 * The next of the messages, or bytes, that field @number of a message has.
 *
 * @body: the message; moves on behind what was returned.
 *
 * Return: false at the end, which is where @body has nothing left: else the message is malformed.
 */
bool wt_wire_each(struct wt_cursor *body, unsigned int number, struct wt_cursor *element_ret);

#endif /* WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H */
