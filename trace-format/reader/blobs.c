/* SPDX-License-Identifier: MIT */
/* The bytes of blobs, and of values that are made of several. */
#include "trace-format/reader/blobs.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/find.h"
#include "trace-format/reader/internal.h"
#include "trace-format/reader/notes.h"
#include "trace-format/state/blob.h"
#include "trace-format/state/rows.h"

void wt_reader_drop_blobs(struct wt_reader *reader)
{
	for (size_t i = 0; reader->blobs.slots && i < reader->blobs.count; i++) {
		wt_bytes_release(reader->blobs.slots[i].bytes);
		reader->blobs.slots[i] = (struct wt_blob_slot){0};
	}
	reader->blobs.size = 0;
}

static void keep_blob(struct wt_reader *reader, uint32_t number, struct wt_bytes *bytes)
{
	struct wt_blob_slot *slot = &reader->blobs.slots[number % reader->blobs.count];

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no error: the bytes are there */
	if (bytes->size > reader->blobs.limit / 4)
		return;
	if (reader->blobs.size + bytes->size > reader->blobs.limit)
		wt_reader_drop_blobs(reader);
	if (slot->bytes)
		reader->blobs.size -= slot->bytes->size;
	wt_bytes_release(slot->bytes);
	slot->number = number;
	slot->bytes = wt_bytes_reference(bytes);
	reader->blobs.size += bytes->size;
}

/* The place that holds a blob: false if it is lost or was never there. */
static bool find_blob(const struct wt_reader *reader, uint32_t number, size_t *place_ret)
{
	size_t place = wt_reader_place_from(reader, WT_COUNTED_BLOBS, number);

	*place_ret = place;
	return place < reader->places.count &&
	       number >= reader->places.at[place].entry.chunk.first_blob;
}

struct wt_error *wt_reader_unknown_encoding(const struct wt_reader *reader, const char *of,
					    uint32_t encoding)
{
	return wt_reader_error(reader, WT_ERROR_UNSUPPORTED,
			       "a %s has encoding %d, which this version does not know", of,
			       (int)encoding);
}

/* A blob's own bytes, and the bytes that they become, must both be within limits. */
static struct wt_error *decode_rows(struct wt_reader *reader, const struct wt_packed_blob *blob,
				    struct wt_bytes **bytes_ret)
{
	struct wt_bytes *bytes;
	struct wt_error *error;
	size_t length;

	if (!wt_rows_check(blob->data.data, blob->data.remaining, &length) ||
	    length > WT_LIMIT_BLOB)
		return wt_reader_error(reader, WT_ERROR_INPUT, "a blob is no whole rows");
	error = wt_reader_spend(reader, length);
	if (error)
		return error;
	bytes = wt_bytes_create(NULL, length);
	if (!bytes)
		return &wt_error_no_memory;
	wt_rows_decode(blob->data.data, bytes->data);
	*bytes_ret = bytes;
	return NULL;
}

static struct wt_error *decode_blob(struct wt_reader *reader, const struct wt_packed_blob *blob,
				    struct wt_bytes **bytes_ret)
{
	size_t size = blob->data.remaining;
	struct wt_bytes *bytes;

	if (size > WT_LIMIT_BLOB)
		return wt_reader_error(reader, WT_ERROR_INPUT, "a blob of %zu bytes is too long",
				       size);
	if (blob->encoding == WT_BLOB_ROWS)
		return decode_rows(reader, blob, bytes_ret);
	bytes = wt_bytes_create(NULL, size);
	if (!bytes)
		return &wt_error_no_memory;
	if (!wt_words_decode(blob->encoding, blob->data.data, size, bytes->data)) {
		wt_bytes_release(bytes);
		return wt_reader_unknown_encoding(reader, "blob", blob->encoding);
	}
	*bytes_ret = bytes;
	return NULL;
}

static struct wt_error *unpack_blob(struct wt_reader *reader, const struct wt_chunk *chunk,
				    uint32_t skip, struct wt_bytes **bytes_ret)
{
	const struct wt_packet *packet;
	struct wt_packed_blob blob;
	struct wt_error *error;

	if (skip >= chunk->blob_count)
		return wt_reader_error(reader, WT_ERROR_INTERNAL, "a blob is not in its chunk");
	packet = &chunk->packets[chunk->blobs[skip]];
	error = wt_packet_decoded(reader, packet,
				  wt_wire_decode(&wt_message_blob, wt_packet_body(chunk, packet),
						 &reader->memory.scratch, &blob));
	return error ? error : decode_blob(reader, &blob, bytes_ret);
}

struct wt_error *wt_reader_blob(struct wt_reader *reader, uint32_t number,
				struct wt_bytes **bytes_ret)
{
	struct wt_blob_slot *slot;
	struct wt_chunk *chunk;
	struct wt_bytes *bytes = NULL;
	struct wt_error *error;
	size_t place;

	if (!reader->blobs.slots)
		reader->blobs.slots = calloc(reader->blobs.count, sizeof(*reader->blobs.slots));
	if (!reader->blobs.slots)
		return &wt_error_no_memory;
	slot = &reader->blobs.slots[number % reader->blobs.count];
	if (slot->bytes && slot->number == number) {
		*bytes_ret = wt_bytes_reference(slot->bytes);
		return NULL;
	}
	if (!find_blob(reader, number, &place))
		return wt_reader_error(reader, WT_ERROR_INPUT, "blob %u is lost", number);
	error = wt_reader_load(reader, place, &chunk);
	if (error)
		return error;
	error = unpack_blob(reader, chunk, number - reader->places.at[place].entry.chunk.first_blob,
			    &bytes);
	wt_chunk_release(chunk);
	if (error)
		return error;
	keep_blob(reader, number, bytes);
	*bytes_ret = bytes;
	return NULL;
}

/* Bytes that grow part by part, and are copied a few times for it, not once for each part. */
struct growing {
	struct wt_bytes *bytes; /* NULL before the first part */
	size_t capacity;
};

static bool growing_grow(struct growing *growing, size_t size)
{
	size_t capacity = 2 * growing->capacity > size ? 2 * growing->capacity : size;
	struct wt_bytes *longer;

	if (growing->bytes && size <= growing->capacity)
		return true;
	longer = realloc(growing->bytes, sizeof(*longer) + capacity);
	if (!longer)
		return false;
	if (!growing->bytes)
		*longer = (struct wt_bytes){.references = 1};
	*growing = (struct growing){longer, capacity};
	return true;
}

static struct wt_error *add_part(struct wt_reader *reader, struct growing *growing, uint32_t number)
{
	size_t size = growing->bytes ? growing->bytes->size : 0;
	struct wt_bytes *part;
	struct wt_error *error = wt_reader_blob(reader, number, &part);

	if (error)
		return error;
	if (size + part->size > WT_LIMIT_VALUE)
		error = wt_reader_error(reader, WT_ERROR_LIMIT, "a value is too long");
	if (!error)
		error = wt_reader_spend(reader, part->size);
	if (!error && !growing_grow(growing, size + part->size))
		error = &wt_error_no_memory;
	if (!error) {
		memcpy(growing->bytes->data + size, part->data, part->size);
		growing->bytes->size = size + part->size;
	}
	wt_bytes_release(part);
	return error;
}

struct wt_error *wt_reader_join(struct wt_reader *reader, const uint32_t *blobs, size_t count,
				const uint32_t *more, size_t more_count,
				struct wt_bytes **bytes_ret)
{
	struct growing growing = {0};
	struct wt_bytes *fitting;
	struct wt_error *error = NULL;

	if (count == 1 && !more_count)
		return wt_reader_blob(reader, blobs[0], bytes_ret);
	for (size_t i = 0; !error && i < count; i++)
		error = add_part(reader, &growing, blobs[i]);
	for (size_t i = 0; !error && i < more_count; i++)
		error = add_part(reader, &growing, more[i]);
	if (!error && !growing.bytes)
		error = wt_reader_error(reader, WT_ERROR_INPUT, "a value has no blob");
	if (error) {
		wt_bytes_release(growing.bytes);
		return error;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): no error: there are bytes */
	fitting = realloc(growing.bytes, sizeof(*fitting) + growing.bytes->size);
	*bytes_ret = fitting ? fitting : growing.bytes;
	return NULL;
}
