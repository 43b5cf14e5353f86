/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range                                                                            \
	436 /* Linux has it by this number on all processors; older headers do not know it */
#endif

/* The meaning of a call that moved @done bytes, or none: false if it is not to be made again. */
static bool transfer_goes_on(ssize_t done)
{
	return done > 0 || (done < 0 && errno == EINTR);
}

/* No system call fails by writing nothing; some file systems do where there is no room. */
static struct wt_error *refused(ssize_t done, const char *what, const char *path)
{
	return wt_error_errno(done ? errno : ENOSPC, what, path);
}

struct wt_error *wt_file_write_all(int fd, const void *data, size_t size, const char *what,
				   const char *path)
{
	const uint8_t *bytes = data;

	for (size_t total = 0; total < size;) {
		ssize_t done = write(fd, bytes + total, size - total);

		if (!transfer_goes_on(done))
			return refused(done, what, path);
		total += done > 0 ? (size_t)done : 0;
	}
	return NULL;
}

struct wt_error *wt_file_write_at(int fd, uint64_t offset, const void *data, size_t size,
				  const char *what, const char *path)
{
	const uint8_t *bytes = data;

	for (size_t total = 0; total < size;) {
		ssize_t done = pwrite(fd, bytes + total, size - total, (off_t)(offset + total));

		if (!transfer_goes_on(done))
			return refused(done, what, path);
		total += done > 0 ? (size_t)done : 0;
	}
	return NULL;
}

ssize_t wt_file_read_at(int fd, uint64_t offset, void *data, size_t size)
{
	uint8_t *bytes = data;
	size_t total = 0;

	while (total < size) {
		ssize_t done = pread(fd, bytes + total, size - total, (off_t)(offset + total));

		if (!done)
			break;
		if (!transfer_goes_on(done))
			return -1;
		total += done > 0 ? (size_t)done : 0;
	}
	return (ssize_t)total;
}

bool wt_file_close_from(unsigned int first)
{
	return !syscall(SYS_close_range, first, ~0u, 0u);
}
