/* SPDX-License-Identifier: MIT */
#include "recorder/recording/trace-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/recording/claim.h"
#include "recorder/recording/options.h"

static bool name_is_taken(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && status.st_size;
}

/* The claim goes along when the writer puts a new file in place of the trace. */
static struct wt_error *claim_next(void *opaque, const char *path)
{
	struct wt_trace_file *file = opaque;

	if (file->claim < 0)
		return NULL;
	file->claim_next = wt_claim_hold(path);
	if (file->claim_next >= 0)
		return NULL;
	return wt_error_create(WT_ERROR_IO, "cannot claim the trace", path,
			       "it cannot be locked, and another program might replace it");
}

static void move_claim(void *opaque, bool done)
{
	struct wt_trace_file *file = opaque;

	wt_claim_release(done ? file->claim : file->claim_next, true);
	if (done)
		file->claim = file->claim_next;
	file->claim_next = -1;
}

/* The file is there, and nothing is in it: from now on others see whose it is. */
static void claim_first(void *opaque, const char *path)
{
	struct wt_trace_file *file = opaque;

	file->claim = wt_claim_hold(path);
	wt_claim_release(file->claim_begun, true);
	file->claim_begun = -1;
}

/* Chooses the names of the file until wt_trace_file_keep(), and after. */
static struct wt_error *choose_names(struct wt_trace_file *file, const char *path)
{
	if (!name_is_taken(path))
		return NULL;
	file->final_name = realpath(path, NULL);
	if (!file->final_name)
		return wt_error_errno(errno, "cannot create the trace", path);
	if (asprintf(&file->partial_name, "%s" WT_PARTIAL, file->final_name) >= 0)
		return NULL;
	file->partial_name = NULL;
	return &wt_error_no_memory;
}

static struct wt_error *claim_and_create(struct wt_trace_file *file, const char *path,
					 const struct wt_writer_options *options,
					 struct wt_writer **writer_ret)
{
	struct wt_error *error;

	if (options->in_memory)
		return wt_writer_create(path, options, writer_ret);
	file->claim_begun = wt_claim_begin(path);
	file->is_others = wt_claim_is_held(path);
	if (file->is_others)
		return wt_error_create(WT_ERROR_USAGE, "not recorded", path,
				       "another process records into that trace");
	error = choose_names(file, path);
	if (error)
		return error;
	return wt_writer_create(file->partial_name ? file->partial_name : path, options,
				writer_ret);
}

/* -1 if that fails: then nothing is known of the room there is. */
static int trace_directory_open(const char *path)
{
	const char *slash = strrchr(path, '/');
	wt_cleanup_free char *name =
		slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");

	return name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static void watch_room(struct wt_trace_file *file, const char *path, uint64_t min_free)
{
	file->min_free = min_free;
	if (min_free)
		file->directory = trace_directory_open(path);
}

struct wt_error *wt_trace_file_create(struct wt_trace_file *file, const char *path,
				      struct wt_writer_options *options, uint64_t min_free,
				      struct wt_writer **writer_ret)
{
	struct wt_error *error;

	options->ring_watch =
		(struct wt_ring_watch){.opaque = file, .before = claim_next, .after = move_claim};
	options->file_watch = (struct wt_file_watch){.opaque = file, .created = claim_first};
	error = claim_and_create(file, path, options, writer_ret);
	if (error) {
		wt_claim_release(file->claim, true);
		wt_claim_release(file->claim_begun, true);
		file->claim = file->claim_begun = -1;
		return error;
	}
	if (!options->in_memory)
		watch_room(file, path, min_free);
	return NULL;
}

struct wt_error *wt_trace_file_move(struct wt_trace_file *file, struct wt_writer *writer,
				    const char *path, uint64_t min_free)
{
	struct wt_error *error;

	watch_room(file, path, min_free);
	error = wt_trace_file_check_room(file);
	if (!error)
		error = wt_writer_move(writer, path);
	if (!error) {
		claim_first(file, path);
		return NULL;
	}
	/* In memory it takes no room there. */
	if (file->directory >= 0)
		close(file->directory);
	file->directory = -1;
	file->min_free = 0;
	file->disk_spent = false;
	return error;
}

/* False and errno: not if another process has begun a trace of that name, where it could not be kept from it. */
static bool take_final_name(const struct wt_trace_file *file)
{
	if (wt_claim_is_locked(file->final_name)) {
		errno = EBUSY;
		return false;
	}
	return !rename(file->partial_name, file->final_name);
}

bool wt_trace_file_keep(struct wt_trace_file *file, struct wt_writer *writer)
{
	bool taken = !file->partial_name || take_final_name(file);
	int error = errno;

	if (file->partial_name && taken && writer)
		wt_writer_renamed(writer, file->final_name);
	free(wt_take(file->partial_name));
	free(wt_take(file->final_name));
	errno = error;
	return taken;
}

struct wt_error *wt_trace_file_check_room(struct wt_trace_file *file)
{
	struct statvfs status;

	if (!file->min_free || fstatvfs(file->directory, &status) ||
	    (uint64_t)status.f_bavail * status.f_frsize >= file->min_free)
		return NULL;
	file->disk_spent = true;
	return wt_error_create(WT_ERROR_LIMIT, "the recording ends here", "min-free",
			       "the file system has %llu bytes left, fewer than %llu",
			       (unsigned long long)status.f_bavail * status.f_frsize,
			       (unsigned long long)file->min_free);
}

void wt_trace_file_end(struct wt_trace_file *file)
{
	if (file->directory >= 0)
		close(file->directory);
	file->directory = -1;
	free(wt_take(file->partial_name));
	free(wt_take(file->final_name));
}

void wt_trace_file_release(struct wt_trace_file *file, bool owner)
{
	wt_claim_release(file->claim, owner);
	file->claim = -1;
	/* Left where the trace could not be created. */
	wt_trace_file_end(file);
}
