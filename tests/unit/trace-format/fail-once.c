/* SPDX-License-Identifier: MIT */
#include "fail-once.h"

#include <errno.h>
#include <linux/magic.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zstd.h>

#include "sample.h"

static bool armed;
static atomic_int depth;
static uint64_t fail_at;
static int file_error;
static atomic_ullong calls;
static atomic_ullong failed[FAIL_ONCE_KINDS];
static atomic_size_t largest;

void fail_once_arm(uint64_t at, int file_errnum)
{
	calls = 0;
	largest = 0;
	fail_at = at;
	file_error = file_errnum;
	armed = true;
}

uint64_t fail_once_disarm(void)
{
	armed = false;
	return calls;
}

void fail_once_start(void)
{
	depth++;
}

void fail_once_stop(void)
{
	depth--;
}

uint64_t fail_once_failed(enum fail_once_kind kind)
{
	return failed[kind];
}

size_t fail_once_largest(void)
{
	return largest;
}

static bool fails(enum fail_once_kind kind, int errnum)
{
	if (!armed || depth <= 0 || ++calls != fail_at)
		return false;
	failed[kind]++;
	errno = errnum;
	return true;
}

static bool no_memory(size_t size)
{
	if (armed && depth > 0 && size > largest)
		largest = size;
	return fails(FAIL_ONCE_MEMORY, ENOMEM);
}

static bool no_file(void)
{
	return fails(FAIL_ONCE_FILE, file_error);
}

/* A function that stands in place of another, with the one it calls. */
#define WRAP(type, name, ...)                                                                      \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

WRAP(void *, malloc, size_t size)
{
	return no_memory(size) ? NULL : __real_malloc(size);
}

WRAP(void *, calloc, size_t count, size_t size)
{
	return no_memory(count * size) ? NULL : __real_calloc(count, size);
}

WRAP(void *, realloc, void *memory, size_t size)
{
	return no_memory(size) ? NULL : __real_realloc(memory, size);
}

WRAP(void *, reallocarray, void *memory, size_t count, size_t size)
{
	return no_memory(count * size) ? NULL : __real_reallocarray(memory, count, size);
}

WRAP(char *, strdup, const char *text)
{
	return no_memory(strlen(text) + 1) ? NULL : __real_strdup(text);
}

WRAP(char *, strndup, const char *text, size_t limit)
{
	return no_memory(strnlen(text, limit) + 1) ? NULL : __real_strndup(text, limit);
}

WRAP(char *, getcwd, char *buffer, size_t size)
{
	return no_memory(size) ? NULL : __real_getcwd(buffer, size);
}

WRAP(int, vasprintf, char **text, const char *format, va_list arguments)
{
	return no_memory(0) ? -1 : __real_vasprintf(text, format, arguments);
}

int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length;

	if (no_memory(0))
		return -1;
	va_start(arguments, format);
	length = __real_vasprintf(text, format, arguments);
	va_end(arguments);
	return length;
}

WRAP(ssize_t, pwrite64, int fd, const void *data, size_t size, off64_t offset)
{
	return no_file() ? -1 : __real_pwrite64(fd, data, size, offset);
}

WRAP(ssize_t, pread64, int fd, void *data, size_t size, off64_t offset)
{
	return no_file() ? -1 : __real_pread64(fd, data, size, offset);
}

WRAP(int, fallocate64, int fd, int mode, off64_t offset, off64_t size)
{
	return no_file() ? -1 : __real_fallocate64(fd, mode, offset, size);
}

WRAP(int, ftruncate64, int fd, off64_t size)
{
	return no_file() ? -1 : __real_ftruncate64(fd, size);
}

/* What is synced and what is not makes no difference here, but for the time it takes. */
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
	(void)fd;
	return no_file() ? -1 : 0;
}

int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	(void)fd;
	return no_file() ? -1 : 0;
}

WRAP(int, rename, const char *from, const char *to)
{
	return no_file() ? -1 : __real_rename(from, to);
}

WRAP(void *, mmap64, void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
	return no_file() ? MAP_FAILED : __real_mmap64(address, size, protection, flags, fd, offset);
}

WRAP(int, madvise, void *address, size_t size, int advice)
{
	return no_file() ? -1 : __real_madvise(address, size, advice);
}

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	if (no_file())
		return -1;
	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return __real_open64(path, flags, mode);
}

/* So that the stage is stored through a mapping, wherever the test's files are. */
WRAP(int, fstatfs64, int fd, struct statfs *status)
{
	int result = __real_fstatfs64(fd, status);

	status->f_type = TMPFS_MAGIC;
	return result;
}

WRAP(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
     void *argument)
{
	return fails(FAIL_ONCE_THREAD, EAGAIN)
		       ? EAGAIN
		       : __real_pthread_create(thread, attributes, run, argument);
}

WRAP(ZSTD_CCtx *, ZSTD_createCCtx, void)
{
	return fails(FAIL_ONCE_COMPRESSION, 0) ? NULL : __real_ZSTD_createCCtx();
}

WRAP(ZSTD_DCtx *, ZSTD_createDCtx, void)
{
	return fails(FAIL_ONCE_COMPRESSION, 0) ? NULL : __real_ZSTD_createDCtx();
}

/* As it fails where it is itself out of memory. */
WRAP(size_t, ZSTD_compress2, ZSTD_CCtx *context, void *to, size_t capacity, const void *from,
     size_t size)
{
	return fails(FAIL_ONCE_COMPRESSION, 0)
		       ? (size_t)-64
		       : __real_ZSTD_compress2(context, to, capacity, from, size);
}

/* The writer's functions: what they ask for counts, what the test asks for itself does not. */
#define COUNT(type, name, parameters, arguments)                                                   \
	type __real_##name parameters;                                                             \
	type __wrap_##name parameters;                                                             \
	type __wrap_##name parameters                                                              \
	{                                                                                          \
		type result;                                                                       \
                                                                                                   \
		fail_once_start();                                                                 \
		result = __real_##name arguments;                                                  \
		fail_once_stop();                                                                  \
		return result;                                                                     \
	}

typedef struct wt_error *wt_result;

COUNT(wt_result, wt_writer_create,
      (const char *path, const struct wt_writer_options *options, struct wt_writer **writer_ret),
      (path, options, writer_ret))
COUNT(wt_result, wt_writer_close, (struct wt_writer * writer, const char *reason), (writer, reason))
COUNT(uint32_t, wt_writer_name, (struct wt_writer * writer, const char *text), (writer, text))
COUNT(wt_result, wt_writer_call_begin,
      (struct wt_writer * writer, const struct wt_call_begin *begin), (writer, begin))
COUNT(wt_result, wt_writer_callback,
      (struct wt_writer * writer, const struct wt_callback *callback), (writer, callback))
COUNT(wt_result, wt_writer_call_end, (struct wt_writer * writer, const struct wt_call_end *end),
      (writer, end))
COUNT(wt_result, wt_writer_facts,
      (struct wt_writer * writer, const struct wt_item *const *items, size_t count),
      (writer, items, count))
COUNT(wt_result, wt_writer_moment,
      (struct wt_writer * writer, const struct wt_moment *moment, const struct wt_state *state),
      (writer, moment, state))
COUNT(wt_result, wt_writer_late,
      (struct wt_writer * writer, const struct wt_item *const *items, size_t count),
      (writer, items, count))
