/* SPDX-License-Identifier: MIT */
#include "trace-format/container/tape-tail.h"
#include "trace-format/writer/write-journal.h"

#include "trace-format/writer/internal.h"

#define LOOK_EVERY_NS 1000000u

void wt_encode_value(struct wt_buffer *packet, unsigned int field, const struct wt_value *value)
{
	const size_t mark = wt_encode_begin(packet, field);

	switch (value->form) {
	case WT_VALUE_NUMBER:
		wt_encode_present(packet, WT_FIELD_VALUE_NUMBER, value->number);
		break;
	case WT_VALUE_DATA:
		wt_encode_bytes(packet, WT_FIELD_VALUE_DATA, value->data, value->size);
		break;
	case WT_VALUE_PRESENT:
		wt_encode_present(packet, WT_FIELD_VALUE_PRESENT, value->number ? 1 : 0);
		break;
	case WT_VALUE_ABSENT:
		break;
	}
	wt_encode_end(packet, mark);
}

static void values_encode(struct wt_buffer *packet, unsigned int field,
			  const struct wt_value *values, size_t count)
{
	/* By number: a call without values has no row to point behind. */
	for (size_t i = 0; i < count; i++)
		wt_encode_value(packet, field, &values[i]);
}

static struct wt_error *packet_open(struct wt_writer *writer, enum wt_field_packet field,
				    struct wt_buffer **packet_ret)
{
	struct wt_error *error = wt_writer_check(writer);

	if (error)
		return error;
	error = wt_writer_begin(writer, field, packet_ret);
	/* The failure ends the trace, with its reason in it. */
	if (error)
		wt_writer_result(writer, error);
	return error;
}

struct wt_error *wt_writer_close_packet(struct wt_writer *writer)
{
	return wt_writer_result(writer, wt_tape_end(writer->tape, 0));
}

/* Has the clock of the open chunk's age moved since it was looked at? The calls bring their own along. */
static bool writer_should_look(struct wt_writer *writer, uint64_t now)
{
	if (writer->reproducible || (now && now - writer->looked < LOOK_EVERY_NS))
		return false;
	writer->looked = now;
	return true;
}

static struct wt_error *chunk_look(struct wt_writer *writer, bool *closed_ret)
{
	struct wt_error *error = wt_tape_check_file(writer->tape);

	*closed_ret = !error && wt_tape_is_old(writer->tape);
	return *closed_ret ? wt_tape_close_later(writer->tape) : error;
}

struct wt_error *wt_writer_close_begin(struct wt_writer *writer, uint64_t start)
{
	struct wt_error *error = wt_tape_end(writer->tape, 0);
	bool closed = false;

	if (!error && writer_should_look(writer, start))
		error = chunk_look(writer, &closed);
	if (!error && !closed)
		error = wt_tape_flush(writer->tape);
	return wt_writer_result(writer, error);
}

bool wt_writer_has_call(const struct wt_writer *writer, uint64_t number)
{
	return number > writer->calls_before;
}

struct wt_error *wt_writer_open_begin(struct wt_writer *writer, const struct wt_call_begin *begin,
				      struct wt_buffer **packet_ret)
{
	struct wt_error *error = packet_open(writer, WT_PACKET_CALL_BEGIN, packet_ret);

	if (error)
		return error;
	wt_encode_number(*packet_ret, WT_FIELD_CALL_BEGIN_NUMBER, begin->number);
	wt_encode_number(*packet_ret, WT_FIELD_CALL_BEGIN_FUNCTION, begin->function);
	wt_encode_number(*packet_ret, WT_FIELD_CALL_BEGIN_THREAD, begin->thread);
	wt_encode_number(*packet_ret, WT_FIELD_CALL_BEGIN_START,
			 writer->reproducible ? 0 : begin->start);
	return NULL;
}

struct wt_error *wt_writer_open_end(struct wt_writer *writer, const struct wt_call_end *end,
				    struct wt_buffer **packet_ret)
{
	struct wt_error *error = packet_open(writer, WT_PACKET_CALL_END, packet_ret);

	if (error)
		return error;
	wt_encode_number(*packet_ret, WT_FIELD_CALL_END_NUMBER, end->number);
	wt_encode_signed(*packet_ret, WT_FIELD_CALL_END_STATUS, end->status);
	wt_encode_number(*packet_ret, WT_FIELD_CALL_END_DURATION,
			 writer->reproducible ? 0 : end->duration);
	return NULL;
}

struct wt_error *wt_writer_call_begin(struct wt_writer *writer, const struct wt_call_begin *begin)
{
	struct wt_buffer *packet;
	struct wt_error *error = wt_writer_open_begin(writer, begin, &packet);

	if (error)
		return error;
	values_encode(packet, WT_FIELD_CALL_BEGIN_INPUT, begin->inputs, begin->input_count);
	return wt_writer_close_begin(writer, begin->start);
}

struct wt_error *wt_writer_callback(struct wt_writer *writer, const struct wt_callback *callback)
{
	struct wt_error *error = wt_writer_check(writer);
	struct wt_buffer *packet;

	if (error || !wt_writer_has_call(writer, callback->call))
		return error;
	error = packet_open(writer, WT_PACKET_CALLBACK, &packet);
	if (error)
		return error;
	wt_encode_number(packet, WT_FIELD_CALLBACK_CALL, callback->call);
	wt_encode_number(packet, WT_FIELD_CALLBACK_FUNCTION, callback->function);
	values_encode(packet, WT_FIELD_CALLBACK_INPUT, callback->inputs, callback->input_count);
	wt_encode_signed(packet, WT_FIELD_CALLBACK_RESULT, callback->result);
	values_encode(packet, WT_FIELD_CALLBACK_OUTPUT, callback->outputs, callback->output_count);
	return wt_writer_close_packet(writer);
}

struct wt_error *wt_writer_call_end(struct wt_writer *writer, const struct wt_call_end *end)
{
	struct wt_error *error = wt_writer_check(writer);
	struct wt_buffer *packet;

	if (error || !wt_writer_has_call(writer, end->number))
		return error;
	error = wt_writer_open_end(writer, end, &packet);
	if (error)
		return error;
	values_encode(packet, WT_FIELD_CALL_END_OUTPUT, end->outputs, end->output_count);
	return wt_writer_close_packet(writer);
}
