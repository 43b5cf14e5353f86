/* SPDX-License-Identifier: MIT */
/*
 * Protobuf encoding straight into a buffer. Every recorded call makes journal packets, so no tree of objects is built
 * for them. A buffer that could not grow is `failed`.
 *
 * The room `message` holds the protobuf messages of trace.proto on the level of single fields: the encoder here, the
 * decoder in protobuf-decode.h, and the memory that decoded messages live in in arena.h. The field numbers for the one, and structures
 * and rules for the other, are generated from trace.proto (fields.h, messages.h). It must not know blocks, files or what a
 * message means.
 */
#ifndef WT_TRACE_FORMAT_MESSAGE_ENCODE_H
#define WT_TRACE_FORMAT_MESSAGE_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

void wt_encode_varint(struct wt_buffer *buffer, uint64_t value);

/** A varint field, left out when it is 0, which is the proto3 rule. */
void wt_encode_number(struct wt_buffer *buffer, unsigned int field, uint64_t value);
/** The same, written even when it is 0: for the members of a oneof. */
void wt_encode_present(struct wt_buffer *buffer, unsigned int field, uint64_t value);
/** A sint64 field, left out when it is 0. */
void wt_encode_signed(struct wt_buffer *buffer, unsigned int field, int64_t value);

/** A bytes field, written even when it is empty; @data may be NULL when @size is 0. */
void wt_encode_bytes(struct wt_buffer *buffer, unsigned int field, const void *data, size_t size);

/**
 * A string field, left out when @text is NULL or empty unless @always. Bytes that are not UTF-8
 * become U+FFFD, since a string field with anything else makes the whole message illegal.
 */
void wt_encode_string(struct wt_buffer *buffer, unsigned int field, const char *text, bool always);

/** A packed repeated field of unsigned varints, left out when there are none. */
void wt_encode_packed(struct wt_buffer *buffer, unsigned int field, const uint64_t *values,
		      size_t count);

/** A nested message: what is written between the two calls becomes its content. */
size_t wt_encode_begin(struct wt_buffer *buffer, unsigned int field);
void wt_encode_end(struct wt_buffer *buffer, size_t mark);

/** The number that a sint64 is put down as. */
static inline uint64_t wt_zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

/** How many bytes a varint takes. */
static inline size_t wt_varint_size(uint64_t value)
{
	return ((size_t)(63 - __builtin_clzll(value | 1)) * 9 + 73) / 64;
}

/** Write a varint where there is room for it. Return: bytes written, at most 10. */
static inline size_t wt_varint_put(uint8_t *place, uint64_t value)
{
	size_t size = 0;

	while (value >= 0x80) {
		place[size++] = (uint8_t)(value | 0x80);
		value >>= 7;
	}
	place[size++] = (uint8_t)value;
	return size;
}

#endif /* WT_TRACE_FORMAT_MESSAGE_ENCODE_H */
