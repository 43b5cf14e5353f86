/* SPDX-License-Identifier: MIT */
/* Finds and loads the wrapped library: the one whose answers are recorded. */
#ifndef WT_RECORDER_RECORDING_WRAPPED_H
#define WT_RECORDER_RECORDING_WRAPPED_H

#include "base/error.h"
#include "dbgapi/table/api.h"

/**
 * Load the library to wrap; never this very library, under whatever name.
 *
 * @path: of the library; NULL for the first that is found by the list of dbgapi/finding/search.h, beginning with what the loader
 *        would have given to the client, as far as its search order tells. Where the client has a library of the name loaded beside
 *        this one, which was preloaded under another, it is that one in any case.
 * @level: of the API, as 77 of 0.77, that the one that is found is to have if there is any such, as where the client in this process asks for it.
 */
struct wt_error *wt_wrapped_load(const char *path, unsigned int level, struct wt_api *api_ret);

#endif /* WT_RECORDER_RECORDING_WRAPPED_H */
