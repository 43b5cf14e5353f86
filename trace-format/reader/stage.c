/* SPDX-License-Identifier: MIT */
#include "trace-format/reader/stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/chunk-load.h"
#include "trace-format/reader/chunk-places.h"
#include "trace-format/reader/head.h"
#include "trace-format/reader/internal.h"

/* How many bytes of @raw are whole packets. */
static size_t whole_packets(const uint8_t *raw, size_t size)
{
	struct wt_cursor cursor = wt_cursor_init(raw, size);

	while (wt_chunk_skip_packet(&cursor))
		;
	return size - cursor.remaining;
}

/* The packets in a stage's entries, in one piece. */
static struct wt_error *read_stage(struct wt_reader *reader, const struct wt_block *stage,
				   uint8_t **raw_ret, size_t *size_ret)
{
	uint64_t left = reader->file.size - stage->offset - WT_BLOCK_SIZE, offset = 0;
	wt_cleanup_free uint8_t *payload = NULL;
	struct wt_cursor cursor;
	struct wt_error *error;
	size_t size, used = 0;

	left = stage->stored < left ? stage->stored : left;
	size = left < WT_LIMIT_RAW ? (size_t)left : WT_LIMIT_RAW;
	error = wt_reader_spend(reader, size);
	if (error)
		return error;
	payload = malloc(size + 1);
	if (!payload)
		return &wt_error_no_memory;
	error = wt_reader_read(reader, stage->offset + WT_BLOCK_SIZE, payload, size);
	if (error)
		return error;
	cursor = wt_cursor_init(payload, size);
	for (;;) {
		uint32_t length, crc;
		const uint8_t *data;

		if (!wt_cursor_u32(&cursor, &length) || !wt_cursor_u32(&cursor, &crc) || !length ||
		    !wt_cursor_take(&cursor, length, &data) ||
		    wt_stage_crc(stage->sequence, offset, data, length) != crc)
			break;
		memmove(payload + used, data, length);
		used += length;
		offset += WT_STAGE_ENTRY_HEAD + length;
	}
	*size_ret = whole_packets(payload, used);
	*raw_ret = wt_take(payload);
	return NULL;
}

/* A stage becomes a place like that of a chunk, if it follows from what is there. */
static struct wt_error *recover_stage(struct wt_reader *reader, const struct wt_block *stage)
{
	struct wt_index_entry entry = {
		.offset = stage->offset,
		.sequence = stage->sequence,
		.chunk = stage->chunk,
		.kind = WT_BLOCK_CHUNK,
	};
	struct wt_chunk *chunk;
	struct wt_error *error;
	uint8_t *raw;
	size_t size;
	bool added;

	const struct wt_place *last =
		reader->places.count ? &reader->places.at[reader->places.count - 1] : NULL;

	/* There is one that counts; another may still stand behind it. */
	if (last && (last->recovered || stage->sequence <= last->entry.sequence))
		return NULL;
	error = read_stage(reader, stage, &raw, &size);
	if (error)
		return error;
	error = wt_chunk_create(raw, size, &chunk);
	if (error)
		return error;
	/* The numbers of the chunk that it would have become. */
	if (!wt_chunk_count(chunk, reader->places.name_gaps, &entry.chunk)) {
		wt_chunk_release(chunk);
		return NULL;
	}
	error = wt_places_add(reader, &entry, &added);
	if (error || !added) {
		wt_chunk_release(chunk);
		return error;
	}
	reader->places.at[reader->places.count - 1].recovered = chunk;
	return NULL;
}

/*
 * The stage of the lower sequence comes first, if there are two, one behind the other: while a chunk is put into its
 * place it holds all packets, and the other one those behind that chunk.
 */
struct wt_error *wt_stage_recover(struct wt_reader *reader, const struct wt_block *stage)
{
	uint64_t behind = stage->offset + WT_BLOCK_SIZE + stage->stored;
	struct wt_block second;
	struct wt_error *error = NULL;
	bool found = false;

	if (wt_reader_fits(reader, stage) && reader->file.size - behind >= WT_BLOCK_SIZE)
		error = wt_reader_read_head(reader, behind, &second, &found);
	if (!error && found && second.kind == WT_BLOCK_STAGE && second.sequence < stage->sequence)
		error = recover_stage(reader, &second);
	return error ? error : recover_stage(reader, stage);
}
