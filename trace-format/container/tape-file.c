/* SPDX-License-Identifier: MIT */
#include "trace-format/container/tape-file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/newer-names.h"
#include "base/cancel.h"
#include "base/cleanup.h"

#define CANNOT_CREATE "cannot create the trace"
#define CANNOT_WRITE "cannot write the trace"
#define HIGH_DESCRIPTOR 512
#define COPY_SIZE ((size_t)256 << 10)

static ssize_t system_pwrite(void *context, int fd, const void *data, size_t size, off_t offset)
{
	int state = wt_cancel_disable();
	ssize_t done = pwrite(fd, data, size, offset);

	(void)context;
	wt_cancel_restore(state);
	return done;
}

static int system_fallocate(void *context, int fd, off_t offset, off_t size)
{
	int state = wt_cancel_disable(), result = fallocate(fd, 0, offset, size);

	(void)context;
	wt_cancel_restore(state);
	return result;
}

static int system_ftruncate(void *context, int fd, off_t size)
{
	(void)context;
	return ftruncate(fd, size);
}

static int system_fdatasync(void *context, int fd)
{
	int state = wt_cancel_disable(), result = fdatasync(fd);

	(void)context;
	wt_cancel_restore(state);
	return result;
}

static void *system_map(void *context, int fd, size_t size, off_t offset)
{
	void *place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	(void)context;
	if (place == MAP_FAILED)
		return NULL;
	/* Or the first store into a page reads ahead as much as the disk likes to, megabytes, of what is all zeros. */
	madvise(place, size, MADV_RANDOM);
	return place;
}

static off_t system_length(void *context, int fd)
{
	struct stat status;

	(void)context;
	return fstat(fd, &status) ? -1 : status.st_size;
}

const struct wt_io_ops wt_io_system = {
	.pwrite = system_pwrite,
	.fallocate = system_fallocate,
	.ftruncate = system_ftruncate,
	.fdatasync = system_fdatasync,
	.map = system_map,
	.length = system_length,
};

static struct wt_error *file_error(struct wt_file *file, int errnum)
{
	file->errnum = errnum;
	return wt_error_errno(errnum, CANNOT_WRITE, file->path);
}

bool wt_file_is_full(const struct wt_file *file)
{
	return file->errnum == ENOSPC || file->errnum == EDQUOT || file->errnum == EFBIG;
}

static int file_open_new(const char *path)
{
	return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Make a file beside @path and move it into its place. Return: fd, or -1 and errno. */
static int path_replace(const char *path)
{
	wt_cleanup_free char *beside = NULL;
	int fd, errnum;

	for (int attempt = 0; attempt < 16; attempt++) {
		uint32_t random;

		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) != sizeof(random))
			random = (uint32_t)getpid() + (uint32_t)attempt;
		free(beside);
		if (asprintf(&beside, "%s.%08x", path, random) < 0) {
			beside = NULL;
			errno = ENOMEM;
			return -1;
		}
		fd = file_open_new(beside);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		return -1;
	if (!rename(beside, path))
		return fd;
	errnum = errno;
	unlink(beside);
	close(fd);
	errno = errnum;
	return -1;
}

/*
 * To a high number, if there may be one: a program that closes descriptors which it takes for its
 * own then hardly opens another file under the number of the trace.
 */
static int descriptor_move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR);

	if (high < 0)
		return fd;
	close(fd);
	return high;
}

/* A link into /proc names what a process has open, and stands for that: /dev/stdout is one. */
static bool leads_into_proc(const char *path)
{
	static const char proc[] = "/proc/";
	char target[sizeof(proc) - 1];

	return readlink(path, target, sizeof(target)) == sizeof(target) &&
	       !memcmp(target, proc, sizeof(target));
}

static bool may_be_replaced(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || S_ISREG(status.st_mode))
		return true;
	if (!S_ISLNK(status.st_mode) || leads_into_proc(path))
		return false;
	return stat(path, &status) || S_ISREG(status.st_mode);
}

struct wt_error *wt_file_check_target(const char *path, const char *what)
{
	if (may_be_replaced(path))
		return NULL;
	return wt_error_create(WT_ERROR_IO, what, path,
			       "it is not a regular file; give another name");
}

struct wt_error *wt_file_create(const char *path, const struct wt_io_ops *ops,
				struct wt_file *file_ret)
{
	struct wt_error *error = wt_file_check_target(path, CANNOT_CREATE);
	char *copy;
	int fd;

	if (error)
		return error;
	copy = strdup(path);
	if (!copy)
		return &wt_error_no_memory;
	fd = file_open_new(path);
	if (fd < 0 && errno == EEXIST)
		fd = path_replace(path);
	if (fd < 0) {
		free(copy);
		return wt_error_errno(errno, CANNOT_CREATE, path);
	}
	*file_ret = (struct wt_file){.fd = descriptor_move_high(fd), .path = copy, .ops = ops};
	return NULL;
}

struct wt_error *wt_file_create_in_memory(const char *name, const struct wt_io_ops *ops,
					  struct wt_file *file_ret)
{
	char *copy = strdup(name);
	int fd;

	if (!copy)
		return &wt_error_no_memory;
	fd = memfd_create("wavetape", MFD_CLOEXEC);
	if (fd < 0) {
		free(copy);
		return wt_error_errno(errno, CANNOT_CREATE, name);
	}
	*file_ret = (struct wt_file){.fd = descriptor_move_high(fd), .path = copy, .ops = ops};
	return NULL;
}

static struct wt_error *file_copy_bytes(const struct wt_file *from, struct wt_file *to,
					uint64_t size)
{
	wt_cleanup_free uint8_t *data = malloc(COPY_SIZE);
	struct wt_error *error;

	if (!data)
		return &wt_error_no_memory;
	error = wt_file_reserve(to, 0, size);
	for (uint64_t at = 0; at < size && !error;) {
		size_t part = size - at < COPY_SIZE ? (size_t)(size - at) : COPY_SIZE;
		ssize_t got = pread(from->fd, data, part, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return wt_error_errno(got ? errno : EIO, CANNOT_WRITE, from->path);
		error = wt_file_write(to, data, (size_t)got, at);
		at += (uint64_t)got;
	}
	return error;
}

struct wt_error *wt_file_move(struct wt_file *file, const char *path, uint64_t size)
{
	struct wt_file next;
	struct wt_error *error = wt_file_create(path, file->ops, &next);

	if (error)
		return error;
	next.limit = file->limit;
	next.no_mapping = file->no_mapping;
	error = file_copy_bytes(file, &next, size);
	if (error) {
		unlink(path);
		wt_file_close(&next);
		return error;
	}
	wt_file_close(file);
	*file = next;
	return NULL;
}

void wt_file_close_descriptor(struct wt_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

void wt_file_close(struct wt_file *file)
{
	wt_file_close_descriptor(file);
	free(file->path);
	file->path = NULL;
}

struct wt_error *wt_file_write(struct wt_file *file, const void *data, size_t size, uint64_t offset)
{
	const uint8_t *bytes = data;

	while (size) {
		ssize_t done =
			file->ops->pwrite(file->ops->context, file->fd, bytes, size, (off_t)offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return file_error(file, done ? errno : ENOSPC);
		bytes += done;
		size -= (size_t)done;
		offset += (uint64_t)done;
	}
	return NULL;
}

/* A write past this limit would send SIGXFSZ to the recorded program. */
static bool within_limit(uint64_t size)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       size <= limit.rlim_cur;
}

struct wt_error *wt_file_reserve(struct wt_file *file, uint64_t old_size, uint64_t new_size)
{
	const struct wt_io_ops *ops = file->ops;
	int result;

	file->over_limit = false;
	if (file->limit && new_size > file->limit) {
		file->over_limit = true;
		file->errnum = EFBIG;
		return wt_error_create(WT_ERROR_LIMIT, CANNOT_WRITE, file->path,
				       "the file would become longer than the %llu bytes it may "
				       "have",
				       (unsigned long long)file->limit);
	}
	if (!within_limit(new_size))
		return file_error(file, EFBIG);
	do
		result = ops->fallocate(ops->context, file->fd, (off_t)old_size,
					(off_t)(new_size - old_size));
	while (result && errno == EINTR);
	if (!result)
		return NULL;
	/* Some file systems cannot keep space; there the file only grows. */
	if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)
		return file_error(file, errno);
	file->unreserved = true;
	return wt_file_truncate(file, new_size);
}

/* File systems on which a store into reserved space needs none. Copying on write needs some. */
static bool keeps_space(int fd)
{
	struct statfs status;

	return !fstatfs(fd, &status) &&
	       (status.f_type == EXT4_SUPER_MAGIC || status.f_type == XFS_SUPER_MAGIC ||
		status.f_type == TMPFS_MAGIC);
}

void *wt_file_map(struct wt_file *file, uint64_t offset, size_t size)
{
	if (!file->ops->map || file->no_mapping || file->unreserved || !keeps_space(file->fd))
		return NULL;
	return file->ops->map(file->ops->context, file->fd, size, (off_t)offset);
}

void wt_file_make_ready(uint8_t *map, uint64_t from, uint64_t to)
{
	uint64_t first = from & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);

	madvise(map + first, to - first, MADV_POPULATE_WRITE);
}

void wt_file_clear(struct wt_file *file, const uint8_t *zeros, size_t size, uint64_t from,
		   uint64_t to)
{
	if (!within_limit(to))
		return;
	while (from < to) {
		const size_t part = to - from < size ? (size_t)(to - from) : size;

		if (file->ops->pwrite(file->ops->context, file->fd, zeros, part, (off_t)from) !=
		    (ssize_t)part)
			return;
		from += part;
	}
}

bool wt_file_is_cut(struct wt_file *file, uint64_t size)
{
	off_t length = file->ops->length ? file->ops->length(file->ops->context, file->fd) : -1;

	file->cut |= length >= 0 && (uint64_t)length < size;
	return file->cut;
}

struct wt_error *wt_file_truncate(struct wt_file *file, uint64_t size)
{
	int result;

	do
		result = file->ops->ftruncate(file->ops->context, file->fd, (off_t)size);
	while (result && errno == EINTR);
	return result ? file_error(file, errno) : NULL;
}

struct wt_error *wt_file_sync(struct wt_file *file)
{
	int result;

	do
		result = file->ops->fdatasync(file->ops->context, file->fd);
	while (result && errno == EINTR);
	return result ? file_error(file, errno) : NULL;
}

struct wt_error *wt_file_sync_name(struct wt_file *file)
{
	wt_cleanup_free char *copy = strdup(file->path);
	wt_cleanup_close int fd = -1;

	if (!copy)
		return &wt_error_no_memory;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* A directory that cannot be opened or synced is no reason to go without a trace. */
	if (fd >= 0 && fsync(fd))
		return errno == EIO ? file_error(file, errno) : NULL;
	return NULL;
}
