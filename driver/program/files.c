/* SPDX-License-Identifier: MIT */
/*
 * The functions of the C library through which AMD's runtimes, libdrm and tools reach the driver's files. Each calls the
 * next one of its name. There is one for each name under which a program may have been linked.
 */
/* The two forms of a name are one function each here. */
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "driver/program/next.h"
#include "driver/program/program.h"

/*
 * Paths that belong to the driver, with all that is below them. PCI devices have a root bus that machines do not have.
 */
static const char *const places[] = {
	"/sys/class/drm",
	"/sys/class/kfd",
	"/sys/devices/pci0000:02",
	"/sys/devices/virtual/kfd",
	"/sys/module/amdgpu",
	"/sys/bus/pci/drivers/amdgpu",
	"/proc/modules",
	"/dev/kfd",
	"/dev/dri",
};

const char *wt_program_root(char buffer[PATH_MAX])
{
	const char *directory = getenv(WT_WIRE_VARIABLE);
	int length;

	if (!directory || !*directory)
		return NULL;
	length = snprintf(buffer, PATH_MAX, "%s/" WT_WIRE_ROOT, directory);
	return length > 0 && length < PATH_MAX ? buffer : NULL;
}

const char *wt_program_path(const char *path, char buffer[PATH_MAX])
{
	if (!path || *path != '/')
		return path;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t length = strlen(places[i]), root;

		if (strncmp(path, places[i], length) != 0 ||
		    (path[length] && path[length] != '/') || !wt_program_root(buffer))
			continue;
		root = strlen(buffer);
		if (strlen(path) >= PATH_MAX - root)
			return path;
		strcpy(buffer + root, path);
		return buffer;
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
		int maps;                                                                          \
                                                                                                   \
		va_start(arguments, flags);                                                        \
		mode = mode_of(flags, arguments);                                                  \
		va_end(arguments);                                                                 \
		if (file != WT_WIRE_FILES)                                                         \
			return wt_program_open(file, path, flags);                                 \
		maps = wt_program_open_maps(path);                                                 \
		if (maps >= 0)                                                                     \
			return maps;                                                               \
		return NEXT(name)(wt_program_path(path, buffer), flags, mode);                     \
	}
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

/* Programs that are compiled with _FORTIFY_SOURCE call this in place of open(). */
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

#define DEFINE_OPEN_AT(name)                                                                       \
	EXPORT int name(int directory, const char *path, int flags, ...)                           \
	{                                                                                          \
		enum wt_wire_file file = wt_program_file_of(path);                                 \
		char buffer[PATH_MAX];                                                             \
		va_list arguments;                                                                 \
		mode_t mode;                                                                       \
		int maps;                                                                          \
                                                                                                   \
		va_start(arguments, flags);                                                        \
		mode = mode_of(flags, arguments);                                                  \
		va_end(arguments);                                                                 \
		if (file != WT_WIRE_FILES)                                                         \
			return wt_program_open(file, path, flags);                                 \
		maps = wt_program_open_maps(path);                                                 \
		if (maps >= 0)                                                                     \
			return maps;                                                               \
		return NEXT(name)(directory, wt_program_path(path, buffer), flags, mode);          \
	}
DEFINE_OPEN_AT(openat)
DEFINE_OPEN_AT(openat64)

int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);
EXPORT int __openat_2(int directory, const char *path, int flags)
{
	return openat(directory, path, flags & ~O_CREAT);
}

EXPORT int __openat64_2(int directory, const char *path, int flags)
{
	return openat64(directory, path, flags & ~O_CREAT);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	char buffer[PATH_MAX];
	int maps = wt_program_open_maps(path);

	if (maps >= 0)
		return fdopen(maps, "r");
	return NEXT(fopen)(wt_program_path(path, buffer), mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	char buffer[PATH_MAX];
	int maps = wt_program_open_maps(path);

	if (maps >= 0)
		return fdopen(maps, "r");
	return NEXT(fopen64)(wt_program_path(path, buffer), mode);
}

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
		return wt_program_call(file, fd, request, argument);
	return NEXT(ioctl)(fd, request, argument);
}
