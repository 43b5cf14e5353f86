/* SPDX-License-Identifier: MIT */
/* Recovery of the stage that a killed recording leaves of its open chunk (FORMAT.md, "While it is written"). */
#ifndef WT_TRACE_FORMAT_READER_STAGE_H
#define WT_TRACE_FORMAT_READER_STAGE_H

#include "trace-format/reader/internal.h"

/**
 * Add the packets of a stage as a chunk after the known ones. If the block after it is a stage with a lower sequence, that
 * one is tried first; only one of the two is added. A stage adds nothing if its packets are already in chunks or do not
 * follow them.
 */
struct wt_error *wt_stage_recover(struct wt_reader *reader, const struct wt_block *stage);

#endif /* WT_TRACE_FORMAT_READER_STAGE_H */
