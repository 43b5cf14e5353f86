/* SPDX-License-Identifier: MIT */
#include "trace-format/container/index.h"

#include "trace-format/container/tape.h"

#define SECTION_HEAD 16u
#define SECTION_REQUIRED 1u

void wt_index_entry_append(struct wt_buffer *buffer, const struct wt_index_entry *entry)
{
	wt_buffer_append_u64(buffer, entry->offset);
	wt_buffer_append_u64(buffer, entry->sequence);
	wt_buffer_append_u64(buffer, entry->stored);
	wt_chunk_fields_append(buffer, &entry->chunk);
	wt_buffer_append_u32(buffer, entry->stored_crc);
	wt_buffer_append_u16(buffer, entry->kind);
	wt_buffer_append_u16(buffer, entry->flags);
}

bool wt_index_entry_take(struct wt_cursor *cursor, struct wt_index_entry *entry_ret)
{
	struct wt_index_entry e;

	if (!wt_cursor_u64(cursor, &e.offset) || !wt_cursor_u64(cursor, &e.sequence) ||
	    !wt_cursor_u64(cursor, &e.stored) || !wt_chunk_fields_take(cursor, &e.chunk) ||
	    !wt_cursor_u32(cursor, &e.stored_crc) || !wt_cursor_u16(cursor, &e.kind) ||
	    !wt_cursor_u16(cursor, &e.flags))
		return false;
	*entry_ret = e;
	return true;
}

uint64_t wt_index_size(const struct wt_tape *tape)
{
	return tape->entries.size + 3 * WT_INDEX_ENTRY_SIZE + tape->copies.size +
	       (uint64_t)64 * sizeof(uint64_t) + 4 * WT_BLOCK_SIZE;
}

static void append_section(struct wt_buffer *buffer, enum wt_index_section kind, const void *data,
			   size_t size)
{
	static const uint8_t zeros[8];

	wt_buffer_append_u16(buffer, (uint16_t)kind);
	wt_buffer_append_u16(buffer, 0);
	wt_buffer_append_u32(buffer, 0);
	wt_buffer_append_u64(buffer, size);
	wt_buffer_append(buffer, data, size);
	wt_buffer_append(buffer, zeros, (8 - size % 8) % 8);
}

/* Offsets of the index blocks 1, 2, 4, 8... before the one to come. */
static void append_links(struct wt_tape *tape, struct wt_buffer *buffer)
{
	size_t count = tape->indexes.size / sizeof(uint64_t);
	uint64_t links[64];
	size_t used = 0;

	for (size_t back = 1; back <= count; back *= 2)
		memcpy(&links[used++], tape->indexes.data + (count - back) * sizeof(uint64_t),
		       sizeof(uint64_t));
	append_section(buffer, WT_INDEX_LINKS, links, used * sizeof(links[0]));
}

static void append_packets(struct wt_tape *tape, struct wt_buffer *buffer, size_t from)
{
	wt_cleanup_buffer struct wt_buffer packets = {0};

	wt_buffer_append(&packets, tape->copies.data, tape->header_size);
	wt_buffer_append(&packets, tape->copies.data + from, tape->copies.size - from);
	append_section(buffer, WT_INDEX_PACKETS, packets.data, packets.size);
	buffer->failed |= packets.failed;
}

static void append_body(struct wt_tape *tape, struct wt_buffer *body, bool final)
{
	size_t entries = final ? 0 : tape->entries_indexed;
	size_t copies = final ? tape->header_size : tape->copies_indexed;

	if (tape->entries.size > entries)
		append_section(body, WT_INDEX_CHUNKS, tape->entries.data + entries,
			       tape->entries.size - entries);
	append_links(tape, body);
	append_packets(tape, body, copies);
}

void wt_index_append(struct wt_tape *tape, bool final)
{
	wt_cleanup_buffer struct wt_buffer body = {0};
	struct wt_block block = {
		.kind = final ? WT_BLOCK_FINAL : WT_BLOCK_INDEX,
		.flags = WT_BLOCK_INLINE,
	};
	size_t used;
	uint8_t *rest;

	append_body(tape, &body, final);
	used = body.size;
	rest = wt_buffer_extend(&body, wt_block_align(used) - used);
	if (!rest) {
		tape->image.failed = true;
		return;
	}
	memset(rest, 0, body.size - used);
	block.stored = body.size;
	block.stored_crc = wt_crc32c(0, body.data, body.size);
	wt_tape_image_head(tape, &block);
	wt_buffer_append(&tape->image, body.data, body.size);
}

bool wt_index_parse(const uint8_t *payload, size_t size, struct wt_index *index_ret)
{
	struct wt_cursor cursor = wt_cursor_init(payload, size);
	struct wt_index index = {0};

	while (cursor.remaining >= SECTION_HEAD) {
		uint16_t kind, flags;
		uint32_t reserved;
		uint64_t length;
		const uint8_t *data;

		if (!wt_cursor_u16(&cursor, &kind) || !wt_cursor_u16(&cursor, &flags) ||
		    !wt_cursor_u32(&cursor, &reserved) || !wt_cursor_u64(&cursor, &length))
			return false;
		if (!kind)
			break;
		if (length > cursor.remaining || !wt_cursor_take(&cursor, (size_t)length, &data))
			return false;
		if (kind == WT_INDEX_CHUNKS)
			index.chunks = wt_cursor_init(data, (size_t)length);
		else if (kind == WT_INDEX_LINKS)
			index.links = wt_cursor_init(data, (size_t)length);
		else if (kind == WT_INDEX_PACKETS)
			index.packets = wt_cursor_init(data, (size_t)length);
		else if (flags & SECTION_REQUIRED)
			return false;
		length = (8 - length % 8) % 8;
		if (length > cursor.remaining || !wt_cursor_take(&cursor, (size_t)length, &data))
			return false;
	}
	if (index.chunks.remaining % WT_INDEX_ENTRY_SIZE || index.links.remaining % 8)
		return false;
	*index_ret = index;
	return true;
}
