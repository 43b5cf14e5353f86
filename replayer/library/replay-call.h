/* SPDX-License-Identifier: MIT */
/* Every call of the client enters the replaying library here: the generated functions of the API call it. */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_CALL_H
#define WT_REPLAYER_LIBRARY_REPLAY_CALL_H

#include "dbgapi/table/invoke.h"

/**
 * Answer a call: as it was recorded if the client is in step, else from the state.
 *
 * @arguments: as the client passed them. Outputs are written through their pointers.
 * @status_ret: the returned status; NULL for functions that return none.
 * @text_ret: the returned string; NULL for functions that return none.
 */
void wt_replay_call(enum wt_function function, const struct wt_argument *arguments,
		    int64_t *status_ret, const char **text_ret);

#endif /* WT_REPLAYER_LIBRARY_REPLAY_CALL_H */
