/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a client of the recording library: of what that library asks of the system the n'th call fails,
 * and nothing that others ask.
 *
 *   WT_FAIL_KIND    memory or file
 *   WT_FAIL_AT      number of the call that fails, from 1; 0: none
 *   WT_FAIL_ALL     set: so do all after it
 *   WT_FAIL_REPORT  file that gets the number of calls there were, when the process ends
 *   WT_SLOW_SYNC    milliseconds that each fdatasync() takes longer, whoever calls
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_long calls;
static __thread bool inside;
static pid_t owner;

__attribute__((constructor)) static void begin(void)
{
	owner = getpid();
}

__attribute__((destructor)) static void report(void)
{
	const char *path = getenv("WT_FAIL_REPORT");
	FILE *file = path && owner == getpid() ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%ld\n", atomic_load(&calls));
	fclose(file);
}

static bool is_recorder(const void *caller)
{
	Dl_info info;

	return dladdr(caller, &info) && info.dli_fname &&
	       (strstr(info.dli_fname, "/recorder/librocm-dbgapi") ||
		strstr(info.dli_fname, "/libwavetape-agent.") ||
		strstr(info.dli_fname, "/libzstd."));
}

static bool fails(const char *kind, const void *caller)
{
	const char *wanted, *at;
	bool failed = false;
	long number, n;

	if (inside)
		return false;
	inside = true;
	wanted = getenv("WT_FAIL_KIND");
	at = getenv("WT_FAIL_AT");
	if (wanted && at && !strcmp(wanted, kind) && is_recorder(caller)) {
		number = strtol(at, NULL, 10);
		n = atomic_fetch_add(&calls, 1) + 1;
		failed = number && (n == number || (n > number && getenv("WT_FAIL_ALL")));
	}
	inside = false;
	return failed;
}

#define CALLER __builtin_return_address(0)
#define NO_MEMORY(kind)                                                                            \
	do {                                                                                       \
		if (fails(kind, CALLER)) {                                                         \
			errno = ENOMEM;                                                            \
			return NULL;                                                               \
		}                                                                                  \
	} while (0)

#define NO_SPACE(result)                                                                           \
	do {                                                                                       \
		if (fails("file", CALLER)) {                                                       \
			errno = ENOSPC;                                                            \
			return result;                                                             \
		}                                                                                  \
	} while (0)

/* The function that the loader would have taken without this library. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

EXPORTED void *malloc(size_t size)
{
	NO_MEMORY("memory");
	return __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
	NO_MEMORY("memory");
	return __libc_calloc(count, size);
}

EXPORTED void *realloc(void *memory, size_t size)
{
	NO_MEMORY("memory");
	return __libc_realloc(memory, size);
}

EXPORTED void *reallocarray(void *memory, size_t count, size_t size)
{
	size_t whole;

	NO_MEMORY("memory");
	if (__builtin_mul_overflow(count, size, &whole)) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(memory, whole);
}

EXPORTED char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy;

	NO_MEMORY("memory");
	copy = __libc_malloc(size);
	return copy ? memcpy(copy, text, size) : NULL;
}

EXPORTED char *strndup(const char *text, size_t limit)
{
	size_t size = strnlen(text, limit);
	char *copy;

	NO_MEMORY("memory");
	copy = __libc_calloc(1, size + 1);
	return copy ? memcpy(copy, text, size) : NULL;
}

EXPORTED char *realpath(const char *path, char *resolved)
{
	NO_MEMORY("memory");
	return NEXT(realpath)(path, resolved);
}

EXPORTED int vasprintf(char **text, const char *format, va_list arguments)
{
	if (fails("memory", CALLER))
		return -1;
	return NEXT(vasprintf)(text, format, arguments);
}

EXPORTED int asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length;

	if (fails("memory", CALLER))
		return -1;
	va_start(arguments, format);
	length = NEXT(vasprintf)(text, format, arguments);
	va_end(arguments);
	return length;
}

EXPORTED ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
	NO_SPACE(-1);
	return NEXT(pwrite64)(fd, data, size, offset);
}

EXPORTED ssize_t write(int fd, const void *data, size_t size)
{
	NO_SPACE(-1);
	return NEXT(write)(fd, data, size);
}

EXPORTED int fallocate64(int fd, int mode, off64_t offset, off64_t size)
{
	NO_SPACE(-1);
	return NEXT(fallocate64)(fd, mode, offset, size);
}

EXPORTED int ftruncate64(int fd, off64_t size)
{
	NO_SPACE(-1);
	return NEXT(ftruncate64)(fd, size);
}

EXPORTED int fdatasync(int fd)
{
	const char *slow = getenv("WT_SLOW_SYNC");

	NO_SPACE(-1);
	if (slow)
		usleep((useconds_t)strtoul(slow, NULL, 10) * 1000);
	return NEXT(fdatasync)(fd);
}

EXPORTED int fsync(int fd)
{
	NO_SPACE(-1);
	return NEXT(fsync)(fd);
}

EXPORTED int rename(const char *from, const char *to)
{
	NO_SPACE(-1);
	return NEXT(rename)(from, to);
}

EXPORTED int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;

	NO_SPACE(-1);
	va_start(arguments, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return NEXT(open64)(path, flags, mode);
}

EXPORTED void *mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
	NO_SPACE(MAP_FAILED);
	return NEXT(mmap64)(address, size, protection, flags, fd, offset);
}
