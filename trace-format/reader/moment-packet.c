/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/moment-packet.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/packet.h"

struct wt_error *wt_reader_decode_moment(struct wt_reader *reader, const struct wt_chunk *chunk,
					 const struct wt_packet *packet)
{
	struct wt_packed_moment *moment = &reader->moment;
	enum wt_decoded decoded =
		wt_packed_moment_decode(wt_packet_body(chunk, packet), !packet->checked, moment);
	struct wt_packet *noted;

	if (decoded != WT_DECODED)
		return wt_packet_decoded(reader, packet, decoded);
	/* A moment is read for itself, and then for the state at it: what it says of itself is looked at once. */
	noted = &chunk->packets[packet - chunk->packets];
	noted->checked = true;
	if (packet->moment == moment->number && packet->keyframe == moment->keyframe)
		noted->whole = true;
	return NULL;
}

/* ---- What is kept of it ---- */

static size_t text_size(const struct wt_packed_log *log)
{
	return log->text.remaining ? strnlen((const char *)log->text.data, log->text.remaining) : 0;
}

/* Bytes of memory for all of it. */
static size_t moment_size(const struct wt_packed_moment *from)
{
	const struct wt_answer *answers = from->answers.elements;
	const struct wt_packed_log *log = from->log.elements;
	size_t size = sizeof(struct wt_moment) + from->events.count * sizeof(struct wt_event) +
		      from->log.count * sizeof(struct wt_log_message) +
		      from->stop_requested.count * sizeof(uint64_t) +
		      from->answers.count * sizeof(*answers);

	for (size_t i = 0; i < from->answers.count; i++)
		size += answers[i].size;
	for (size_t i = 0; i < from->log.count; i++)
		size += text_size(&log[i]) + 1;
	return size;
}

/* The next so many bytes. */
static void *room_take(uint8_t **room, size_t size)
{
	void *taken = *room;

	*room += size;
	return taken;
}

static void keep_events(const struct wt_packed_moment *from, const struct wt_answer *answers,
			struct wt_event *events)
{
	const struct wt_packed_event *event = from->events.elements;

	for (size_t i = 0; i < from->events.count; i++) {
		events[i] = (struct wt_event){
			.handle = event[i].handle,
			.kind = event[i].kind,
			.answers = (struct wt_answer *)(uintptr_t)answers,
			.answer_count = event[i].answer_count,
		};
		/* There may be none at all. */
		if (event[i].answer_count)
			answers += event[i].answer_count;
	}
}

static void keep_log(const struct wt_packed_moment *from, uint8_t **room,
		     struct wt_log_message *log)
{
	const struct wt_packed_log *message = from->log.elements;

	for (size_t i = 0; i < from->log.count; i++) {
		size_t size = text_size(&message[i]);
		char *text = room_take(room, size + 1);

		if (size)
			memcpy(text, message[i].text.data, size);
		text[size] = '\0';
		log[i] = (struct wt_log_message){message[i].level, text, message[i].event};
	}
}

/* For as long as the reader lives, in one piece: what is aligned comes first. */
static struct wt_moment *moment_keep(struct wt_arena *arena, const struct wt_packed_moment *from)
{
	uint8_t *room = wt_arena_alloc(arena, moment_size(from));
	struct wt_log_message *log;
	struct wt_event *events;
	struct wt_moment *to;
	uint64_t *asked;

	if (!room)
		return NULL;
	to = room_take(&room, sizeof(*to));
	events = room_take(&room, from->events.count * sizeof(*events));
	log = room_take(&room, from->log.count * sizeof(*log));
	asked = room_take(&room, from->stop_requested.count * sizeof(*asked));
	if (from->stop_requested.count)
		memcpy(asked, from->stop_requested.elements,
		       from->stop_requested.count * sizeof(*asked));
	keep_events(from, wt_answers_copy(&room, from->answers.elements, from->answers.count),
		    events);
	keep_log(from, &room, log);
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
		.event_count = from->events.count,
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
	const struct wt_packet *packet;
	struct wt_chunk *chunk;
	struct wt_error *error;

	error = wt_reader_load(reader, position, &chunk);
	if (error)
		return error;
	packet = wt_moment_packet(chunk, skip);
	error = packet ? wt_reader_decode_moment(reader, chunk, packet)
		       : wt_reader_error(reader, WT_ERROR_INTERNAL, "a moment is not in its chunk");
	if (!error) {
		*moment_ret = moment_keep(&reader->lasting, &reader->moment);
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

	reader->spent = 0;
	error = wt_reader_find_moment(reader, number, &position);
	if (error)
		return error;
	place = &reader->places[position];
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
