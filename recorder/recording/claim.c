/* SPDX-License-Identifier: MIT */
#include "recorder/recording/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/recording/options.h"

/* Out of the way of the numbers that the host program's own files get. */
#define HIGH_DESCRIPTOR 500
#define ATTEMPTS 16u
/* For others who begin: each takes as long as it takes to make a file. */
#define WAIT_MS 500u

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

static bool fd_is_file(int fd, const char *path)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !stat(path, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* A file that lost its name to another while it was looked at says nothing: a ring of stops puts a new one there. */
bool wt_claim_is_locked(const char *path)
{
	for (unsigned int attempt = 0; attempt < ATTEMPTS; attempt++) {
		wt_cleanup_close int fd = open_regular(path);

		if (fd < 0)
			return false;
		if (flock(fd, LOCK_SH | LOCK_NB))
			return errno == EWOULDBLOCK;
		if (fd_is_file(fd, path))
			return false;
	}
	return true;
}

/* NULL without memory. A link to a trace is another name of it. */
static char *real_name(const char *trace)
{
	char *name = realpath(trace, NULL);

	return name ? name : strdup(trace);
}

int wt_claim_begin(const char *trace)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	wt_cleanup_free char *name = real_name(trace);
	char *slash = name ? strrchr(name, '/') : NULL;
	int fd;

	if (!name)
		return -1;
	if (slash)
		slash[1] = '\0';
	fd = open(slash ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (unsigned int waited = 0; flock(fd, LOCK_EX | LOCK_NB); waited++) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || waited == WAIT_MS) {
			close(fd);
			return -1;
		}
		nanosleep(&moment, NULL);
	}
	return fd;
}

/* The first name is looked at first: the file may go from there to the other one meanwhile. */
bool wt_claim_is_held(const char *trace)
{
	wt_cleanup_free char *name = real_name(trace), *partial = NULL;

	if (!name)
		return wt_claim_is_locked(trace);
	if (asprintf(&partial, "%s" WT_PARTIAL, name) < 0)
		partial = NULL;
	return (partial && wt_claim_is_locked(partial)) || wt_claim_is_locked(name);
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

void wt_claim_release(int claim, bool owner)
{
	if (claim < 0)
		return;
	/* A fork has the same open file: closing it here alone would not end the lock. */
	if (owner)
		flock(claim, LOCK_UN);
	close(claim);
}
