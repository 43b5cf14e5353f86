/* SPDX-License-Identifier: MIT */
#include "cli/output-file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

static bool is_same_file(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

struct wt_error *wt_cli_check_directory(const char *what, const char *output)
{
	const char *slash = strrchr(output, '/');
	wt_cleanup_free char *directory = NULL;
	struct stat status;

	if (!slash || slash == output)
		return NULL;
	directory = strndup(output, (size_t)(slash - output));
	if (!directory)
		return &wt_error_no_memory;
	if (!stat(directory, &status) || errno != ENOENT)
		return NULL;
	return wt_error_create(WT_ERROR_IO, what, output,
			       "the directory %s is not there; make it first: mkdir -p %s",
			       directory, directory);
}

struct wt_error *wt_cli_check_output(const char *what, const char *output, const char *input,
				     const char *is)
{
	struct stat needed, written;

	/* A file that is not there, or cannot be opened, is told by whoever tries. */
	if (!input || stat(output, &written) || stat(input, &needed) || !S_ISREG(written.st_mode) ||
	    !is_same_file(&written, &needed))
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
static void output_remove_unfinished(int number)
{
	const char *path = atomic_load(&unfinished);

	if (path)
		unlink(path);
	signal(number, SIG_DFL);
	raise(number);
}

void wt_cli_catch(const sigset_t *signals, void (*handler)(int), int flags)
{
	const struct sigaction action = {
		.sa_handler = handler, .sa_mask = *signals, .sa_flags = flags};
	struct sigaction before;

	for (int number = 1; number < NSIG; number++)
		if (sigismember(signals, number) == 1 && !sigaction(number, NULL, &before) &&
		    before.sa_handler != SIG_IGN)
			sigaction(number, &action, NULL);
}

static void output_catch_endings(void)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
	sigset_t signals;

	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&signals, numbers[i]);
	wt_cli_catch(&signals, output_remove_unfinished, 0);
}

void wt_cli_unfinished(const char *path)
{
	static bool caught;

	atomic_store(&unfinished, path);
	if (!caught)
		output_catch_endings();
	caught = true;
}

/* ---- Writing ---- */

static bool is_standard_stream(const struct stat *status)
{
	struct stat stream;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &stream) && is_same_file(status, &stream))
			return true;
	return false;
}

/**
 * The name without links of the file that was opened, if another file can be put in its place; else NULL.
 *
 * @status: of what was opened.
 */
static char *output_replaceable_name(const char *path, const struct stat *status)
{
	wt_cleanup_free char *name = NULL;
	struct stat named;

	if (!S_ISREG(status->st_mode) || is_standard_stream(status))
		return NULL;
	/* The target of a link in /proc need not have a name. */
	name = realpath(path, NULL);
	return name && !lstat(name, &named) && is_same_file(status, &named) ? wt_take(name) : NULL;
}

/* Who may read what is there may read what takes its place, and nobody else may. */
static bool output_keep_access(int fd, const struct stat *status)
{
	mode_t mode = status->st_mode & 0777;

	/* The owner only root can keep, the group only who is in it. */
	if (fchown(fd, status->st_uid, status->st_gid) && fchown(fd, (uid_t)-1, status->st_gid))
		mode &= 0707;
	return !fchmod(fd, mode);
}

struct wt_error *wt_cli_output_failed(const struct wt_cli_output *output)
{
	return wt_error_errno(errno, output->what, output->path);
}

/** Make a file in the directory of output->name, to be put in its place. @status: of the file of that name. */
static struct wt_error *output_open_beside(struct wt_cli_output *output, const struct stat *status,
					   int *fd_ret)
{
	if (asprintf(&output->beside, "%s.XXXXXX", output->name) < 0) {
		output->beside = NULL;
		return &wt_error_no_memory;
	}
	*fd_ret = mkostemp(output->beside, O_CLOEXEC);
	if (*fd_ret < 0) {
		free(wt_take(output->beside));
		return wt_cli_output_failed(output);
	}
	wt_cli_unfinished(output->beside);
	return output_keep_access(*fd_ret, status) ? NULL : wt_cli_output_failed(output);
}

/** There is something at the path, perhaps a link that leads nowhere yet. */
static struct wt_error *output_open_there(struct wt_cli_output *output, int *fd_ret)
{
	wt_cleanup_close int fd = -1;
	struct stat status;

	output->made = stat(output->path, &status) != 0;
	/* Not cut: what is there stays until there is something to put in its place. */
	fd = open(output->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &status))
		return wt_cli_output_failed(output);
	output->name = output_replaceable_name(output->path, &status);
	if (output->name)
		return output_open_beside(output, &status, fd_ret);
	/* An output that is no file of its own, or has no name, gets the bytes where it is. */
	if (S_ISREG(status.st_mode) && ftruncate(fd, 0))
		return wt_cli_output_failed(output);
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

static struct wt_error *output_open_new(struct wt_cli_output *output, int *fd_ret)
{
	static const struct stat new = {
		.st_mode = S_IFREG | 0600, .st_uid = (uid_t)-1, .st_gid = (gid_t)-1};

	output->name = strdup(output->path);
	return output->name ? output_open_beside(output, &new, fd_ret) : &wt_error_no_memory;
}

static struct wt_error *output_open_any(struct wt_cli_output *output, int *fd_ret)
{
	struct stat status;
	struct wt_error *error = wt_cli_check_directory(output->what, output->path);

	if (error)
		return error;
	return lstat(output->path, &status) && errno == ENOENT ? output_open_new(output, fd_ret)
							       : output_open_there(output, fd_ret);
}

static struct wt_error *output_open_standard(struct wt_cli_output *output, int *fd_ret)
{
	output->path = "stdout";
	*fd_ret = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	return *fd_ret < 0 ? wt_cli_output_failed(output) : NULL;
}

struct wt_error *wt_cli_output_open(const char *what, const char *path,
				    struct wt_cli_output *output_ret)
{
	struct wt_error *error;
	int fd = -1;

	*output_ret = (struct wt_cli_output){.what = what, .path = path};
	error = path ? output_open_any(output_ret, &fd) : output_open_standard(output_ret, &fd);
	if (!error) {
		output_ret->stream = fdopen(fd, "w");
		error = output_ret->stream ? NULL : &wt_error_no_memory;
	}
	if (!error)
		return NULL;
	if (fd >= 0)
		close(fd);
	return wt_cli_output_close(output_ret, error);
}

struct wt_error *wt_cli_output_close(struct wt_cli_output *output, struct wt_error *error)
{
	bool failed;

	if (output->stream) {
		/* Some file systems find out only now that there is no room. */
		failed = ferror(output->stream) | fflush(output->stream);
		failed |= fclose(output->stream) != 0;
		if (failed && !error)
			error = wt_cli_output_failed(output);
	}
	if (output->beside && !error && rename(output->beside, output->name))
		error = wt_cli_output_failed(output);
	if (output->beside && error)
		unlink(output->beside);
	if (output->beside)
		wt_cli_unfinished(NULL);
	if (output->made && output->name && error)
		unlink(output->name);
	free(output->beside);
	free(output->name);
	*output = (struct wt_cli_output){0};
	return error;
}

struct wt_error *wt_cli_write_file(const char *what, const char *path, const void *data,
				   size_t size)
{
	struct wt_cli_output output;
	struct wt_error *error = wt_cli_output_open(what, path, &output);

	if (error)
		return error;
	error = wt_file_write_all(fileno(output.stream), data, size, what, path);
	return wt_cli_output_close(&output, error);
}
