/* SPDX-License-Identifier: MIT */
/* Files that a verb writes for its user. They never replace a file that the verb reads, and are never left half written. */
#ifndef WT_CLI_OUTPUT_FILE_H
#define WT_CLI_OUTPUT_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "device/device.h"

/** Look whether the directory of a file that will be written is there. No verb makes directories; the error says how. */
struct wt_error *wt_cli_check_directory(const char *what, const char *output);

/**
 * Check that a file to be written is not one that is read, also by another name or through a link.
 *
 * @what: the first part of the error: "cannot write the memory".
 * @output: need not exist. A pipe or a device is never an error.
 * @input, @is: a file that is needed, and what it is: "the trace that is read". NULL: there is none.
 *
 * Errors: USAGE if it is. Nothing is touched in any case.
 */
struct wt_error *wt_cli_check_output(const char *what, const char *output, const char *input,
				     const char *is);

/** The same for a workload and the files that it names. @device: made from the workload. */
struct wt_error *wt_cli_check_workload_output(const char *what, const char *output,
					      const char *workload, struct wt_device *device);

/* A file that is written piece by piece. */
struct wt_cli_output {
	FILE *stream;
	const char *what, *path;
	/* Private: the file that is made, and the name that it gets; NULL where bytes go into what is there. */
	char *beside, *name;
	bool made; /* a file of that name, to hold it, by us */
};

/**
 * Open a file to be written. A new one is readable by its user alone; one that is there is replaced when it is closed, and
 * keeps its mode. A symbolic link is followed. A pipe, a device and our own standard output get the bytes as they are.
 *
 * @what: the first part of errors: "cannot write the memory". @path: NULL is standard output. Both must outlive the output.
 */
struct wt_error *wt_cli_output_open(const char *what, const char *path,
				    struct wt_cli_output *output_ret);

/**
 * Close it, once: all is written, or @error says why it is not. Then nothing is left of what was written, but in what is no
 * file.
 *
 * @return: @error, or why the file is not there.
 */
struct wt_error *wt_cli_output_close(struct wt_cli_output *output, struct wt_error *error);

/** The error for a write that failed, by errno. */
struct wt_error *wt_cli_output_failed(const struct wt_cli_output *output);

/** Write a file of these bytes at once. */
struct wt_error *wt_cli_write_file(const char *what, const char *path, const void *data,
				   size_t size);

/**
 * Remove the file of this name when a signal ends the command, because it is not complete. NULL: remove none.
 *
 * @path: valid until the next call.
 */
void wt_cli_unfinished(const char *path);

/** Give each of @signals to @handler, which none of them interrupts, with @flags of sigaction(). One that is ignored stays so, as under nohup. */
void wt_cli_catch(const sigset_t *signals, void (*handler)(int), int flags);

#endif /* WT_CLI_OUTPUT_FILE_H */
