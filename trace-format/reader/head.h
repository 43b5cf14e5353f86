/* SPDX-License-Identifier: MIT */
/* Heads of blocks in the file. */
#ifndef WT_TRACE_FORMAT_READER_HEAD_H
#define WT_TRACE_FORMAT_READER_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/container/block.h"

struct wt_reader;

/* How many bytes of a file are searched for a head before the file is called no trace. */
#define WT_SEARCH_LIMIT ((uint64_t)16 << 20)

/** Read the head at an offset. @found_ret: false if there is none that belongs to this file. */
struct wt_error *wt_reader_read_head(struct wt_reader *reader, uint64_t offset,
				     struct wt_block *block_ret, bool *found_ret);
/** The offset of the first intact head from @offset on and before @limit; the size of the file if there is none. */
struct wt_error *wt_reader_search_head(struct wt_reader *reader, uint64_t offset, uint64_t limit,
				       uint64_t *offset_ret);
/** The error for a head with a newer major version. */
struct wt_error *wt_reader_newer(const struct wt_reader *reader);
/** The offset of the newest index before the head that is nearest to the end of the file; 0: none. */
struct wt_error *wt_reader_newest_index(struct wt_reader *reader, uint64_t *offset_ret);
/** Is a block inside the file? */
bool wt_reader_fits(const struct wt_reader *reader, const struct wt_block *block);

#endif /* WT_TRACE_FORMAT_READER_HEAD_H */
