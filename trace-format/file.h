/* SPDX-License-Identifier: MIT */
/*
 * The file a trace is written to. The system calls go through a table, so that tests can make them
 * fail.
 */
#ifndef WT_TRACE_FILE_H
#define WT_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct wt_io_ops {
	void *context;
	/* As the system calls of these names: -1 and errno when they fail. */
	ssize_t (*pwrite)(void *context, int fd, const void *data, size_t size, off_t offset);
	int (*fallocate)(void *context, int fd, off_t offset, off_t size);
	int (*ftruncate)(void *context, int fd, off_t size);
	int (*fdatasync)(void *context, int fd);
};

extern const struct wt_io_ops wt_io_system;

struct wt_file {
	int fd;
	char *path;
	const struct wt_io_ops *ops;
	int errnum; /* of the last call that failed, or 0 */
};

/**
 * Make a new file at @path, mode 0600 and closed on exec. What was there before is replaced in one
 * step and keeps its content for whoever has it open; a symbolic link is replaced, not followed.
 * Errors: IO (also for a path that is a directory, device or pipe).
 */
struct wt_error *wt_file_create(const char *path, const struct wt_io_ops *ops,
				struct wt_file *file_ret);

/** Close, and forget the path. Legal on a closed file. */
void wt_file_close(struct wt_file *file);

/** Close the descriptor alone: the path stays known for messages. */
void wt_file_close_descriptor(struct wt_file *file);

struct wt_error *wt_file_write(struct wt_file *file, const void *data, size_t size,
			       uint64_t offset);

/**
 * Make the file @new_size bytes long, and keep disk space for what is added where the file system
 * can: then writing there does not fail for want of space. The process's limit on file sizes counts
 * as a full disk, without its signal.
 */
struct wt_error *wt_file_reserve(struct wt_file *file, uint64_t old_size, uint64_t new_size);

struct wt_error *wt_file_truncate(struct wt_file *file, uint64_t size);
struct wt_error *wt_file_sync(struct wt_file *file);

/**
 * Onto the disk with the name as well: what is synced in a file whose name is lost helps nobody.
 */
struct wt_error *wt_file_sync_name(struct wt_file *file);

/** Was the last failure one of space: disk, quota or the limit on file sizes? */
bool wt_file_is_full(const struct wt_file *file);

#endif /* WT_TRACE_FILE_H */
