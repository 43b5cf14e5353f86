/* SPDX-License-Identifier: MIT */
/*
 * Walks through directories as tools do, and asks of each entry by its path and by its directory's descriptor: the answers must
 * agree. A line for each entry; links are not followed. `walk PATH...`; exits with 1 if something does not agree.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool failed;

static void expect(bool holds, const char *path, const char *what)
{
	if (holds)
		return;
	printf("%s: %s does not agree\n", path, what);
	failed = true;
}

static bool are_same(const struct stat *a, const struct stat *b)
{
	return a->st_mode == b->st_mode && a->st_ino == b->st_ino && a->st_size == b->st_size;
}

static void show_link(int directory, const char *name, const char *path)
{
	char target[PATH_MAX] = "", again[PATH_MAX] = "", real[PATH_MAX];
	struct stat status;

	expect(readlink(path, target, sizeof(target) - 1) > 0, path, "readlink");
	expect(readlinkat(directory, name, again, sizeof(again) - 1) > 0 && !strcmp(target, again),
	       path, "readlinkat");
	expect(stat(path, &status) == 0, path, "stat");
	printf("%s -> %s is %s\n", path, target, realpath(path, real) ? real : "nowhere");
}

static void show(int directory, const char *name, const char *path);

static int is_shown(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static void walk(int parent, const char *name, const char *path)
{
	struct dirent **names = NULL;
	int count = scandir(path, &names, is_shown, alphasort), seen = 0;
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY);
	DIR *directory = opendir(path), *again = fd < 0 ? NULL : fdopendir(fd);

	expect(count >= 0 && directory && again, path, "opendir");
	while (directory && readdir(directory))
		seen++;
	expect(seen == count + 2, path, "readdir");
	for (int i = 0; i < count; i++) {
		char *below;

		if (again && asprintf(&below, "%s/%s", path, names[i]->d_name) > 0) {
			show(dirfd(again), names[i]->d_name, below);
			free(below);
		}
		free(names[i]);
	}
	free(names);
	if (directory)
		closedir(directory);
	if (again)
		closedir(again);
}

static void show(int directory, const char *name, const char *path)
{
	struct stat status, again;
	struct statx wide;

	if (lstat(path, &status)) {
		printf("%s is not there\n", path);
		return;
	}
	if (S_ISCHR(status.st_mode)) {
		expect(!access(path, R_OK | W_OK), path, "access");
		expect(!statx(AT_FDCWD, path, 0, STATX_ALL, &wide) && S_ISCHR(wide.stx_mode) &&
			       makedev(wide.stx_rdev_major, wide.stx_rdev_minor) == status.st_rdev,
		       path, "statx");
		printf("%s is a device\n", path);
		return;
	}
	expect(!fstatat(directory, name, &again, AT_SYMLINK_NOFOLLOW) && are_same(&status, &again),
	       path, "fstatat");
	expect(!fstatat(AT_FDCWD, path, &again, AT_SYMLINK_NOFOLLOW) && are_same(&status, &again),
	       path, "fstatat of a path");
	expect(!statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_ALL, &wide) &&
		       wide.stx_mode == status.st_mode && wide.stx_ino == status.st_ino,
	       path, "statx");
	expect(!access(path, R_OK) && !faccessat(directory, name, R_OK, 0), path, "access");
	if (S_ISLNK(status.st_mode)) {
		show_link(directory, name, path);
	} else if (S_ISDIR(status.st_mode)) {
		printf("%s/\n", path);
		walk(directory, name, path);
	} else {
		expect(access(path, W_OK) || !geteuid(), path, "access for writing");
		printf("%s\n", path);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show(AT_FDCWD, argv[i], argv[i]);
	return failed;
}
