/* SPDX-License-Identifier: MIT */
#include "cli/doctor/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/file.h"

#define TAR_BLOCK 512u
/* A block of deflate that is stored as it is holds so many bytes. */
#define STORED_MAX 65535u
#define FILE_MAX ((off_t)1 << 30)

static const char what[] = "cannot write the archive";

/* ---- tar: the form of POSIX, whose numbers are octal texts ---- */

struct tar_head {
	char name[100], mode[8], owner[8], group[8], size[12], time[12], sum[8], type;
	char link[100], magic[6], version[2], owner_name[32], group_name[32];
	char major[8], minor[8], prefix[155], unused[12];
};

static void tar_append(struct wt_buffer *tar, const char *name, const void *data, size_t size)
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
	wt_buffer_append(tar, &head, sizeof(head));
	wt_buffer_append(tar, data, size);
	wt_buffer_append(tar, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static struct wt_error *tar_append_file(struct wt_buffer *tar, const char *name, const char *path)
{
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	wt_cleanup_buffer struct wt_buffer data = {0};
	struct stat status;
	uint8_t *bytes;

	if (fd < 0 || fstat(fd, &status))
		return wt_error_errno(errno, what, path);
	if (status.st_size > FILE_MAX)
		return wt_error_create(WT_ERROR_LIMIT, what, path, "it has more than 1 GiB");
	bytes = wt_buffer_extend(&data, (size_t)status.st_size);
	if (!bytes)
		return &wt_error_no_memory;
	if (wt_file_read_at(fd, 0, bytes, data.size) != (ssize_t)data.size)
		return wt_error_create(WT_ERROR_IO, what, path, "it changed while it was read");
	tar_append(tar, name, data.data, data.size);
	return NULL;
}

/* ---- gzip: RFC 1952, with stored blocks of RFC 1951 ---- */

static uint32_t bytes_crc(const uint8_t *data, size_t size)
{
	uint32_t table[256], crc = ~UINT32_C(0);

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	for (size_t i = 0; i < size; i++)
		crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
	return ~crc;
}

static void gzip_append(struct wt_buffer *gzip, const uint8_t *data, size_t size)
{
	static const uint8_t head[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
	size_t at = 0;

	wt_buffer_append(gzip, head, sizeof(head));
	do {
		uint16_t length = (uint16_t)(size - at < STORED_MAX ? size - at : STORED_MAX);
		uint8_t last = at + length == size;

		wt_buffer_append(gzip, &last, 1);
		wt_buffer_append_u16(gzip, length);
		wt_buffer_append_u16(gzip, (uint16_t)~length);
		wt_buffer_append(gzip, data + at, length);
		at += length;
	} while (at < size);
	wt_buffer_append_u32(gzip, bytes_crc(data, size));
	wt_buffer_append_u32(gzip, (uint32_t)size);
}

/* ---- The archive ---- */

static struct wt_error *archive_store(const char *path, const struct wt_buffer *gzip)
{
	wt_cleanup_free char *partial = NULL;
	wt_cleanup_close int fd = -1;
	struct wt_error *error;

	if (asprintf(&partial, "%s.partial", path) < 0) {
		partial = NULL;
		return &wt_error_no_memory;
	}
	fd = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return wt_error_errno(errno, what, partial);
	error = wt_file_write_all(fd, gzip->data, gzip->size, what, partial);
	if (!error && rename(partial, path))
		error = wt_error_errno(errno, what, path);
	if (error)
		unlink(partial);
	return error;
}

struct wt_error *wt_archive_write(const char *path, const struct wt_archive_file *files,
				  size_t count)
{
	wt_cleanup_buffer struct wt_buffer tar = {0}, gzip = {0};
	static const uint8_t end[2 * TAR_BLOCK];
	struct wt_error *error = NULL;

	for (size_t i = 0; i < count && !error; i++) {
		if (files[i].path)
			error = tar_append_file(&tar, files[i].name, files[i].path);
		else
			tar_append(&tar, files[i].name, files[i].text, strlen(files[i].text));
	}
	if (error)
		return error;
	wt_buffer_append(&tar, end, sizeof(end));
	if (!tar.failed)
		gzip_append(&gzip, tar.data, tar.size);
	return tar.failed || gzip.failed ? &wt_error_no_memory : archive_store(path, &gzip);
}
