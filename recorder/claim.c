/* SPDX-License-Identifier: MIT */
#include "recorder/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "recorder/options.h"

/* Out of the way of the numbers that the host program's own files get. */
#define HIGH_DESCRIPTOR 500
#define ATTEMPTS 16u

/* A regular file, opened without any effect on it; -1 if it is none. */
static int open_regular(const char *path)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;
	int regular = -1;

	if (fd >= 0 && !fstat(fd, &status) && S_ISREG(status.st_mode)) {
		regular = fd;
		fd = -1;
	}
	return regular;
}

static bool is_file(int fd, const char *path)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !stat(path, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* A file that lost its name to another while it was looked at says nothing: a ring of stops puts a new one there. */
static bool is_locked(const char *path)
{
	for (unsigned int attempt = 0; attempt < ATTEMPTS; attempt++) {
		wt_cleanup_close int fd = open_regular(path);

		if (fd < 0)
			return false;
		if (flock(fd, LOCK_SH | LOCK_NB))
			return errno == EWOULDBLOCK;
		if (is_file(fd, path))
			return false;
	}
	return true;
}

bool wt_claim_is_held(const char *trace)
{
	wt_cleanup_free char *partial = NULL;

	if (asprintf(&partial, "%s" WT_PARTIAL, trace) < 0)
		partial = NULL;
	return is_locked(trace) || (partial && is_locked(partial));
}

int wt_claim_hold(const char *path)
{
	int fd = open_regular(path), high;

	if (fd < 0)
		return -1;
	high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);
	if (high >= 0) {
		close(fd);
		fd = high;
	}
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return -1;
}

void wt_claim_release(int claim)
{
	if (claim >= 0)
		close(claim);
}
