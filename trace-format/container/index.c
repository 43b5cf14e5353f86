/* SPDX-License-Identifier: MIT */
#include "trace-format/container/index.h"

#define SECTION_HEAD 16u
#define SECTION_REQUIRED 1u

struct wt_index_entry wt_index_entry_of(const struct wt_block *block)
{
	return (struct wt_index_entry){
		.offset = block->offset,
		.sequence = block->sequence,
		.stored = block->stored,
		.chunk = block->chunk,
		.stored_crc = block->stored_crc,
		.kind = block->kind,
		.flags = block->flags,
	};
}

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

void wt_index_section_append(struct wt_buffer *buffer, enum wt_index_section kind, const void *data,
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
		else if (kind == WT_INDEX_SUMMARY)
			index.summary = wt_cursor_init(data, (size_t)length);
		else if (kind == WT_INDEX_PARITY)
			index.parity = wt_cursor_init(data, (size_t)length);
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
