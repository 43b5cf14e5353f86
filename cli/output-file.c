/* SPDX-License-Identifier: MIT */
#include "cli/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

struct wt_error *wt_cli_check_output(const char *what, const char *output, const char *input,
				     const char *is)
{
	struct stat needed, written;

	/* What is not there, or cannot be opened, is told by whoever tries. */
	if (!input || stat(output, &written) || stat(input, &needed) || !S_ISREG(written.st_mode) ||
	    !is_same(&written, &needed))
		return NULL;
	return wt_error_create(WT_ERROR_USAGE, what, output, "it is %s; give another name", is);
}

struct wt_error *wt_cli_check_workload_output(const char *what, const char *output,
					      const char *workload, struct wt_device *device)
{
	struct wt_error *error =
		wt_cli_check_output(what, output, workload, "the workload that is read");
	const char *path;

	for (size_t i = 0; !error && (path = wt_simulated_file(device, i)); i++)
		error = wt_cli_check_output(what, output, path, "a file of the workload");
	return error;
}

/* ---- Endings ---- */

static const char *_Atomic unfinished;

/* Once this returns, the signal comes again, and ends the command as it would have. */
static void remove_unfinished(int number)
{
	const char *path = atomic_load(&unfinished);

	if (path)
		unlink(path);
	signal(number, SIG_DFL);
	raise(number);
}

static void catch_endings(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	struct sigaction action = {.sa_handler = remove_unfinished};
	struct sigaction before;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&action.sa_mask, numbers[i]);
	/* As under nohup, what is ignored stays so. */
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

void wt_cli_unfinished(const char *path)
{
	static bool caught;

	atomic_store(&unfinished, path);
	if (!caught)
		catch_endings();
	caught = true;
}

/* ---- Writing ---- */

static bool is_standard_stream(const struct stat *status)
{
	struct stat stream;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &stream) && is_same(status, &stream))
			return true;
	return false;
}

/**
 * The name without links of the file that was opened, if another file can be put in its place; else NULL.
 *
 * @status: of what was opened.
 */
static char *replaceable_name(const char *path, const struct stat *status)
{
	wt_cleanup_free char *name = NULL;
	struct stat named;

	if (!S_ISREG(status->st_mode) || is_standard_stream(status))
		return NULL;
	/* What a link in /proc leads to need not have a name. */
	name = realpath(path, NULL);
	return name && !lstat(name, &named) && is_same(status, &named) ? wt_take(name) : NULL;
}

/** Close, with the error that there is already, if any. Some file systems find out only now that there is no room. */
static struct wt_error *close_file(int fd, struct wt_error *error, const char *what,
				   const char *path)
{
	return close(fd) && !error ? wt_error_errno(errno, what, path) : error;
}

/* Who may read what is there may read what takes its place, and nobody else may. */
static bool keep_access(int fd, const struct stat *status)
{
	mode_t mode = status->st_mode & 0777;

	/* The owner only root can keep, the group only who is in it. */
	if (fchown(fd, status->st_uid, status->st_gid) && fchown(fd, (uid_t)-1, status->st_gid))
		mode &= 0707;
	return !fchmod(fd, mode);
}

/** @name: of a file with this @status, in a directory where another is made first. @path: what the user calls it. */
static struct wt_error *replace(const char *what, const char *path, const char *name,
				const struct stat *status, const void *data, size_t size)
{
	wt_cleanup_free char *beside = NULL;
	struct wt_error *error;
	int fd;

	if (asprintf(&beside, "%s.XXXXXX", name) < 0) {
		beside = NULL;
		return &wt_error_no_memory;
	}
	fd = mkostemp(beside, O_CLOEXEC);
	if (fd < 0)
		return wt_error_errno(errno, what, path);
	wt_cli_unfinished(beside);
	error = keep_access(fd, status) ? NULL : wt_error_errno(errno, what, path);
	if (!error)
		error = wt_file_write_all(fd, data, size, what, path);
	error = close_file(fd, error, what, path);
	if (!error && rename(beside, name))
		error = wt_error_errno(errno, what, path);
	if (error)
		unlink(beside);
	wt_cli_unfinished(NULL);
	return error;
}

/** What is no file of its own, or has no name: it gets the bytes where it is. The descriptor is closed. */
static struct wt_error *write_into(int fd, const struct stat *status, const char *what,
				   const char *path, const void *data, size_t size)
{
	struct wt_error *error = NULL;

	if (S_ISREG(status->st_mode) && ftruncate(fd, 0))
		error = wt_error_errno(errno, what, path);
	if (!error)
		error = wt_file_write_all(fd, data, size, what, path);
	return close_file(fd, error, what, path);
}

/** There is something at @path, perhaps a link that leads nowhere yet. */
static struct wt_error *write_there(const char *what, const char *path, const void *data,
				    size_t size)
{
	wt_cleanup_free char *name = NULL;
	struct wt_error *error;
	struct stat status;
	bool made = stat(path, &status) != 0;
	/* Not cut: what is there stays until there is something to put in its place. */
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return wt_error_errno(errno, what, path);
	if (fstat(fd, &status))
		return close_file(fd, wt_error_errno(errno, what, path), what, path);
	name = replaceable_name(path, &status);
	if (!name)
		return write_into(fd, &status, what, path, data, size);
	error = close_file(fd, NULL, what, path);
	if (!error)
		error = replace(what, path, name, &status, data, size);
	if (error && made)
		unlink(name);
	return error;
}

struct wt_error *wt_cli_write_file(const char *what, const char *path, const void *data,
				   size_t size)
{
	static const struct stat new = {
		.st_mode = S_IFREG | 0600, .st_uid = (uid_t)-1, .st_gid = (gid_t)-1};
	struct stat status;

	return lstat(path, &status) && errno == ENOENT ? replace(what, path, path, &new, data, size)
						       : write_there(what, path, data, size);
}
