/* SPDX-License-Identifier: MIT */
/*
 * Chunks on their way out of the file, and their packets decoded. For code that rewrites traces, too, as bytes.
 */
#ifndef WT_TRACE_FORMAT_READER_CHUNK_LOAD_H
#define WT_TRACE_FORMAT_READER_CHUNK_LOAD_H

#include "trace-format/container/index.h"
#include "trace-format/message/arena.h"
#include "trace-format/message/protobuf-decode.h"
#include "trace-format/reader/chunk.h"

struct wt_reader;

/** How many chunks are known; and the index entry of one by its position, in the order of the file. */
size_t wt_reader_chunk_count(const struct wt_reader *reader);
const struct wt_index_entry *wt_reader_chunk_entry(const struct wt_reader *reader, size_t position);

/** Load and check a chunk; the caller releases it. INPUT if it is damaged; the damage is noted. */
struct wt_error *wt_reader_chunk(struct wt_reader *reader, size_t position,
				 struct wt_chunk **chunk_ret);

/**
 * Set a budget of bytes that all requests from now on may process together (see wt_check_options); 0: none. A request
 * that exceeds it fails with LIMIT.
 */
void wt_reader_limit_work(struct wt_reader *reader, uint64_t budget);
/** Count @size bytes that the caller processes itself against that budget. */
struct wt_error *wt_reader_work(struct wt_reader *reader, uint64_t size);

/** Read exactly @size bytes at an offset. */
struct wt_error *wt_reader_read(struct wt_reader *reader, uint64_t offset, void *data, size_t size);
/**
 * Load and check the chunk of a place; the caller releases it. INPUT if it is damaged; the damage is noted.
 */
struct wt_error *wt_reader_load(struct wt_reader *reader, size_t place,
				struct wt_chunk **chunk_ret);
/** Empty the cache of chunks. */
void wt_reader_drop_chunks(struct wt_reader *reader);
/** Count @size decoded bytes against the budget of this call and that of all calls. */
struct wt_error *wt_reader_spend(struct wt_reader *reader, uint64_t size);
/**
 * Decode a packet's body into @arena.
 *
 * @message_ret: what the packet's kind becomes (trace-format/messages.h). It points into the chunk.
 */
struct wt_error *wt_packet_unpack(struct wt_reader *reader, struct wt_arena *arena,
				  const struct wt_chunk *chunk, const struct wt_packet *packet,
				  const void **message_ret);

/** Tells the result of decoding the body of a packet, or a part of it, as an error. NULL: it was decoded. */
struct wt_error *wt_packet_decoded(const struct wt_reader *reader, const struct wt_packet *packet,
				   enum wt_decoded decoded);

#endif /* WT_TRACE_FORMAT_READER_CHUNK_LOAD_H */
