/* SPDX-License-Identifier: MIT */
/*
 * Protobuf decoding straight from bytes into structures of ours, for packets of which there are too many to build trees
 * of. The same bytes are taken for malformed as by generated code, and what is made of the others is the same.
 */
#ifndef WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H
#define WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H

#include "base/buffer.h"
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

/* Sizes in generated code: a tag and a length have up to five bytes, and a tag of one byte is that of a field. */
#define WT_WIRE_HEAD_MAX 5u
#define WT_WIRE_LEAST_TAG 8u

/** Take the next field as generated code does. There must be bytes left. */
static inline bool wt_wire_next(struct wt_cursor *cursor, struct wt_wire_field *field)
{
	return *cursor->data >= WT_WIRE_LEAST_TAG && wt_wire_take(cursor, WT_WIRE_HEAD_MAX, field);
}

/** A boolean is true if any bit of it is, whatever its type on the wire. */
bool wt_wire_is_true(const struct wt_wire_field *field);

/* A row of elements of one type, whose memory is used again. */
struct wt_wire_list {
	void *elements; /* NULL before the first */
	size_t count, capacity;
};

/** Empty it. What a single huge message needed is given back. */
void wt_wire_list_start(struct wt_wire_list *list);
void wt_wire_list_deinit(struct wt_wire_list *list);

enum wt_decoded { WT_DECODED, WT_MALFORMED, WT_DECODED_NO_MEMORY };

/* A rule for a field, by its number: an entry that is all zeros passes the field over. */
struct wt_wire_rule {
	enum wt_wire_kind {
		WT_KIND_NONE,
		WT_KIND_U64,
		WT_KIND_U32, /* higher bits are dropped */
		WT_KIND_SINT64,
		WT_KIND_BOOL,
		WT_KIND_BYTES, /* struct wt_cursor; its data is NULL if there are none */
		WT_KIND_U64S,  /* struct wt_wire_list of numbers, packed or not */
		WT_KIND_U32S,
		WT_KIND_MESSAGES, /* struct wt_wire_list */
		WT_KIND_CHECKED,  /* a message of which nothing is kept */
	} kind;
	size_t offset; /* of the member in the structure */
	/*
	 * For WT_KIND_MESSAGES: the size of an element, which is cleared, and the function that decodes one; it checks
	 * the element where it is NULL, as for WT_KIND_CHECKED.
	 */
	size_t size;
	enum wt_decoded (*decode)(struct wt_cursor body, void *element);
};

/** Put the number of a varint where a rule says; false if what is there is none. */
static inline bool wt_wire_put_number(void *member, enum wt_wire_kind kind, uint64_t value)
{
	switch (kind) {
	case WT_KIND_U64:
		*(uint64_t *)member = value;
		return true;
	case WT_KIND_U32:
		*(uint32_t *)member = (uint32_t)value;
		return true;
	case WT_KIND_SINT64:
		*(int64_t *)member = (int64_t)(value >> 1 ^ -(value & 1));
		return true;
	default:
		return false;
	}
}

#define WT_WIRE_COUNT(rules) (sizeof(rules) / sizeof(*(rules)))

/* Rules for a member of a structure: of one kind, and a list of messages. */
#define WT_WIRE_RULE(kind_, structure, member)                                                     \
	{                                                                                          \
		.kind = WT_KIND_##kind_, .offset = offsetof(structure, member)                     \
	}
#define WT_WIRE_MESSAGES(structure, member, element, function)                                     \
	{                                                                                          \
		.kind = WT_KIND_MESSAGES, .offset = offsetof(structure, member),                   \
		.size = sizeof(element), .decode = (function)                                      \
	}

/**
 * Decode a message.
 *
 * @structure: its members were cleared, and lists started; NULL: the message is only checked.
 * @rules: by the numbers of fields, below @count; others are passed over.
 */
enum wt_decoded wt_wire_decode(struct wt_cursor body, const struct wt_wire_rule *rules,
			       size_t count, void *structure);

#endif /* WT_TRACE_FORMAT_MESSAGE_PROTOBUF_DECODE_H */
