/* SPDX-License-Identifier: MIT */
#include "trace-format/container/block.h"

#include <endian.h>
#include <isa-l/crc.h>
#include <stdatomic.h>
#ifdef __x86_64__
#include <nmmintrin.h>
#endif

/* Where the parts of a head begin. */
#define FIELDS_OFFSET 48u
#define HEAD_CRC_OFFSET (WT_BLOCK_SIZE - 4u)

static const uint8_t mark[8] = {'W', 'T', 'A', 'P', 'E', WT_FORMAT_MAJOR, '\r', '\n'};
static const uint8_t file_text[24] = "wavetape trace";

/* What makes an entry of packets that lie behind it already. */
static inline void put_stage_head(uint8_t *place, size_t size, uint32_t crc)
{
	const uint64_t head = htole64((uint64_t)crc << 32 | size);

	atomic_signal_fence(memory_order_seq_cst);
	memcpy(place, &head, sizeof(head));
	/* Nothing of this may be put off. */
	atomic_signal_fence(memory_order_seq_cst);
}

/*
 * A stage entry of a call or two is shorter than what the library needs to get going, and every recorded call
 * waits for its checksum. Neither this nor the library inverts the start value or the result, as the standard
 * form does.
 */
#ifdef __x86_64__
#define WITH_INSTRUCTION __attribute__((target("sse4.2")))

/* Take a part of some bytes, and put it to @to as well if that is wanted. Return: behind it there. */
static inline __attribute__((always_inline)) uint8_t *pass(const uint8_t **bytes, void *part,
							   size_t size, uint8_t *to, bool copy)
{
	memcpy(part, *bytes, size);
	*bytes += size;
	if (!copy)
		return NULL;
	memcpy(to, part, size);
	return to + size;
}

/* @to: where the bytes are copied if @copy is set, each word being read once for both. */
WITH_INSTRUCTION static inline __attribute__((always_inline)) uint32_t
short_run(uint64_t crc, const uint8_t *bytes, size_t size, uint8_t *to, const bool copy)
{
	const uint8_t *end = bytes + (size & ~(sizeof(uint64_t) - 1));
	uint64_t word;
	uint32_t half;
	uint16_t quarter;
	uint8_t byte;

	/* Two at a time: of the instructions of a step half were for its end. */
	if (size & sizeof(word)) {
		to = pass(&bytes, &word, sizeof(word), to, copy);
		crc = _mm_crc32_u64(crc, word);
	}
	while (bytes != end) {
		to = pass(&bytes, &word, sizeof(word), to, copy);
		crc = _mm_crc32_u64(crc, word);
		to = pass(&bytes, &word, sizeof(word), to, copy);
		crc = _mm_crc32_u64(crc, word);
	}
	if (size & sizeof(half)) {
		to = pass(&bytes, &half, sizeof(half), to, copy);
		crc = _mm_crc32_u32((uint32_t)crc, half);
	}
	if (size & sizeof(quarter)) {
		to = pass(&bytes, &quarter, sizeof(quarter), to, copy);
		crc = _mm_crc32_u16((uint32_t)crc, quarter);
	}
	if (size & sizeof(byte)) {
		pass(&bytes, &byte, sizeof(byte), to, copy);
		crc = _mm_crc32_u8((uint32_t)crc, byte);
	}
	return (uint32_t)crc;
}

WITH_INSTRUCTION static uint32_t short_crc(uint32_t crc, const uint8_t *bytes, size_t size)
{
	return short_run(crc, bytes, size, NULL, false);
}

WITH_INSTRUCTION static uint32_t short_stage_crc(const uint64_t place[2], const uint8_t *data,
						 size_t size)
{
	return ~short_run(_mm_crc32_u64(_mm_crc32_u64(UINT32_MAX, place[0]), place[1]), data, size,
			  NULL, false);
}

WITH_INSTRUCTION void wt_stage_put_short(uint64_t sequence, uint64_t offset, const void *data,
					 size_t size, uint8_t *place)
{
	const uint64_t crc = _mm_crc32_u64(UINT32_MAX, htole64(sequence));

	put_stage_head(place, size,
		       ~short_run(_mm_crc32_u64(crc, htole64(offset)), data, size,
				  place + WT_STAGE_ENTRY_HEAD, true));
}
#else
static uint32_t short_crc(uint32_t crc, const uint8_t *bytes, size_t size)
{
	(void)bytes;
	(void)size;
	return crc;
}

static uint32_t short_stage_crc(const uint64_t place[2], const uint8_t *data, size_t size)
{
	(void)place;
	(void)data;
	(void)size;
	return 0;
}

void wt_stage_put_short(uint64_t sequence, uint64_t offset, const void *data, size_t size,
			uint8_t *place)
{
	wt_stage_put_any(sequence, offset, data, size, place);
}
#endif

uint32_t wt_crc32c(uint32_t crc, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	const size_t step = (size_t)1 << 30; /* the library counts in int */

	/* No bytes may be nowhere. */
	if (!size)
		return crc;
	crc = ~crc;
	if (size <= WT_SHORT_RUN && wt_crc_has_instruction())
		return ~short_crc(crc, bytes, size);
	while (size) {
		size_t part = size < step ? size : step;

		crc = crc32_iscsi((unsigned char *)(uintptr_t)bytes, (int)part, crc);
		bytes += part;
		size -= part;
	}
	return ~crc;
}

uint32_t wt_stage_crc(uint64_t sequence, uint64_t offset, const void *data, size_t size)
{
	const uint64_t place[2] = {htole64(sequence), htole64(offset)};

	if (size <= WT_SHORT_RUN && wt_crc_has_instruction())
		return short_stage_crc(place, data, size);
	return wt_crc32c(wt_crc32c(0, place, sizeof(place)), data, size);
}

void wt_stage_put_any(uint64_t sequence, uint64_t offset, const void *data, size_t size,
		      uint8_t *place)
{
	memcpy(place + WT_STAGE_ENTRY_HEAD, data, size);
	put_stage_head(place, size, wt_stage_crc(sequence, offset, data, size));
}

uint32_t wt_file_id_low(const uint8_t id[16])
{
	return (uint32_t)id[0] | (uint32_t)id[1] << 8 | (uint32_t)id[2] << 16 |
	       (uint32_t)id[3] << 24;
}

void wt_skippable_encode(uint64_t size, uint8_t head[WT_FRAME_HEAD])
{
	for (unsigned int i = 0; i < 4; i++) {
		head[i] = (uint8_t)(WT_SKIPPABLE_MAGIC >> 8 * i);
		head[4 + i] = (uint8_t)(size >> 8 * i);
	}
}

void wt_chunk_fields_append(struct wt_buffer *buffer, const struct wt_chunk_fields *fields)
{
	wt_buffer_append_u64(buffer, fields->raw);
	wt_buffer_append_u64(buffer, fields->first_packet);
	wt_buffer_append_u64(buffer, fields->first_call);
	wt_buffer_append_u32(buffer, fields->first_blob);
	wt_buffer_append_u32(buffer, fields->first_name);
	wt_buffer_append_u32(buffer, fields->first_moment);
	wt_buffer_append_u32(buffer, fields->keyframe);
	wt_buffer_append_u32(buffer, fields->packets);
	wt_buffer_append_u32(buffer, fields->calls);
	wt_buffer_append_u32(buffer, fields->blobs);
	wt_buffer_append_u32(buffer, fields->names);
	wt_buffer_append_u32(buffer, fields->moments);
	wt_buffer_append_u32(buffer, fields->contents);
}

bool wt_chunk_fields_take(struct wt_cursor *cursor, struct wt_chunk_fields *fields_ret)
{
	struct wt_chunk_fields f;

	if (!wt_cursor_u64(cursor, &f.raw) || !wt_cursor_u64(cursor, &f.first_packet) ||
	    !wt_cursor_u64(cursor, &f.first_call) || !wt_cursor_u32(cursor, &f.first_blob) ||
	    !wt_cursor_u32(cursor, &f.first_name) || !wt_cursor_u32(cursor, &f.first_moment) ||
	    !wt_cursor_u32(cursor, &f.keyframe) || !wt_cursor_u32(cursor, &f.packets) ||
	    !wt_cursor_u32(cursor, &f.calls) || !wt_cursor_u32(cursor, &f.blobs) ||
	    !wt_cursor_u32(cursor, &f.names) || !wt_cursor_u32(cursor, &f.moments) ||
	    !wt_cursor_u32(cursor, &f.contents))
		return false;
	*fields_ret = f;
	return true;
}

static void append_file_fields(struct wt_buffer *buffer, const struct wt_file_fields *fields)
{
	wt_buffer_append(buffer, fields->id, sizeof(fields->id));
	wt_buffer_append_u16(buffer, fields->major);
	wt_buffer_append_u16(buffer, fields->minor);
	wt_buffer_append_u32(buffer, 0);
	wt_buffer_append_u64(buffer, fields->required);
	wt_buffer_append_u64(buffer, fields->optional);
}

static bool take_file_fields(struct wt_cursor *cursor, struct wt_file_fields *fields_ret)
{
	const uint8_t *id;
	uint32_t reserved;

	if (!wt_cursor_take(cursor, sizeof(fields_ret->id), &id) ||
	    !wt_cursor_u16(cursor, &fields_ret->major) ||
	    !wt_cursor_u16(cursor, &fields_ret->minor) || !wt_cursor_u32(cursor, &reserved) ||
	    !wt_cursor_u64(cursor, &fields_ret->required) ||
	    !wt_cursor_u64(cursor, &fields_ret->optional))
		return false;
	memcpy(fields_ret->id, id, sizeof(fields_ret->id));
	return true;
}

static void append_fields(struct wt_buffer *buffer, const struct wt_block *block)
{
	switch (block->kind) {
	case WT_BLOCK_CHUNK:
	case WT_BLOCK_STAGE:
		wt_chunk_fields_append(buffer, &block->chunk);
		break;
	case WT_BLOCK_FILE:
		append_file_fields(buffer, &block->file);
		wt_buffer_append(buffer, file_text, sizeof(file_text));
		break;
	case WT_BLOCK_FOOTER:
		append_file_fields(buffer, &block->footer.file);
		wt_buffer_append_u64(buffer, block->footer.final_offset);
		wt_buffer_append_u64(buffer, block->footer.final_stored);
		break;
	default:
		break;
	}
}

static bool take_fields(struct wt_cursor *cursor, struct wt_block *block)
{
	switch (block->kind) {
	case WT_BLOCK_CHUNK:
	case WT_BLOCK_STAGE:
		return wt_chunk_fields_take(cursor, &block->chunk);
	case WT_BLOCK_FILE:
		return take_file_fields(cursor, &block->file);
	case WT_BLOCK_FOOTER:
		return take_file_fields(cursor, &block->footer.file) &&
		       wt_cursor_u64(cursor, &block->footer.final_offset) &&
		       wt_cursor_u64(cursor, &block->footer.final_stored);
	default:
		return true;
	}
}

/* What the skippable frame of a head says of its own length. */
static uint64_t frame_length(const struct wt_block *block)
{
	return WT_BLOCK_SIZE - WT_FRAME_HEAD + (block->flags & WT_BLOCK_INLINE ? block->stored : 0);
}

void wt_block_encode(const struct wt_block *block, uint8_t head[WT_BLOCK_SIZE])
{
	/* The room is the caller's and large enough, so that nothing here allocates. */
	struct wt_buffer buffer = {.data = head, .capacity = WT_BLOCK_SIZE};

	memset(head, 0, WT_BLOCK_SIZE);
	wt_skippable_encode(frame_length(block), head);
	buffer.size = WT_FRAME_HEAD;
	wt_buffer_append(&buffer, mark, sizeof(mark));
	wt_buffer_append_u16(&buffer, block->kind);
	wt_buffer_append_u16(&buffer, block->flags);
	wt_buffer_append_u32(&buffer, block->file_id);
	wt_buffer_append_u64(&buffer, block->sequence);
	wt_buffer_append_u64(&buffer, block->stored);
	wt_buffer_append_u64(&buffer, block->offset);
	append_fields(&buffer, block);
	buffer.size = FIELDS_OFFSET + WT_FIELDS_SIZE;
	wt_buffer_append_u64(&buffer, block->index);
	wt_buffer_append_u32(&buffer, block->stored_crc);
	wt_buffer_append_u32(&buffer, wt_crc32c(0, head, HEAD_CRC_OFFSET));
}

static bool is_marked(const uint8_t *head)
{
	const uint8_t *text = head + WT_FRAME_HEAD;

	return !memcmp(text, mark, 5) && !memcmp(text + 6, mark + 6, 2);
}

enum wt_block_result wt_block_decode(const uint8_t head[WT_BLOCK_SIZE], struct wt_block *block_ret)
{
	struct wt_cursor cursor = wt_cursor_init(head + 16, FIELDS_OFFSET - 16);
	struct wt_cursor tail = wt_cursor_init(head + FIELDS_OFFSET + WT_FIELDS_SIZE, 16);
	struct wt_cursor fields = wt_cursor_init(head + FIELDS_OFFSET, WT_FIELDS_SIZE);
	uint8_t frame[WT_FRAME_HEAD], major = head[WT_FRAME_HEAD + 5];
	struct wt_block block = {0};
	uint32_t crc;

	if (!is_marked(head) || !wt_cursor_u64(&tail, &block.index) ||
	    !wt_cursor_u32(&tail, &block.stored_crc) || !wt_cursor_u32(&tail, &crc) ||
	    crc != wt_crc32c(0, head, HEAD_CRC_OFFSET))
		return WT_BLOCK_BAD;
	if (major > WT_FORMAT_MAJOR)
		return WT_BLOCK_NEWER;
	if (major != WT_FORMAT_MAJOR || !wt_cursor_u16(&cursor, &block.kind) ||
	    !wt_cursor_u16(&cursor, &block.flags) || !wt_cursor_u32(&cursor, &block.file_id) ||
	    !wt_cursor_u64(&cursor, &block.sequence) || !wt_cursor_u64(&cursor, &block.stored) ||
	    !wt_cursor_u64(&cursor, &block.offset) || !take_fields(&fields, &block))
		return WT_BLOCK_BAD;
	wt_skippable_encode(frame_length(&block), frame);
	if (memcmp(head, frame, sizeof(frame)))
		return WT_BLOCK_BAD;
	*block_ret = block;
	return WT_BLOCK_FINE;
}
