/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the tape share. This header includes tape.h for the tape itself; tape.c includes both.
 * Each file uses functions of the files below it:
 *
 *     tape.c         makes packets and decides when a chunk is closed
 *     tape-pool.c    has several threads compress the chunks of a stop
 *     tape-defer.c   has a worker thread compress a chunk of the journal, while calls go on
 *     tape-pending.c the chunks of both, on their way into the file
 *     tape-chunk.c   writes chunks and indexes as blocks
 *     tape-tail.c    keeps the end of the file: the gap, the stage, and how blocks are written before them
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_INTERNAL_H
#define WT_TRACE_FORMAT_CONTAINER_INTERNAL_H

#include "trace-format/container/pack.h"
#include "trace-format/container/tape.h"

/* The end of the file (tape-tail.c). */

/**
 * Place the gap and the stage of the open chunk after the last whole block. If the disk has no space for the usual sizes,
 * make both smaller, and the chunks too.
 */
struct wt_error *wt_tape_place_stage(struct wt_tape *tape);

/** After a chunk was written: a stage for the next one, in the second slot if there are slots and they may stay. */
struct wt_error *wt_tape_next_stage(struct wt_tape *tape);

/** Make the gap large enough for @room bytes. The content of the stage is lost. */
struct wt_error *wt_tape_make_room(struct wt_tape *tape, uint64_t room);

/**
 * Write the whole blocks of tape->image after the last block. If the stage is in use, they must fit before it.
 */
struct wt_error *wt_tape_append_image(struct wt_tape *tape);

/** Append a head to tape->image, with the offset and sequence that it will have in the file. */
void wt_tape_image_head(struct wt_tape *tape, struct wt_block *block);

/** Unmap the stage. */
void wt_tape_unmap(struct wt_tape *tape);

/**
 * Write the part of the first @size bytes of `raw` that is not in the stage yet into the stage. @fits_ret: false if the
 * stage has no room for it.
 */
struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, size_t size, bool *fits_ret);

/**
 * Write zeros behind the entries of the stage, up to @to in the file, where that was not done before: pages that were written
 * are made ready sooner. Not in a file that somebody has cut: it would become as long again as it was.
 */
void wt_tape_clear_ahead(struct wt_tape *tape, uint64_t to);

/** The size of a stage that holds @unit bytes of packets: the packets and the heads of its entries. */
uint64_t wt_tape_stage_size(size_t unit);

/** The offset of the slot that the stage is not in. The next stage is written there (wt_tape_write_slot()). */
uint64_t wt_tape_other_slot(const struct wt_tape *tape);
/** The stage is in @slot from now on, which was the other one. */
void wt_tape_use_slot(struct wt_tape *tape, uint64_t slot);
/** Bytes in a slot for packets and heads of entries. */
uint64_t wt_tape_slot_room(const struct wt_tape *tape, uint64_t slot);
/**
 * Write a stage with the staged packets into @slot, with the sequence after the tape's next one. Until the chunk of that
 * next sequence is in the file, readers use the stage in the other slot. @fields: of the chunk that the stage becomes.
 */
struct wt_error *wt_tape_write_slot(struct wt_tape *tape, uint64_t slot,
				    const struct wt_chunk_fields *fields);
/** Bytes that a chunk of @size raw bytes takes in the file at most. */
uint64_t wt_tape_chunk_room(size_t size);
/** Does the gap have room for @room bytes of blocks and for any other chunk after them? */
bool wt_tape_has_room(const struct wt_tape *tape, uint64_t room);

/* Chunks and indexes (tape-chunk.c). */

/** Write the packed payload in tape->image to the file as a chunk with these fields. */
struct wt_error *wt_tape_append_chunk(struct wt_tape *tape, const struct wt_chunk_fields *fields,
				      const struct wt_packed *packed);

/** Start the fields of the next open chunk: its numbers follow those of the present one. */
void wt_tape_open_next(struct wt_tape *tape);

/** Write the first @size bytes of `raw` to the file as a chunk. The stage is invalid afterwards. */
struct wt_error *wt_tape_put_chunk(struct wt_tape *tape, size_t size);

/** Is an index block due when @pending more chunks are in the file? */
bool wt_tape_is_index_due(const struct wt_tape *tape, unsigned int pending);

/** Write an index block after the last chunk, if one is due. */
struct wt_error *wt_tape_put_index(struct wt_tape *tape);

/** Write the final index and the footer. */
struct wt_error *wt_tape_put_final(struct wt_tape *tape);

/* A full chunk between `raw` and the file (tape-pending.c). */

struct wt_pending {
	ZSTD_CCtx *zstd;
	size_t zstd_size;	     /* memory of that, before a thread got it */
	struct wt_buffer raw, image; /* its packets, and its payload */
	struct wt_packed packed;
	struct wt_chunk_fields fields;
};

/** Reserve memory for the first @size bytes of `raw`, so that nothing fails half way. False if there is none. */
bool wt_pending_prepare(const struct wt_tape *tape, struct wt_pending *pending, size_t size);

/** Take the first @size bytes of `raw` as a chunk. What follows them is the open chunk. wt_pending_prepare() came before. */
void wt_pending_take(struct wt_tape *tape, struct wt_pending *pending, size_t size);

/** Compress it, in any thread. */
void wt_pending_compress(struct wt_pending *pending);

/** The result of the compression. If that failed it is tried again here. */
struct wt_error *wt_pending_finish(const struct wt_tape *tape, struct wt_pending *pending);

/** Write it to the file as a chunk. */
struct wt_error *wt_pending_write(struct wt_tape *tape, struct wt_pending *pending);

/** Bytes of its buffers. */
static inline size_t wt_pending_size(const struct wt_pending *pending)
{
	return pending->raw.capacity + pending->image.capacity;
}

void wt_pending_deinit(struct wt_pending *pending);

/* Chunks that a worker thread compresses (tape-defer.c). A chunk is pending from wt_tape_defer() to wt_tape_settle(). */

/**
 * Let a worker thread compress the first @size bytes of `raw`. @done_ret: false if the caller has to compress them
 * itself. Errors: those of a chunk that was pending before.
 */
struct wt_error *wt_tape_defer(struct wt_tape *tape, size_t size, bool *done_ret);

/** Is there a pending chunk that is now due to be written to the file? */
bool wt_tape_is_settling(struct wt_tape *tape);

/** Write the pending chunk to the file, if there is one. Waits for its compression. */
struct wt_error *wt_tape_settle(struct wt_tape *tape);

/** Bytes of memory that compression takes, but for a pool. */
size_t wt_tape_deferral_size(const struct wt_tape *tape);

void wt_tape_destroy_deferral(struct wt_tape *tape);

/* Chunks of a stop that several threads compress (tape-pool.c). */

/**
 * Let a thread compress the first @size bytes of `raw`. @done_ret: false if the caller has to compress them itself, after
 * wt_tape_pool_drain(). Errors: those of chunks that were added before.
 */
struct wt_error *wt_tape_pool_add(struct wt_tape *tape, size_t size, bool *done_ret);

/** Are there chunks that are not in the file yet? Then the stage is not in use. */
bool wt_tape_pool_is_used(const struct wt_tape *tape);

/** Write all of them to the file, in order. Waits for their compression. The stage is not in use afterwards. */
struct wt_error *wt_tape_pool_drain(struct wt_tape *tape);

/** Bytes of memory that the pool takes. */
size_t wt_tape_pool_size(const struct wt_tape *tape);

void wt_tape_destroy_pool(struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_INTERNAL_H */
