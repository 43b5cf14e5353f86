/* SPDX-License-Identifier: MIT */
/* From packets to values: what states, moments and the journal are built from. */
#ifndef WT_TRACE_FORMAT_READER_ITEMS_H
#define WT_TRACE_FORMAT_READER_ITEMS_H

#include "trace-format/reader/internal.h"

/** The bytes of a blob; the caller releases them. INPUT if it is lost or damaged. */
struct wt_error *wt_reader_blob(struct wt_reader *reader, uint32_t number,
				struct wt_bytes **bytes_ret);

/**
 * Put an item of a packet into a state, or take what it removes out. An item whose bytes are lost
 * is left out, and noted.
 *
 * @before: a state in which some items may be as in the one that is made, so that their bytes need not be read again;
 *	may be NULL.
 */
struct wt_error *wt_reader_apply(struct wt_reader *reader, const Wavetape__Item *item,
				 const struct wt_state *before, struct wt_state *state);

/** Answers, copied into @arena: NULL if there is no memory. @count 0 gives a legal pointer too. */
struct wt_answer *wt_reader_answers(struct wt_arena *arena, Wavetape__Answer *const *answers,
				    size_t count);

#endif /* WT_TRACE_FORMAT_READER_ITEMS_H */
