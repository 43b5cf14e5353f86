/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/moment-packet.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/items.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"

struct wt_error *wt_reader_decode_moment(struct wt_reader *reader, const struct wt_chunk *chunk,
					 const struct wt_packet *packet,
					 const struct wt_packed_moment **moment_ret)
{
	const struct wt_packed_moment *moment;
	const void *message = NULL;
	struct wt_packet *noted;
	struct wt_error *error;

	wt_arena_reset(&reader->memory.scratch, 0);
	error = wt_packet_unpack(reader, &reader->memory.scratch, chunk, packet, &message);
	if (error)
		return error;
	moment = message;
	/* A moment is read for itself, and then for the state at it: what it says of itself is looked at once. */
	noted = &chunk->packets[packet - chunk->packets];
	noted->checked = true;
	if (packet->moment == moment->number && packet->keyframe == moment->keyframe)
		noted->whole = true;
	*moment_ret = moment;
	return NULL;
}

/* ---- What is kept of it, for as long as the reader lives ---- */

static struct wt_event *events_keep(struct wt_arena *arena, const struct wt_wire_list *from)
{
	const struct wt_packed_event *packed = from->elements;
	struct wt_event *events = wt_arena_array(arena, from->count, sizeof(*events));

	for (size_t i = 0; events && i < from->count; i++) {
		struct wt_answer *answers = wt_reader_answers(arena, &packed[i].answer);

		for (size_t j = 0; answers && j < packed[i].answer.count; j++) {
			answers[j].value = wt_arena_copy(arena, answers[j].value, answers[j].size);
			if (!answers[j].value)
				return NULL;
		}
		events[i] = (struct wt_event){
			.handle = packed[i].handle,
			.kind = packed[i].kind,
			.answers = answers,
			.answer_count = packed[i].answer.count,
		};
		if (!answers)
			return NULL;
	}
	return events;
}

static struct wt_log_message *log_keep(struct wt_arena *arena, const struct wt_wire_list *from)
{
	const struct wt_packed_log_message *packed = from->elements;
	struct wt_log_message *log = wt_arena_array(arena, from->count, sizeof(*log));

	for (size_t i = 0; log && i < from->count; i++) {
		const char *text = wt_arena_copy(arena, packed[i].text, strlen(packed[i].text) + 1);

		log[i] = (struct wt_log_message){packed[i].level, text, packed[i].event};
		if (!text)
			return NULL;
	}
	return log;
}

static struct wt_moment *moment_keep(struct wt_arena *arena, const struct wt_packed_moment *from)
{
	struct wt_moment *to = wt_arena_alloc(arena, sizeof(*to));
	struct wt_log_message *log = log_keep(arena, &from->log);
	struct wt_event *events = events_keep(arena, &from->event);
	uint64_t *asked = wt_arena_copy(arena, from->stop_requested.elements,
					from->stop_requested.count * sizeof(*asked));

	if (!to || !log || !events || !asked)
		return NULL;
	*to = (struct wt_moment){
		.number = from->number,
		.process = from->process,
		.cause = (enum wt_moment_cause)from->cause,
		.call = from->call,
		.time = from->time,
		.after_resume = from->after_resume,
		.function = from->function,
		.status = from->status,
		.events = events,
		.event_count = from->event.count,
		.stop_requested = asked,
		.stop_requested_count = from->stop_requested.count,
		.log = log,
		.log_count = from->log.count,
	};
	return to;
}

static struct wt_error *read_moment(struct wt_reader *reader, size_t position, uint32_t skip,
				    struct wt_moment **moment_ret)
{
	const struct wt_packed_moment *moment = NULL;
	const struct wt_packet *packet;
	struct wt_chunk *chunk;
	struct wt_error *error;

	error = wt_reader_load(reader, position, &chunk);
	if (error)
		return error;
	packet = wt_moment_packet(chunk, skip);
	error = packet ? wt_reader_decode_moment(reader, chunk, packet, &moment)
		       : wt_reader_error(reader, WT_ERROR_INTERNAL, "a moment is not in its chunk");
	if (!error) {
		*moment_ret = moment_keep(&reader->memory.lasting, moment);
		error = *moment_ret ? NULL : &wt_error_no_memory;
	}
	wt_chunk_release(chunk);
	return error;
}

struct wt_error *wt_reader_moment(struct wt_reader *reader, uint32_t number,
				  const struct wt_moment **moment_ret)
{
	struct wt_place *place;
	struct wt_error *error;
	size_t position;
	uint32_t skip;

	reader->budget.spent = 0;
	error = wt_reader_find_moment(reader, number, &position);
	if (error)
		return error;
	place = &reader->places.at[position];
	skip = number - place->entry.chunk.first_moment;
	if (!place->moments || !place->moments[skip]) {
		struct wt_moment *moment;

		error = read_moment(reader, position, skip, &moment);
		if (error)
			return error;
		/* Only a chunk that was found to hold them gets room for its moments. */
		if (!place->moments)
			place->moments =
				calloc(place->entry.chunk.moments, sizeof(*place->moments));
		if (!place->moments)
			return &wt_error_no_memory;
		place->moments[skip] = moment;
	}
	*moment_ret = place->moments[skip];
	wt_summary_compare_moment(reader, *moment_ret);
	return NULL;
}
