/* SPDX-License-Identifier: MIT */
/* The line that the tool prints. It is read out of the trace that was written, as `wavetape info` does it. */
#ifndef WT_TOOL_TOOL_REPORT_H
#define WT_TOOL_TOOL_REPORT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define WT_TOOL_REPORT_MAX 1024u

/**
 * Describe the last stop of a trace: "memory violation in kernel oob_store, oob-store.c:12: 1 of 4 waves". Without a wave that has
 * a fault, the place is that of most waves. Parts that cannot be found are left out.
 *
 * @waves_ret: how many there are.
 *
 * Errors: the trace cannot be read; it has no stop.
 */
struct wt_error *wt_tool_describe(const char *path, char text_ret[WT_TOOL_REPORT_MAX],
				  uint64_t *waves_ret);

/** Print one line to standard error, in one write. Bytes that are no printable text become '?'. */
__attribute__((format(printf, 1, 2))) void wt_tool_say(const char *format, ...);

/** Append a letter of base/agent-notes.h to a file, if it is there. @path: NULL does nothing. */
void wt_tool_note(const char *path, char letter);

#endif /* WT_TOOL_TOOL_REPORT_H */
