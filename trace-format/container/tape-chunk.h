/* SPDX-License-Identifier: MIT */
/* Chunks and indexes of a tape, written as blocks. */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H

#include "trace-format/container/pack.h"
#include "trace-format/container/tape-parts.h"

/** Write the packed payload in tape->packing.image to the file as a chunk with these fields. */
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

/** The present time in ms, for the age of a chunk. */
uint64_t wt_tape_now(void);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H */
