/* SPDX-License-Identifier: MIT */
/*
 * The file that a trace is written to: creation, writes, reserved disk space, mapping. The system calls go through a
 * table, so that tests can make them fail.
 */
#ifndef WT_TRACE_FORMAT_CONTAINER_TAPE_FILE_H
#define WT_TRACE_FORMAT_CONTAINER_TAPE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct wt_io_ops {
	void *context;
	/* Like the system calls of these names: they return -1 and set errno on failure. */
	ssize_t (*pwrite)(void *context, int fd, const void *data, size_t size, off_t offset);
	int (*fallocate)(void *context, int fd, off_t offset, off_t size);
	int (*ftruncate)(void *context, int fd, off_t size);
	int (*fdatasync)(void *context, int fd);
	/* Like mmap() of a shared file: @size bytes at @offset. NULL: the file is never mapped. */
	void *(*map)(void *context, int fd, size_t size, off_t offset);
	/* The file's size, as fstat() gives it; -1 and errno on failure. NULL: assume that nobody else changes the file. */
	off_t (*length)(void *context, int fd);
};

extern const struct wt_io_ops wt_io_system;

struct wt_file {
	int fd;
	char *path;
	const struct wt_io_ops *ops;
	int errnum;	 /* of the last call that failed, or 0 */
	uint64_t limit;	 /* maximum file size in bytes; 0: none */
	uint64_t spare;	 /* about how many bytes to reserve ahead; 0: as many as are useful */
	bool over_limit; /* the file would have become longer than `limit` */
	bool no_mapping; /* write through system calls only */
	bool unreserved; /* the file system cannot reserve space: any write may find the disk full */
	bool cut;	 /* somebody truncated the file: write nothing more */
};

/**
 * Check that a new file may replace what is at @path. It may if @path does not exist, is a file, or is a symbolic link
 * that leads to a file or nowhere.
 *
 * @what: the text of the error that says what cannot be done.
 * Errors: IO if @path is a directory, device or pipe, or a link to one or into /proc, as /dev/stdout is.
 */
struct wt_error *wt_file_check_target(const char *path, const char *what);

/**
 * Create a new file at @path, mode 0600 and closed on exec. It replaces an existing file atomically: a process that has
 * the old file open keeps its content. A symbolic link is replaced, not followed.
 * Errors: IO, also those of wt_file_check_target().
 */
struct wt_error *wt_file_create(const char *path, const struct wt_io_ops *ops,
				struct wt_file *file_ret);

/**
 * A file in memory, which ends with the process. @name: what errors call it.
 * Errors: IO.
 */
struct wt_error *wt_file_create_in_memory(const char *name, const struct wt_io_ops *ops,
					  struct wt_file *file_ret);

/**
 * Create a file as wt_file_create() does, and copy the first @size bytes of @file into it, which is that file from then on. No
 * part of @file may be mapped. After an error @file is as it was, and there is no new file.
 */
struct wt_error *wt_file_move(struct wt_file *file, const char *path, uint64_t size);

/** Close the file and free the path. Legal on a closed file. */
void wt_file_close(struct wt_file *file);

/** Close the descriptor only: the path stays for messages. */
void wt_file_close_descriptor(struct wt_file *file);

struct wt_error *wt_file_write(struct wt_file *file, const void *data, size_t size,
			       uint64_t offset);

/**
 * Extend the file to @new_size bytes. Where the file system can, reserve disk space for the new part, so that writing
 * there does not fail for lack of space. Exceeding the process's file size limit counts as a full disk and raises no
 * signal.
 */
struct wt_error *wt_file_reserve(struct wt_file *file, uint64_t old_size, uint64_t new_size);

struct wt_error *wt_file_truncate(struct wt_file *file, uint64_t size);
struct wt_error *wt_file_sync(struct wt_file *file);

/** Sync the directory entry too: a synced file whose name is lost cannot be found. */
struct wt_error *wt_file_sync_name(struct wt_file *file);

/**
 * Map a part of the file. What is stored through the mapping is in the file even if the process is killed right
 * afterwards. @offset: page-aligned.
 *
 * Return: NULL where a store could fail, because that would send SIGBUS to the recorded program. So only file systems
 * are accepted that keep reserved space for stores through a mapping (ext4, XFS, tmpfs), and only if all of the file's
 * space could be reserved. Two risks remain: somebody truncates the file, which only its user may do, or the file system
 * shuts down after a disk error. `no_mapping` avoids both.
 *
 * A store that cannot fail would cost as much as a system call (process_vm_writev() to the own process, or a check of the
 * page before each store), or it would take something from the recorded program: its SIGBUS handler, or a lease, which
 * delays whoever opens the file and sends a signal when it is broken. So the file's size is checked from time to time
 * instead: see wt_file_is_cut().
 */
void *wt_file_map(struct wt_file *file, uint64_t offset, size_t size);

/**
 * Fault in the pages of @map, a whole mapping, from byte @from up to byte @to, ready for stores. This is only for speed:
 * on a kernel before 5.14 it does nothing, and the first store to each page waits for the page fault.
 */
void wt_file_make_ready(uint8_t *map, uint64_t from, uint64_t to);

/**
 * Write zeros over bytes of the file that mean nothing. This is only for speed: pages that were written are made ready in a
 * fifth of the time, because the file system handles many of them at once. Where it fails nothing is lost.
 *
 * @zeros: @size of them; that many are written at once.
 */
void wt_file_clear(struct wt_file *file, const uint8_t *zeros, size_t size, uint64_t from,
		   uint64_t to);

/** Did somebody truncate the file below the @size bytes that we gave it? If so, sets `cut`. */
bool wt_file_is_cut(struct wt_file *file, uint64_t size);

/** Was the last failure a lack of space: disk, quota or file size limit? */
bool wt_file_is_full(const struct wt_file *file);

#endif /* WT_TRACE_FORMAT_CONTAINER_TAPE_FILE_H */
