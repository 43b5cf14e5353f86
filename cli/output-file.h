/* SPDX-License-Identifier: MIT */
/* Files that a verb writes for its user: none is left half written. */
#ifndef WT_CLI_OUTPUT_FILE_H
#define WT_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "base/error.h"

/**
 * Write a file of these bytes. A new one is readable by its user alone; one that is there is replaced when all is
 * written, and keeps its mode. A symbolic link is followed. A pipe, a device and our own standard output get the bytes
 * as they are.
 *
 * @what: the first part of the error: "cannot write the memory".
 */
struct wt_error *wt_cli_write_file(const char *what, const char *path, const void *data,
				   size_t size);

/**
 * From here on the file of this name goes when a signal ends the command: it is not whole. NULL: none is.
 *
 * @path: valid until the next call.
 */
void wt_cli_unfinished(const char *path);

#endif /* WT_CLI_OUTPUT_FILE_H */
