/* SPDX-License-Identifier: MIT */
/* Files that a verb writes for its user: none takes the place of what is read, none is left half written. */
#ifndef WT_CLI_OUTPUT_FILE_H
#define WT_CLI_OUTPUT_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "device/device.h"

/**
 * Is a file that is to be written one that is needed, perhaps by another name or through a link?
 *
 * @what: what cannot be done then: "cannot write the memory".
 * @output: there may be nothing of that name, or no file: what is written to a pipe destroys nothing.
 * @input, @is: a file that is needed, and what it is: "the trace that is read". NULL: there is none.
 *
 * Errors: USAGE if it is. Nothing is touched in any case.
 */
struct wt_error *wt_cli_check_output(const char *what, const char *output, const char *input,
				     const char *is);

/** The same for a workload and the files that it names. @device: made of it. */
struct wt_error *wt_cli_check_workload_output(const char *what, const char *output,
					      const char *workload, struct wt_device *device);

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
