/* SPDX-License-Identifier: MIT */
/* A decompressed chunk: split into packets, and those counted. */
#include "trace-format/reader/chunk.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/packet.h"
#include "trace-format/message/protobuf-decode.h"

static bool chunk_take_field(struct wt_cursor *cursor, struct wt_wire_field *field)
{
	return wt_wire_take(cursor, WT_VARINT_MAX, field);
}

/* Takes the body of a Packet, the last one that it has. Later versions may put properties of theirs beside it. */
static bool take_body(struct wt_cursor cursor, const uint8_t *start, struct wt_packet *packet_ret)
{
	struct wt_wire_field field;

	*packet_ret = (struct wt_packet){.offset = (uint32_t)(cursor.data - start)};
	while (cursor.remaining) {
		if (!chunk_take_field(&cursor, &field) || !field.number)
			return false;
		if (!field.bytes.data || field.number >= WT_PACKET_FIELDS)
			continue;
		*packet_ret = (struct wt_packet){
			.field = (enum wt_field_packet)field.number,
			.offset = (uint32_t)(field.bytes.data - start),
			.size = (uint32_t)field.bytes.remaining,
		};
	}
	return true;
}

/* The next packet of a Trace. */
static bool take_outer(struct wt_cursor *cursor, struct wt_wire_field *outer)
{
	return chunk_take_field(cursor, outer) && outer->number == 1 && outer->bytes.data;
}

/* The same, and what it holds. A body this version does not know gets a field number of its own. */
static bool chunk_take_packet(struct wt_cursor *cursor, const uint8_t *start,
			      struct wt_packet *packet_ret)
{
	struct wt_wire_field outer;

	return take_outer(cursor, &outer) && take_body(outer.bytes, start, packet_ret);
}

bool wt_chunk_skip_packet(struct wt_cursor *cursor)
{
	struct wt_cursor ahead = *cursor;
	struct wt_packet packet;

	if (!cursor->remaining || !chunk_take_packet(&ahead, cursor->data, &packet))
		return false;
	*cursor = ahead;
	return true;
}

static struct wt_error *chunk_malformed(void)
{
	return wt_error_create(WT_ERROR_INPUT, "cannot read the trace", NULL,
			       "a packet is malformed");
}

/* Memory for the lists of so many packets; at least for something. */
static bool reserve_lists(struct wt_chunk *chunk, size_t moments, size_t states, size_t blobs)
{
	size_t size = wt_chunk_lists_size(moments, states, blobs);

	chunk->moments = malloc(size ? size : 1);
	if (!chunk->moments)
		return false;
	chunk->states = (uint32_t *)(chunk->moments + moments);
	chunk->blobs = chunk->states + states;
	return true;
}

/* Reads what a MOMENT or LATE says of itself. */
static void packet_read_state(const struct wt_chunk *chunk, struct wt_packet *packet)
{
	const bool late = packet->field == WT_PACKET_LATE;
	const unsigned int number =
		late ? (unsigned int)WT_FIELD_LATE_MOMENT : (unsigned int)WT_FIELD_MOMENT_NUMBER;
	struct wt_cursor cursor = wt_packet_body(chunk, packet);
	struct wt_wire_field found;
	uint64_t moment = 0;

	while (cursor.remaining && chunk_take_field(&cursor, &found)) {
		if (found.bytes.data)
			continue;
		if (found.number == number)
			moment = found.value;
		else if (!late && found.number == WT_FIELD_MOMENT_KEYFRAME)
			packet->keyframe = found.value != 0;
	}
	packet->moment = moment < WT_NO_MOMENT ? (uint32_t)moment : WT_NO_MOMENT;
}

static void add_moment(struct wt_chunk *chunk, uint32_t packet)
{
	uint32_t count = chunk->moment_count++;
	uint32_t before = count ? chunk->moments[count - 1].keyframe : 0;

	chunk->moments[count] = (struct wt_chunk_moment){
		.packet = packet,
		.state = chunk->state_count,
		.keyframe = chunk->packets[packet].keyframe ? count + 1 : before,
	};
}

/* Which packets are MOMENTs, LATEs and BLOBs: of a chunk full of calls they are few. */
static bool list_packets(struct wt_chunk *chunk)
{
	size_t counts[WT_PACKET_FIELDS] = {0};

	for (size_t i = 0; i < chunk->packet_count; i++)
		counts[chunk->packets[i].field]++;
	if (!reserve_lists(chunk, counts[WT_PACKET_MOMENT],
			   counts[WT_PACKET_MOMENT] + counts[WT_PACKET_LATE],
			   counts[WT_PACKET_BLOB]))
		return false;
	for (uint32_t i = 0; i < chunk->packet_count; i++) {
		struct wt_packet *packet = &chunk->packets[i];

		if (packet->field == WT_PACKET_BLOB)
			chunk->blobs[chunk->blob_count++] = i;
		if (packet->field != WT_PACKET_MOMENT && packet->field != WT_PACKET_LATE)
			continue;
		packet_read_state(chunk, packet);
		if (packet->field == WT_PACKET_MOMENT)
			add_moment(chunk, i);
		chunk->states[chunk->state_count++] = i;
	}
	return true;
}

/* How many packets there are. False if one is malformed. */
static bool count_packets(struct wt_cursor cursor, size_t *count_ret)
{
	struct wt_wire_field outer;
	size_t count = 0;

	for (; cursor.remaining; count++)
		if (!take_outer(&cursor, &outer))
			return false;
	*count_ret = count;
	return true;
}

/* A chunk with room for so many packets. */
static struct wt_chunk *chunk_create(uint8_t *raw, size_t size, size_t count)
{
	struct wt_chunk *chunk = malloc(sizeof(*chunk) + count * sizeof(*chunk->packets));

	if (chunk)
		*chunk = (struct wt_chunk){.references = 1,
					   .raw = raw,
					   .size = size,
					   .packets = (struct wt_packet *)(chunk + 1)};
	return chunk;
}

static struct wt_error *chunk_split(struct wt_chunk *chunk, size_t count)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw, chunk->size);

	for (; chunk->packet_count < count; chunk->packet_count++)
		if (!chunk_take_packet(&cursor, chunk->raw, &chunk->packets[chunk->packet_count]))
			return chunk_malformed();
	return list_packets(chunk) ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_chunk_create(uint8_t *raw, size_t size, struct wt_chunk **chunk_ret)
{
	struct wt_error *error;
	struct wt_chunk *chunk;
	size_t count;

	if (!count_packets(wt_cursor_init(raw, size), &count)) {
		free(raw);
		return chunk_malformed();
	}
	chunk = chunk_create(raw, size, count);
	if (!chunk) {
		free(raw);
		return &wt_error_no_memory;
	}
	error = chunk_split(chunk, count);
	if (error) {
		wt_chunk_release(chunk);
		return error;
	}
	*chunk_ret = chunk;
	return NULL;
}

void wt_chunk_release(struct wt_chunk *chunk)
{
	if (!chunk || --chunk->references)
		return;
	free(chunk->raw);
	free(chunk->moments);
	free(chunk);
}

/* How names are numbered in a chunk. */
struct numbering {
	uint64_t next; /* number of the next one */
	bool gaps;     /* it may be any number from there on */
};

/* Count names. Are they numbered as those before them let expect? Ones without a number are told of as a damaged packet. */
static bool count_names(const struct wt_chunk *chunk, const struct wt_packet *packet,
			struct numbering *numbering, struct wt_chunk_fields *counted)
{
	uint32_t first = (uint32_t)wt_packet_number(chunk, packet, WT_FIELD_NAMES_FIRST);
	uint32_t count = wt_packet_count_field(chunk, packet, WT_FIELD_NAMES_TEXT);
	bool follow =
		!first || first == numbering->next || (numbering->gaps && first > numbering->next);

	numbering->next = (first ? first : numbering->next) + count;
	counted->names += count;
	return follow;
}

/* Count moments. States are built from the keyframe that a head names: it must be one, and the newest. */
static bool count_moments(const struct wt_chunk *chunk, struct wt_chunk_fields *counted)
{
	uint32_t count = chunk->moment_count;
	uint32_t newest = count ? chunk->moments[count - 1].keyframe : 0;

	for (uint32_t i = 0; i < count; i++)
		if (chunk->packets[chunk->moments[i].packet].moment != counted->first_moment + i)
			return false;
	counted->moments = count;
	if (!newest)
		return counted->keyframe - counted->first_moment >= count;
	counted->keyframe = counted->first_moment + newest - 1;
	return true;
}

bool wt_chunk_count(const struct wt_chunk *chunk, bool name_gaps, struct wt_chunk_fields *fields)
{
	struct numbering numbering = {fields->first_name, name_gaps};

	fields->raw = chunk->size;
	fields->packets = (uint32_t)chunk->packet_count;
	fields->blobs = chunk->blob_count;
	fields->calls = fields->names = fields->contents = 0;
	for (size_t i = 0; i < chunk->packet_count; i++) {
		const struct wt_packet *packet = &chunk->packets[i];

		fields->contents |= wt_packet_content(packet->field);
		fields->calls += packet->field == WT_PACKET_CALL_BEGIN;
		if (packet->field == WT_PACKET_NAMES &&
		    !count_names(chunk, packet, &numbering, fields))
			return false;
	}
	return count_moments(chunk, fields);
}

bool wt_chunk_fits(const struct wt_chunk *chunk, bool name_gaps,
		   const struct wt_chunk_fields *fields)
{
	struct wt_chunk_fields counted = *fields;

	/* The structure has no padding. */
	return wt_chunk_count(chunk, name_gaps, &counted) &&
	       !memcmp(&counted, fields, sizeof(counted));
}

uint64_t wt_packet_number(const struct wt_chunk *chunk, const struct wt_packet *packet,
			  unsigned int field)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw + packet->offset, packet->size);
	uint64_t value = 0;
	struct wt_wire_field found;

	while (cursor.remaining && chunk_take_field(&cursor, &found))
		if (found.number == field && !found.bytes.data)
			value = found.value;
	return value;
}

uint32_t wt_packet_count_field(const struct wt_chunk *chunk, const struct wt_packet *packet,
			       unsigned int field)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw + packet->offset, packet->size);
	struct wt_wire_field found;
	uint32_t count = 0;

	while (cursor.remaining && chunk_take_field(&cursor, &found))
		count += found.number == field;
	return count;
}
