/* SPDX-License-Identifier: MIT */
/*
 * A chunk of the journal that a worker thread compresses, while calls go on. It is pending from wt_tape_defer() to
 * wt_tape_settle().
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_DEFER_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_DEFER_H

#include "trace-format/container/tape-parts.h"

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

/** Is there a closed chunk that is not in the file yet? */
bool wt_tape_is_deferred(const struct wt_tape *tape);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_DEFER_H */
