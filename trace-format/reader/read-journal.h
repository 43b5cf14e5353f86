/* SPDX-License-Identifier: MIT */
/* Parts of the journal, for files of the reader and code that rewrites traces. */
#ifndef WT_TRACE_FORMAT_READER_READ_JOURNAL_H
#define WT_TRACE_FORMAT_READER_READ_JOURNAL_H

#include "trace-format/reader/chunk.h"
#include "trace-format/reader/reader.h"

struct wt_place;

/** A walk over the journal that begins at a chunk. */
struct wt_error *wt_journal_open_at(struct wt_reader *reader, size_t position,
				    struct wt_journal **journal_ret);

/**
 * Note that a packet cannot be decoded, although its chunk is intact (read-journal.c). The first reader of a packet of the
 * journal, or of the facts, notes it. The packets of each of these two are read in the order of the chunk.
 */
void wt_reader_note_malformed(struct wt_reader *reader, struct wt_place *place,
			      const struct wt_chunk *chunk, size_t number, const char *why);

#endif /* WT_TRACE_FORMAT_READER_READ_JOURNAL_H */
