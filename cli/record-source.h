/* SPDX-License-Identifier: MIT */
/* `wavetape record --source`: source files that are kept with a trace, after it was closed. */
#ifndef WT_CLI_RECORD_SOURCE_H
#define WT_CLI_RECORD_SOURCE_H

#include "replayer/view/explain-lines.h"

/**
 * Find the files that the waves of a trace stand in, with those that called, and add their text to it.
 *
 * @path: of the trace, which is replaced by one with the files; nothing is done without maps, or if there is no trace.
 * @maps: where files may be taken from, and how names lead there.
 *
 * Errors: those of reading and writing. Then the trace is as it was.
 */
struct wt_error *wt_record_source(const char *path, const struct wt_source_maps *maps);

#endif /* WT_CLI_RECORD_SOURCE_H */
