/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/chunk-places.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/reader/summary.h"

#define FIRST_PLACES 64u

/* A number that starts where it ended before, or as much further as packets are missing. */
static bool count_goes_on(uint64_t start, uint64_t count, uint64_t next, uint64_t missing)
{
	return next >= start && next - start >= count && next - start - count <= missing;
}

/* The newest keyframe: the one that it was, or one of the moments behind those of the chunk before. */
static bool keyframe_follows(const struct wt_chunk_fields *before,
			     const struct wt_chunk_fields *after)
{
	return after->keyframe == before->keyframe ||
	       (after->keyframe >= before->first_moment + before->moments &&
		after->keyframe < after->first_moment + after->moments);
}

/* Numbers that can follow those of a chunk: nothing runs backwards or around. */
static bool follows(const struct wt_chunk_fields *before, const struct wt_chunk_fields *after,
		    bool name_gaps)
{
	uint64_t missing = after->first_packet - before->first_packet - before->packets;

	return count_goes_on(before->first_packet, before->packets, after->first_packet,
			     UINT64_MAX) &&
	       count_goes_on(before->first_call, before->calls, after->first_call, missing) &&
	       count_goes_on(before->first_blob, before->blobs, after->first_blob, missing) &&
	       count_goes_on(before->first_moment, before->moments, after->first_moment, missing) &&
	       count_goes_on(before->first_name, before->names, after->first_name,
			     missing || name_gaps ? WT_LIMIT_NAMES : 0) &&
	       keyframe_follows(before, after);
}

static bool is_sane(const struct wt_chunk_fields *fields)
{
	return fields->raw <= WT_LIMIT_RAW && fields->packets && fields->packets <= fields->raw &&
	       fields->calls <= fields->packets && fields->blobs <= fields->packets &&
	       fields->moments <= fields->packets && fields->names <= fields->raw &&
	       fields->first_packet <= UINT64_MAX - fields->packets &&
	       fields->first_call <= UINT64_MAX - fields->calls && fields->first_call &&
	       fields->first_blob <= UINT32_MAX - fields->blobs && fields->first_blob &&
	       fields->first_name <= UINT32_MAX - fields->names && fields->first_name &&
	       fields->first_moment <= UINT32_MAX - 1 - fields->moments;
}

/* Can a chunk be the one behind the first @count places? */
static bool can_follow(const struct wt_reader *reader, size_t count,
		       const struct wt_index_entry *entry)
{
	static const struct wt_chunk_fields start = {
		.first_call = 1, .first_blob = 1, .first_name = 1, .keyframe = WT_NO_MOMENT};
	const struct wt_place *last = count ? &reader->places.at[count - 1] : NULL;

	if (entry->stored > WT_LIMIT_STORED || entry->offset % WT_BLOCK_SIZE ||
	    entry->offset < WT_BLOCK_SIZE || entry->offset > reader->file.size - WT_BLOCK_SIZE ||
	    entry->stored > reader->file.size - WT_BLOCK_SIZE - entry->offset ||
	    !is_sane(&entry->chunk))
		return false;
	if (!follows(last ? &last->entry.chunk : &start, &entry->chunk, reader->places.name_gaps))
		return false;
	return !last || (entry->sequence > last->entry.sequence &&
			 entry->offset >= last->entry.offset + WT_BLOCK_SIZE + last->entry.stored);
}

/*
 * Make room for so many more places, as far as there may be so many, and for half as many again. That costs nothing where nobody
 * touches it; and the C library gives memory back when more than twice the largest block is free: so, a program that opens one
 * file after the other does not get all pages anew for each.
 */
static struct wt_error *places_make_room(struct wt_reader *reader, size_t more)
{
	size_t free_numbers = WT_LIMIT_CHUNKS - reader->places.count;
	size_t needed = reader->places.count + (more < free_numbers ? more : free_numbers);
	size_t capacity = needed < FIRST_PLACES ? FIRST_PLACES : needed + needed / 2;
	struct wt_place *places;

	if (needed <= reader->places.capacity)
		return NULL;
	places = reallocarray(reader->places.at, capacity, sizeof(*places));
	if (!places)
		return &wt_error_no_memory;
	reader->places.at = places;
	reader->places.capacity = capacity;
	return NULL;
}

struct wt_error *wt_places_add(struct wt_reader *reader, const struct wt_index_entry *entry,
			       bool *added_ret)
{
	struct wt_error *error;

	*added_ret = false;
	if (!can_follow(reader, reader->places.count, entry))
		return NULL;
	if (reader->places.count == WT_LIMIT_CHUNKS)
		return wt_reader_error(reader, WT_ERROR_LIMIT, "it has too many chunks");
	error = places_make_room(reader, 1);
	if (error)
		return error;
	reader->places.at[reader->places.count++] = (struct wt_place){.entry = *entry};
	*added_ret = true;
	return NULL;
}

void wt_places_forget(struct wt_reader *reader)
{
	for (size_t i = 0; i < reader->places.count; i++)
		wt_chunk_release(reader->places.at[i].recovered);
	reader->places.count = 0;
}

struct wt_error *wt_places_unknown_kind(const struct wt_reader *reader, unsigned int kind,
					unsigned int flags, uint64_t offset)
{
	if (!(flags & WT_BLOCK_REQUIRED))
		return NULL;
	return wt_reader_error(
		reader, WT_ERROR_UNSUPPORTED,
		"the block at offset %llu is of kind %u, which this version does not "
		"know and must not skip; use a newer wavetape",
		(unsigned long long)offset, kind);
}

static struct wt_error *take_names(struct wt_reader *reader, const struct wt_chunk *chunk,
				   const struct wt_packet *packet)
{
	const struct wt_packed_names *names;
	const void *message = NULL;
	const char *const *texts;
	struct wt_error *error;

	wt_arena_reset(&reader->memory.scratch, 0);
	error = wt_packet_unpack(reader, &reader->memory.scratch, chunk, packet, &message);
	if (error)
		return error;
	names = message;
	texts = names->text.elements;
	/* A packet that names nothing: the names it should have given read as lost. */
	if (!names->first)
		return NULL;
	if (names->first > WT_LIMIT_NAMES || names->text.count > WT_LIMIT_NAMES - names->first + 1)
		return wt_reader_error(reader, WT_ERROR_LIMIT, "it has too many names");
	for (size_t i = 0; i < names->text.count; i++)
		if (!wt_names_set(&reader->repeated.names, names->first + (uint32_t)i, texts[i],
				  strlen(texts[i])))
			return &wt_error_no_memory;
	return NULL;
}

/* The body of a Header or an End that counts, for who comes across another one. */
static struct wt_error *keep_body(struct wt_reader *reader, const struct wt_chunk *chunk,
				  const struct wt_packet *packet, struct wt_cursor *body_ret)
{
	const uint8_t *copy =
		wt_arena_copy(&reader->memory.lasting, chunk->raw + packet->offset, packet->size);

	if (!copy)
		return &wt_error_no_memory;
	*body_ret = wt_cursor_init(copy, packet->size);
	return NULL;
}

static struct wt_error *places_take_packet(struct wt_reader *reader, const struct wt_chunk *chunk,
					   const struct wt_packet *packet)
{
	const void *message = NULL;
	struct wt_error *error;

	if (packet->field == WT_PACKET_NAMES)
		return take_names(reader, chunk, packet);
	if ((packet->field != WT_PACKET_HEADER || reader->repeated.header) &&
	    (packet->field != WT_PACKET_END || reader->repeated.end))
		return NULL;
	error = wt_packet_unpack(reader, &reader->memory.lasting, chunk, packet, &message);
	if (error)
		return error;
	if (packet->field == WT_PACKET_HEADER) {
		reader->repeated.header = message;
		return keep_body(reader, chunk, packet, &reader->repeated.header_body);
	}
	reader->repeated.end = message;
	return keep_body(reader, chunk, packet, &reader->repeated.end_body);
}

struct wt_error *wt_reader_take_packets(struct wt_reader *reader, const struct wt_chunk *chunk)
{
	struct wt_error *malformed = NULL, *error;

	/* One that cannot be decoded costs no other. */
	for (size_t i = 0; i < chunk->packet_count; i++) {
		error = places_take_packet(reader, chunk, &chunk->packets[i]);
		if (error && error->code != WT_ERROR_INPUT) {
			wt_error_destroy(malformed);
			return error;
		}
		if (malformed)
			wt_error_destroy(error);
		else
			malformed = error;
	}
	return malformed;
}

/* Packets that an index repeats. */
static struct wt_error *take_copies(struct wt_reader *reader, const struct wt_cursor *packets)
{
	uint8_t *copy = malloc(packets->remaining + 1);
	struct wt_chunk *chunk;
	struct wt_error *error;

	if (!copy)
		return &wt_error_no_memory;
	if (packets->remaining)
		memcpy(copy, packets->data, packets->remaining);
	error = wt_chunk_create(copy, packets->remaining, &chunk);
	if (error)
		return error;
	error = wt_reader_take_packets(reader, chunk);
	wt_chunk_release(chunk);
	return error;
}

/*
 * The entries of an index, added to the places as far as they are new. False in @fine_ret if one of
 * them cannot be true.
 */
static struct wt_error *places_take_entries(struct wt_reader *reader, struct wt_cursor chunks,
					    bool *fine_ret)
{
	struct wt_index_entry entry;
	struct wt_error *error;
	bool added;

	/* They were read, and their checksum is right: the file is not much smaller than the list. */
	error = places_make_room(reader, chunks.remaining / WT_INDEX_ENTRY_SIZE);
	if (error)
		return error;
	*fine_ret = true;
	while (*fine_ret && wt_index_entry_take(&chunks, &entry)) {
		if (entry.kind != WT_BLOCK_CHUNK) {
			error = wt_places_unknown_kind(reader, entry.kind, entry.flags,
						       entry.offset);
			if (error)
				return error;
			continue;
		}
		error = wt_places_add(reader, &entry, &added);
		if (error)
			return error;
		*fine_ret = added;
	}
	return NULL;
}

/* A place again, in its turn. */
static struct wt_error *add_again(struct wt_reader *reader, const struct wt_place *place)
{
	bool added = false;
	struct wt_error *error = wt_places_add(reader, &place->entry, &added);

	if (added)
		reader->places.at[reader->places.count - 1].recovered = place->recovered;
	else
		wt_chunk_release(place->recovered);
	return error;
}

/* How many places there are up to an offset. */
static size_t places_up_to(const struct wt_reader *reader, uint64_t offset)
{
	size_t low = 0, high = reader->places.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reader->places.at[middle].entry.offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Go to the first entry of a chunk that is missing in the places, as a rule there is none. @before_ret: the places
 * before it. False if there is none.
 */
static bool find_missing(const struct wt_reader *reader, struct wt_cursor *chunks,
			 size_t *before_ret)
{
	struct wt_cursor ahead = *chunks;
	struct wt_index_entry entry;
	uint64_t highest = 0;

	for (; wt_index_entry_take(&ahead, &entry); *chunks = ahead) {
		highest = entry.offset > highest ? entry.offset : highest;
		*before_ret = places_up_to(reader, highest);
		if (entry.kind == WT_BLOCK_CHUNK && can_follow(reader, *before_ret, &entry))
			return true;
	}
	return false;
}

/* Entries of chunks that a walk has not found, because their heads are damaged. */
static struct wt_error *add_missing(struct wt_reader *reader, struct wt_cursor chunks)
{
	wt_cleanup_free struct wt_place *walked = NULL;
	struct wt_index_entry entry;
	struct wt_error *error = NULL, *later;
	size_t before, count, next = 0;
	bool added;

	if (!find_missing(reader, &chunks, &before))
		return NULL;
	count = reader->places.count - before;
	walked = calloc(count + 1, sizeof(*walked));
	if (!walked)
		return &wt_error_no_memory;
	if (count)
		memcpy(walked, &reader->places.at[before], count * sizeof(*walked));
	reader->places.count = before;
	while (!error && wt_index_entry_take(&chunks, &entry)) {
		for (; !error && next < count && walked[next].entry.offset <= entry.offset; next++)
			error = add_again(reader, &walked[next]);
		/* One that the walk has found is there by now, and does not follow itself. */
		if (!error && entry.kind == WT_BLOCK_CHUNK)
			error = wt_places_add(reader, &entry, &added);
	}
	for (; next < count; next++) {
		later = add_again(reader, &walked[next]);
		if (error)
			wt_error_destroy(later);
		else
			error = later;
	}
	return error;
}

/* The payload of an index block, checked; @index_ret points into @payload_ret. */
static struct wt_error *read_index(struct wt_reader *reader, const struct wt_block *block,
				   uint8_t **payload_ret, struct wt_index *index_ret,
				   bool *fine_ret)
{
	wt_cleanup_free uint8_t *payload = NULL;
	struct wt_error *error;

	*fine_ret = false;
	if (block->stored > WT_LIMIT_INDEX)
		return NULL;
	error = wt_reader_spend(reader, block->stored);
	if (error)
		return error;
	payload = malloc((size_t)block->stored + 1);
	if (!payload)
		return &wt_error_no_memory;
	error = wt_reader_read(reader, block->offset + WT_BLOCK_SIZE, payload,
			       (size_t)block->stored);
	if (error)
		return error;
	*fine_ret = wt_crc32c(0, payload, (size_t)block->stored) == block->stored_crc &&
		    wt_index_parse(payload, (size_t)block->stored, index_ret);
	if (*fine_ret)
		*payload_ret = wt_take(payload);
	return NULL;
}

struct wt_error *wt_places_check_index(struct wt_reader *reader, const struct wt_block *block,
				       bool *fine_ret)
{
	wt_cleanup_free uint8_t *payload = NULL;
	struct wt_index index;

	return read_index(reader, block, &payload, &index, fine_ret);
}

/* A parity counts if it is as long as the longest payload, and the trace is small. */
static struct wt_error *places_keep_parity(struct wt_reader *reader, const struct wt_cursor *parity)
{
	uint64_t total = 0, longest = 0;

	for (size_t i = 0; i < reader->places.count && total <= WT_LIMIT_PARITY; i++) {
		uint64_t stored = reader->places.at[i].entry.stored;

		total += stored;
		longest = stored > longest ? stored : longest;
	}
	free(reader->places.parity);
	reader->places.parity = NULL;
	if (!longest || total > WT_LIMIT_PARITY || parity->remaining != longest)
		return NULL;
	reader->places.parity = malloc(parity->remaining);
	if (!reader->places.parity)
		return &wt_error_no_memory;
	memcpy(reader->places.parity, parity->data, parity->remaining);
	reader->places.parity_size = parity->remaining;
	return NULL;
}

struct wt_error *wt_places_use_index(struct wt_reader *reader, const struct wt_block *block,
				     enum wt_index_use use, bool *fine_ret)
{
	wt_cleanup_free uint8_t *payload = NULL;
	struct wt_index index;
	struct wt_error *error;

	error = read_index(reader, block, &payload, &index, fine_ret);
	if (error || !*fine_ret)
		return error;
	if (use == WT_INDEX_ALL)
		wt_places_forget(reader);
	if (use == WT_INDEX_MORE)
		error = add_missing(reader, index.chunks);
	else
		error = places_take_entries(reader, index.chunks, fine_ret);
	if (error || !*fine_ret)
		return error;
	if (use == WT_INDEX_ALL)
		error = wt_summary_keep(reader, block, &index);
	if (!error && use == WT_INDEX_ALL)
		error = places_keep_parity(reader, &index.parity);
	if (!error)
		error = take_copies(reader, &index.packets);
	if (!error || error->code != WT_ERROR_INPUT)
		return error;
	/* The chunks have them, too. */
	wt_reader_note(reader, block->offset, WT_BLOCK_SIZE + block->stored, false,
		       "not all can be read that the index at offset %llu repeats: %s",
		       (unsigned long long)block->offset, error->why);
	wt_error_destroy(error);
	return NULL;
}
