/* SPDX-License-Identifier: MIT */
/* The end of a tape: the gap, the stage, and how blocks are written before them. */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_TAIL_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_TAIL_H

#include "trace-format/container/tape-parts.h"

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
 * Write the whole blocks of tape->packing.image after the last block. If the stage is in use, they must fit before it.
 */
struct wt_error *wt_tape_append_image(struct wt_tape *tape);

/** Append a head to tape->packing.image, with the offset and sequence that it will have in the file. */
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

/** An error if somebody truncated the file. Then the stage is unmapped, so that nothing is stored through the mapping. */
struct wt_error *wt_tape_check_file(struct wt_tape *tape);

/** How many bytes more than needed the file grows by, if there is space for them. */
uint64_t wt_tape_growth(const struct wt_tape *tape);

/** Move the trace, which is in memory or elsewhere, to a new file. After an error it is where it was. */
struct wt_error *wt_tape_move(struct wt_tape *tape, const char *path);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_TAIL_H */
