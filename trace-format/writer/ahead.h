/* SPDX-License-Identifier: MIT */
/*
 * Registers that another thread encodes while this one writes those before them. The registers of a whole GPU are most of what a
 * stop has to say. They are encoded in batches: of each the first half by the thread that writes, and the other half by the
 * other one. What is in the file does not depend on it.
 */
#ifndef WT_TRACE_FORMAT_WRITER_AHEAD_H
#define WT_TRACE_FORMAT_WRITER_AHEAD_H

#include "base/buffer.h"
#include "trace-format/state/blob.h"
#include "trace-format/state/state.h"

struct wt_writer;

/* The blob made of one value. */
struct wt_ahead_blob {
	const struct wt_bytes *bytes;
	struct wt_blob_hash hash;
	struct wt_buffer rows; /* as wt_rows_encode() made them */
};

/** Before a state is written: begin, if another core may be used and there is enough that the writer does not know yet. */
void wt_ahead_begin(struct wt_writer *writer, const struct wt_state *state);

/**
 * Takes what another thread has made of these bytes, valid until the next call; NULL if it has made nothing. It may
 * wait for the thread.
 */
const struct wt_ahead_blob *wt_ahead_take(struct wt_writer *writer, const uint8_t *data);

/** End, with all of the state written or not. Legal also where nothing began. */
void wt_ahead_end(struct wt_writer *writer);

#endif /* WT_TRACE_FORMAT_WRITER_AHEAD_H */
