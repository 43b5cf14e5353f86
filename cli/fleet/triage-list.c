/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fleet/triage.h"
#include "cli/output.h"

static const char what[] = "cannot look for traces";

void wt_triage_files_deinit(struct wt_triage_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free(files->files[i].path);
		json_decref(files->files[i].record);
	}
	free(files->files);
	*files = (struct wt_triage_files){0};
}

static void list_tell(const char *path, int errnum)
{
	fprintf(stderr, "wavetape: cannot read the directory: ");
	wt_cli_put(stderr, path);
	fprintf(stderr, ": %s\n", strerror(errnum));
}

/* A file that is no regular one, or that is not there, tells nothing. */
static void list_identify(struct wt_triage_file *file)
{
	struct stat status;

	if (stat(file->path, &status))
		file->record = wt_triage_unreadable(strerror(errno));
	else if (!S_ISREG(status.st_mode))
		file->record = wt_triage_unreadable("it is no regular file");
	else
		snprintf(file->key, sizeof(file->key), "%jx:%jx:%jx:%jd.%09ld",
			 (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
			 (uintmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec,
			 status.st_mtim.tv_nsec);
}

static struct wt_error *list_add(struct wt_triage_files *files, const char *path)
{
	struct wt_triage_file file = {.path = strdup(path)};

	if (!file.path)
		return &wt_error_no_memory;
	if (files->count == files->capacity) {
		size_t capacity = files->capacity ? 2 * files->capacity : 64;
		void *grown = reallocarray(files->files, capacity, sizeof(*files->files));

		if (!grown) {
			free(file.path);
			return &wt_error_no_memory;
		}
		files->files = grown;
		files->capacity = capacity;
	}
	list_identify(&file);
	files->files[files->count++] = file;
	return NULL;
}

static bool list_is_trace(const FTSENT *entry)
{
	struct stat status;

	if (entry->fts_level == FTS_ROOTLEVEL)
		return true;
	if (fnmatch("*.wtape", entry->fts_name, 0) != 0)
		return false;
	return entry->fts_info == FTS_F ||
	       (entry->fts_info == FTS_SL && !stat(entry->fts_accpath, &status) &&
		S_ISREG(status.st_mode));
}

static struct wt_error *list_take(struct wt_triage_files *files, const FTSENT *entry)
{
	switch (entry->fts_info) {
	case FTS_DNR:
	case FTS_ERR:
		list_tell(entry->fts_path, entry->fts_errno);
		files->unreadable++;
		return NULL;
	case FTS_D:
	case FTS_DP:
	case FTS_DC:
		return NULL;
	default:
		return list_is_trace(entry) ? list_add(files, entry->fts_path) : NULL;
	}
}

static int list_compare(const void *a, const void *b)
{
	const struct wt_triage_file *left = a, *right = b;

	return strcmp(left->path, right->path);
}

static void list_drop_doubles(struct wt_triage_files *files)
{
	size_t kept = 0;

	for (size_t i = 0; i < files->count; i++) {
		struct wt_triage_file *file = &files->files[i];

		if (kept && !strcmp(files->files[kept - 1].path, file->path)) {
			free(file->path);
			json_decref(file->record);
		} else {
			files->files[kept++] = *file;
		}
	}
	files->count = kept;
}

struct wt_error *wt_triage_list(char *const *paths, struct wt_triage_files *files)
{
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	struct wt_error *error = NULL;
	FTSENT *entry;

	if (!walk)
		return wt_error_errno(errno, what, paths[0]);
	while (!error && (errno = 0, entry = fts_read(walk)))
		error = list_take(files, entry);
	if (!error && errno)
		error = wt_error_errno(errno, what, NULL);
	fts_close(walk);
	if (files->count)
		qsort(files->files, files->count, sizeof(*files->files), list_compare);
	list_drop_doubles(files);
	return error;
}
