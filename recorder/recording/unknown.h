/* SPDX-License-Identifier: MIT */
/* Libraries of levels that this recorder does not know yet: what one exports that is not in the table. Nothing of it is run. */
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

#endif /* WT_RECORDER_RECORDING_UNKNOWN_H */
