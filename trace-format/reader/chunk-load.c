/* SPDX-License-Identifier: MIT */
/* Chunks on their way out of the file: checked, decompressed, kept for a while. */
#include "trace-format/reader/chunk-load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"

#define ZSTD_FRAME_MAGIC 0xFD2FB528u
/* Memory that decoding may take: a message of tiny parts takes much more memory than bytes. */
#define UNPACK_SLACK ((size_t)1 << 20)
#define UNPACK_FACTOR 96u

struct wt_error *wt_reader_read(struct wt_reader *reader, uint64_t offset, void *data, size_t size)
{
	uint8_t *bytes = data;

	while (size) {
		ssize_t done = pread(reader->file.fd, bytes, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return wt_error_errno(errno, "cannot read the trace", reader->file.path);
		if (!done) {
			reader->file.outdated = true;
			return wt_reader_error(reader, WT_ERROR_IO,
					       "the file became shorter while it was read");
		}
		bytes += done;
		offset += (uint64_t)done;
		size -= (size_t)done;
	}
	return NULL;
}

void wt_reader_limit_work(struct wt_reader *reader, uint64_t budget)
{
	reader->budget.work = 0;
	reader->budget.work_limit = budget;
}

struct wt_error *wt_reader_work(struct wt_reader *reader, uint64_t size)
{
	if (reader->budget.work_limit && (reader->budget.work > reader->budget.work_limit ||
					  size > reader->budget.work_limit - reader->budget.work))
		return wt_reader_error(reader, WT_ERROR_LIMIT,
				       "to read all of its %llu bytes, more than %llu bytes would "
				       "have to be decoded",
				       (unsigned long long)reader->file.size,
				       (unsigned long long)reader->budget.work_limit);
	reader->budget.work += size;
	return NULL;
}

static struct wt_error *reader_spend(struct wt_reader *reader, uint64_t size)
{
	if (reader->budget.spent > reader->budget.one_call ||
	    size > reader->budget.one_call - reader->budget.spent)
		return wt_reader_error(reader, WT_ERROR_LIMIT,
				       "more than %llu bytes would have to be decoded for one "
				       "request",
				       (unsigned long long)reader->budget.one_call);
	reader->budget.spent += size;
	return NULL;
}

struct wt_error *wt_reader_spend(struct wt_reader *reader, uint64_t size)
{
	struct wt_error *error = reader_spend(reader, size);

	return error ? error : wt_reader_work(reader, size);
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

/*
 * Checks a payload before any of it is decoded. Return: what is wrong with it; NULL: nothing. @frame_ret: bytes of its
 * zstd frame.
 */
static const char *payload_check_frame(const struct wt_index_entry *entry, const uint8_t *stored,
				       size_t *frame_ret)
{
	size_t frame = 0;

	if (wt_crc32c(0, stored, (size_t)entry->stored) != entry->stored_crc)
		return "its checksum does not fit";
	if (!frame_is_sane(stored, (size_t)entry->stored, entry->chunk.raw))
		return "its compressed frame does not fit its head";
	frame = ZSTD_findFrameCompressedSize(stored, (size_t)entry->stored);
	if (ZSTD_isError(frame))
		return ZSTD_getErrorName(frame);
	if (!is_filling(stored + frame, (size_t)entry->stored - frame))
		return "something else than filling lies behind its compressed frame";
	*frame_ret = frame;
	return NULL;
}

static const char *payload_decompress(struct wt_reader *reader, const struct wt_index_entry *entry,
				      const uint8_t *stored, size_t frame, uint8_t *raw)
{
	size_t size = ZSTD_decompressDCtx(reader->chunks.zstd, raw, (size_t)entry->chunk.raw,
					  stored, frame);

	if (ZSTD_isError(size))
		return ZSTD_getErrorName(size);
	return size == entry->chunk.raw ? NULL : "it has another length than its head says";
}

static struct wt_error *damaged(struct wt_reader *reader, size_t position, const char *why)
{
	struct wt_place *place = &reader->places.at[position];
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

/* Bytes of memory that a chunk takes: of tiny packets the list of them is most of it. */
static size_t memory_of(const struct wt_chunk *chunk)
{
	return chunk->size + chunk->packet_count * sizeof(*chunk->packets);
}

/*
 * Makes a damaged payload of all others and the parity: false if there is no parity, or another one is damaged, too. @stored: the
 * payload as it is in the file, afterwards as it was. The trace is small, so this costs little.
 */
static struct wt_error *payload_restore(struct wt_reader *reader, size_t position, uint8_t *stored,
					bool *restored_ret)
{
	const struct wt_index_entry *entry = &reader->places.at[position].entry;
	wt_cleanup_free uint8_t *made = NULL, *other = NULL;
	size_t size = reader->places.parity_size;
	struct wt_error *error;

	*restored_ret = false;
	if (!reader->places.parity || entry->stored > size ||
	    wt_crc32c(0, stored, (size_t)entry->stored) == entry->stored_crc)
		return NULL;
	made = malloc(size);
	other = malloc(size);
	if (!made || !other)
		return &wt_error_no_memory;
	memcpy(made, reader->places.parity, size);
	for (size_t i = 0; i < reader->places.count; i++) {
		const struct wt_index_entry *one = &reader->places.at[i].entry;

		if (i == position)
			continue;
		error = wt_reader_work(reader, one->stored);
		if (!error)
			error = wt_reader_read(reader, one->offset + WT_BLOCK_SIZE, other,
					       (size_t)one->stored);
		if (error)
			return error;
		wt_parity_join(made, other, (size_t)one->stored);
	}
	*restored_ret = wt_crc32c(0, made, (size_t)entry->stored) == entry->stored_crc;
	if (*restored_ret)
		memcpy(stored, made, (size_t)entry->stored);
	return NULL;
}

static void reader_note_restored(struct wt_reader *reader, size_t position)
{
	struct wt_place *place = &reader->places.at[position];

	if (!place->restored)
		wt_reader_note(reader, place->entry.offset, WT_BLOCK_SIZE + place->entry.stored,
			       false,
			       "chunk %llu at offset %llu is damaged: nothing is lost, since the "
			       "trace has it twice",
			       (unsigned long long)place->entry.sequence,
			       (unsigned long long)place->entry.offset);
	place->restored = true;
}

/* Read and decompress a payload; both buffers have room for what the head says. */
static struct wt_error *payload_decode(struct wt_reader *reader, size_t position, uint8_t *stored,
				       uint8_t *raw)
{
	const struct wt_index_entry *entry = &reader->places.at[position].entry;
	struct wt_error *error = wt_reader_read(reader, entry->offset + WT_BLOCK_SIZE, stored,
						(size_t)entry->stored);
	const char *why;
	size_t frame = 0;
	bool restored = false;

	if (error)
		return error;
	error = payload_restore(reader, position, stored, &restored);
	if (error)
		return error;
	if (restored)
		reader_note_restored(reader, position);
	why = payload_check_frame(entry, stored, &frame);
	if (!why) {
		error = wt_reader_work(reader, entry->chunk.raw);
		if (error)
			return error;
		why = payload_decompress(reader, entry, stored, frame, raw);
	}
	return why ? damaged(reader, position, why) : NULL;
}

static struct wt_error *chunk_load(struct wt_reader *reader, size_t position,
				   struct wt_chunk **chunk_ret)
{
	const struct wt_index_entry *entry = &reader->places.at[position].entry;
	wt_cleanup_free uint8_t *stored = NULL;
	wt_cleanup_free uint8_t *raw = NULL;
	struct wt_chunk *chunk;
	struct wt_error *error;

	/* Against the budget of all it counts when it is decoded: what a damaged head claims costs nothing. */
	error = reader_spend(reader, entry->chunk.raw);
	if (!error)
		error = wt_reader_work(reader, entry->stored);
	if (error)
		return error;
	stored = malloc((size_t)entry->stored + 1);
	raw = malloc((size_t)entry->chunk.raw + 1);
	if (!reader->chunks.zstd)
		reader->chunks.zstd = ZSTD_createDCtx();
	if (!stored || !raw || !reader->chunks.zstd)
		return &wt_error_no_memory;
	error = payload_decode(reader, position, stored, raw);
	if (error)
		return error;
	error = wt_chunk_create(wt_take(raw), (size_t)entry->chunk.raw, &chunk);
	if (error && error->code == WT_ERROR_INPUT) {
		wt_error_destroy(error);
		return damaged(reader, position, "a packet in it is malformed");
	}
	if (error)
		return error;
	error = wt_reader_work(reader, memory_of(chunk) - chunk->size);
	if (error) {
		wt_chunk_release(chunk);
		return error;
	}
	if (!wt_chunk_fits(chunk, reader->places.name_gaps, &entry->chunk)) {
		wt_chunk_release(chunk);
		return damaged(reader, position, "it does not hold what its head says");
	}
	*chunk_ret = chunk;
	return NULL;
}

/*
 * The memory that the cache counts for a chunk: a session that stops often has many chunks with next to nothing in
 * them.
 */
static size_t cost_of(const struct wt_chunk *chunk)
{
	return memory_of(chunk) + sizeof(*chunk) +
	       wt_chunk_lists_size(chunk->moment_count, chunk->state_count, chunk->blob_count);
}

static void drop_chunk(struct wt_reader *reader, struct wt_chunk *chunk)
{
	TAILQ_REMOVE(&reader->chunks.recent, chunk, link);
	reader->places.at[chunk->place].cached = NULL;
	reader->chunks.size -= cost_of(chunk);
	wt_chunk_release(chunk);
}

void wt_reader_drop_chunks(struct wt_reader *reader)
{
	while (!TAILQ_EMPTY(&reader->chunks.recent))
		drop_chunk(reader, TAILQ_FIRST(&reader->chunks.recent));
}

/* The cache takes over the reference. */
static void cache_chunk(struct wt_reader *reader, size_t position, struct wt_chunk *chunk)
{
	size_t cost = cost_of(chunk);

	while (reader->chunks.size + cost > reader->chunks.limit &&
	       !TAILQ_EMPTY(&reader->chunks.recent))
		drop_chunk(reader, TAILQ_FIRST(&reader->chunks.recent));
	TAILQ_INSERT_TAIL(&reader->chunks.recent, chunk, link);
	reader->places.at[position].cached = chunk;
	reader->chunks.size += cost;
	chunk->place = position;
}

struct wt_error *wt_reader_load(struct wt_reader *reader, size_t position,
				struct wt_chunk **chunk_ret)
{
	struct wt_place *place = &reader->places.at[position];
	struct wt_chunk *chunk = place->recovered ? place->recovered : place->cached;
	struct wt_error *error;

	if (!chunk) {
		if (place->damaged)
			return damaged(reader, position, "it cannot be read");
		error = chunk_load(reader, position, &chunk);
		if (error)
			return error;
		cache_chunk(reader, position, chunk);
	} else if (chunk == place->cached &&
		   chunk != TAILQ_LAST(&reader->chunks.recent, wt_chunks)) {
		TAILQ_REMOVE(&reader->chunks.recent, chunk, link);
		TAILQ_INSERT_TAIL(&reader->chunks.recent, chunk, link);
	}
	chunk->references++;
	*chunk_ret = chunk;
	return NULL;
}

struct wt_error *wt_reader_chunk(struct wt_reader *reader, size_t position,
				 struct wt_chunk **chunk_ret)
{
	reader->budget.spent = 0;
	return wt_reader_load(reader, position, chunk_ret);
}

static struct wt_error *packet_malformed(const struct wt_reader *reader, enum wt_field_packet field)
{
	return wt_reader_error(reader, WT_ERROR_INPUT, "a packet of kind %d is malformed",
			       (int)field);
}

struct wt_error *wt_packet_decoded(const struct wt_reader *reader, const struct wt_packet *packet,
				   enum wt_decoded decoded)
{
	switch (decoded) {
	case WT_DECODED:
		return NULL;
	case WT_DECODED_NO_MEMORY:
		return &wt_error_no_memory;
	case WT_MALFORMED:
		break;
	}
	return packet_malformed(reader, packet->field);
}

struct wt_error *wt_packet_unpack(struct wt_reader *reader, struct wt_arena *arena,
				  const struct wt_chunk *chunk, const struct wt_packet *packet,
				  const void **message_ret)
{
	const struct wt_wire_message *message = wt_packet_messages[packet->field];
	size_t limit = arena->limit;
	enum wt_decoded decoded;
	bool exhausted;
	void *unpacked;

	if (!message)
		return wt_reader_error(reader, WT_ERROR_UNSUPPORTED,
				       "a packet of kind %d is not known", (int)packet->field);
	arena->limit = arena->used + UNPACK_SLACK + (size_t)packet->size * UNPACK_FACTOR;
	unpacked = wt_arena_alloc(arena, message->size);
	decoded = unpacked ? wt_wire_decode(message, wt_packet_body(chunk, packet), arena, unpacked)
			   : WT_DECODED_NO_MEMORY;
	arena->limit = limit;
	exhausted = arena->exhausted;
	arena->exhausted = arena->no_memory = false;
	/* An error here is damage to this packet alone, where the limit of a request is one of the request. */
	if (exhausted)
		return wt_reader_error(reader, WT_ERROR_INPUT,
				       "a packet of %u bytes takes too much memory to decode",
				       packet->size);
	if (decoded == WT_DECODED)
		*message_ret = unpacked;
	return wt_packet_decoded(reader, packet, decoded);
}

size_t wt_reader_chunk_count(const struct wt_reader *reader)
{
	return reader->places.count;
}

const struct wt_index_entry *wt_reader_chunk_entry(const struct wt_reader *reader, size_t position)
{
	return &reader->places.at[position].entry;
}
