/* SPDX-License-Identifier: MIT */
/*
 * Packets of the journal, encoded where they stay. They are made on the path of every recorded call, so whoever makes one
 * takes room for the whole packet at once, and fills it without looking again:
 *
 *     place = wt_writer_open(...)        room for the body of a packet
 *     place = wt_put_...(place, ...)     its fields, in the order of their numbers
 *     wt_writer_close_begin(...)         or wt_writer_close_packet(): the packet is in the trace
 *
 * wt_writer_quick(), and then wt_writer_quick_begin() or wt_writer_quick_packet(), do the same in a few instructions as long as
 * nothing else is written. The fields are inline, for forms of values are known where the wrapper of a function is compiled.
 */
#ifndef WT_TRACE_FORMAT_WRITER_JOURNAL_H
#define WT_TRACE_FORMAT_WRITER_JOURNAL_H

#include <endian.h>
#include <string.h>

#include "trace-format/container/tape.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/fields.h"
#include "trace-format/writer/writer.h"

/* A field of a number: tags of all fields here are one byte. */
#define WT_PUT_NUMBER_MAX (1u + WT_VARINT_MAX)
/* What a value takes besides its data: two tags, two lengths. */
#define WT_PUT_VALUE_MAX (2u * WT_PUT_NUMBER_MAX)
/* What a packet has besides values. */
#define WT_PUT_NUMBERS_MAX (5u * WT_PUT_NUMBER_MAX)

#define WT_PUT_INLINE static inline __attribute__((always_inline))
#define WT_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* A field that is put again and again: up to eight bytes, the first of them the lowest. */
struct wt_put_field {
	uint64_t bytes;
	size_t size;
};

/* Its number takes seven bytes with its tag. */
#define WT_PUT_FIELD_MAX ((UINT64_C(1) << 49) - 1)

/*
 * A varint of up to eight bytes. Most here are of several, and how many is hard to foresee for the processor: they are made
 * without a branch for each byte. @number: below 2^56.
 */
WT_PUT_INLINE struct wt_put_field wt_put_field_varint(uint64_t number)
{
	const size_t size = wt_varint_size(number);

	/* Seven bits for each byte: halves first, then quarters, then eighths. */
	number = (number & 0x000000000fffffff) | (number & 0x00fffffff0000000) << 4;
	number = (number & 0x00003fff00003fff) | (number & 0x0fffc0000fffc000) << 2;
	number = (number & 0x007f007f007f007f) | (number & 0x3f803f803f803f80) << 1;
	number |= 0x8080808080808080 & ((UINT64_C(1) << 8 * (size - 1)) - 1);
	return (struct wt_put_field){number, size};
}

/* The field of a number, up to WT_PUT_FIELD_MAX. */
WT_PUT_INLINE struct wt_put_field wt_put_field_number(unsigned int field, uint64_t number)
{
	const struct wt_put_field varint = wt_put_field_varint(number);

	return (struct wt_put_field){varint.bytes << 8 | field << 3, varint.size + 1};
}

/* A field whose number grows slowly: that of the last one but for its low bits, which are 0. */
struct wt_put_growing {
	uint64_t high; /* of the number; 0: none */
	struct wt_put_field field;
};

#define WT_PUT_LOW_BITS 21u

/* The whole field, which is kept for those to come. @number: up to WT_PUT_FIELD_MAX; 0 is no field. */
__attribute__((cold, noinline)) struct wt_put_field
wt_put_field_grown(struct wt_put_growing *kept, unsigned int field, uint64_t number);

/* As wt_put_field_number(), in half the instructions. @kept: zeroed at first. @field: the same each time. */
WT_PUT_INLINE struct wt_put_field wt_put_field_growing(struct wt_put_growing *kept,
						       unsigned int field, uint64_t number)
{
	uint64_t low = number & ((1u << WT_PUT_LOW_BITS) - 1);

	if (!WT_LIKELY(number >> WT_PUT_LOW_BITS == kept->high && kept->high))
		return wt_put_field_grown(kept, field, number);
	/* The last of three groups of seven bits, and then the one in the middle. */
	low = (low & 0x003fff) | (low & 0x1fc000) << 2;
	low = (low & 0x7f007f) | (low & 0x003f80) << 1;
	return (struct wt_put_field){kept->field.bytes | low << 8, kept->field.size};
}

/* More bytes than it has may be written behind it, of the room that the packet may take. */
WT_PUT_INLINE uint8_t *wt_put_field(uint8_t *place, struct wt_put_field field)
{
	const uint64_t bytes = htole64(field.bytes);

	memcpy(place, &bytes, sizeof(bytes));
	return place + field.size;
}

WT_PUT_INLINE uint8_t *wt_put_varint(uint8_t *place, uint64_t value)
{
	if (value < 0x80) {
		*place = (uint8_t)value;
		return place + 1;
	}
	if (value < 0x4000) {
		place[0] = (uint8_t)(value | 0x80);
		place[1] = (uint8_t)(value >> 7);
		return place + 2;
	}
	if (value >> 56)
		return place + wt_varint_put(place, value);
	return wt_put_field(place, wt_put_field_varint(value));
}

WT_PUT_INLINE uint8_t *wt_put_present(uint8_t *place, unsigned int field, uint64_t value)
{
	*place++ = (uint8_t)(field << 3);
	return wt_put_varint(place, value);
}

/* A number, left out when it is 0. */
WT_PUT_INLINE uint8_t *wt_put_number(uint8_t *place, unsigned int field, uint64_t value)
{
	return value ? wt_put_present(place, field, value) : place;
}

WT_PUT_INLINE uint8_t *wt_put_signed(uint8_t *place, unsigned int field, int64_t value)
{
	return wt_put_number(place, field, wt_zigzag(value));
}

WT_PUT_INLINE uint8_t *wt_put_length(uint8_t *place, unsigned int field, size_t length)
{
	*place++ = (uint8_t)(field << 3 | 2);
	return wt_put_varint(place, length);
}

/* A value that is a number too large for wt_put_field_number(). */
__attribute__((cold, noinline)) uint8_t *wt_put_large_value(uint8_t *place, unsigned int field,
							    uint64_t number);

/* Four bytes of a value: tag and length, tag and what is given. */
WT_PUT_INLINE uint8_t *wt_put_short_value(uint8_t *place, unsigned int field, uint32_t length,
					  uint32_t tag, uint32_t given)
{
	const uint32_t bytes =
		htole32((uint32_t)(field << 3 | 2) | length << 8 | tag << 16 | given << 24);

	memcpy(place, &bytes, sizeof(bytes));
	return place + sizeof(bytes);
}

/* A value whose only field is given: tag and length before it. */
WT_PUT_INLINE uint8_t *wt_put_given_value(uint8_t *place, unsigned int field,
					  struct wt_put_field given)
{
	place[0] = (uint8_t)(field << 3 | 2);
	place[1] = (uint8_t)given.size;
	return wt_put_field(place + 2, given);
}

WT_PUT_INLINE uint8_t *wt_put_number_value(uint8_t *place, unsigned int field, uint64_t number)
{
	if (WT_LIKELY(number < 0x80))
		return wt_put_short_value(place, field, 2, WT_VALUE_FIELD_NUMBER << 3,
					  (uint32_t)number);
	if (!WT_LIKELY(number <= WT_PUT_FIELD_MAX))
		return wt_put_large_value(place, field, number);
	return wt_put_given_value(place, field, wt_put_field_number(WT_VALUE_FIELD_NUMBER, number));
}

/* As wt_put_number_value(), for handles and addresses, which mostly differ from the last one in their low bits. */
WT_PUT_INLINE uint8_t *wt_put_growing_value(uint8_t *place, unsigned int field,
					    struct wt_put_growing *kept, uint64_t number)
{
	if (!WT_LIKELY(number >> WT_PUT_LOW_BITS && number <= WT_PUT_FIELD_MAX))
		return wt_put_number_value(place, field, number);
	return wt_put_given_value(place, field,
				  wt_put_field_growing(kept, WT_VALUE_FIELD_NUMBER, number));
}

WT_PUT_INLINE uint8_t *wt_put_absent_value(uint8_t *place, unsigned int field)
{
	const uint16_t bytes = htole16((uint16_t)(field << 3 | 2));

	memcpy(place, &bytes, sizeof(bytes));
	return place + sizeof(bytes);
}

/* Mostly a word: too few to ask the C library for. */
WT_PUT_INLINE uint8_t *wt_put_bytes(uint8_t *place, const void *data, size_t size)
{
	if (size == sizeof(uint64_t))
		memcpy(place, data, sizeof(uint64_t));
	else if (size == sizeof(uint32_t))
		memcpy(place, data, sizeof(uint32_t));
	else if (size)
		memcpy(place, data, size);
	return place + size;
}

WT_PUT_INLINE uint8_t *wt_put_data_value(uint8_t *place, unsigned int field,
					 const struct wt_value *value)
{
	const size_t size = value->size;

	/* With both lengths in one byte. */
	if (size < 0x7e) {
		place = wt_put_short_value(place, field, (uint32_t)size + 2,
					   WT_VALUE_FIELD_DATA << 3 | 2u, (uint32_t)size);
		return wt_put_bytes(place, value->data, size);
	}
	place = wt_put_length(place, field, 1 + wt_varint_size(size) + size);
	place = wt_put_length(place, WT_VALUE_FIELD_DATA, size);
	memcpy(place, value->data, size);
	return place + size;
}

WT_PUT_INLINE uint8_t *wt_put_value(uint8_t *place, unsigned int field,
				    const struct wt_value *value)
{
	switch (value->form) {
	case WT_VALUE_NUMBER:
		return wt_put_number_value(place, field, value->number);
	case WT_VALUE_DATA:
		return wt_put_data_value(place, field, value);
	case WT_VALUE_PRESENT:
		return wt_put_short_value(place, field, 2, WT_VALUE_FIELD_PRESENT << 3,
					  value->number ? 1 : 0);
	case WT_VALUE_ABSENT:
		break;
	}
	return wt_put_absent_value(place, field);
}

/** Bytes of data in a value. */
WT_PUT_INLINE size_t wt_put_data_size(const struct wt_value *value)
{
	return value->form == WT_VALUE_DATA ? value->size : 0;
}

/**
 * Begin a packet of a call.
 *
 * @count: of its values. @data: bytes of data in them, SIZE_MAX for more than memory has.
 * @place_ret: where its body begins.
 * Errors: those of the writer. Without memory there is none yet: *place_ret is NULL, and closing the packet returns it.
 */
struct wt_error *wt_writer_open(struct wt_writer *writer, enum wt_packet_field field, size_t count,
				size_t data, uint8_t **place_ret);

/**
 * End a CallBegin. When this returns it is in the file and survives a kill. From then on packets may take the quick way.
 *
 * @end: where its body ends; NULL if wt_writer_open() gave that. @start: the call's.
 */
struct wt_error *wt_writer_close_begin(struct wt_writer *writer, const uint8_t *end,
				       uint64_t start);

/** End any other packet: it is in the file with the next CallBegin. */
struct wt_error *wt_writer_close_packet(struct wt_writer *writer, const uint8_t *end);

/** What is seen here of a writer: it begins with this. */
struct wt_writer_front {
	struct wt_tape *tape;
	uint64_t calls_before; /* number of the last call whose beginning was dropped */
};

static inline const struct wt_writer_front *wt_writer_front(const struct wt_writer *writer)
{
	return (const struct wt_writer_front *)(const void *)writer;
}

/** Is the beginning of a call in the trace? What else belongs to one that a ring has dropped is dropped with it. */
static inline bool wt_writer_has_call(const struct wt_writer *writer, uint64_t number)
{
	return number > wt_writer_front(writer)->calls_before;
}

/**
 * As wt_writer_open(), where nothing but such packets has been written since the last CallBegin.
 *
 * Return: NULL if the packet has to go the long way.
 */
static inline uint8_t *wt_writer_quick(const struct wt_writer *writer, size_t count, size_t data)
{
	if (!WT_LIKELY(data < WT_QUICK_DATA))
		return NULL;
	return wt_tape_quick(wt_writer_front(writer)->tape, data,
			     WT_PUT_NUMBERS_MAX + count * WT_PUT_VALUE_MAX + data);
}

/** Is it not yet time to look at the age of the open chunk? @start: of a call. */
static inline bool wt_writer_is_quick_at(const struct wt_writer *writer, uint64_t start)
{
	return start < wt_writer_front(writer)->tape->quick.until;
}

/** End the trace because of an error, as far as that is possible. Return: @error. */
struct wt_error *wt_writer_fail(struct wt_writer *writer, struct wt_error *error);

/** As wt_writer_close_begin() after wt_writer_quick(). */
static inline struct wt_error *wt_writer_quick_begin(struct wt_writer *writer, const uint8_t *end)
{
	struct wt_tape *tape = wt_writer_front(writer)->tape;
	struct wt_error *error = wt_tape_end_quick(tape, WT_PACKET_CALL_BEGIN, end);

	if (WT_LIKELY(!error))
		error = wt_tape_flush_quick(tape);
	return WT_LIKELY(!error) ? NULL : wt_writer_fail(writer, error);
}

/** As wt_writer_close_packet() after wt_writer_quick(). */
static inline struct wt_error *
wt_writer_quick_packet(struct wt_writer *writer, enum wt_packet_field field, const uint8_t *end)
{
	struct wt_error *error = wt_tape_end_quick(wt_writer_front(writer)->tape, field, end);

	return WT_LIKELY(!error) ? NULL : wt_writer_fail(writer, error);
}

#endif /* WT_TRACE_FORMAT_WRITER_JOURNAL_H */
