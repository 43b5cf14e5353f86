/* SPDX-License-Identifier: MIT */
/* Chunks on their way out of the file: checked, decompressed, split into packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/message/fields.h"
#include "trace-format/reader/internal.h"

#define ZSTD_FRAME_MAGIC 0xFD2FB528u
/* What decoding may take: a message of tiny parts takes much more memory than bytes. */
#define UNPACK_SLACK ((size_t)1 << 20)
#define UNPACK_FACTOR 96u

struct wt_error *wt_reader_read(struct wt_reader *reader, uint64_t offset, void *data, size_t size)
{
	uint8_t *bytes = data;

	while (size) {
		ssize_t done = pread(reader->fd, bytes, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return wt_error_errno(errno, "cannot read the trace", reader->path);
		if (!done) {
			reader->outdated = true;
			return wt_reader_error(reader, WT_ERROR_IO,
					       "the file became shorter while it was read");
		}
		bytes += done;
		offset += (uint64_t)done;
		size -= (size_t)done;
	}
	return NULL;
}

struct wt_error *wt_reader_spend(struct wt_reader *reader, uint64_t size)
{
	if (reader->spent > reader->budget || size > reader->budget - reader->spent)
		return wt_reader_error(reader, WT_ERROR_LIMIT,
				       "more than %llu bytes would have to be decoded for one "
				       "request",
				       (unsigned long long)reader->budget);
	reader->spent += size;
	return NULL;
}

static bool take_varint(struct wt_cursor *cursor, uint64_t *value_ret)
{
	uint64_t value = 0;
	const uint8_t *byte;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		if (!wt_cursor_take(cursor, 1, &byte))
			return false;
		value |= (uint64_t)(*byte & 0x7f) << shift;
		if (!(*byte & 0x80)) {
			*value_ret = value;
			return true;
		}
	}
	return false;
}

/* One field of a message: its number and, by wire type, a number or bytes. */
struct field {
	uint64_t number, value;
	struct wt_cursor bytes;
};

static bool take_field(struct wt_cursor *cursor, struct field *field_ret)
{
	struct field field = {0};
	uint64_t tag, length;
	const uint8_t *data;

	if (!take_varint(cursor, &tag))
		return false;
	field.number = tag >> 3;
	switch (tag & 7) {
	case 0:
		if (!take_varint(cursor, &field.value))
			return false;
		break;
	case 1:
		if (!wt_cursor_take(cursor, 8, &data))
			return false;
		break;
	case 2:
		if (!take_varint(cursor, &length) || length > cursor->remaining ||
		    !wt_cursor_take(cursor, (size_t)length, &data))
			return false;
		field.bytes = wt_cursor_init(data, (size_t)length);
		break;
	case 5:
		if (!wt_cursor_take(cursor, 4, &data))
			return false;
		break;
	default:
		return false;
	}
	*field_ret = field;
	return true;
}

/* What a Packet holds: the last of its bodies. Later versions may put properties of theirs beside it. */
static bool take_body(struct wt_cursor cursor, const uint8_t *start, struct wt_packet *packet_ret)
{
	struct field field;

	*packet_ret = (struct wt_packet){.offset = (uint32_t)(cursor.data - start)};
	while (cursor.remaining) {
		if (!take_field(&cursor, &field) || !field.number)
			return false;
		if (!field.bytes.data || field.number >= WT_PACKET_FIELDS)
			continue;
		*packet_ret = (struct wt_packet){
			.field = (enum wt_packet_field)field.number,
			.offset = (uint32_t)(field.bytes.data - start),
			.size = (uint32_t)field.bytes.remaining,
		};
	}
	return true;
}

/* The next packet of a Trace. A body this version does not know gets a field number of its own. */
static bool take_packet(struct wt_cursor *cursor, const uint8_t *start,
			struct wt_packet *packet_ret)
{
	struct field outer;

	return take_field(cursor, &outer) && outer.number == 1 && outer.bytes.data &&
	       take_body(outer.bytes, start, packet_ret);
}

bool wt_chunk_skip_packet(struct wt_cursor *cursor)
{
	struct wt_cursor ahead = *cursor;
	struct wt_packet packet;

	if (!cursor->remaining || !take_packet(&ahead, cursor->data, &packet))
		return false;
	*cursor = ahead;
	return true;
}

static struct wt_error *malformed(void)
{
	return wt_error_create(WT_ERROR_INPUT, "cannot read the trace", NULL,
			       "a packet is malformed");
}

static bool is_state(const struct wt_packet *packet)
{
	return packet->field == WT_PACKET_MOMENT || packet->field == WT_PACKET_LATE;
}

/* A row of the packets that states are made of: of a chunk full of calls they are few. */
static void link_states(struct wt_chunk *chunk)
{
	chunk->first_state = chunk->packet_count;
	for (size_t i = chunk->packet_count; i-- > 0;) {
		struct wt_packet *packet = &chunk->packets[i];
		bool late = packet->field == WT_PACKET_LATE;
		unsigned int number;

		if (!is_state(packet))
			continue;
		number = late ? (unsigned int)WT_LATE_MOMENT : (unsigned int)WT_MOMENT_NUMBER;
		packet->moment = wt_packet_number(chunk, packet, number);
		packet->keyframe = !late && wt_packet_number(chunk, packet, WT_MOMENT_KEYFRAME);
		packet->next = chunk->first_state & INT32_MAX;
		chunk->first_state = i;
	}
}

/* Which packets are MOMENTs, and which are BLOBs. */
static bool list_packets(struct wt_chunk *chunk)
{
	size_t moments = 0, blobs = 0;
	uint32_t keyframe = 0;

	for (size_t i = 0; i < chunk->packet_count; i++) {
		moments += chunk->packets[i].field == WT_PACKET_MOMENT;
		blobs += chunk->packets[i].field == WT_PACKET_BLOB;
	}
	chunk->moments = calloc(moments + 1, sizeof(*chunk->moments));
	chunk->blobs = calloc(blobs + 1, sizeof(*chunk->blobs));
	if (!chunk->moments || !chunk->blobs)
		return false;
	for (uint32_t i = 0; i < chunk->packet_count; i++) {
		const struct wt_packet *packet = &chunk->packets[i];

		if (packet->field == WT_PACKET_BLOB)
			chunk->blobs[chunk->blob_count++] = i;
		if (packet->field != WT_PACKET_MOMENT)
			continue;
		if (packet->keyframe)
			keyframe = chunk->moment_count + 1;
		chunk->moments[chunk->moment_count++] = (struct wt_chunk_moment){i, keyframe};
	}
	return true;
}

static struct wt_error *split(struct wt_chunk *chunk)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw, chunk->size);
	struct wt_packet packet;
	size_t count = 0;

	for (; cursor.remaining; count++)
		if (!take_packet(&cursor, chunk->raw, &packet))
			return malformed();
	chunk->packets = calloc(count ? count : 1, sizeof(*chunk->packets));
	if (!chunk->packets)
		return &wt_error_no_memory;
	cursor = wt_cursor_init(chunk->raw, chunk->size);
	while (chunk->packet_count < count &&
	       take_packet(&cursor, chunk->raw, &chunk->packets[chunk->packet_count]))
		chunk->packet_count++;
	link_states(chunk);
	return list_packets(chunk) ? NULL : &wt_error_no_memory;
}

struct wt_error *wt_chunk_create(uint8_t *raw, size_t size, struct wt_chunk **chunk_ret)
{
	struct wt_chunk *chunk = calloc(1, sizeof(*chunk));
	struct wt_error *error;

	if (!chunk) {
		free(raw);
		return &wt_error_no_memory;
	}
	chunk->references = 1;
	chunk->raw = raw;
	chunk->size = size;
	error = split(chunk);
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
	free(chunk->packets);
	free(chunk->moments);
	free(chunk->blobs);
	free(chunk);
}

/* Count names. Are they numbered as those before them let expect? Ones without a number are told of as a damaged packet. */
static bool count_names(const struct wt_chunk *chunk, const struct wt_packet *packet,
			struct wt_chunk_fields *counted)
{
	uint32_t first = (uint32_t)wt_packet_number(chunk, packet, WT_NAMES_FIRST);
	bool follow = !first || first == counted->first_name + counted->names;

	counted->names += wt_packet_count_field(chunk, packet, WT_NAMES_TEXT);
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

bool wt_chunk_count(const struct wt_chunk *chunk, struct wt_chunk_fields *fields)
{
	fields->raw = chunk->size;
	fields->packets = (uint32_t)chunk->packet_count;
	fields->blobs = chunk->blob_count;
	fields->calls = fields->names = fields->contents = 0;
	for (size_t i = 0; i < chunk->packet_count; i++) {
		const struct wt_packet *packet = &chunk->packets[i];

		fields->contents |= wt_packet_content(packet->field);
		fields->calls += packet->field == WT_PACKET_CALL_BEGIN;
		if (packet->field == WT_PACKET_NAMES && !count_names(chunk, packet, fields))
			return false;
	}
	return count_moments(chunk, fields);
}

bool wt_chunk_fits(const struct wt_chunk *chunk, const struct wt_chunk_fields *fields)
{
	struct wt_chunk_fields counted = *fields;

	/* The structure has no padding. */
	return wt_chunk_count(chunk, &counted) && !memcmp(&counted, fields, sizeof(counted));
}

/* Does a payload start with a zstd frame whose size and window are what we accept? */
static bool frame_is_sane(const uint8_t *stored, size_t size, uint64_t raw)
{
	struct wt_cursor cursor = wt_cursor_init(stored, size);
	const uint8_t *descriptor, *window;
	uint32_t magic;

	if (!wt_cursor_u32(&cursor, &magic) || magic != ZSTD_FRAME_MAGIC ||
	    !wt_cursor_take(&cursor, 1, &descriptor))
		return false;
	/* A frame of a single segment has no window of its own: its content is the window. */
	if (!(*descriptor & 0x20) &&
	    (!wt_cursor_take(&cursor, 1, &window) || (*window >> 3) + 10u >= WT_LIMIT_WINDOW_LOG))
		return false;
	return ZSTD_getFrameContentSize(stored, size) == raw;
}

/* Is there nothing behind a frame, or one skippable frame of ours that ends where the payload does? */
static bool is_filling(const uint8_t *rest, size_t size)
{
	uint8_t frame[WT_FRAME_HEAD];

	if (!size)
		return true;
	if (size < sizeof(frame))
		return false;
	wt_skippable_encode(size - sizeof(frame), frame);
	return !memcmp(rest, frame, sizeof(frame));
}

static const char *decompress(struct wt_reader *reader, const struct wt_index_entry *entry,
			      const uint8_t *stored, uint8_t *raw)
{
	size_t size, frame;

	if (wt_crc32c(0, stored, (size_t)entry->stored) != entry->stored_crc)
		return "its checksum does not fit";
	if (!frame_is_sane(stored, (size_t)entry->stored, entry->chunk.raw))
		return "its compressed frame does not fit its head";
	frame = ZSTD_findFrameCompressedSize(stored, (size_t)entry->stored);
	if (ZSTD_isError(frame))
		return ZSTD_getErrorName(frame);
	if (!is_filling(stored + frame, (size_t)entry->stored - frame))
		return "something else than filling lies behind its compressed frame";
	size = ZSTD_decompressDCtx(reader->zstd, raw, (size_t)entry->chunk.raw, stored, frame);
	if (ZSTD_isError(size))
		return ZSTD_getErrorName(size);
	return size == entry->chunk.raw ? NULL : "it has another length than its head says";
}

static struct wt_error *damaged(struct wt_reader *reader, size_t position, const char *why)
{
	struct wt_place *place = &reader->places[position];
	const struct wt_run run = wt_run_of(&place->entry.chunk);
	char lost[WT_LOST_TEXT_SIZE];

	if (!place->damaged)
		wt_reader_note(reader, place->entry.offset, WT_BLOCK_SIZE + place->entry.stored,
			       true, "chunk %llu at offset %llu is damaged (%s): %s",
			       (unsigned long long)place->entry.sequence,
			       (unsigned long long)place->entry.offset, why,
			       wt_run_lost(&run, lost));
	place->damaged = true;
	return wt_reader_error(reader, WT_ERROR_INPUT, "chunk %llu at offset %llu is damaged: %s",
			       (unsigned long long)place->entry.sequence,
			       (unsigned long long)place->entry.offset, why);
}

static struct wt_error *load(struct wt_reader *reader, size_t position, struct wt_chunk **chunk_ret)
{
	const struct wt_index_entry *entry = &reader->places[position].entry;
	wt_cleanup_free uint8_t *stored = NULL;
	wt_cleanup_free uint8_t *raw = NULL;
	struct wt_chunk *chunk;
	struct wt_error *error;
	const char *why;

	error = wt_reader_spend(reader, entry->chunk.raw);
	if (error)
		return error;
	stored = malloc((size_t)entry->stored + 1);
	raw = malloc((size_t)entry->chunk.raw + 1);
	if (!reader->zstd)
		reader->zstd = ZSTD_createDCtx();
	if (!stored || !raw || !reader->zstd)
		return &wt_error_no_memory;
	error = wt_reader_read(reader, entry->offset + WT_BLOCK_SIZE, stored,
			       (size_t)entry->stored);
	if (error)
		return error;
	why = decompress(reader, entry, stored, raw);
	if (why)
		return damaged(reader, position, why);
	error = wt_chunk_create(wt_take(raw), (size_t)entry->chunk.raw, &chunk);
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		return damaged(reader, position, "a packet in it is malformed");
	}
	if (error)
		return error;
	if (!wt_chunk_fits(chunk, &entry->chunk)) {
		wt_chunk_release(chunk);
		return damaged(reader, position, "it does not hold what its head says");
	}
	*chunk_ret = chunk;
	return NULL;
}

/* Make room in the cache for a chunk of @size bytes, and return a free slot. */
static struct wt_chunk_slot *free_slot(struct wt_reader *reader, size_t size)
{
	for (;;) {
		struct wt_chunk_slot *oldest = NULL, *empty = NULL;

		for (size_t i = 0; i < WT_CHUNK_SLOTS; i++) {
			struct wt_chunk_slot *slot = &reader->chunks[i];

			if (!slot->chunk)
				empty = slot;
			else if (!oldest || slot->used < oldest->used)
				oldest = slot;
		}
		if (!oldest || (empty && reader->chunks_size + size <= reader->chunks_limit))
			return empty;
		reader->chunks_size -= oldest->chunk->size;
		wt_chunk_release(oldest->chunk);
		oldest->chunk = NULL;
	}
}

struct wt_error *wt_reader_load(struct wt_reader *reader, size_t position,
				struct wt_chunk **chunk_ret)
{
	struct wt_place *place = &reader->places[position];
	struct wt_chunk *chunk = place->recovered;
	struct wt_chunk_slot *slot;
	struct wt_error *error;

	for (size_t i = 0; i < WT_CHUNK_SLOTS && !chunk; i++) {
		slot = &reader->chunks[i];
		if (slot->chunk && slot->place == position) {
			slot->used = ++reader->tick;
			chunk = slot->chunk;
		}
	}
	if (!chunk) {
		if (place->damaged)
			return damaged(reader, position, "it cannot be read");
		error = load(reader, position, &chunk);
		if (error)
			return error;
		slot = free_slot(reader, chunk->size);
		*slot = (struct wt_chunk_slot){
			.place = position, .used = ++reader->tick, .chunk = chunk};
		reader->chunks_size += chunk->size;
	}
	chunk->references++;
	*chunk_ret = chunk;
	return NULL;
}

static const ProtobufCMessageDescriptor *body_descriptor(enum wt_packet_field field)
{
	const ProtobufCFieldDescriptor *body =
		protobuf_c_message_descriptor_get_field(&wavetape__packet__descriptor, field);

	return body ? body->descriptor : NULL;
}

struct wt_error *wt_packet_unpack(struct wt_reader *reader, struct wt_arena *arena,
				  const struct wt_chunk *chunk, const struct wt_packet *packet,
				  ProtobufCMessage **message_ret)
{
	const ProtobufCMessageDescriptor *descriptor = body_descriptor(packet->field);
	size_t limit = arena->limit;
	ProtobufCMessage *message;

	if (!descriptor)
		return wt_reader_error(reader, WT_ERROR_UNSUPPORTED,
				       "a packet of kind %d is not known", (int)packet->field);
	arena->limit = arena->used + UNPACK_SLACK + (size_t)packet->size * UNPACK_FACTOR;
	message = protobuf_c_message_unpack(descriptor, &arena->allocator, packet->size,
					    chunk->raw + packet->offset);
	arena->limit = limit;
	if (!message && arena->no_memory) {
		arena->no_memory = false;
		return &wt_error_no_memory;
	}
	if (!message && arena->exhausted) {
		arena->exhausted = false;
		/* It is damage to this packet alone, where the limit of a request is one of the request. */
		return wt_reader_error(reader, WT_ERROR_INPUT,
				       "a packet of %u bytes takes too much memory to decode",
				       packet->size);
	}
	if (!message)
		return wt_reader_error(reader, WT_ERROR_INPUT, "a packet of kind %d is malformed",
				       (int)packet->field);
	*message_ret = message;
	return NULL;
}

uint64_t wt_packet_number(const struct wt_chunk *chunk, const struct wt_packet *packet,
			  unsigned int field)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw + packet->offset, packet->size);
	uint64_t value = 0;
	struct field found;

	while (cursor.remaining && take_field(&cursor, &found))
		if (found.number == field && !found.bytes.data)
			value = found.value;
	return value;
}

uint32_t wt_packet_count_field(const struct wt_chunk *chunk, const struct wt_packet *packet,
			       unsigned int field)
{
	struct wt_cursor cursor = wt_cursor_init(chunk->raw + packet->offset, packet->size);
	struct field found;
	uint32_t count = 0;

	while (cursor.remaining && take_field(&cursor, &found))
		count += found.number == field;
	return count;
}
