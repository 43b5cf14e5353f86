/* SPDX-License-Identifier: MIT */
/*
 * The journal's packets. They are made on the path of every recorded call, so room for a whole one is
 * taken at once and filled without looking again.
 */
#include <string.h>

#include "trace-format/encode.h"
#include "trace-format/writer-inside.h"

#define VARINT_MAX 10u
#define LOOK_EVERY_NS 1000000u
/* A field of a number: tags of all fields here are one byte. */
#define NUMBER_MAX (1u + VARINT_MAX)
/* What a value takes besides its data: two tags, two lengths. */
#define VALUE_MAX (2u * NUMBER_MAX)

static inline uint8_t *put_varint(uint8_t *place, uint64_t value)
{
	return place + wt_varint_put(place, value);
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

/* A value that is a number of one byte: what most are. */
static inline uint8_t *put_small(uint8_t *place, unsigned int field, unsigned int form,
				 uint64_t number)
{
	*place++ = (uint8_t)(field << 3 | 2);
	*place++ = 2;
	*place++ = (uint8_t)(form << 3);
	*place++ = (uint8_t)number;
	return place;
}

static inline uint8_t *put_value(uint8_t *place, unsigned int field, const struct wt_value *value)
{
	switch (value->form) {
	case WT_VALUE_NUMBER:
		if (value->number < 0x80)
			return put_small(place, field, WT_VALUE_FIELD_NUMBER, value->number);
		place = put_length(place, field, 1 + wt_varint_size(value->number));
		return put_present(place, WT_VALUE_FIELD_NUMBER, value->number);
	case WT_VALUE_PRESENT:
		return put_small(place, field, WT_VALUE_FIELD_PRESENT, value->number ? 1 : 0);
	case WT_VALUE_DATA:
		place = put_length(place, field, 1 + wt_varint_size(value->size) + value->size);
		place = put_length(place, WT_VALUE_FIELD_DATA, value->size);
		if (value->size)
			memcpy(place, value->data, value->size);
		return place + value->size;
	case WT_VALUE_ABSENT:
		break;
	}
	return put_length(place, field, 0);
}

static uint8_t *put_values(uint8_t *place, unsigned int field, const struct wt_value *values,
			   size_t count)
{
	for (size_t i = 0; i < count; i++)
		place = put_value(place, field, &values[i]);
	return place;
}

/* The most that values take; 0 if that is more than memory has. */
static size_t values_size(const struct wt_value *values, size_t count)
{
	size_t size = 1;

	for (size_t i = 0; i < count; i++) {
		size_t data = values[i].form == WT_VALUE_DATA ? values[i].size : 0;

		if (__builtin_add_overflow(size, data + VALUE_MAX, &size) || data > SIZE_MAX / 2)
			return 0;
	}
	return size;
}

/* Room for a packet of a few numbers and for values: NULL, and the buffer `failed`, without it. */
static uint8_t *take_room(struct wt_buffer *packet, size_t inputs, size_t outputs)
{
	size_t size = 5 * NUMBER_MAX;

	if (!inputs || !outputs || __builtin_add_overflow(size, inputs, &size) ||
	    __builtin_add_overflow(size, outputs, &size)) {
		packet->failed = true;
		return NULL;
	}
	return wt_buffer_extend(packet, size);
}

static struct wt_error *end_packet(struct wt_writer *writer, struct wt_buffer *packet,
				   const uint8_t *end)
{
	if (end)
		packet->size = (size_t)(end - packet->data);
	return wt_tape_end(writer->tape, 0);
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
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALL_BEGIN, &packet);
	uint8_t *place;

	if (error)
		return error;
	place = take_room(packet, values_size(begin->inputs, begin->input_count), 1);
	if (place) {
		place = put_number(place, WT_BEGIN_NUMBER, begin->number);
		place = put_number(place, WT_BEGIN_FUNCTION, begin->function);
		place = put_number(place, WT_BEGIN_THREAD, begin->thread);
		place = put_number(place, WT_BEGIN_START, writer->reproducible ? 0 : begin->start);
		place = put_values(place, WT_BEGIN_INPUT, begin->inputs, begin->input_count);
	}
	error = end_packet(writer, packet, place);
	if (error)
		return error;
	if (is_time_to_look(writer, begin->start) && wt_tape_is_old(writer->tape))
		return wt_tape_close_chunk(writer->tape, false);
	return wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_error *error = wt_writer_check(writer);

	return error ? error : wt_writer_result(writer, write_begin(writer, begin));
}

static struct wt_error *write_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALLBACK, &packet);
	uint8_t *place;

	if (error)
		return error;
	place = take_room(packet, values_size(callback->inputs, callback->input_count),
			  values_size(callback->outputs, callback->output_count));
	if (place) {
		place = put_number(place, WT_CALLBACK_CALL, callback->call);
		place = put_number(place, WT_CALLBACK_FUNCTION, callback->function);
		place = put_values(place, WT_CALLBACK_INPUT, callback->inputs,
				   callback->input_count);
		place = put_signed(place, WT_CALLBACK_RESULT, callback->result);
		place = put_values(place, WT_CALLBACK_OUTPUT, callback->outputs,
				   callback->output_count);
	}
	return end_packet(writer, packet, place);
}

struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_error *error = wt_writer_check(writer);

	/* What belongs to a call that a ring has dropped is dropped with it. */
	if (error || callback->call <= writer->calls_before)
		return error;
	return wt_writer_result(writer, write_callback(writer, callback));
}

static struct wt_error *write_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_begin(writer, WT_PACKET_CALL_END, &packet);
	uint8_t *place;

	if (error)
		return error;
	place = take_room(packet, 1, values_size(end->outputs, end->output_count));
	if (place) {
		place = put_number(place, WT_END_NUMBER, end->number);
		place = put_signed(place, WT_END_STATUS, end->status);
		place = put_number(place, WT_END_DURATION,
				   writer->reproducible ? 0 : end->duration);
		place = put_values(place, WT_END_OUTPUT, end->outputs, end->output_count);
	}
	return end_packet(writer, packet, place);
}

struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error || end->number <= writer->calls_before)
		return error;
	return wt_writer_result(writer, write_call_end(writer, end));
}
