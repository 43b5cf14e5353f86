/* SPDX-License-Identifier: MIT */
/* Bytes to and from files, in as many system calls as it takes. */
#ifndef WT_BASE_FILE_H
#define WT_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/**
 * Write all of it where the descriptor stands; it may be a pipe.
 *
 * @what, @path: for the error.
 *
 * Errors: IO, with part of it written; a file that takes nothing more is a full one.
 */
struct wt_error *wt_file_write_all(int fd, const void *data, size_t size, const char *what,
				   const char *path);

/** The same at @offset of a file, whose position does not move. */
struct wt_error *wt_file_write_at(int fd, uint64_t offset, const void *data, size_t size,
				  const char *what, const char *path);

/**
 * Read up to @size bytes at @offset of a file.
 *
 * @return: how many there were: fewer only where the file ends; -1 and errno if it cannot be read.
 */
ssize_t wt_file_read_at(int fd, uint64_t offset, void *data, size_t size);

#endif /* WT_BASE_FILE_H */
