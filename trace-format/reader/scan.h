/* SPDX-License-Identifier: MIT */
/* Finding the chunks of a file when it is opened. */
#ifndef WT_TRACE_FORMAT_READER_SCAN_H
#define WT_TRACE_FORMAT_READER_SCAN_H

#include "base/error.h"

struct wt_reader;

/** Fill identity, places, names, header and end from the file. */
struct wt_error *wt_reader_scan(struct wt_reader *reader);

#endif /* WT_TRACE_FORMAT_READER_SCAN_H */
