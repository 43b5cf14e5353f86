/* SPDX-License-Identifier: MIT */
/* The bytes of blobs. */
#ifndef WT_TRACE_FORMAT_READER_BLOBS_H
#define WT_TRACE_FORMAT_READER_BLOBS_H

#include "base/error.h"
#include "trace-format/state/item.h"

struct wt_reader;

/** The bytes of a blob; the caller releases them. INPUT if it is lost or damaged. */
struct wt_error *wt_reader_blob(struct wt_reader *reader, uint32_t number,
				struct wt_bytes **bytes_ret);
/** Concatenate the bytes of some blobs, and of some more; the caller releases them. INPUT if one is lost. */
struct wt_error *wt_reader_join(struct wt_reader *reader, const uint32_t *blobs, size_t count,
				const uint32_t *more, size_t more_count,
				struct wt_bytes **bytes_ret);
/** The error for bytes in an encoding that is not known. @of: what they are. */
struct wt_error *wt_reader_unknown_encoding(const struct wt_reader *reader, const char *of,
					    uint32_t encoding);
/** Empty the cache of blobs. */
void wt_reader_drop_blobs(struct wt_reader *reader);

#endif /* WT_TRACE_FORMAT_READER_BLOBS_H */
