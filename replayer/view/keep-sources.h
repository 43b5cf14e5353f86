/* SPDX-License-Identifier: MIT */
/* Source files that are kept with a trace, after it was closed: `wavetape record --source`, and the agent's word `source`. */
#ifndef WT_REPLAYER_VIEW_KEEP_SOURCES_H
#define WT_REPLAYER_VIEW_KEEP_SOURCES_H

#include "replayer/view/explain-lines.h"

/**
 * Find the files that the waves of a trace stand in, with those that called, and add their text to it.
 *
 * @path: of the trace, which is replaced by one with the files; nothing is done without maps, or if there is no trace.
 * @maps: where files may be taken from, and how names lead there.
 *
 * A redacted trace is left as it is. Errors: those of reading and writing. Then the trace is as it was.
 */
struct wt_error *wt_sources_keep(const char *path, const struct wt_source_maps *maps);

#endif /* WT_REPLAYER_VIEW_KEEP_SOURCES_H */
