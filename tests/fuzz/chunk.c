/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a chunk: 64 bytes of the numbers in its head, and a payload whose checksum is right. Once as it is, and once
 * with the numbers of a chunk that follows the start, if it has others.
 */
#include <string.h>

#include "fuzz.h"
#include "mutate.h"
#include "trace-format/container/block.h"

static void append(struct wt_buffer *file, struct wt_block *block)
{
	uint8_t head[WT_BLOCK_SIZE];

	block->offset = file->size;
	wt_block_encode(block, head);
	wt_buffer_append(file, head, sizeof(head));
}

static void read_chunk(const struct wt_chunk_fields *fields, const uint8_t *payload, size_t size)
{
	wt_cleanup_buffer struct wt_buffer file = {0}, stored = {0};
	static const uint8_t zeros[WT_BLOCK_SIZE];
	struct wt_block first = {.kind = WT_BLOCK_FILE,
				 .flags = WT_BLOCK_REQUIRED,
				 .file = {.major = WT_FORMAT_MAJOR}};
	struct wt_block chunk = {.kind = WT_BLOCK_CHUNK,
				 .flags = WT_BLOCK_REQUIRED,
				 .sequence = 1,
				 .stored = wt_block_align(size),
				 .chunk = *fields};

	wt_buffer_append(&stored, payload, size);
	wt_buffer_append(&stored, zeros, (size_t)chunk.stored - size);
	chunk.stored_crc = wt_crc32c(0, stored.data, stored.size);
	append(&file, &first);
	append(&file, &chunk);
	wt_buffer_append(&file, stored.data, stored.size);
	FUZZ_CHECK(!file.failed && !stored.failed);
	fuzz_read(fuzz_file(file.data, file.size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wt_cursor cursor = wt_cursor_init(data, size);
	struct wt_chunk_fields fields, given;

	if (!wt_chunk_fields_take(&cursor, &fields))
		return 0;
	given = fields;
	read_chunk(&fields, cursor.data, cursor.remaining);
	fields.first_packet = 0;
	fields.first_call = fields.first_blob = fields.first_name = 1;
	fields.keyframe -= fields.first_moment;
	if (fields.keyframe >= fields.moments)
		fields.keyframe = WT_NO_MOMENT;
	fields.first_moment = 0;
	if (memcmp(&fields, &given, sizeof(fields)) != 0)
		read_chunk(&fields, cursor.data, cursor.remaining);
	return 0;
}

/* Mostly what is in the frame, with numbers that say so; else the numbers, or the frame. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	wt_cleanup_buffer struct wt_buffer raw = {0}, stored = {0};
	uint64_t state = seed;
	size_t length;

	if (size <= WT_FIELDS_SIZE || !mutate_below(&state, 8) ||
	    !mutate_decompress(data + WT_FIELDS_SIZE, size - WT_FIELDS_SIZE, &raw))
		return LLVMFuzzerMutate(data, size, max_size);
	length = raw.size;
	FUZZ_CHECK(wt_buffer_extend(&raw, 256));
	raw.size = mutate_packets(raw.data, length, length + 256, &state);
	if (!mutate_compress(raw.data, raw.size, &stored) ||
	    stored.size > max_size - WT_FIELDS_SIZE)
		return LLVMFuzzerMutate(data, size, max_size);
	if (mutate_below(&state, 8))
		mutate_count(raw.data, raw.size, data);
	memcpy(data + WT_FIELDS_SIZE, stored.data, stored.size);
	return WT_FIELDS_SIZE + stored.size;
}
