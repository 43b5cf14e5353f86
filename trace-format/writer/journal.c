/* SPDX-License-Identifier: MIT */
/*
 * The journal's packets. They are made on the path of every recorded call, so room for a whole one is
 * taken at once and filled without looking again.
 */
#include <endian.h>
#include <string.h>

#include "trace-format/message/encode.h"
#include "trace-format/writer/internal.h"

#define VARINT_MAX 10u
#define LOOK_EVERY_NS 1000000u
/* A field of a number: tags of all fields here are one byte. */
#define NUMBER_MAX (1u + VARINT_MAX)
/* What a value takes besides its data: two tags, two lengths. */
#define VALUE_MAX (2u * NUMBER_MAX)
/* What a packet has besides values. */
#define NUMBERS_MAX (5u * NUMBER_MAX)

/*
 * Most varints here are of several bytes, and how many is hard to foresee for the processor: they are made
 * without a branch for each byte. More bytes than it has may be written behind it, of the room it may take.
 */
static inline uint8_t *put_varint(uint8_t *place, uint64_t value)
{
	size_t size;

	if (value < 0x80) {
		*place = (uint8_t)value;
		return place + 1;
	}
	if (value >> 56)
		return place + wt_varint_put(place, value);
	size = wt_varint_size(value);
	/* Seven bits for each byte: halves first, then quarters, then eighths. */
	value = (value & 0x000000000fffffff) | (value & 0x00fffffff0000000) << 4;
	value = (value & 0x00003fff00003fff) | (value & 0x0fffc0000fffc000) << 2;
	value = (value & 0x007f007f007f007f) | (value & 0x3f803f803f803f80) << 1;
	value = htole64(value | (0x8080808080808080 & ((UINT64_C(1) << 8 * (size - 1)) - 1)));
	memcpy(place, &value, sizeof(value));
	return place + size;
}

static inline uint8_t *put_present(uint8_t *place, unsigned int field, uint64_t value)
{
	*place++ = (uint8_t)(field << 3);
	return put_varint(place, value);
}

/* A number, left out when it is 0. */
static inline uint8_t *put_number(uint8_t *place, unsigned int field, uint64_t value)
{
	return value ? put_present(place, field, value) : place;
}

static inline uint8_t *put_signed(uint8_t *place, unsigned int field, int64_t value)
{
	return put_number(place, field, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

static inline uint8_t *put_length(uint8_t *place, unsigned int field, size_t length)
{
	*place++ = (uint8_t)(field << 3 | 2);
	return put_varint(place, length);
}

/* A value that is a number: its length is a single byte, and mostly so is the number. */
static inline uint8_t *put_number_value(uint8_t *place, unsigned int field, unsigned int form,
					uint64_t number)
{
	uint8_t *end;

	if (number < 0x80) {
		const uint32_t bytes = htole32((uint32_t)(field << 3 | 2) | 2u << 8 | form << 19 |
					       (uint32_t)number << 24);

		memcpy(place, &bytes, sizeof(bytes));
		return place + sizeof(bytes);
	}
	*place = (uint8_t)(field << 3 | 2);
	end = put_present(place + 2, form, number);
	place[1] = (uint8_t)(end - place - 2);
	return end;
}

static inline uint8_t *put_data_value(uint8_t *place, unsigned int field,
				      const struct wt_value *value)
{
	place = put_length(place, field, 1 + wt_varint_size(value->size) + value->size);
	place = put_length(place, WT_VALUE_FIELD_DATA, value->size);
	if (value->size)
		memcpy(place, value->data, value->size);
	return place + value->size;
}

static inline uint8_t *put_values(uint8_t *place, unsigned int field, const struct wt_value *values,
				  size_t count)
{
	/* By number: a call without values has no row to point behind. */
	for (size_t i = 0; i < count; i++) {
		const struct wt_value *value = &values[i];

		if (value->form == WT_VALUE_NUMBER)
			place = put_number_value(place, field, WT_VALUE_FIELD_NUMBER,
						 value->number);
		else if (value->form == WT_VALUE_PRESENT)
			place = put_number_value(place, field, WT_VALUE_FIELD_PRESENT,
						 value->number ? 1 : 0);
		else if (value->form == WT_VALUE_DATA)
			place = put_data_value(place, field, value);
		else
			place = put_length(place, field, 0);
	}
	return place;
}

/* Bytes of data in values; SIZE_MAX if that is more than memory has. */
static inline size_t data_size(const struct wt_value *values, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		if (values[i].form == WT_VALUE_DATA &&
		    __builtin_add_overflow(size, values[i].size, &size))
			return SIZE_MAX;
	return size;
}

/*
 * Start a packet of a few numbers and of @count values with @data bytes: NULL, and the buffer
 * `failed`, without room.
 */
static inline uint8_t *begin_packet(struct wt_writer *writer, enum wt_packet_field field,
				    size_t count, size_t data)
{
	struct wt_tape *tape = writer->tape;

	if (data > SIZE_MAX / 2) {
		tape->raw.failed = true;
		data = 0;
	}
	return wt_tape_begin_call(tape, field, data, NUMBERS_MAX + count * VALUE_MAX + data);
}

static inline struct wt_error *end_packet(struct wt_writer *writer, const uint8_t *end)
{
	struct wt_buffer *packet = &writer->tape->raw;

	if (end)
		packet->size = (size_t)(end - packet->data);
	return wt_tape_end_call(writer->tape);
}

/* Names that a packet may refer to are written before it. */
static inline struct wt_error *write_names(struct wt_writer *writer)
{
	return wt_writer_has_names(writer) ? wt_writer_flush_names(writer) : NULL;
}

/* Has the clock of the open chunk's age moved since it was looked at? The calls bring their own along. */
static bool is_time_to_look(struct wt_writer *writer, uint64_t now)
{
	if (writer->reproducible || (now && now - writer->looked < LOOK_EVERY_NS))
		return false;
	writer->looked = now;
	return true;
}

static struct wt_error *write_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_error *error = write_names(writer);
	uint8_t *place;

	if (error)
		return error;
	place = begin_packet(writer, WT_PACKET_CALL_BEGIN, begin->input_count,
			     data_size(begin->inputs, begin->input_count));
	if (place) {
		place = put_number(place, WT_BEGIN_NUMBER, begin->number);
		place = put_number(place, WT_BEGIN_FUNCTION, begin->function);
		place = put_number(place, WT_BEGIN_THREAD, begin->thread);
		place = put_number(place, WT_BEGIN_START, writer->reproducible ? 0 : begin->start);
		place = put_values(place, WT_BEGIN_INPUT, begin->inputs, begin->input_count);
	}
	error = end_packet(writer, place);
	if (error)
		return error;
	if (is_time_to_look(writer, begin->start)) {
		error = wt_tape_check_file(writer->tape);
		if (error)
			return error;
		if (wt_tape_is_old(writer->tape))
			return wt_tape_close_old(writer->tape);
	}
	return wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_error *error;

	if (writer->failed)
		return wt_writer_check(writer);
	error = write_begin(writer, begin);
	return error ? wt_writer_result(writer, error) : NULL;
}

static struct wt_error *write_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_error *error = write_names(writer);
	size_t data = data_size(callback->inputs, callback->input_count);
	uint8_t *place;

	if (error)
		return error;
	if (__builtin_add_overflow(data, data_size(callback->outputs, callback->output_count),
				   &data))
		data = SIZE_MAX;
	place = begin_packet(writer, WT_PACKET_CALLBACK,
			     callback->input_count + callback->output_count, data);
	if (place) {
		place = put_number(place, WT_CALLBACK_CALL, callback->call);
		place = put_number(place, WT_CALLBACK_FUNCTION, callback->function);
		place = put_values(place, WT_CALLBACK_INPUT, callback->inputs,
				   callback->input_count);
		place = put_signed(place, WT_CALLBACK_RESULT, callback->result);
		place = put_values(place, WT_CALLBACK_OUTPUT, callback->outputs,
				   callback->output_count);
	}
	return end_packet(writer, place);
}

struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error || callback->call <= writer->calls_before)
		return error;
	return wt_writer_result(writer, write_callback(writer, callback));
}

static struct wt_error *write_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error = write_names(writer);
	uint8_t *place;

	if (error)
		return error;
	place = begin_packet(writer, WT_PACKET_CALL_END, end->output_count,
			     data_size(end->outputs, end->output_count));
	if (place) {
		place = put_number(place, WT_END_NUMBER, end->number);
		place = put_signed(place, WT_END_STATUS, end->status);
		place = put_number(place, WT_END_DURATION,
				   writer->reproducible ? 0 : end->duration);
		place = put_values(place, WT_END_OUTPUT, end->outputs, end->output_count);
	}
	return end_packet(writer, place);
}

struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error;

	if (writer->failed)
		return wt_writer_check(writer);
	/* What belongs to a call that a ring has dropped is dropped with it. */
	if (end->number <= writer->calls_before)
		return NULL;
	error = write_call_end(writer, end);
	return error ? wt_writer_result(writer, error) : NULL;
}
