/* SPDX-License-Identifier: MIT */
/* A decompressed chunk, split into packets as bytes. Decoded packets are in reader.h. */
#ifndef WT_TRACE_FORMAT_READER_CHUNK_H
#define WT_TRACE_FORMAT_READER_CHUNK_H

#include <sys/queue.h>

#include "base/error.h"
#include "trace-format/container/block.h"
#include "trace-format/message/packet.h"

/* A packet within a decompressed chunk: the bytes of its body. Of short calls there are as many bytes here as in the packets. */
struct wt_packet {
	uint32_t offset, size;
	enum wt_field_packet field : 5; /* below WT_PACKET_FIELDS */
	/*
	 * For a MOMENT or LATE: whether it is a keyframe, and the number of its moment; WT_NO_MOMENT: none that can be. Read
	 * once per chunk, because building a state skips many of them. Was it, or one of FACTS, found to be well-formed
	 * since? And is a MOMENT what it says here?
	 */
	uint32_t keyframe : 1, checked : 1, whole : 1;
	uint32_t moment;
};

/* A MOMENT of a chunk: its packet, where that is among the states, and the newest keyframe of the chunk up to it, counted from 1; 0: none. */
struct wt_chunk_moment {
	uint32_t packet, state, keyframe;
};

/* A decompressed chunk. The cache and its users share it by references. */
struct wt_chunk {
	size_t references;
	uint8_t *raw;
	size_t size;
	struct wt_packet *packets; /* right behind this structure */
	size_t packet_count;
	/* The MOMENTs, the MOMENTs and LATEs, and the BLOBs in order, for a direct look-up: in one piece, which begins with the first. */
	struct wt_chunk_moment *moments;
	uint32_t *states, *blobs; /* which packets they are */
	uint32_t moment_count, state_count, blob_count;
	/* While the cache has it (chunk-load.c). */
	size_t place;
	TAILQ_ENTRY(wt_chunk) link;
};

/** Split decompressed bytes into packets. Takes @raw over, also on failure. */
struct wt_error *wt_chunk_create(uint8_t *raw, size_t size, struct wt_chunk **chunk_ret);
/** Bytes of the lists of a chunk with so many packets in each. */
static inline size_t wt_chunk_lists_size(size_t moments, size_t states, size_t blobs)
{
	return moments * sizeof(struct wt_chunk_moment) + (states + blobs) * sizeof(uint32_t);
}
/** Give up a reference; NULL is legal. */
void wt_chunk_release(struct wt_chunk *chunk);
/** Skip one packet of a Trace. False, with nothing skipped, if there is no complete one. */
bool wt_chunk_skip_packet(struct wt_cursor *cursor);
/**
 * Count what a chunk holds. @fields must have the first name, the first moment and the keyframe before the chunk; the
 * counts are filled in. False if the chunk's names or moments have other numbers; the fields are then invalid.
 */
bool wt_chunk_count(const struct wt_chunk *chunk, bool name_gaps, struct wt_chunk_fields *fields);
/** Do the packets of a chunk agree with the fields in its head? @name_gaps: name numbers may have gaps. */
bool wt_chunk_fits(const struct wt_chunk *chunk, bool name_gaps,
		   const struct wt_chunk_fields *fields);

/** The body of a packet as bytes. */
static inline struct wt_cursor wt_packet_body(const struct wt_chunk *chunk,
					      const struct wt_packet *packet)
{
	return wt_cursor_init(chunk->raw + packet->offset, packet->size);
}

/** A number field of a packet's body, read without decoding the rest; 0 if it is absent. */
uint64_t wt_packet_number(const struct wt_chunk *chunk, const struct wt_packet *packet,
			  unsigned int field);
/** How many times a field occurs in a packet's body. */
uint32_t wt_packet_count_field(const struct wt_chunk *chunk, const struct wt_packet *packet,
			       unsigned int field);

/* Does a LATE packet belong to the newest of the @moments moments before it? */
static inline bool wt_packet_is_of_last(const struct wt_packet *packet, uint64_t moments)
{
	return (uint64_t)packet->moment + 1 == moments;
}

#endif /* WT_TRACE_FORMAT_READER_CHUNK_H */
