/* SPDX-License-Identifier: MIT */
/* What a writer that keeps the newest stops is given: how the older ones are dropped. */
#ifndef WT_TRACE_FORMAT_REWRITE_RING_H
#define WT_TRACE_FORMAT_REWRITE_RING_H

#include "trace-format/writer/writer.h"

/**
 * Replace the file that is written by one with its newest stops: `turn_ring` of struct wt_writer_options. Only the writer
 * calls it. An error leaves the old file, whole.
 */
struct wt_error *wt_ring_turn(struct wt_writer *writer);

#endif /* WT_TRACE_FORMAT_REWRITE_RING_H */
