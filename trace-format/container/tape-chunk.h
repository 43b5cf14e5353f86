/* SPDX-License-Identifier: MIT */
/* Chunks and indexes of a tape, written as blocks. */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H

#include "trace-format/container/pack.h"
#include "trace-format/container/tape-parts.h"

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

/* A full chunk of a tape on its way into the file. */

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

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_CHUNK_H */
