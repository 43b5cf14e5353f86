/* SPDX-License-Identifier: MIT */
/* Dropping the older stops of a recording that keeps only the newest ones. */
#ifndef WT_TRACE_FORMAT_REWRITE_RING_H
#define WT_TRACE_FORMAT_REWRITE_RING_H

#include "trace-format/writer/writer.h"

/**
 * Replace the file that is written by one with its newest stops. This is `turn_ring` of struct wt_writer_options; only the
 * writer calls it. After an error the old file is intact.
 */
struct wt_error *wt_ring_turn(struct wt_writer *writer);

#endif /* WT_TRACE_FORMAT_REWRITE_RING_H */
