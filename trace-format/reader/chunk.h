/* SPDX-License-Identifier: MIT */
/*
 * The chunks of a trace, and the packets in them as bytes: for who writes a trace again. What packets mean is in reader.h.
 */
#ifndef WT_TRACE_FORMAT_READER_CHUNK_H
#define WT_TRACE_FORMAT_READER_CHUNK_H

#include "trace-format/container/index.h"
#include "trace-format/message/fields.h"
#include "trace-format/reader/reader.h"

/* A packet within a decompressed chunk: the bytes of its body. */
struct wt_packet {
	enum wt_packet_field field;
	uint32_t offset, size;
	/*
	 * Of a MOMENT or LATE, read once, since every state skips many: whether it is a keyframe, where the
	 * next of them is (packet_count: nowhere), and the moment it is of.
	 */
	uint32_t keyframe : 1, next : 31;
	uint64_t moment;
};

/* A MOMENT of a chunk: which packet it is, and the newest keyframe up to it in the chunk, counted from 1; 0: none. */
struct wt_chunk_moment {
	uint32_t packet, keyframe;
};

/* A decompressed chunk, shared by the cache and whoever reads from it. */
struct wt_chunk {
	size_t references;
	uint8_t *raw;
	size_t size;
	struct wt_packet *packets;
	size_t packet_count;
	size_t first_state; /* the first MOMENT or LATE; packet_count: there is none */
	/* The MOMENTs and the BLOBs in order, so that nobody looks for one from the start. */
	struct wt_chunk_moment *moments;
	uint32_t *blobs; /* which packets they are */
	uint32_t moment_count, blob_count;
};

/** How many chunks are known, and where one is and what its head says: by position, in the order of the file. */
size_t wt_reader_chunk_count(const struct wt_reader *reader);
const struct wt_index_entry *wt_reader_chunk_entry(const struct wt_reader *reader, size_t position);

/** A chunk, checked; the caller releases it. INPUT if it is damaged, which is noted. */
struct wt_error *wt_reader_chunk(struct wt_reader *reader, size_t position,
				 struct wt_chunk **chunk_ret);
void wt_chunk_release(struct wt_chunk *chunk);
/**
 * From now on all requests together may go through so many bytes (see wt_check_options); 0: through any number. What is
 * beyond is an error of code LIMIT.
 */
void wt_reader_limit_work(struct wt_reader *reader, uint64_t budget);
/** Count what somebody else does for each of so many bytes. */
struct wt_error *wt_reader_work(struct wt_reader *reader, uint64_t size);

/** A number field of a packet's body, without decoding the rest; 0 if it is not there. */
uint64_t wt_packet_number(const struct wt_chunk *chunk, const struct wt_packet *packet,
			  unsigned int field);
/** How many times a field is in a packet's body. */
uint32_t wt_packet_count_field(const struct wt_chunk *chunk, const struct wt_packet *packet,
			       unsigned int field);

/** The position of the chunk that holds a moment: NOT_FOUND if there is none, also if it is lost. */
struct wt_error *wt_reader_find_moment(struct wt_reader *reader, uint32_t number,
				       size_t *position_ret);

/** A walk over the journal that begins at a chunk. */
struct wt_error *wt_journal_open_at(struct wt_reader *reader, size_t position,
				    struct wt_journal **journal_ret);

#endif /* WT_TRACE_FORMAT_READER_CHUNK_H */
