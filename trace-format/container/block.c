/* SPDX-License-Identifier: MIT */
#include "trace-format/container/block.h"

#include <endian.h>
#include <stdatomic.h>
#ifdef __x86_64__
#include <nmmintrin.h>
#endif

/* Offsets at which the parts of a head begin. */
#define FIELDS_OFFSET 48u
#define HEAD_CRC_OFFSET (WT_BLOCK_SIZE - 4u)

static const uint8_t mark[8] = {'W', 'T', 'A', 'P', 'E', WT_FORMAT_MAJOR, '\r', '\n'};
static const uint8_t file_text[24] = "wavetape trace";

/*
 * CRC32C without its inversions, by the instruction that x86 processors have for it since 2008, eight bytes at a time. It is
 * faster than memory, so nothing is gained by a library that combines several streams.
 */
#ifdef __x86_64__
#define CRC_TARGET __attribute__((target("sse4.2")))
#else
#define CRC_TARGET
#endif
CRC_TARGET static uint32_t crc_by_instruction(uint32_t start, const uint8_t *bytes, size_t size)
{
#ifdef __x86_64__
	uint64_t crc = start, word;

	for (; size >= sizeof(word); size -= sizeof(word), bytes += sizeof(word)) {
		memcpy(&word, bytes, sizeof(word));
		crc = _mm_crc32_u64(crc, word);
	}
	while (size--)
		crc = _mm_crc32_u8((uint32_t)crc, *bytes++);
	return (uint32_t)crc;
#else
	(void)bytes;
	(void)size;
	return start;
#endif
}

static bool crc_has_instruction(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("sse4.2");
#else
	return false;
#endif
}

/* The same without the instruction. The table has the remainders of all values of four bits, by the reflected polynomial. */
static uint32_t crc_by_table(uint32_t crc, const uint8_t *bytes, size_t size)
{
	static const uint32_t remainders[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
						0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
						0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
						0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};

	for (; size; size--) {
		crc ^= *bytes++;
		crc = crc >> 4 ^ remainders[crc & 15];
		crc = crc >> 4 ^ remainders[crc & 15];
	}
	return crc;
}

uint32_t wt_crc32c_by(bool instruction, uint32_t crc, const void *data, size_t size)
{
	return ~(instruction ? crc_by_instruction(~crc, data, size)
			     : crc_by_table(~crc, data, size));
}

uint32_t wt_crc32c(uint32_t crc, const void *data, size_t size)
{
	return wt_crc32c_by(crc_has_instruction(), crc, data, size);
}

uint32_t wt_stage_crc(uint64_t sequence, uint64_t offset, const void *data, size_t size)
{
	const uint64_t place[2] = {htole64(sequence), htole64(offset)};

	return wt_crc32c(wt_crc32c(0, place, sizeof(place)), data, size);
}

void wt_stage_put(uint64_t sequence, uint64_t offset, const void *data, size_t size, uint8_t *place)
{
	const uint64_t crc = wt_stage_crc(sequence, offset, data, size);
	const uint64_t head = htole64(crc << 32 | size);

	memcpy(place + WT_STAGE_ENTRY_HEAD, data, size);
	/* The compiler must not store the head before what it makes valid, nor put it off. */
	atomic_signal_fence(memory_order_seq_cst);
	memcpy(place, &head, sizeof(head));
	atomic_signal_fence(memory_order_seq_cst);
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

/* The length that the skippable frame of a head gives for itself. */
static uint64_t frame_length(const struct wt_block *block)
{
	return WT_BLOCK_SIZE - WT_FRAME_HEAD + (block->flags & WT_BLOCK_INLINE ? block->stored : 0);
}

void wt_parity_join(uint8_t *parity, const uint8_t *payload, size_t size)
{
	for (size_t i = 0; i < size; i++)
		parity[i] ^= payload[i];
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
