/* SPDX-License-Identifier: MIT */
/*
 * Libraries and clients of levels that this recorder does not know yet: what a library exports that is not in the table, and which
 * level a client asks for. Both are read from files and tables of the loader; nothing is run.
 */
#ifndef WT_RECORDER_RECORDING_UNKNOWN_H
#define WT_RECORDER_RECORDING_UNKNOWN_H

#include <stddef.h>

/** A function that is not in the table, and its symbol version. */
typedef void (*wt_unknown_function)(void *opaque, const char *name, const char *version);

/**
 * Look through what a library exports for functions of the API at symbol versions, from AMD_DBGAPI_0.54 on, that the table does
 * not have. A file that cannot be read has none.
 *
 * @unknown: called for each; may be NULL.
 *
 * Return: how many there are.
 */
size_t wt_unknown_functions(const char *path, wt_unknown_function unknown, void *opaque);

/**
 * The newest symbol version of the API that any object of this process asks for, which is the level of the client or an older
 * one.
 *
 * @level_ret: "0.80"; empty if none asks for any.
 */
void wt_unknown_client_level(char level_ret[16]);

#endif /* WT_RECORDER_RECORDING_UNKNOWN_H */
