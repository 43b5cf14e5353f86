/* SPDX-License-Identifier: MIT */
/* The one place where a call of the client's comes in, whatever its function. */
#ifndef WT_REPLAYER_LIBRARY_CALL_H
#define WT_REPLAYER_LIBRARY_CALL_H

#include "dbgapi/table/invoke.h"

/**
 * Answer a call.
 *
 * @arguments: as the client gave them; outputs are written through their pointers.
 * @status_ret: of functions that return a status; else NULL.
 * @text_ret: of functions that return a string; else NULL.
 */
void wt_replay_call(enum wt_function function, const struct wt_argument *arguments,
		    int64_t *status_ret, const char **text_ret);

#endif /* WT_REPLAYER_LIBRARY_CALL_H */
