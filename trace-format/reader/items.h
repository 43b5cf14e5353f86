/* SPDX-License-Identifier: MIT */
/* Decoding blobs, items and answers: the values that states, moments and the journal are built from. */
#ifndef WT_TRACE_FORMAT_READER_ITEMS_H
#define WT_TRACE_FORMAT_READER_ITEMS_H

#include "trace-format/reader/internal.h"

/** The bytes of a blob; the caller releases them. INPUT if it is lost or damaged. */
struct wt_error *wt_reader_blob(struct wt_reader *reader, uint32_t number,
				struct wt_bytes **bytes_ret);

/**
 * Apply a packet's item to a state: set it, or remove what it removes. An item whose bytes are lost is left out, and
 * that is noted.
 *
 * @before: a state that may hold some of the same items, so that their bytes need not be read again; may be NULL.
 */
struct wt_error *wt_reader_apply(struct wt_reader *reader, const Wavetape__Item *item,
				 const struct wt_state *before, struct wt_state *state);

/** Copy answers into @arena. NULL if there is no memory; not NULL for a @count of 0. */
struct wt_answer *wt_reader_answers(struct wt_arena *arena, Wavetape__Answer *const *answers,
				    size_t count);

#endif /* WT_TRACE_FORMAT_READER_ITEMS_H */
