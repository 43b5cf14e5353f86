/* SPDX-License-Identifier: MIT */
#include "recorder/naming/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "recorder/recording/claim.h"
#include "trace-format/container/block.h"

#define NAMES_MAX 10000u /* of one pattern at one moment: more is no accident */

static const char what[] = "cannot write the trace";

/* ---- Making it ---- */

/* Every directory of a path. Several processes may do so at once. */
static struct wt_error *make_directories(const char *path)
{
	wt_cleanup_free char *part = strdup(path);

	if (!part)
		return &wt_error_no_memory;
	for (char *c = part + 1; part[0] && *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0777) && errno != EEXIST && errno != EISDIR && errno != EROFS)
			return wt_error_errno(errno, what, part);
		*c = '/';
	}
	return NULL;
}

/* The place where the ending of a name begins; the name's end if it has none. */
static const char *ending_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name ? dot : name + strlen(name);
}

/* A file of the name that was not there before; @taken_ret: there is one already. */
static struct wt_error *trace_create(const char *path, bool *taken_ret)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	*taken_ret = fd < 0 && errno == EEXIST;
	if (fd >= 0)
		close(fd);
	return fd >= 0 || *taken_ret ? NULL : wt_error_errno(errno, what, path);
}

static struct wt_error *trace_create_next(const char *path, char **path_ret)
{
	const char *ending = ending_of(path);
	int stem = (int)(ending - path);

	for (unsigned int number = 1; number <= NAMES_MAX; number++) {
		wt_cleanup_free char *name = NULL;
		struct wt_error *error;
		int length;
		bool taken;

		if (number == 1)
			length = asprintf(&name, "%s", path);
		else
			length = asprintf(&name, "%.*s-%u%s", stem, path, number, ending);
		if (length < 0) {
			name = NULL;
			return &wt_error_no_memory;
		}
		error = trace_create(name, &taken);
		if (error)
			return error;
		if (taken)
			continue;
		*path_ret = wt_take(name);
		return NULL;
	}
	return wt_error_create(WT_ERROR_LIMIT, what, path, "there are %u files of this name",
			       NAMES_MAX);
}

struct wt_error *wt_place_make(const char *pattern, const struct wt_name_facts *facts,
			       const struct wt_place_limits *limits, char **path_ret)
{
	wt_cleanup_free char *path = NULL;
	struct wt_error *error = wt_pattern_expand(pattern, facts, &path);

	if (!error)
		error = make_directories(path);
	if (!error)
		error = trace_create_next(path, path_ret);
	if (!error)
		wt_place_tidy(pattern, *path_ret, limits);
	return error;
}

/* ---- Removing what is too much ---- */

struct kept {
	char *name;
	struct timespec time;
	uint64_t bytes;
};

struct shelf {
	int directory;
	char *glob, *numbered; /* of names; of those that got a number */
	struct kept *kept;
	size_t count, capacity;
	uint64_t bytes;
};

static void shelf_deinit(struct shelf *shelf)
{
	for (size_t i = 0; i < shelf->count; i++)
		free(shelf->kept[i].name);
	free(shelf->kept);
	free(shelf->glob);
	free(shelf->numbered);
	if (shelf->directory >= 0)
		close(shelf->directory);
}

static bool shelf_is_named(const struct shelf *shelf, const char *name)
{
	return !fnmatch(shelf->glob, name, FNM_PERIOD) ||
	       !fnmatch(shelf->numbered, name, FNM_PERIOD);
}

/* A file that begins as a trace does, and that nobody writes, may go. */
static bool is_finished_trace(const struct shelf *shelf, const char *name)
{
	wt_cleanup_close int fd =
		openat(shelf->directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint8_t head[WT_BLOCK_SIZE];
	char path[64];
	struct wt_block block;

	if (fd < 0 || pread(fd, head, sizeof(head), 0) != sizeof(head) ||
	    wt_block_decode(head, &block) != WT_BLOCK_FINE)
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return !wt_claim_is_locked(path);
}

static void shelf_keep(struct shelf *shelf, const char *name, const struct stat *status)
{
	size_t capacity = shelf->capacity ? 2 * shelf->capacity : 64;
	char *copy = strdup(name);

	if (copy && shelf->count == shelf->capacity) {
		struct kept *grown = reallocarray(shelf->kept, capacity, sizeof(*grown));

		if (!grown) {
			free(copy);
			return;
		}
		shelf->kept = grown;
		shelf->capacity = capacity;
	}
	if (!copy)
		return;
	shelf->kept[shelf->count++] =
		(struct kept){copy, status->st_mtim, (uint64_t)status->st_blocks * 512};
	shelf->bytes += (uint64_t)status->st_blocks * 512;
}

static void shelf_look_at(struct shelf *shelf, const char *name, const struct stat *newest)
{
	struct stat status;

	if (!shelf_is_named(shelf, name) ||
	    fstatat(shelf->directory, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
	    (status.st_ino == newest->st_ino && status.st_dev == newest->st_dev))
		return;
	if (is_finished_trace(shelf, name))
		shelf_keep(shelf, name, &status);
}

static int compare_ages(const void *a, const void *b)
{
	const struct kept *left = a, *right = b;

	if (left->time.tv_sec != right->time.tv_sec)
		return left->time.tv_sec < right->time.tv_sec ? -1 : 1;
	if (left->time.tv_nsec != right->time.tv_nsec)
		return left->time.tv_nsec < right->time.tv_nsec ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* The names that a pattern can have in a directory. False without memory. */
static bool shelf_init(struct shelf *shelf, const char *pattern, const char *newest)
{
	const char *slash = strrchr(newest, '/'), *ending;
	wt_cleanup_free char *folder =
		slash ? strndup(newest, (size_t)(slash - newest + 1)) : strdup(".");

	*shelf = (struct shelf){.directory = -1, .glob = wt_pattern_glob(pattern)};
	if (!folder || !shelf->glob)
		return false;
	ending = ending_of(shelf->glob);
	if (asprintf(&shelf->numbered, "%.*s-[0-9]*%s", (int)(ending - shelf->glob), shelf->glob,
		     ending) < 0)
		shelf->numbered = NULL;
	shelf->directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return shelf->numbered && shelf->directory >= 0;
}

static void read_shelf(struct shelf *shelf, const struct stat *newest)
{
	int fd = fcntl(shelf->directory, F_DUPFD_CLOEXEC, 0);
	DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (!entries && fd >= 0)
		close(fd);
	while (entries && (entry = readdir(entries)))
		shelf_look_at(shelf, entry->d_name, newest);
	if (entries)
		closedir(entries);
}

void wt_place_tidy(const char *pattern, const char *newest, const struct wt_place_limits *limits)
{
	struct shelf shelf = {.directory = -1};
	struct stat status;
	uint64_t own;

	if ((!limits->files && !limits->bytes) || stat(newest, &status))
		return;
	own = (uint64_t)status.st_blocks * 512;
	if (shelf_init(&shelf, pattern, newest))
		read_shelf(&shelf, &status);
	if (shelf.count)
		qsort(shelf.kept, shelf.count, sizeof(*shelf.kept), compare_ages);
	for (size_t i = 0; i < shelf.count; i++) {
		if ((!limits->files || shelf.count - i < limits->files) &&
		    (!limits->bytes || shelf.bytes + own <= limits->bytes))
			break;
		/* Another process that tidies up as well may have been first. */
		unlinkat(shelf.directory, shelf.kept[i].name, 0);
		shelf.bytes -= shelf.kept[i].bytes;
	}
	shelf_deinit(&shelf);
}
