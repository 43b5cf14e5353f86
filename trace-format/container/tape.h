/* SPDX-License-Identifier: MIT */
/*
 * The tape: a trace file that is being written. Packets are added to an open chunk. A closed chunk is compressed and
 * written to the file. At any time the file has, in order (FORMAT.md, "While it is written"):
 *
 *     whole blocks | gap | stage |
 *                  end   front   size
 *
 * The gap is large enough for the compressed form of the open chunk. So closing a chunk never overwrites the stage that
 * still holds its packets, and a kill between any two writes leaves either the stage or the chunk.
 *
 * Where a worker thread may be used, there are two slots for a stage after the gap, and the thread compresses a chunk that is
 * full, or the last one of a stop (tape-defer.c). Until the chunk is in the file, its packets stay in their stage, and new
 * packets follow them there.
 *
 * Full chunks of a stop are compressed by several threads at once (tape.c). They are not staged: until the stop is
 * finished, a kill may lose them.
 *
 * The room `container` writes the file as blocks; it has the layout of blocks for readers, too:
 *
 *     block.h      heads of blocks, checksums, and the limits that readers enforce
 *     index.h      payload of index blocks
 *     pack.h       compression of a chunk
 *     tape-file.h  system calls on the trace file
 *
 * This room must not know states, items or calls: to it a packet is a field number and bytes.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_H

#include "trace-format/container/tape-parts.h"

/**
 * Start a trace in a new file. @file is taken over, also on failure. @level: of zstd. @features: required features besides
 * those that every trace has. @may_defer: may a worker thread compress chunks?
 */
struct wt_error *wt_tape_create(struct wt_file *file, const uint8_t id[16], int level,
				uint64_t features, bool may_defer, struct wt_tape **tape_ret);
void wt_tape_destroy(struct wt_tape *tape);

/**
 * Make a packet. Between the two calls the caller encodes its body into the returned buffer. A packet that fails is not
 * in the trace.
 *
 * @weight: for Names, how many there are; for Moment, whether it is a keyframe; for Notice, whether it has a host; else 0.
 */
struct wt_buffer *wt_tape_begin(struct wt_tape *tape, enum wt_field_packet field);
struct wt_error *wt_tape_end(struct wt_tape *tape, uint32_t weight);

/** Number the next names from @first on. Only a trace with WT_FEATURE_NAME_GAPS may skip numbers. */
void wt_tape_number_names(struct wt_tape *tape, uint32_t first);

/** Bring all packets into the file, where they survive a kill of this process. */
struct wt_error *wt_tape_flush(struct wt_tape *tape);

/** Compress all packets that are not compressed yet and write them to the file. @sync: sync the file, too. */
struct wt_error *wt_tape_close_chunk(struct wt_tape *tape, bool sync);

/**
 * Close the open chunk, with packets that all survive a kill of this process from then on: because a stop ends it, or because
 * of its age. It may be written to the file after this returns.
 */
struct wt_error *wt_tape_close_later(struct wt_tape *tape);

/** Has the open chunk been open for too long? */
bool wt_tape_is_old(const struct wt_tape *tape);

/** Packets so far. */
uint64_t wt_tape_packets(const struct wt_tape *tape);

/** Close the last chunk, write the final index and the footer, and cut off the reserved space. */
struct wt_error *wt_tape_finish(struct wt_tape *tape, bool sync);

/** Bytes of memory that compression takes, including chunks that worker threads compress. */
size_t wt_tape_compression_size(const struct wt_tape *tape);

/** Are there chunks that are not in the file yet? Then the stage is not in use. */
bool wt_tape_pool_is_used(const struct wt_tape *tape);

/**
 * Begin packets that need not survive a kill of this process before the next flush: those of one stop. Where the tape has
 * `cores`, their chunks are compressed at once by as many threads.
 */
void wt_tape_begin_bulk(struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_H */
