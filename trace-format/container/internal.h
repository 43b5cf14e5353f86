/* SPDX-License-Identifier: MIT */
/*
 * What the files of a tape share. It includes tape.h for the tape itself; tape.c includes both. Each file uses what those below
 * it have:
 *
 *     tape.c         packets, and when a chunk is closed
 *     tape-defer.c   a chunk that another thread compresses
 *     tape-chunk.c   chunks and indexes as blocks
 *     tape-tail.c    the end of the file: gap, stage, and how blocks get in front of them
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_INTERNAL_H
#define WT_TRACE_FORMAT_CONTAINER_INTERNAL_H

#include "trace-format/container/pack.h"
#include "trace-format/container/tape.h"

/* The end of the file (tape-tail.c). */

/**
 * Put the gap and the stage of the open chunk behind the last whole block. Where there is no space
 * for the usual ones they become smaller, and the chunks with them.
 */
struct wt_error *wt_tape_place_stage(struct wt_tape *tape);

/** Make the gap so large that @room bytes fit into it; what was in the stage is gone. */
struct wt_error *wt_tape_make_room(struct wt_tape *tape, uint64_t room);

/**
 * Put the whole blocks of tape->image behind the last one; there must be no live stage they do not
 * fit in front of.
 */
struct wt_error *wt_tape_append_image(struct wt_tape *tape);

/** Add a head to tape->image, its offset and sequence being those it will have there. */
void wt_tape_image_head(struct wt_tape *tape, struct wt_block *block);

/** Forget the mapping of the stage. */
void wt_tape_unmap(struct wt_tape *tape);

/**
 * Of the first @size bytes of `raw` those that are not in the stage yet, into it; false in @fits_ret if there is
 * no room.
 */
struct wt_error *wt_tape_stage_packets(struct wt_tape *tape, size_t size, bool *fits_ret);

/** Bytes of a stage that holds so many bytes of packets: those, and the heads of its entries. */
uint64_t wt_tape_stage_size(size_t unit);

/** Which slot is the stage not in? It becomes one, of the sequence behind that of the open chunk. */
uint64_t wt_tape_other_slot(const struct wt_tape *tape);
/** Room in it for packets and heads of entries. */
uint64_t wt_tape_slot_room(const struct wt_tape *tape, uint64_t slot);
/** Write a stage there that nothing counts yet: of a chunk of these numbers, with the packets that are staged. */
struct wt_error *wt_tape_write_slot(struct wt_tape *tape, uint64_t slot,
				    const struct wt_chunk_fields *fields);
/** Can a chunk of @size bytes get into the gap, and any other behind it? */
bool wt_tape_has_room(const struct wt_tape *tape, size_t size);

/* Chunks and indexes (tape-chunk.c). */

/** Put what was packed, in tape->image, into the file as a chunk of these numbers. */
struct wt_error *wt_tape_append_chunk(struct wt_tape *tape, const struct wt_chunk_fields *fields,
				      const struct wt_packed *packed);

/** The next chunk has the numbers behind those of the open one. */
void wt_tape_open_next(struct wt_tape *tape);

/** Put the first @size bytes of `raw` into the file as a chunk; the stage has no meaning after it. */
struct wt_error *wt_tape_put_chunk(struct wt_tape *tape, size_t size);

/** Put an index block behind the last chunk, when it is time for one. */
struct wt_error *wt_tape_put_index(struct wt_tape *tape);

/** Put the final index and the footer behind it. */
struct wt_error *wt_tape_put_final(struct wt_tape *tape);

/* Chunks that another thread compresses (tape-defer.c). */

/**
 * Let the first @size bytes of `raw` become a chunk later: in @done_ret whether that is on its way, or has to be
 * done here and now. An error is of a chunk that was on its way before.
 */
struct wt_error *wt_tape_defer(struct wt_tape *tape, size_t size, bool *done_ret);

/** Is a chunk on its way that should be put into the file by now? */
bool wt_tape_is_settling(struct wt_tape *tape);

/** Put the chunk that is on its way, if there is one, into the file. Waits for it. */
struct wt_error *wt_tape_settle(struct wt_tape *tape);

void wt_tape_destroy_deferral(struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_INTERNAL_H */
