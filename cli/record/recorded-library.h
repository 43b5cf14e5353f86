/* SPDX-License-Identifier: MIT */
/* Which debugger library `wavetape record` records in front of, and how it is told to the recording library. */
#ifndef WT_CLI_RECORD_RECORDED_LIBRARY_H
#define WT_CLI_RECORD_RECORDED_LIBRARY_H

#include "base/error.h"
#include "dbgapi/finding/search.h"

/** Set an environment variable to the absolute path of a file that is there. */
struct wt_error *wt_record_set_path(const char *variable, const char *path);

/** Record in front of this library. The recording library could say what is wrong with it in the client's log only. */
struct wt_error *wt_record_library_take(const char *path);

/** Record in front of the library that reads cores and runs workloads. */
struct wt_error *wt_record_library_take_simulated(void);

/** The library that a client is linked with, and its run path leads to; NULL if it is not linked with any. The caller frees it. */
char *wt_record_library_linked(char *const *client);

/**
 * Search for the library that a client is going to use, as far as can be told before it runs.
 *
 * @client: its command line; NULL for none.
 *
 * Return: the search, which the caller ends.
 */
struct wt_search wt_record_library_search(char *const *client);

/** The error for a search that has found none: it says where was looked. */
struct wt_error *wt_record_library_not_found(const struct wt_search *search);

#endif /* WT_CLI_RECORD_RECORDED_LIBRARY_H */
