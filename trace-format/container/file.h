/* SPDX-License-Identifier: MIT */
/*
 * The file a trace is written to. The system calls go through a table, so that tests can make them
 * fail.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_FILE_H
#define WT_TRACE_FORMAT_CONTAINER_FILE_H

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
	/* May be NULL: then nothing is mapped. As mmap() of a shared file; @size bytes at @offset. */
	void *(*map)(void *context, int fd, size_t size, off_t offset);
	/* May be NULL: then nobody else changes the file. Its size, as fstat() gives it; -1 and errno. */
	off_t (*length)(void *context, int fd);
};

extern const struct wt_io_ops wt_io_system;

struct wt_file {
	int fd;
	char *path;
	const struct wt_io_ops *ops;
	int errnum;	/* of the last call that failed, or 0 */
	uint64_t limit; /* bytes the file may have; 0: any number */
	uint64_t spare; /* bytes to reserve beyond what is in it, about; 0: as many as are of use */
	bool over_limit; /* it would have become longer than that */
	bool no_mapping; /* every byte goes through a system call */
	bool unreserved; /* the file system does not keep space: any write may find the disk full */
	bool cut;	 /* somebody made it shorter: nothing more is to be written */
};

/**
 * May a file take the place of what is at @path? Of a file, of a symbolic link that leads to one or nowhere, and of
 * nothing. IO, with @what as what cannot be done: of a directory, device or pipe, and of a link that leads to one
 * or into /proc, as /dev/stdout does.
 */
struct wt_error *wt_file_check_target(const char *path, const char *what);

/**
 * Make a new file at @path, mode 0600 and closed on exec. What was there before is replaced in one
 * step and keeps its content for whoever has it open; a symbolic link is replaced, not followed.
 * Errors: IO (also as wt_file_check_target() says).
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

/** Its name onto the disk as well: what is synced in a file whose name is lost helps nobody. */
struct wt_error *wt_file_sync_name(struct wt_file *file);

/**
 * Map a part of the file so that what is stored there is in the file, also if the process is killed
 * right afterwards. NULL where a store could fail, which would send SIGBUS to the recorded program:
 * only file systems are taken that keep reserved space for whoever stores through a mapping (ext4,
 * XFS, tmpfs), and only where all of the file's space could be reserved. @offset: of a page. What remains:
 * a store fails if somebody cuts the file, which is the user's alone, or if the file system itself
 * goes down after an error of its disk; who fears that sets `no_mapping`.
 *
 * A store that cannot fail would cost what a system call does (process_vm_writev() to oneself, or a look
 * at the page before it), or take something from the recorded program: a handler for SIGBUS, or a lease,
 * which holds up whoever opens the file and sends a signal when it is broken. So the file is looked at
 * from time to time instead: see wt_file_is_cut().
 */
void *wt_file_map(struct wt_file *file, uint64_t offset, size_t size);

/**
 * Have the pages of @map, a whole mapping, from byte @from up to byte @to in memory and ready for stores. It is for speed
 * alone: where the kernel cannot (before 5.14), a store waits for its page as ever.
 */
void wt_file_make_ready(uint8_t *map, uint64_t from, uint64_t to);

/** Has somebody made the file shorter than the @size bytes that we gave it? Then `cut` is set. */
bool wt_file_is_cut(struct wt_file *file, uint64_t size);

/** Was the last failure one of space: disk, quota or the limit on file sizes? */
bool wt_file_is_full(const struct wt_file *file);

#endif /* WT_TRACE_FORMAT_CONTAINER_FILE_H */
