/* SPDX-License-Identifier: MIT */
/* What a killed recording leaves of its open chunk: a stage (FORMAT.md, "While it is written"). */
#ifndef WT_TRACE_FORMAT_READER_STAGE_H
#define WT_TRACE_FORMAT_READER_STAGE_H

#include "trace-format/reader/internal.h"

/**
 * Add the packets of a stage that was found, or of that behind it if they come first, as a chunk behind those
 * known. Nothing is added by a stage whose packets are in chunks, or do not follow from them.
 */
struct wt_error *wt_stage_recover(struct wt_reader *reader, const struct wt_block *stage);

#endif /* WT_TRACE_FORMAT_READER_STAGE_H */
