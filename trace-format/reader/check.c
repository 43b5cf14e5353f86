/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/check.h"

#include <stdio.h>
#include <string.h>

#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/chunk-places.h"
#include "trace-format/reader/head.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/items.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/read-journal.h"
#include "trace-format/reader/reader.h"
#include "trace-format/reader/summary.h"
#include "trace-format/state/rows.h"

/* Looking into a packet takes as long as going through so many bytes. */
#define WORK_OF_PACKET 128u

struct walk {
	struct wt_reader *reader;
	const struct wt_check_options *options;
	struct wt_check *check;
	size_t place;		    /* the first one that is not before the walk */
	bool header_seen, end_seen; /* among the packets of chunks */
	size_t notices;		    /* of those a summary has */
	uint64_t host_packet;	    /* 1 + number of the last one with a host */
	bool notices_differ;
};

/* Each byte is looked at twice: once for its block, once for what it says. */
static void walk_tell_progress(const struct walk *walk, uint64_t done)
{
	if (walk->options->progress)
		walk->options->progress(walk->options->opaque, done, 2 * walk->reader->file.size);
}

/* A reader that walked the file when it was opened has noted some of this already. */
static bool is_noted(const struct wt_reader *reader, uint64_t offset)
{
	for (size_t i = 0; i < wt_reader_damage_count(reader); i++)
		if (wt_reader_damage_at(reader, i)->offset == offset)
			return true;
	return wt_reader_damage_dropped(reader) && offset >= reader->damage.first_dropped &&
	       offset <= reader->damage.last_dropped;
}

/* The place of the chunk at an offset; NULL if there is none. */
static struct wt_place *place_at(struct walk *walk, uint64_t offset)
{
	struct wt_reader *reader = walk->reader;

	while (walk->place < reader->places.count &&
	       reader->places.at[walk->place].entry.offset < offset)
		walk->place++;
	if (walk->place == reader->places.count ||
	    reader->places.at[walk->place].entry.offset != offset)
		return NULL;
	return &reader->places.at[walk->place];
}

static bool is_like_entry(const struct wt_block *block, const struct wt_index_entry *entry)
{
	return block->kind == entry->kind && block->sequence == entry->sequence &&
	       block->stored == entry->stored && block->stored_crc == entry->stored_crc &&
	       block->flags == entry->flags &&
	       !memcmp(&block->chunk, &entry->chunk, sizeof(block->chunk));
}

/*
 * A recording goes on while it is read: is this a chunk that was not there yet when the file was opened? It stands
 * behind those known, or takes the place of the stage whose packets are known.
 */
static bool is_newer(const struct wt_reader *reader, const struct wt_block *block)
{
	const struct wt_index_entry *last;

	if (reader->places.closed)
		return false;
	if (!reader->places.count)
		return true;
	last = &reader->places.at[reader->places.count - 1].entry;
	if (reader->places.at[reader->places.count - 1].recovered)
		return block->sequence >= last->sequence;
	return block->offset > last->offset;
}

/* A head of a chunk, or one that stands where the index knows a chunk. */
static void check_chunk_head(struct walk *walk, const struct wt_block *block,
			     const struct wt_place *place)
{
	struct wt_reader *reader = walk->reader;

	if (is_noted(reader, block->offset) || is_newer(reader, block))
		return;
	if (!place)
		wt_reader_note(
			reader, block->offset, WT_BLOCK_SIZE + block->stored, true,
			"the index does not know the chunk at offset %llu, which has packets "
			"%llu to %llu",
			(unsigned long long)block->offset,
			(unsigned long long)block->chunk.first_packet,
			(unsigned long long)(block->chunk.first_packet + block->chunk.packets - 1));
	else if (!is_like_entry(block, &place->entry))
		wt_reader_note(reader, block->offset, WT_BLOCK_SIZE, false,
			       "the head of chunk %llu at offset %llu is not as the index has it",
			       (unsigned long long)place->entry.sequence,
			       (unsigned long long)block->offset);
}

static struct wt_error *check_index(struct walk *walk, const struct wt_block *block)
{
	struct wt_error *error;
	bool fine;

	walk->reader->budget.spent = 0;
	error = wt_places_check_index(walk->reader, block, &fine);
	if (error)
		return error;
	walk->check->indexes += fine;
	if (!fine && !is_noted(walk->reader, block->offset))
		wt_reader_note(
			walk->reader, block->offset, WT_BLOCK_SIZE + block->stored, false,
			"the index at offset %llu is damaged: nothing is lost, since the heads "
			"of the chunks say the same",
			(unsigned long long)block->offset);
	return NULL;
}

static struct wt_error *check_block(struct walk *walk, const struct wt_block *block)
{
	const struct wt_place *place = place_at(walk, block->offset);

	if (block->kind == WT_BLOCK_CHUNK || (place && !place->recovered))
		check_chunk_head(walk, block, place);
	if (block->kind == WT_BLOCK_INDEX)
		return check_index(walk, block);
	/* This walk is the first to see a FINAL that is used. */
	if (block->kind > WT_BLOCK_STAGE)
		return wt_places_unknown_kind(walk->reader, block->kind, block->flags,
					      block->offset);
	return NULL;
}

/* Goes on where no whole head is: behind the chunk that the index knows there, or at the next head. */
static struct wt_error *skip_damage(struct walk *walk, uint64_t offset, uint64_t *next_ret)
{
	struct wt_reader *reader = walk->reader;
	const struct wt_place *place = place_at(walk, offset);
	struct wt_error *error;

	if (place && !place->recovered) {
		*next_ret = offset + WT_BLOCK_SIZE + place->entry.stored;
		if (!is_noted(reader, offset))
			wt_reader_note(
				reader, offset, WT_BLOCK_SIZE, false,
				"the head of chunk %llu at offset %llu is damaged: nothing is "
				"lost, since the index says the same",
				(unsigned long long)place->entry.sequence,
				(unsigned long long)offset);
		return NULL;
	}
	error = wt_reader_search_head(reader, offset + WT_BLOCK_SIZE, reader->file.size, next_ret);
	if (!error && !is_noted(reader, offset))
		wt_reader_note(
			reader, offset, *next_ret - offset, false,
			"there is no head of a block at offset %llu; %llu bytes were skipped",
			(unsigned long long)offset, (unsigned long long)(*next_ret - offset));
	return error;
}

/* Every head of the file, also those a reader does not need where the index is whole. */
static struct wt_error *walk_heads(struct walk *walk)
{
	struct wt_reader *reader = walk->reader;
	uint64_t offset = 0, next;
	struct wt_block block;
	struct wt_error *error;
	bool found;

	while (reader->file.size - offset >= WT_BLOCK_SIZE) {
		error = wt_reader_read_head(reader, offset, &block, &found);
		if (!error && found && !wt_reader_fits(reader, &block))
			return NULL;
		if (!error && found)
			error = check_block(walk, &block);
		if (error)
			return error;
		next = offset + WT_BLOCK_SIZE + block.stored;
		if (!found)
			error = skip_damage(walk, offset, &next);
		if (error)
			return error;
		offset = next;
		walk_tell_progress(walk, offset);
	}
	return NULL;
}

/* Is something seen for the second time? */
static bool is_second(bool *seen)
{
	bool second = *seen;

	*seen = true;
	return second;
}

static const char *find_blob_fault(const struct wt_packed_blob *blob)
{
	const bool rows = blob->encoding == WT_BLOB_ROWS;
	size_t length = blob->data.remaining;

	if (length <= WT_LIMIT_BLOB && rows &&
	    !wt_rows_check(blob->data.data, blob->data.remaining, &length))
		return "its blob is no whole rows";
	return length > WT_LIMIT_BLOB ? "its blob is longer than 8 MiB" : NULL;
}

/* Why a packet that was decoded cannot be used all the same; NULL: it can. @moments: how many are before it. */
static const char *find_fault(struct walk *walk, const struct wt_packet *packet,
			      const void *message, uint64_t moments)
{
	enum wt_field_packet field = packet->field;
	const struct wt_packed_names *names = message;

	if (field == WT_PACKET_HEADER && is_second(&walk->header_seen))
		return "there is a Header before it";
	if (field == WT_PACKET_END && is_second(&walk->end_seen))
		return "there is an End before it";
	if (field == WT_PACKET_LATE && !wt_packet_is_of_last(packet, moments))
		return "it names another moment than the last one before it";
	if (field == WT_PACKET_NAMES && !names->first)
		return "its names have no numbers";
	return field == WT_PACKET_BLOB ? find_blob_fault(message) : NULL;
}

static bool packet_is_same(const struct wt_chunk *chunk, const struct wt_packet *packet,
			   const struct wt_cursor *body)
{
	return packet->size == body->remaining &&
	       (!packet->size || !memcmp(chunk->raw + packet->offset, body->data, body->remaining));
}

/* The first number to which some names give another text than counts; 0: none. */
static uint32_t find_renamed(const struct wt_reader *reader, const struct wt_packed_names *names)
{
	const char *const *texts = names->text.elements;

	for (size_t i = 0; i < names->text.count; i++) {
		const char *text = wt_reader_name(reader, names->first + (uint32_t)i);

		if (text && strcmp(text, texts[i]))
			return names->first + (uint32_t)i;
	}
	return 0;
}

/* A notice, which a summary repeats in its turn. */
static void check_notice(struct walk *walk, const struct wt_packed_notice *notice, uint64_t number)
{
	const struct wt_listed_notice *listed;
	size_t count;

	if (notice->host) {
		walk->host_packet = 1 + number;
		return;
	}
	listed = wt_reader_listed_notices(walk->reader, &count);
	if (listed && walk->notices < count) {
		listed += walk->notices;
		walk->notices_differ |= (int)listed->kind != (int)notice->kind ||
					listed->call != notice->call ||
					strcmp(listed->text, notice->text) != 0;
	}
	walk->notices++;
}

/* Nothing can be said of the notices that a summary has if notices may be lost. */
static void check_summary(struct walk *walk)
{
	struct wt_reader *reader = walk->reader;
	uint64_t host_packet;
	struct wt_tally *stops = &walk->check->stops;
	size_t count;

	/* Stops whose moments are lost are known by the summary alone. */
	if (walk->check->packets.lost) {
		if (wt_reader_listed_stops(reader, &count) && count > stops->count) {
			stops->lost += count - stops->count;
			stops->count = count;
		}
		return;
	}
	if (wt_reader_listed_notices(reader, &count) &&
	    (walk->notices_differ || walk->notices != count))
		wt_summary_refuse(reader, "it has other notices than the chunks");
	if (wt_summary_has_malformed_notices(reader))
		wt_summary_refuse(reader, "it has notices that cannot be decoded");
	if (wt_summary_host(reader, &host_packet) && host_packet != walk->host_packet)
		wt_summary_refuse(reader, "it has another place of what is known of the host");
	if (wt_reader_listed_stops(reader, &count) && count != walk->check->stops.count)
		wt_summary_refuse(reader, "it has another number of stops than the chunks");
}

/* The packets that an index repeats count. A chunk may say otherwise where the two were not written together. */
static void check_repeated(struct walk *walk, const struct wt_place *place,
			   const struct wt_chunk *chunk, size_t number, const void *message)
{
	const struct wt_packet *packet = &chunk->packets[number];
	const struct wt_reader *reader = walk->reader;
	uint32_t renamed = 0;
	bool same = true;
	char what[32];

	if (packet->field == WT_PACKET_HEADER)
		same = packet_is_same(chunk, packet, &reader->repeated.header_body);
	else if (packet->field == WT_PACKET_END)
		same = packet_is_same(chunk, packet, &reader->repeated.end_body);
	else if (packet->field == WT_PACKET_NAMES)
		renamed = find_renamed(reader, message);
	if (same && !renamed)
		return;
	walk->check->differs = true;
	snprintf(what, sizeof(what), "name %u", renamed);
	wt_reader_note(walk->reader, place->entry.offset, WT_BLOCK_SIZE + place->entry.stored,
		       false,
		       "packet %llu, in the chunk at offset %llu, has another %s than the index "
		       "repeats",
		       (unsigned long long)(place->entry.chunk.first_packet + number),
		       (unsigned long long)place->entry.offset,
		       renamed				   ? what
		       : packet->field == WT_PACKET_HEADER ? "Header"
							   : "End");
}

/* @message_ret: not written for packets with items, which are only checked. */
static struct wt_error *decode_packet(struct walk *walk, const struct wt_chunk *chunk,
				      const struct wt_packet *packet, const void **message_ret)
{
	if (wt_reader_has_items(packet))
		return wt_reader_check_items(walk->reader, chunk, packet);
	return wt_packet_unpack(walk->reader, &walk->reader->memory.scratch, chunk, packet,
				message_ret);
}

/* A packet whose checksum is right and whose content is of no use all the same. */
static struct wt_error *walk_check_packet(struct walk *walk, struct wt_place *place,
					  const struct wt_chunk *chunk, size_t number,
					  uint64_t moments)
{
	struct wt_reader *reader = walk->reader;
	const struct wt_packet *packet = &chunk->packets[number];
	const void *message = NULL;
	struct wt_error *error;
	const char *why;

	/* Kinds of a later minor version are not for us. */
	if (packet->field < WT_PACKET_HEADER || packet->field > WT_PACKET_END)
		return NULL;
	error = wt_reader_work(reader, WORK_OF_PACKET + packet->size);
	if (error)
		return error;
	wt_arena_reset(&reader->memory.scratch, 0);
	error = decode_packet(walk, chunk, packet, &message);
	if (error && error->code == WT_ERROR_MEMORY)
		return error;
	why = error ? error->why : find_fault(walk, packet, message, moments);
	if (!error && !why)
		check_repeated(walk, place, chunk, number, message);
	if (!error && packet->field == WT_PACKET_NOTICE)
		check_notice(walk, message, place->entry.chunk.first_packet + number);
	if (why) {
		walk->check->packets.lost++;
		wt_reader_note_malformed(reader, place, chunk, number, why);
	}
	wt_error_destroy(error);
	wt_arena_reset(&reader->memory.scratch, 0);
	return NULL;
}

static void count_chunk(struct wt_check *check, const struct wt_chunk_fields *fields, bool lost)
{
	check->chunks.count++;
	check->chunks.lost += lost;
	check->packets.lost += lost ? fields->packets : 0;
	check->calls.lost += lost ? fields->calls : 0;
	check->blobs.lost += lost ? fields->blobs : 0;
}

static struct wt_error *check_chunk(struct walk *walk, size_t position)
{
	struct wt_place *place = &walk->reader->places.at[position];
	uint64_t moments = place->entry.chunk.first_moment;
	struct wt_chunk *chunk = NULL;
	struct wt_error *error;

	walk->reader->budget.spent = 0;
	error = wt_reader_load(walk->reader, position, &chunk);
	if (error && error->code != WT_ERROR_INPUT)
		return error;
	count_chunk(walk->check, &place->entry.chunk, error);
	wt_error_destroy(error);
	error = NULL;
	for (size_t i = 0; chunk && !error && i < chunk->packet_count; i++) {
		error = walk_check_packet(walk, place, chunk, i, moments);
		moments += chunk->packets[i].field == WT_PACKET_MOMENT;
	}
	wt_chunk_release(chunk);
	walk_tell_progress(walk, walk->reader->file.size + place->entry.offset);
	return error;
}

/* Counts as lost the bytes between the chunks that are known. */
static void count_gaps(struct walk *walk)
{
	struct wt_chunk_fields before = {.first_call = 1, .first_blob = 1, .first_name = 1};
	struct wt_check *check = walk->check;

	for (size_t i = 0; i < walk->reader->places.count; i++) {
		const struct wt_chunk_fields *next = &walk->reader->places.at[i].entry.chunk;

		check->packets.lost += next->first_packet - before.first_packet - before.packets;
		check->calls.lost += next->first_call - before.first_call - before.calls;
		check->blobs.lost += next->first_blob - before.first_blob - before.blobs;
		before = *next;
	}
	check->packets.count = before.first_packet + before.packets;
	check->calls.count = before.first_call + before.calls - 1;
	check->blobs.count = before.first_blob + before.blobs - 1;
}

static void note_moments(struct wt_reader *reader, uint32_t first, uint32_t end)
{
	if (first + 1 == end)
		wt_reader_note(
			reader, WT_NO_OFFSET, 0, true,
			"the state at moment %u is lost: it, or what it builds on, lies in a "
			"damaged part",
			first);
	else if (first < end)
		wt_reader_note(
			reader, WT_NO_OFFSET, 0, true,
			"the states at moments %u to %u are lost: they, or what they build on, "
			"lie in damaged parts",
			first, end - 1);
}

/* For who writes the trace again: a list of its stops, made of the chunks. */
static void list_stop(const struct walk *walk, const struct wt_moment *moment,
		      const struct wt_state *state)
{
	struct wt_stop_list *list = walk->options->stops;
	struct wt_stop stop;
	struct wt_error *error;
	bool whole = false;

	error = wt_stop_describe(&walk->reader->repeated.names, moment, state, &stop, &whole);
	if (!error) {
		wt_stop_list_add(list, &stop);
		wt_stop_deinit(&stop);
	}
	list->broken |= !whole;
	wt_error_destroy(error);
}

/* Is the state at a moment there? Errors that only say no are none here. */
static struct wt_error *check_moment(struct walk *walk, uint32_t number, bool *there_ret)
{
	const struct wt_moment *moment;
	const struct wt_state *state;
	struct wt_error *error = wt_reader_moment(walk->reader, number, &moment);
	bool stop = !error && moment->cause == WT_MOMENT_STOP;

	if (!error)
		error = wt_reader_own_state(walk->reader, number, &state);
	if (!error && stop && walk->options->stops)
		list_stop(walk, moment, state);
	*there_ret = !error;
	walk->check->stops.count += stop;
	walk->check->stops.lost += stop && error;
	if (!error || (error->code != WT_ERROR_INPUT && error->code != WT_ERROR_NOT_FOUND))
		return error;
	wt_error_destroy(error);
	walk->check->moments.lost++;
	return NULL;
}

/* Facts that cannot be read are noted; they are part of every state. */
static struct wt_error *check_facts(struct wt_reader *reader)
{
	struct wt_state *facts = NULL;
	struct wt_error *error = wt_reader_facts(reader, &facts);

	wt_state_destroy(facts);
	return error;
}

static struct wt_error *check_moments(struct walk *walk)
{
	uint32_t count = wt_reader_moment_count(walk->reader), first = 0, next = 0, i;
	struct wt_error *error;
	size_t listed;
	bool there;

	walk->check->moments.count = count;
	/* From here on moments and states are held against it. */
	wt_reader_listed_stops(walk->reader, &listed);
	if (wt_reader_next_moment(walk->reader, 0) < count) {
		error = check_facts(walk->reader);
		if (error)
			return error;
	}
	for (;; next = i + 1) {
		i = wt_reader_next_moment(walk->reader, next);
		walk->check->moments.lost += i - next;
		if (i == count)
			break;
		error = check_moment(walk, i, &there);
		if (error)
			return error;
		if (there) {
			note_moments(walk->reader, first, i);
			first = i + 1;
		}
	}
	note_moments(walk->reader, first, count);
	return NULL;
}

struct wt_error *wt_reader_examine(struct wt_reader *reader, const struct wt_check_options *options,
				   struct wt_check *check_ret)
{
	struct wt_check_options taken = {0};
	struct wt_check check = {.complete = reader->repeated.end};
	struct walk walk = {.reader = reader, .options = &taken, .check = &check};
	struct wt_error *error;

	if (options)
		memcpy(&taken, options,
		       options->size < sizeof(taken) ? options->size : sizeof(taken));
	wt_reader_limit_work(reader,
			     taken.budget ? taken.budget : wt_check_budget(reader->file.size));
	error = walk_heads(&walk);
	for (size_t i = 0; !error && i < reader->places.count; i++)
		error = check_chunk(&walk, i);
	if (!error)
		error = check_moments(&walk);
	wt_reader_limit_work(reader, 0);
	if (error)
		return error;
	count_gaps(&walk);
	check_summary(&walk);
	check.whole = !wt_reader_damage(reader);
	check.items_lost = reader->states.items_lost;
	check.loss = wt_reader_has_loss(reader);
	*check_ret = check;
	return NULL;
}

static struct wt_error *open_and_examine(const char *path, const struct wt_check_options *options,
					 struct wt_reader **reader_ret, struct wt_check *check_ret)
{
	struct wt_error *error;

	*reader_ret = NULL;
	error = wt_reader_open(path, reader_ret);
	return error ? error : wt_reader_examine(*reader_ret, options, check_ret);
}

struct wt_error *wt_trace_examine(const char *path, const struct wt_check_options *options,
				  struct wt_reader **reader_ret, struct wt_check *check_ret)
{
	struct wt_error *error = open_and_examine(path, options, reader_ret, check_ret);

	if (!error || !*reader_ret || !wt_reader_is_outdated(*reader_ret))
		return error;
	wt_error_destroy(error);
	wt_reader_close(*reader_ret);
	return open_and_examine(path, options, reader_ret, check_ret);
}
