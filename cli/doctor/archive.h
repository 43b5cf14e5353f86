/* SPDX-License-Identifier: MIT */
/* Writing files together as one .tar.gz. */
#ifndef WT_CLI_DOCTOR_ARCHIVE_H
#define WT_CLI_DOCTOR_ARCHIVE_H

#include <stddef.h>

#include "base/error.h"

/* A file of the archive: its contents are those of a path, or a text. */
struct wt_archive_file {
	const char *name; /* in the archive: at most 99 bytes */
	const char *path; /* NULL: @text */
	const char *text;
};

/**
 * Write an archive; one of that name is replaced when the new one is whole. Errors: IO; LIMIT if a file is too large.
 */
struct wt_error *wt_archive_write(const char *path, const struct wt_archive_file *files,
				  size_t count);

#endif /* WT_CLI_DOCTOR_ARCHIVE_H */
