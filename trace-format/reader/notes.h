/* SPDX-License-Identifier: MIT */
/* Errors of reading, and notes of damage. */
#ifndef WT_TRACE_FORMAT_READER_NOTES_H
#define WT_TRACE_FORMAT_READER_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trace-format/container/block.h"

struct wt_reader;

/** An error whose place is in this file. */
__attribute__((format(printf, 3, 4), returns_nonnull)) struct wt_error *
wt_reader_error(const struct wt_reader *reader, enum wt_error_code code, const char *format, ...);
/**
 * Note a piece of damage: @size bytes at @offset, both 0 or WT_NO_OFFSET where that is not known.
 * @loss: the damage loses something.
 */
__attribute__((format(printf, 5, 6))) void wt_reader_note(struct wt_reader *reader, uint64_t offset,
							  uint64_t size, bool loss,
							  const char *format, ...);
/* Consecutive packets, and the moments and calls among them. */
struct wt_run {
	uint64_t first_packet, packets, first_moment, moments, first_call, calls;
};
struct wt_run wt_run_of(const struct wt_chunk_fields *fields);

#define WT_LOST_TEXT_SIZE 256u
/** Write "packets 3 to 9 are lost, among them 1 moment from 2 and 5 calls from 11" into @text and return it. */
const char *wt_run_lost(const struct wt_run *run, char text[WT_LOST_TEXT_SIZE]);

/** Free all notes. For wt_reader_close(). */
void wt_reader_drop_notes(struct wt_reader *reader);

#endif /* WT_TRACE_FORMAT_READER_NOTES_H */
