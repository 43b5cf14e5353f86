/* SPDX-License-Identifier: MIT */
/* Any bytes as the summary of a trace that was closed: a list of stops among moments that are there, and of notices. */
#include <stdlib.h>
#include <zstd.h>

#include "fuzz.h"
#include "trace-format/container/index.h"
#include "trace-format/message/encode.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/summary.h"

#define PACKET 1u /* the field of a Trace */
#define MOMENTS 250u
#define STOP_EVERY 3u

static uint64_t append(struct wt_buffer *file, struct wt_block block,
		       const struct wt_buffer *payload)
{
	static const uint8_t zeros[WT_BLOCK_SIZE];
	size_t size = payload ? payload->size : 0;
	uint8_t head[WT_BLOCK_SIZE];

	block.offset = file->size;
	block.stored = wt_block_align(size);
	block.stored_crc = wt_crc32c(0, payload ? payload->data : zeros, size);
	block.stored_crc = wt_crc32c(block.stored_crc, zeros, (size_t)block.stored - size);
	wt_block_encode(&block, head);
	wt_buffer_append(file, head, sizeof(head));
	wt_buffer_append(file, payload ? payload->data : zeros, size);
	wt_buffer_append(file, zeros, (size_t)block.stored - size);
	return block.offset;
}

static void compress(struct wt_buffer *buffer, const void *data, size_t size)
{
	size_t room = ZSTD_compressBound(size);
	uint8_t *place = wt_buffer_extend(buffer, room);

	FUZZ_CHECK(place);
	size = ZSTD_compress(place, room, data, size, 1);
	FUZZ_CHECK(!ZSTD_isError(size));
	buffer->size -= room - size;
}

/* Moments without a state, of which every third is a stop. */
static void put_moments(struct wt_buffer *raw)
{
	for (uint32_t i = 0; i < MOMENTS; i++) {
		size_t packet = wt_encode_begin(raw, PACKET);
		size_t body = wt_encode_begin(raw, WT_PACKET_MOMENT);

		wt_encode_number(raw, WT_FIELD_MOMENT_NUMBER, i);
		wt_encode_number(raw, WT_FIELD_MOMENT_CAUSE,
				 i % STOP_EVERY ? WT_MOMENT_PASS : WT_MOMENT_STOP);
		wt_encode_number(raw, WT_FIELD_MOMENT_KEYFRAME, !i);
		wt_encode_end(raw, body);
		wt_encode_end(raw, packet);
	}
}

static void append_chunk(struct wt_buffer *file, struct wt_buffer *entries)
{
	wt_cleanup_buffer struct wt_buffer raw = {0}, payload = {0};
	struct wt_block chunk = {.kind = WT_BLOCK_CHUNK, .flags = WT_BLOCK_REQUIRED, .sequence = 1};
	struct wt_index_entry entry = {.sequence = 1, .kind = chunk.kind, .flags = chunk.flags};
	uint8_t frame[WT_FRAME_HEAD];
	size_t fill;

	put_moments(&raw);
	compress(&payload, raw.data, raw.size);
	fill = (size_t)wt_block_align(payload.size + WT_FRAME_HEAD) - payload.size;
	wt_skippable_encode(fill - WT_FRAME_HEAD, frame);
	wt_buffer_append(&payload, frame, sizeof(frame));
	while (payload.size % WT_BLOCK_SIZE)
		wt_buffer_append(&payload, "", 1);
	chunk.chunk = (struct wt_chunk_fields){.raw = raw.size,
					       .first_call = 1,
					       .first_blob = 1,
					       .first_name = 1,
					       .packets = MOMENTS,
					       .moments = MOMENTS,
					       .contents = 1u << WT_PACKET_MOMENT};
	entry.chunk = chunk.chunk;
	entry.stored = payload.size;
	entry.stored_crc = wt_crc32c(0, payload.data, payload.size);
	entry.offset = append(file, chunk, &payload);
	wt_index_entry_append(entries, &entry);
}

static const char *make(const uint8_t *data, size_t size)
{
	static const struct wt_file_fields identity = {.major = WT_FORMAT_MAJOR};
	wt_cleanup_buffer struct wt_buffer file = {0}, entries = {0}, content = {0}, final = {0};
	struct wt_block footer = {.kind = WT_BLOCK_FOOTER, .sequence = 3};

	append(&file,
	       (struct wt_block){
		       .kind = WT_BLOCK_FILE, .flags = WT_BLOCK_REQUIRED, .file = identity},
	       NULL);
	append_chunk(&file, &entries);
	wt_buffer_append_u32(&content, wt_crc32c(0, entries.data, entries.size));
	wt_buffer_append_u32(&content, 0);
	compress(&content, data, size);
	wt_index_section_append(&final, WT_INDEX_CHUNKS, entries.data, entries.size);
	wt_index_section_append(&final, WT_INDEX_SUMMARY, content.data, content.size);
	footer.footer.file = identity;
	footer.footer.final_offset = append(
		&file,
		(struct wt_block){.kind = WT_BLOCK_FINAL, .flags = WT_BLOCK_INLINE, .sequence = 2},
		&final);
	footer.footer.final_stored = wt_block_align(final.size);
	append(&file, footer, NULL);
	FUZZ_CHECK(!file.failed);
	return fuzz_file(file.data, file.size);
}

/* Whatever is listed is of this trace. */
static void read_list(const char *path)
{
	struct wt_reader *reader;
	struct wt_error *error = fuzz_open(path, &reader);
	const struct wt_stop *stops;
	size_t count = 0;

	FUZZ_CHECK(!error);
	stops = wt_reader_listed_stops(reader, &count);
	for (size_t i = 0; stops && i < count; i++) {
		FUZZ_CHECK(stops[i].moment < MOMENTS);
		FUZZ_CHECK(!i || stops[i].moment > stops[i - 1].moment);
		FUZZ_CHECK(wt_stop_equal(&stops[i], &stops[i]));
		for (size_t j = 0; j < stops[i].code_count; j++) {
			struct wt_bytes *bytes;

			error = wt_reader_listed_image(reader, &stops[i].code[j], &bytes);
			FUZZ_CHECK(error);
			wt_error_destroy(error);
		}
	}
	fuzz_reached += stops && count;
	wt_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = make(data, size);
	unsigned long reached = fuzz_reached;

	fuzz_read(path);
	/* That there are moments, which are always the same, does not count. */
	fuzz_reached = reached;
	read_list(path);
	return 0;
}
