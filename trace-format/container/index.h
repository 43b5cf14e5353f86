/* SPDX-License-Identifier: MIT */
/*
 * The payload of index blocks: where each block is, so that a reader need not walk the file (FORMAT.md, "Indexes").
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_INDEX_H
#define WT_TRACE_FORMAT_CONTAINER_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "trace-format/container/block.h"

#define WT_INDEX_ENTRY_SIZE 96u

enum wt_index_section {
	WT_INDEX_CHUNKS = 1,  /* entries of 96 bytes */
	WT_INDEX_LINKS = 2,   /* offsets of the index blocks 1, 2, 4, 8... back, 64 bits each */
	WT_INDEX_PACKETS = 3, /* copies of packets: Header, Names, End */
	WT_INDEX_SUMMARY = 4, /* in the final index: checksum of CHUNKS, and a compressed Summary */
	WT_INDEX_PARITY =
		5, /* in the final index of a small trace: all chunks' payloads, joined bit by bit */
};

/* A block's entry in an index: its head without the fields that are the same in all heads. */
struct wt_index_entry {
	uint64_t offset, sequence, stored;
	struct wt_chunk_fields chunk;
	uint32_t stored_crc;
	uint16_t kind, flags;
};

/** The entry of a block, from its head. */
struct wt_index_entry wt_index_entry_of(const struct wt_block *block);
void wt_index_entry_append(struct wt_buffer *buffer, const struct wt_index_entry *entry);
bool wt_index_entry_take(struct wt_cursor *cursor, struct wt_index_entry *entry_ret);

/** Append a section with these @size bytes, padded to a multiple of 8. */
void wt_index_section_append(struct wt_buffer *buffer, enum wt_index_section kind, const void *data,
			     size_t size);

/* The sections of an index. They point into the payload. */
struct wt_index {
	struct wt_cursor chunks, links, packets, summary, parity;
};

/** Find the sections. False if the payload is malformed or has an unknown required section. */
bool wt_index_parse(const uint8_t *payload, size_t size, struct wt_index *index_ret);

#endif /* WT_TRACE_FORMAT_CONTAINER_INDEX_H */
