/* SPDX-License-Identifier: MIT */
#include "cli/record/trace-output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/command.h"
#include "cli/output-file.h"
#include "cli/output.h"
#include "cli/trace.h"
#include "recorder/recording/claim.h"
#include "recorder/recording/options.h"

static struct wt_error *output_cannot_write(const struct wt_record_output *output)
{
	return wt_error_errno(errno, WT_RECORD_CANNOT_WRITE, output->path);
}

static bool output_is_same(const char *path, const struct stat *file)
{
	struct stat now;

	return !stat(path, &now) && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

/* ---- Before ---- */

struct wt_record_output wt_record_output_none(const char *path)
{
	return (struct wt_record_output){.path = path, .fd = -1, .idle_fd = -1};
}

static struct wt_error *output_open_file(struct wt_record_output *output)
{
	struct stat *before = &output->before;
	struct wt_error *error = wt_cli_check_directory(WT_RECORD_CANNOT_WRITE, output->path);

	if (error)
		return error;
	output->made |= stat(output->path, before) != 0;
	/* A pipe could not be opened while nobody reads from it, a device might do something. */
	if (!output->made && !S_ISREG(before->st_mode) && !S_ISDIR(before->st_mode))
		return wt_error_create(WT_ERROR_IO, WT_RECORD_CANNOT_WRITE, output->path,
				       "it is not a regular file; give another name");
	output->fd = open(output->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
	if (output->fd < 0 || fstat(output->fd, before))
		return output_cannot_write(output);
	output->older = before->st_size != 0;
	return NULL;
}

struct wt_error *wt_record_output_partial(const char *path, char **partial_ret)
{
	wt_cleanup_free char *name = realpath(path, NULL);

	if (asprintf(partial_ret, "%s" WT_PARTIAL, name ? name : path) >= 0)
		return NULL;
	*partial_ret = NULL;
	return &wt_error_no_memory;
}

static struct wt_error *output_find_names(struct wt_record_output *output)
{
	output->name = realpath(output->path, NULL);
	if (!output->name)
		return output_cannot_write(output);
	return wt_record_output_partial(output->name, &output->partial);
}

/** No part of an earlier session must be there, so that what is there after this one is its own. */
static struct wt_error *output_make_idle(struct wt_record_output *output)
{
	if (wt_claim_is_held(output->name))
		return wt_error_create(WT_ERROR_USAGE, WT_RECORD_CANNOT_WRITE, output->path,
				       "another process records into it; give another name");
	unlink(output->partial);
	output->idle = output->before;
	if (!output->older)
		return NULL;
	output->idle_fd = open(output->partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (output->idle_fd < 0 || fstat(output->idle_fd, &output->idle))
		return wt_error_errno(errno, WT_RECORD_CANNOT_WRITE, output->partial);
	return NULL;
}

struct wt_error *wt_record_output_open(struct wt_record_output *output)
{
	struct wt_error *error = output_open_file(output);

	if (!error)
		error = output_find_names(output);
	return error ? error : output_make_idle(output);
}

void wt_record_output_drop(const struct wt_record_output *output)
{
	if (output->older && output_is_same(output->partial, &output->idle))
		unlink(output->partial);
	if (output->made && output->name && output_is_same(output->name, &output->before))
		unlink(output->name);
}

void wt_record_output_deinit(struct wt_record_output *output)
{
	if (output->fd >= 0)
		close(output->fd);
	if (output->idle_fd >= 0)
		close(output->idle_fd);
	free(output->name);
	free(output->partial);
	*output = wt_record_output_none(output->path);
}

/* ---- After ---- */

static int output_tell_nothing_recorded(const struct wt_record_output *output, const char *why)
{
	return wt_cli_fail(wt_error_create(WT_ERROR_NOT_FOUND, "nothing was recorded", output->path,
					   "%s", why));
}

static int output_tell_not_loaded(const struct wt_record_output *output)
{
	wt_record_output_drop(output);
	return output_tell_nothing_recorded(
		output, "the client's calls went past the recording library, or that could not "
			"load the client's: it looks its functions up itself, or asks its own "
			"library first (RTLD_DEEPBIND)");
}

static int output_tell_not_begun(const struct wt_record_output *output)
{
	/* The recorder takes an empty file for none. */
	if (!output->made && !output->older) {
		int fd = open(output->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			      output->before.st_mode & 0777);

		if (fd >= 0)
			close(fd);
	}
	return output_tell_nothing_recorded(
		output, "the trace could not be begun; the library's log, which "
			"the client gets, has the reason");
}

/** The recording ended before its first stop, and there was an older trace, which is still there. */
static int output_tell_not_replaced(const struct wt_record_output *output)
{
	wt_cleanup_error struct wt_error *error = NULL;
	struct wt_trace_info info = {.end_reason = "it cannot be read"};
	struct wt_reader *reader = NULL;

	error = wt_reader_open(output->partial, &reader);
	if (reader)
		wt_reader_info(reader, &info);
	wt_cli_fail(wt_error_create(WT_ERROR_IO,
				    info.cut ? "the recording ended early"
					     : "the recording ended before its first stop",
				    output->partial, "%s; %s is the trace that was there before",
				    info.end_reason ? info.end_reason
						    : "the client ended without a word",
				    output->path));
	wt_reader_close(reader);
	return WT_EXIT_PARTIAL;
}

static int output_check_trace(const char *path)
{
	struct wt_reader *reader;
	struct wt_error *error = wt_reader_open(path, &reader);
	int code = WT_EXIT_FINE;
	size_t told = 0;

	if (error)
		return wt_cli_fail(error);
	wt_cli_damage(reader, path, &told);
	if (wt_reader_damage(reader) || wt_cli_cut(reader, path))
		code = WT_EXIT_PARTIAL;
	wt_reader_close(reader);
	return code;
}

/* The new trace has a name of its own as long as there is an older one. */
static bool output_keeps_older(const struct wt_record_output *output)
{
	return output->older && output_is_same(output->name, &output->before);
}

bool wt_record_output_is_idle(const struct wt_record_output *output)
{
	return output_is_same(output_keeps_older(output) ? output->partial : output->name,
			      &output->idle);
}

int wt_record_output_check(const struct wt_record_output *output, int code)
{
	bool kept = output_keeps_older(output);
	const char *new = kept ? output->partial : output->name;
	int found;

	if (wt_record_output_is_idle(output))
		found = output_tell_not_loaded(output);
	else if (access(new, F_OK))
		found = output_tell_not_begun(output);
	else
		found = kept ? output_tell_not_replaced(output) : output_check_trace(output->path);
	return code ? code : found;
}
