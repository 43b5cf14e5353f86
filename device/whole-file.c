/* SPDX-License-Identifier: MIT */
#include "device/whole-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Read until @size bytes are there or the file ends, whichever is first. */
static struct wt_error *device_file_read_all(int fd, uint8_t *data, size_t size, const char *what,
					     const char *path, size_t *done_ret)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = read(fd, data + done, size - done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return wt_error_errno(errno, what, path);
		if (count == 0)
			break;
		done += (size_t)count;
	}
	*done_ret = done;
	return NULL;
}

struct wt_error *wt_device_read_file(const char *path, size_t limit, const char *what,
				     uint8_t **data_ret, size_t *size_ret)
{
	/* Without O_NONBLOCK a FIFO would keep us here for ever. */
	wt_cleanup_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	wt_cleanup_free uint8_t *data = NULL;
	struct wt_error *error;
	struct stat status;
	size_t done = 0;

	if (fd < 0 || fstat(fd, &status) < 0)
		return wt_error_errno(errno, what, path);
	if (!S_ISREG(status.st_mode))
		return wt_error_create(WT_ERROR_INPUT, what, path, "this is not a regular file");
	if ((uint64_t)status.st_size > limit)
		return wt_error_create(WT_ERROR_LIMIT, what, path,
				       "the file has %llu bytes; at most %zu are accepted",
				       (unsigned long long)status.st_size, limit);
	data = malloc((size_t)status.st_size + 1);
	if (!data)
		return &wt_error_no_memory;
	error = device_file_read_all(fd, data, (size_t)status.st_size, what, path, &done);
	if (error)
		return error;
	data[done] = 0;
	*data_ret = wt_take(data);
	*size_ret = done;
	return NULL;
}
