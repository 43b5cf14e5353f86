/* SPDX-License-Identifier: MIT */
/*
 * The functions of the C library through which AMD's runtimes, libdrm and tools reach the driver's files. Each calls the
 * next one of its name. There is one for each name under which a program may have been linked.
 */
/* The two forms of a name are one function each here. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/program/program.h"

#define EXPORT __attribute__((visibility("default")))

/* The function of that name that would have been called without us. */
#define NEXT(name)                                                                                 \
	({                                                                                         \
		static __typeof__(name) *next_;                                                    \
		__typeof__(name) *found_ = __atomic_load_n(&next_, __ATOMIC_RELAXED);              \
                                                                                                   \
		if (!found_) {                                                                     \
			found_ = (__typeof__(name) *)dlsym(RTLD_NEXT, #name);                      \
			__atomic_store_n(&next_, found_, __ATOMIC_RELAXED);                        \
		}                                                                                  \
		found_;                                                                            \
	})

/* What belongs to the driver below /sys and /proc, by the beginning of the path. */
static const char *const prefixes[] = {
	"/sys/devices/virtual/kfd/",
	"/sys/class/kfd/",
	"/sys/module/amdgpu/",
	"/proc/modules",
};

const char *wt_program_path(const char *path, char buffer[PATH_MAX])
{
	const char *directory = getenv(WT_WIRE_VARIABLE);
	int length;

	if (!directory || !*directory || !path)
		return path;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (strncmp(path, prefixes[i], strlen(prefixes[i])) != 0)
			continue;
		length = snprintf(buffer, PATH_MAX, "%s/" WT_WIRE_ROOT "%s", directory, path);
		return length > 0 && length < PATH_MAX ? buffer : path;
	}
	return path;
}

enum wt_wire_file wt_program_file_of(const char *path)
{
	static const char render[] = "/dev/dri/renderD";
	const char *directory = getenv(WT_WIRE_VARIABLE);

	if (!directory || !*directory || !path)
		return WT_WIRE_FILES;
	if (!strcmp(path, "/dev/kfd"))
		return WT_WIRE_KFD;
	return strncmp(path, render, sizeof(render) - 1) != 0 ? WT_WIRE_FILES : WT_WIRE_RENDER;
}

static mode_t mode_of(int flags, va_list arguments)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                                          \
	EXPORT int name(const char *path, int flags, ...)                                          \
	{                                                                                          \
		enum wt_wire_file file = wt_program_file_of(path);                                 \
		char buffer[PATH_MAX];                                                             \
		va_list arguments;                                                                 \
		mode_t mode;                                                                       \
                                                                                                   \
		va_start(arguments, flags);                                                        \
		mode = mode_of(flags, arguments);                                                  \
		va_end(arguments);                                                                 \
		if (file != WT_WIRE_FILES)                                                         \
			return wt_program_open(file, flags);                                       \
		return NEXT(name)(wt_program_path(path, buffer), flags, mode);                     \
	}
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/* What open() becomes in programs that are compiled with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
EXPORT int __open_2(const char *path, int flags)
{
	return open(path, flags & ~O_CREAT);
}

EXPORT int __open64_2(const char *path, int flags)
{
	return open64(path, flags & ~O_CREAT);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
	enum wt_wire_file file = wt_program_file_of(path);
	char buffer[PATH_MAX];
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = mode_of(flags, arguments);
	va_end(arguments);
	if (file != WT_WIRE_FILES)
		return wt_program_open(file, flags);
	return NEXT(openat)(directory, wt_program_path(path, buffer), flags, mode);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	char buffer[PATH_MAX];

	return NEXT(fopen)(wt_program_path(path, buffer), mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	char buffer[PATH_MAX];

	return NEXT(fopen64)(wt_program_path(path, buffer), mode);
}

EXPORT DIR *opendir(const char *path)
{
	char buffer[PATH_MAX];

	return NEXT(opendir)(wt_program_path(path, buffer));
}

EXPORT int access(const char *path, int mode)
{
	char buffer[PATH_MAX];

	if (wt_program_file_of(path) != WT_WIRE_FILES)
		return 0;
	return NEXT(access)(wt_program_path(path, buffer), mode);
}

#define DEFINE_STAT(name, type)                                                                    \
	EXPORT int name(const char *restrict path, struct type *restrict status)                   \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
                                                                                                   \
		return NEXT(name)(wt_program_path(path, buffer), status);                          \
	}
DEFINE_STAT(stat, stat)
DEFINE_STAT(stat64, stat64)

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	enum wt_wire_file file = WT_WIRE_FILES;
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	/* The letters of the two drivers: others' calls are passed on without a look. */
	if (_IOC_TYPE(request) == 'K' || _IOC_TYPE(request) == 'd')
		file = wt_program_file_at(fd);
	if (file != WT_WIRE_FILES)
		return wt_program_call(file, request, argument);
	return NEXT(ioctl)(fd, request, argument);
}
