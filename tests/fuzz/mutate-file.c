/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "mutate.h"
#include "trace-format/container/block.h"
#include "trace-format/message/packet.h"
#include "trace-format/container/tape.h"

#define BLOCKS_MAX 256u
#define RAW_MAX ((size_t)1 << 20)

/* Where things are in a head. */
#define KIND 16
#define FILE_ID 20
#define SEQUENCE 24
#define STORED 32
#define OFFSET 40
#define FIELDS 48
#define STORED_CRC 120
#define HEAD_CRC 124

struct block {
	size_t start, stored; /* of the file that are there */
	uint16_t kind;
};

static uint64_t get(const uint8_t *place, unsigned int size)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < size; i++)
		value |= (uint64_t)place[i] << 8 * i;
	return value;
}

static void put(uint8_t *place, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		place[i] = (uint8_t)(value >> 8 * i);
}

static bool is_head(const uint8_t *head)
{
	return !memcmp(head + 8, "WTAPE", 5);
}

/* Whatever looks like a head; what lies between two of them belongs to the first one. */
static size_t split(const uint8_t *data, size_t size, struct block *blocks)
{
	size_t count = 0, at = 0;

	while (size - at >= WT_BLOCK_SIZE && count < BLOCKS_MAX) {
		uint64_t stored = get(data + at + STORED, 8);
		size_t left = size - at - WT_BLOCK_SIZE;

		if (!is_head(data + at)) {
			at += WT_BLOCK_SIZE;
			continue;
		}
		stored = stored < left ? stored : left;
		blocks[count++] = (struct block){.start = at,
						 .stored = (size_t)stored,
						 .kind = (uint16_t)get(data + at + KIND, 2)};
		at += WT_BLOCK_SIZE + (size_t)stored;
	}
	return count;
}

bool mutate_decompress(const uint8_t *stored, size_t size, struct wt_buffer *raw_ret)
{
	unsigned long long length = ZSTD_getFrameContentSize(stored, size);
	size_t frame = ZSTD_findFrameCompressedSize(stored, size), done;
	uint8_t *place;

	if (length > RAW_MAX || ZSTD_isError(frame))
		return false;
	/* One byte more, so that there is a place for an empty frame. */
	place = wt_buffer_extend(raw_ret, (size_t)length + 1);
	if (!place)
		return false;
	done = ZSTD_decompress(place, (size_t)length, stored, frame);
	raw_ret->size = ZSTD_isError(done) ? 0 : done;
	return !ZSTD_isError(done);
}

bool mutate_compress(const uint8_t *raw, size_t size, struct wt_buffer *stored_ret)
{
	static const uint8_t zeros[2 * WT_BLOCK_SIZE];
	size_t bound = ZSTD_compressBound(size), used, pad;
	uint8_t *place = wt_buffer_extend(stored_ret, bound), head[WT_FRAME_HEAD];

	used = place ? ZSTD_compress(place, bound, raw, size, 1) : 0;
	if (!place || ZSTD_isError(used))
		return false;
	stored_ret->size = used;
	pad = (size_t)wt_block_align(used) - used;
	if (!pad)
		return true;
	pad += pad < WT_FRAME_HEAD ? WT_BLOCK_SIZE : 0;
	wt_skippable_encode(pad - WT_FRAME_HEAD, head);
	wt_buffer_append(stored_ret, head, sizeof(head));
	wt_buffer_append(stored_ret, zeros, pad - WT_FRAME_HEAD);
	return !stored_ret->failed;
}

/* How many texts a Names packet has. */
static uint32_t count_texts(struct wt_cursor body)
{
	uint64_t tag, number;
	const uint8_t *text;
	uint32_t count = 0;

	while (mutate_take_varint(&body, &tag) && mutate_take_varint(&body, &number)) {
		if ((tag & 7) == 2 && !wt_cursor_take(&body, (size_t)number, &text))
			break;
		count += tag == (WT_FIELD_NAMES_TEXT << 3 | 2);
	}
	return count;
}

void mutate_count(const uint8_t *raw, size_t size, uint8_t fields[64])
{
	uint32_t packets = 0, calls = 0, blobs = 0, names = 0, moments = 0, contents = 0;
	struct wt_cursor cursor = wt_cursor_init(raw, size), packet, body;
	uint64_t tag, length;
	const uint8_t *bytes;

	while (mutate_take_varint(&cursor, &tag) && mutate_take_varint(&cursor, &length) &&
	       length <= cursor.remaining && wt_cursor_take(&cursor, (size_t)length, &bytes)) {
		packet = wt_cursor_init(bytes, (size_t)length);
		packets++;
		if (!mutate_take_varint(&packet, &tag) || !mutate_take_varint(&packet, &length))
			continue;
		body = wt_cursor_init(packet.data, packet.remaining);
		contents |= tag >> 3 < 32 ? 1u << (tag >> 3) : 0;
		calls += tag >> 3 == WT_PACKET_CALL_BEGIN;
		blobs += tag >> 3 == WT_PACKET_BLOB;
		moments += tag >> 3 == WT_PACKET_MOMENT;
		names += tag >> 3 == WT_PACKET_NAMES ? count_texts(body) : 0;
	}
	put(fields, size, 8);
	put(fields + 40, packets, 4);
	put(fields + 44, calls, 4);
	put(fields + 48, blobs, 4);
	put(fields + 52, names, 4);
	put(fields + 56, moments, 4);
	put(fields + 60, contents, 4);
}

/* Where heads are, the file's id and the checksums; `stored` where a block was changed. */
static void make_right(uint8_t *data, size_t size)
{
	for (size_t at = 0; size - at >= WT_BLOCK_SIZE; at += WT_BLOCK_SIZE) {
		uint8_t *head = data + at;
		uint64_t kind = get(head + KIND, 2), stored = get(head + STORED, 8);
		size_t left = size - at - WT_BLOCK_SIZE;

		if (!is_head(head))
			continue;
		put(head + OFFSET, at, 8);
		memcpy(head + FILE_ID, data + FIELDS, 4);
		if (kind != WT_BLOCK_GAP && kind != WT_BLOCK_STAGE && stored <= left)
			put(head + STORED_CRC, wt_crc32c(0, head + WT_BLOCK_SIZE, (size_t)stored),
			    4);
		put(head + HEAD_CRC, wt_crc32c(0, head, HEAD_CRC), 4);
	}
}

/* All entries of a stage that check, one behind the other. */
static void read_stage(const uint8_t *head, const struct block *block, struct wt_buffer *raw)
{
	struct wt_cursor cursor = wt_cursor_init(head + WT_BLOCK_SIZE, block->stored);
	uint64_t sequence = get(head + SEQUENCE, 8), offset = 0;
	uint32_t length, crc;
	const uint8_t *data;

	while (wt_cursor_u32(&cursor, &length) && wt_cursor_u32(&cursor, &crc) && length &&
	       wt_cursor_take(&cursor, length, &data) &&
	       wt_stage_crc(sequence, offset, data, length) == crc) {
		wt_buffer_append(raw, data, length);
		offset += WT_STAGE_ENTRY_HEAD + length;
	}
}

static void write_stage(const uint8_t *head, const struct wt_buffer *raw, struct wt_buffer *stored)
{
	static const uint8_t zeros[2 * WT_BLOCK_SIZE];

	wt_buffer_append_u32(stored, (uint32_t)raw->size);
	wt_buffer_append_u32(stored,
			     wt_stage_crc(get(head + SEQUENCE, 8), 0, raw->data, raw->size));
	wt_buffer_append(stored, raw->data, raw->size);
	wt_buffer_append(stored, zeros, (size_t)wt_block_align(stored->size) - stored->size);
}

/* Another payload of a block with packets: false if its own cannot be read. */
static bool change_packets(uint8_t *head, const struct block *block, uint64_t *seed,
			   struct wt_buffer *stored)
{
	wt_cleanup_buffer struct wt_buffer raw = {0};
	size_t size;

	if (block->kind == WT_BLOCK_STAGE)
		read_stage(head, block, &raw);
	else if (!mutate_decompress(head + WT_BLOCK_SIZE, block->stored, &raw))
		return false;
	size = raw.size;
	if (!wt_buffer_extend(&raw, 256))
		return false;
	raw.size = mutate_packets(raw.data, size, size + 256, seed);
	if (mutate_below(seed, 8))
		mutate_count(raw.data, raw.size, head + FIELDS);
	if (block->kind == WT_BLOCK_STAGE)
		write_stage(head, &raw, stored);
	else if (!mutate_compress(raw.data, raw.size, stored))
		return false;
	put(head + STORED, stored->size, 8);
	return !stored->failed;
}

static bool change_index(uint8_t *head, const struct block *block, struct wt_buffer *stored)
{
	uint8_t *place = wt_buffer_extend(stored, block->stored + WT_BLOCK_SIZE);
	size_t size;

	if (!place)
		return false;
	memcpy(place, head + WT_BLOCK_SIZE, block->stored);
	size = LLVMFuzzerMutate(place, block->stored, block->stored + WT_BLOCK_SIZE);
	stored->size = size & ~(size_t)(WT_BLOCK_SIZE - 1);
	put(head + STORED, stored->size, 8);
	return true;
}

/* The whole file with another payload in place of a block's. */
static void replace(const uint8_t *data, size_t size, const struct block *block,
		    const uint8_t *head, const struct wt_buffer *stored, struct wt_buffer *result)
{
	size_t end = block->start + WT_BLOCK_SIZE + block->stored;

	wt_buffer_append(result, data, block->start);
	wt_buffer_append(result, head, WT_BLOCK_SIZE);
	wt_buffer_append(result, stored->data, stored->size);
	wt_buffer_append(result, data + end, size - end);
}

/* A block of another place in front of a block, or in its place, or none. */
static void move(const uint8_t *data, size_t size, const struct block *block,
		 const struct block *other, uint64_t *seed, struct wt_buffer *result)
{
	size_t end = block->start + WT_BLOCK_SIZE + block->stored;
	uint32_t how = mutate_below(seed, 3);

	wt_buffer_append(result, data, block->start);
	if (how)
		wt_buffer_append(result, data + other->start, WT_BLOCK_SIZE + other->stored);
	end = how == 2 ? block->start : end;
	wt_buffer_append(result, data + end, size - end);
}

static void mutate_block(uint8_t *data, size_t size, const struct block *blocks, size_t count,
			 uint64_t *seed, struct wt_buffer *result)
{
	const struct block *block = &blocks[mutate_below(seed, (uint32_t)count)];
	const struct block *other = &blocks[mutate_below(seed, (uint32_t)count)];
	wt_cleanup_buffer struct wt_buffer stored = {0};
	uint32_t how = mutate_below(seed, 16);
	uint8_t *head = data + block->start;
	bool done = false;

	if (how < 2) {
		move(data, size, block, other, seed, result);
		return;
	}
	if (how > 4 && (block->kind == WT_BLOCK_CHUNK || block->kind == WT_BLOCK_STAGE))
		done = change_packets(head, block, seed, &stored);
	else if (how > 4 && (block->kind == WT_BLOCK_INDEX || block->kind == WT_BLOCK_FINAL))
		done = change_index(head, block, &stored);
	if (done) {
		replace(data, size, block, head, &stored, result);
		return;
	}
	/* Numbers of a head: not those that say that it is one, nor what is made right. */
	LLVMFuzzerMutate(head + KIND, STORED_CRC - KIND, STORED_CRC - KIND);
	wt_buffer_append(result, data, size);
}

size_t mutate_file(uint8_t *data, size_t size, size_t max_size, uint64_t *seed)
{
	wt_cleanup_buffer struct wt_buffer result = {0};
	struct block blocks[BLOCKS_MAX];
	size_t count = split(data, size, blocks);

	if (!count || !mutate_below(seed, 16))
		return LLVMFuzzerMutate(data, size, max_size);
	mutate_block(data, size, blocks, count, seed, &result);
	if (result.failed || result.size > max_size || !result.size)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(data, result.data, result.size);
	if (mutate_below(seed, 16))
		make_right(data, result.size);
	return result.size;
}
