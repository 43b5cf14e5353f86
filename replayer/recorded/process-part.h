/* SPDX-License-Identifier: MIT */
/*
 * A trace of a client that was attached to several processes has states of all of them. Who looks at one process takes
 * the part of the state that is of it: no look-up can then come by what is another's, though both may have memory and code
 * at the same addresses.
 */
#ifndef WT_REPLAYER_RECORDED_PROCESS_PART_H
#define WT_REPLAYER_RECORDED_PROCESS_PART_H

#include "replayer/recorded/recorded.h"

/** How many processes a state is of. */
size_t wt_recorded_process_count(const struct wt_table_names *names, const struct wt_state *state);

/**
 * Leave in a state what is of one process, or of none. What cannot be told stays.
 *
 * @process: its handle; 0: all stays.
 * @state: replaced by another one if something goes. It stays as it is on error.
 * Errors: out of memory.
 */
struct wt_error *wt_recorded_keep_process(const struct wt_table_names *names, uint64_t process,
					  struct wt_state **state);

#endif /* WT_REPLAYER_RECORDED_PROCESS_PART_H */
