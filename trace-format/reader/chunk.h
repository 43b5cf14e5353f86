/* SPDX-License-Identifier: MIT */
/*
 * The chunks of a trace, and the packets in them as bytes: for code that rewrites traces. Decoded packets are in
 * reader.h.
 */
#ifndef WT_TRACE_FORMAT_READER_CHUNK_H
#define WT_TRACE_FORMAT_READER_CHUNK_H

#include <sys/queue.h>

#include "trace-format/container/index.h"
#include "trace-format/message/packet.h"
#include "trace-format/reader/reader.h"

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

/** How many chunks are known; and the index entry of one by its position, in the order of the file. */
size_t wt_reader_chunk_count(const struct wt_reader *reader);
const struct wt_index_entry *wt_reader_chunk_entry(const struct wt_reader *reader, size_t position);

/** Load and check a chunk; the caller releases it. INPUT if it is damaged; the damage is noted. */
struct wt_error *wt_reader_chunk(struct wt_reader *reader, size_t position,
				 struct wt_chunk **chunk_ret);
void wt_chunk_release(struct wt_chunk *chunk);
/**
 * Set a budget of bytes that all requests from now on may process together (see wt_check_options); 0: none. A request
 * that exceeds it fails with LIMIT.
 */
void wt_reader_limit_work(struct wt_reader *reader, uint64_t budget);
/** Count @size bytes that the caller processes itself against that budget. */
struct wt_error *wt_reader_work(struct wt_reader *reader, uint64_t size);

/** A number field of a packet's body, read without decoding the rest; 0 if it is absent. */
uint64_t wt_packet_number(const struct wt_chunk *chunk, const struct wt_packet *packet,
			  unsigned int field);
/** How many times a field occurs in a packet's body. */
uint32_t wt_packet_count_field(const struct wt_chunk *chunk, const struct wt_packet *packet,
			       unsigned int field);

/** The position of the chunk that holds a moment. NOT_FOUND if there is none or the chunk is lost. */
struct wt_error *wt_reader_find_moment(struct wt_reader *reader, uint32_t number,
				       size_t *position_ret);

/** A walk over the journal that begins at a chunk. */
struct wt_error *wt_journal_open_at(struct wt_reader *reader, size_t position,
				    struct wt_journal **journal_ret);

#endif /* WT_TRACE_FORMAT_READER_CHUNK_H */
