/* SPDX-License-Identifier: MIT */
/* Chunks of a stop that several threads compress at once. */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_POOL_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_POOL_H

#include "trace-format/container/tape-parts.h"

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

/**
 * Begin packets that need not survive a kill of this process before the next flush: those of one stop. Where the tape has
 * `cores`, their chunks are compressed at once by as many threads.
 */
void wt_tape_begin_bulk(struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_POOL_H */
