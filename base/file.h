/* SPDX-License-Identifier: MIT */
/* Complete reads and writes of files, whatever number of system calls they take; and an end of all that are open. */
#ifndef WT_BASE_FILE_H
#define WT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/**
 * Write all @size bytes at the current position of a file, or to a pipe.
 *
 * @what, @path: the first two parts of an error.
 *
 * Errors: WT_ERROR_IO; a part may have been written. A write of 0 bytes counts as a full disk.
 */
struct wt_error *wt_file_write_all(int fd, const void *data, size_t size, const char *what,
				   const char *path);

/** The same at byte @offset of a file. The file position does not change. */
struct wt_error *wt_file_write_at(int fd, uint64_t offset, const void *data, size_t size,
				  const char *what, const char *path);

/**
 * Read up to @size bytes at byte @offset of a file.
 *
 * Return: how many were read, fewer only at the end of the file; -1 with errno set after an error.
 */
ssize_t wt_file_read_at(int fd, uint64_t offset, void *data, size_t size);

/**
 * Close all files of the process that have a number of at least @first. It is safe in a child of a program with threads.
 *
 * Return: false if the kernel cannot, as Linux before 5.9; errno says why.
 */
bool wt_file_close_from(unsigned int first);

#endif /* WT_BASE_FILE_H */
