/* SPDX-License-Identifier: MIT */
#include "replayer/code/extract-code.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blake2b.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "trace-format/state/blob.h"

static const char what[] = "cannot extract a code object";

#define SUFFIX ".elf"
#define NAME_SIZE (2 * WT_BLAKE2B_SIZE + sizeof(SUFFIX))

static void code_file_name(const void *data, size_t size, char name[NAME_SIZE])
{
	uint8_t key[WT_BLAKE2B_SIZE];

	wt_blake2b(data, size, key);
	for (size_t i = 0; i < sizeof(key); i++)
		snprintf(name + 2 * i, 3, "%02x", key[i]);
	memcpy(name + 2 * sizeof(key), SUFFIX, sizeof(SUFFIX));
}

/* The directory above may be missing, too: ~/.cache of a new user. */
static void code_directory_make(const char *directory)
{
	wt_cleanup_free char *parent = strdup(directory);
	char *slash = parent ? strrchr(parent, '/') : NULL;

	if (!mkdir(directory, 0700) || errno != ENOENT || !slash || slash == parent)
		return;
	*slash = '\0';
	if (!mkdir(parent, 0700))
		mkdir(directory, 0700);
}

/* A descriptor of a directory that is ours alone; an error otherwise. */
static struct wt_error *code_directory_open(const char *directory, int *fd_ret)
{
	wt_cleanup_close int fd = -1;
	struct stat status;

	code_directory_make(directory);
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, what, directory);
	if (status.st_uid != geteuid() || status.st_mode & 077)
		return wt_error_create(WT_ERROR_IO, what, directory,
				       "the directory is not this user's alone: remove it, or its "
				       "permissions for others");
	*fd_ret = fd;
	fd = -1;
	return NULL;
}

/* Whether a file holds just these bytes. It may be anything: look before reading. */
static bool code_file_holds(int directory, const char *name, const uint8_t *data, size_t size)
{
	wt_cleanup_close int fd =
		openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;
	uint8_t block[16384];

	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    status.st_uid != geteuid() || (uint64_t)status.st_size != size)
		return false;
	for (size_t done = 0; done < size;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || (size_t)got > size - done ||
		    memcmp(block, data + done, (size_t)got))
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Under another name first: whoever finds the name finds the whole file. */
static struct wt_error *code_file_create(int directory, const char *path, const char *name,
					 const uint8_t *data, size_t size)
{
	wt_cleanup_free char *draft = NULL;
	wt_cleanup_close int fd = -1;
	struct wt_error *error;

	if (asprintf(&draft, "%s.%ld", name, (long)getpid()) < 0) {
		draft = NULL;
		return &wt_error_no_memory;
	}
	unlinkat(directory, draft, 0);
	fd = openat(directory, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return wt_error_errno(errno, what, path);
	error = wt_file_write_at(fd, 0, data, size, what, path);
	/* Some file systems find out only now that there is no room. */
	if (close(fd) && !error)
		error = wt_error_errno(errno, what, path);
	fd = -1;
	if (!error && renameat(directory, draft, directory, name))
		error = wt_error_errno(errno, what, path);
	if (error)
		unlinkat(directory, draft, 0);
	return error;
}

static struct wt_error *extract_into(const char *directory, const uint8_t *data, size_t size,
				     char **path_ret)
{
	wt_cleanup_close int fd = -1;
	wt_cleanup_free char *path = NULL;
	struct wt_error *error;
	char name[NAME_SIZE];

	error = code_directory_open(directory, &fd);
	if (error)
		return error;
	code_file_name(data, size, name);
	if (asprintf(&path, "%s/%s", directory, name) < 0) {
		path = NULL;
		return &wt_error_no_memory;
	}
	if (!code_file_holds(fd, name, data, size))
		error = code_file_create(fd, path, name, data, size);
	if (!error)
		*path_ret = wt_take(path);
	return error;
}

struct wt_error *wt_extract(const char *const *directories, const void *data, size_t size,
			    char **path_ret)
{
	struct wt_error *error = NULL;

	for (; *directories; directories++) {
		wt_error_destroy(error);
		error = extract_into(*directories, data, size, path_ret);
		if (!error)
			return NULL;
	}
	return error ? error
		     : wt_error_create(WT_ERROR_IO, what, NULL,
				       "there is no directory to keep it in");
}

char *wt_extract_uri(const char *path)
{
	static const char scheme[] = "file://";
	char *uri = malloc(sizeof(scheme) + 3 * strlen(path)), *end;

	if (!uri)
		return NULL;
	end = stpcpy(uri, scheme);
	for (; *path; path++) {
		unsigned char c = (unsigned char)*path;

		if (isascii(c) && (isalnum(c) || strchr("/-._~", c)))
			*end++ = (char)c;
		else
			end += sprintf(end, "%%%02X", c);
	}
	*end = '\0';
	return uri;
}
