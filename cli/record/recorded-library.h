/* SPDX-License-Identifier: MIT */
/* Which debugger library `wavetape record` records in front of, and how it is told to the recording library. */
#ifndef WT_CLI_RECORD_RECORDED_LIBRARY_H
#define WT_CLI_RECORD_RECORDED_LIBRARY_H

#include "base/error.h"

/** Set an environment variable to the absolute path of a file that is there. */
struct wt_error *wt_record_set_path(const char *variable, const char *path);

/** Record in front of this library. The recording library could say what is wrong with it in the client's log only. */
struct wt_error *wt_record_library_take(const char *path);

/** Record in front of the library that reads cores and runs workloads. */
struct wt_error *wt_record_library_take_simulated(void);

/** The library that a client is linked with, and its run path leads to; NULL if it is not linked with any, or @client is NULL. */
char *wt_record_library_linked(char *const *client);

/** The library that a client is going to use, as far as can be told before it runs; NULL if it cannot. @client: NULL for none. */
char *wt_record_library_of_client(char *const *client);

#endif /* WT_CLI_RECORD_RECORDED_LIBRARY_H */
