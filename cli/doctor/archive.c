/* SPDX-License-Identifier: MIT */
#include "cli/doctor/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/text.h"

#define TAR_BLOCK 512u
#define FILE_MAX ((off_t)1 << 30)

static const char what[] = "cannot write the archive";

/* ---- tar: the form of POSIX, whose numbers are octal texts ---- */

struct tar_head {
	char name[100], mode[8], owner[8], group[8], size[12], time[12], sum[8], type;
	char link[100], magic[6], version[2], owner_name[32], group_name[32];
	char major[8], minor[8], prefix[155], unused[12];
};

/* False if it cannot be written; why, gzerror() says. No bytes are written well. */
static bool tar_write(gzFile tar, const void *data, size_t size)
{
	return !size || gzwrite(tar, data, (unsigned int)size) == (int)size;
}

static bool tar_append(gzFile tar, const char *name, const void *data, size_t size)
{
	static const uint8_t zeros[TAR_BLOCK];
	struct tar_head head = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
	unsigned int sum = 0;

	snprintf(head.name, sizeof(head.name), "%s", name);
	snprintf(head.mode, sizeof(head.mode), "%07o", 0600);
	snprintf(head.owner, sizeof(head.owner), "%07o", 0);
	snprintf(head.group, sizeof(head.group), "%07o", 0);
	snprintf(head.size, sizeof(head.size), "%011llo", (unsigned long long)size);
	snprintf(head.time, sizeof(head.time), "%011o", 0);
	memset(head.sum, ' ', sizeof(head.sum));
	for (size_t i = 0; i < sizeof(head); i++)
		sum += ((const uint8_t *)&head)[i];
	snprintf(head.sum, sizeof(head.sum), "%06o", sum & 0777777u);
	return tar_write(tar, &head, sizeof(head)) && tar_write(tar, data, size) &&
	       tar_write(tar, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static struct wt_error *file_read(const char *path, struct wt_buffer *data)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	uint8_t *bytes;

	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, what, path);
	if (status.st_size > FILE_MAX)
		return wt_error_create(WT_ERROR_LIMIT, what, path, "it has more than 1 GiB");
	bytes = wt_buffer_extend(data, (size_t)status.st_size);
	if (!bytes)
		return &wt_error_no_memory;
	if (wt_file_read_at(fd, 0, bytes, data->size) != (ssize_t)data->size)
		return wt_error_create(WT_ERROR_IO, what, path, "it changed while it was read");
	return NULL;
}

/* ---- The archive ---- */

/* The error of what was written last. */
static struct wt_error *archive_fail(gzFile tar, const char *path)
{
	int kind, errnum = errno;
	const char *why = gzerror(tar, &kind);

	return kind == Z_ERRNO	     ? wt_error_errno(errnum, what, path)
	       : kind == Z_MEM_ERROR ? &wt_error_no_memory
				     : wt_error_create(WT_ERROR_IO, what, path, "%s", why);
}

static struct wt_error *archive_fill(gzFile tar, const char *path,
				     const struct wt_archive_file *files, size_t count)
{
	static const uint8_t end[2 * TAR_BLOCK];

	for (size_t i = 0; i < count; i++) {
		wt_cleanup_buffer struct wt_buffer data = {0};
		struct wt_error *error = files[i].path ? file_read(files[i].path, &data) : NULL;

		if (error)
			return error;
		if (!files[i].path)
			wt_buffer_append_text(&data, files[i].text);
		if (data.failed)
			return &wt_error_no_memory;
		if (!tar_append(tar, files[i].name, data.data, data.size))
			return archive_fail(tar, path);
	}
	return tar_write(tar, end, sizeof(end)) ? NULL : archive_fail(tar, path);
}

struct wt_error *wt_archive_write(const char *path, const struct wt_archive_file *files,
				  size_t count)
{
	wt_cleanup_free char *partial = wt_text("%s.partial", path);
	struct wt_error *error;
	int fd, closed;
	gzFile tar;

	if (!partial)
		return &wt_error_no_memory;
	fd = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return wt_error_errno(errno, what, partial);
	tar = gzdopen(fd, "wb");
	error = tar ? archive_fill(tar, partial, files, count) : &wt_error_no_memory;
	closed = tar ? gzclose(tar) : close(fd);
	if (!error && closed)
		error = closed == Z_MEM_ERROR ? &wt_error_no_memory
					      : wt_error_errno(errno, what, partial);
	if (!error && rename(partial, path))
		error = wt_error_errno(errno, what, path);
	if (error)
		unlink(partial);
	return error;
}
