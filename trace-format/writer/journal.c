/* SPDX-License-Identifier: MIT */
/* The journal's packets: the long way of each, and records of calls as a whole. */
#include "trace-format/writer/journal.h"

#include "trace-format/writer/internal.h"

#define LOOK_EVERY_NS 1000000u

_Static_assert(offsetof(struct wt_writer, tape) == offsetof(struct wt_writer_front, tape) &&
		       offsetof(struct wt_writer, calls_before) ==
			       offsetof(struct wt_writer_front, calls_before),
	       "journal.h sees the beginning of a writer");

struct wt_put_field wt_put_field_grown(struct wt_put_growing *kept, unsigned int field,
				       uint64_t number)
{
	const struct wt_put_field whole = wt_put_field_number(field, number);

	if (!number)
		return (struct wt_put_field){0, 0};
	kept->high = number >> WT_PUT_LOW_BITS;
	/* A tag, and three bytes of which each has another behind it. */
	kept->field = (struct wt_put_field){whole.bytes & ~UINT64_C(0x7f7f7f00), whole.size};
	return whole;
}

uint8_t *wt_put_large_value(uint8_t *place, unsigned int field, uint64_t number)
{
	uint8_t *end = wt_put_present(place + 2, WT_VALUE_FIELD_NUMBER, number);

	place[0] = (uint8_t)(field << 3 | 2);
	place[1] = (uint8_t)(end - place - 2);
	return end;
}

static uint8_t *put_values(uint8_t *place, unsigned int field, const struct wt_value *values,
			   size_t count)
{
	/* By number: a call without values has no row to point behind. */
	for (size_t i = 0; i < count; i++)
		place = wt_put_value(place, field, &values[i]);
	return place;
}

/* Bytes of data in values; SIZE_MAX if that is more than memory has. */
static size_t data_size(const struct wt_value *values, size_t count)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		if (__builtin_add_overflow(size, wt_put_data_size(&values[i]), &size))
			return SIZE_MAX;
	return size;
}

struct wt_error *wt_writer_open(struct wt_writer *writer, enum wt_packet_field field, size_t count,
				size_t data, uint8_t **place_ret)
{
	struct wt_tape *tape = writer->tape;
	struct wt_error *error = wt_writer_check(writer);

	if (error)
		return error;
	/* Names that a packet may refer to are written before it. */
	if (wt_writer_has_names(writer))
		error = wt_writer_flush_names(writer);
	if (error)
		return wt_writer_result(writer, error);
	if (data > SIZE_MAX / 2) {
		tape->raw.failed = true;
		data = 0;
	}
	*place_ret = wt_tape_begin_call(tape, field, data,
					WT_PUT_NUMBERS_MAX + count * WT_PUT_VALUE_MAX + data);
	return NULL;
}

static struct wt_error *end_packet(struct wt_writer *writer, const uint8_t *end)
{
	struct wt_buffer *packet = &writer->tape->raw;

	if (end)
		packet->size = (size_t)(end - packet->data);
	return wt_tape_end_call(writer->tape);
}

struct wt_error *wt_writer_close_packet(struct wt_writer *writer, const uint8_t *end)
{
	struct wt_error *error = end_packet(writer, end);

	if (error)
		return wt_writer_result(writer, error);
	wt_tape_allow_quick(writer->tape, writer->tape->quick.until);
	return NULL;
}

/* Has the clock of the open chunk's age moved since it was looked at? The calls bring their own along. */
static bool is_time_to_look(struct wt_writer *writer, uint64_t now)
{
	if (writer->reproducible || (now && now - writer->looked < LOOK_EVERY_NS))
		return false;
	writer->looked = now;
	return true;
}

static struct wt_error *look(struct wt_writer *writer, bool *closed_ret)
{
	struct wt_error *error = wt_tape_check_file(writer->tape);

	*closed_ret = !error && wt_tape_is_old(writer->tape);
	return *closed_ret ? wt_tape_close_later(writer->tape) : error;
}

static struct wt_error *close_begin(struct wt_writer *writer, const uint8_t *end, uint64_t start)
{
	struct wt_error *error = end_packet(writer, end);
	bool closed = false;

	if (!error && is_time_to_look(writer, start))
		error = look(writer, &closed);
	return error || closed ? error : wt_tape_flush(writer->tape);
}

struct wt_error *wt_writer_close_begin(struct wt_writer *writer, const uint8_t *end, uint64_t start)
{
	struct wt_error *error = close_begin(writer, end, start);
	uint64_t until;

	if (error)
		return wt_writer_result(writer, error);
	/* What takes the quick way has no larger numbers. */
	until = writer->reproducible ? UINT64_MAX : writer->looked + LOOK_EVERY_NS;
	wt_tape_allow_quick(writer->tape, until <= WT_PUT_FIELD_MAX ? until : WT_PUT_FIELD_MAX);
	return NULL;
}

struct wt_error *wt_writer_fail(struct wt_writer *writer, struct wt_error *error)
{
	return wt_writer_result(writer, error);
}

struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	uint8_t *place = NULL;
	struct wt_error *error =
		wt_writer_open(writer, WT_PACKET_CALL_BEGIN, begin->input_count,
			       data_size(begin->inputs, begin->input_count), &place);

	if (error)
		return error;
	if (place) {
		place = wt_put_number(place, WT_BEGIN_NUMBER, begin->number);
		place = wt_put_number(place, WT_BEGIN_FUNCTION, begin->function);
		place = wt_put_number(place, WT_BEGIN_THREAD, begin->thread);
		place = wt_put_number(place, WT_BEGIN_START,
				      writer->reproducible ? 0 : begin->start);
		place = put_values(place, WT_BEGIN_INPUT, begin->inputs, begin->input_count);
	}
	return wt_writer_close_begin(writer, place, begin->start);
}

static uint8_t *put_callback(uint8_t *place, const struct wt_callback *callback)
{
	place = wt_put_number(place, WT_CALLBACK_CALL, callback->call);
	place = wt_put_number(place, WT_CALLBACK_FUNCTION, callback->function);
	place = put_values(place, WT_CALLBACK_INPUT, callback->inputs, callback->input_count);
	place = wt_put_signed(place, WT_CALLBACK_RESULT, callback->result);
	return put_values(place, WT_CALLBACK_OUTPUT, callback->outputs, callback->output_count);
}

struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	const size_t count = callback->input_count + callback->output_count;
	size_t data = data_size(callback->inputs, callback->input_count);
	struct wt_error *error;
	uint8_t *place;

	if (writer->failed)
		return wt_writer_check(writer);
	if (!wt_writer_has_call(writer, callback->call))
		return NULL;
	if (__builtin_add_overflow(data, data_size(callback->outputs, callback->output_count),
				   &data))
		data = SIZE_MAX;
	place = wt_writer_quick(writer, count, data);
	if (WT_LIKELY(place))
		return wt_writer_quick_packet(writer, WT_PACKET_CALLBACK,
					      put_callback(place, callback));
	error = wt_writer_open(writer, WT_PACKET_CALLBACK, count, data, &place);
	if (error)
		return error;
	return wt_writer_close_packet(writer, place ? put_callback(place, callback) : NULL);
}

struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error = wt_writer_check(writer);
	uint8_t *place = NULL;

	if (error || !wt_writer_has_call(writer, end->number))
		return error;
	error = wt_writer_open(writer, WT_PACKET_CALL_END, end->output_count,
			       data_size(end->outputs, end->output_count), &place);
	if (error)
		return error;
	if (place) {
		place = wt_put_number(place, WT_END_NUMBER, end->number);
		place = wt_put_signed(place, WT_END_STATUS, end->status);
		place = wt_put_number(place, WT_END_DURATION,
				      writer->reproducible ? 0 : end->duration);
		place = put_values(place, WT_END_OUTPUT, end->outputs, end->output_count);
	}
	return wt_writer_close_packet(writer, place);
}
