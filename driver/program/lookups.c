/* SPDX-License-Identifier: MIT */
/*
 * The functions of the C library that say what is at a path, without opening it as a file: directories, links, status. They are
 * redirected as those of files.c are. A link of the driver's tree has a relative target, as those of /sys have, so it is
 * read as it is; a path that is made from it, by realpath(), loses the session's directory again.
 */
/* The two forms of a name are one function each here. */
#undef _FILE_OFFSET_BITS
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "driver/program/next.h"
#include "driver/program/program.h"

#define DRM_MAJOR 226
#define DEVICE_MODE (S_IFCHR | 0666)

/* ---- Status ---- */

/* Whether a path names a device, which no file of the tree can be, and its number: the kernel gives /dev/kfd another one each time. */
static bool is_device(const char *path, dev_t *number_ret)
{
	char buffer[PATH_MAX];
	const char *there;
	int absent;

	switch (wt_program_file_of(path)) {
	case WT_WIRE_KFD:
		*number_ret = 0;
		return true;
	case WT_WIRE_RENDER:
		there = wt_program_path(path, buffer);
		if (there == path)
			return false;
		absent = NEXT(access)(there, F_OK);
		if (absent)
			return false;
		*number_ret = makedev(DRM_MAJOR,
				      (unsigned int)strtoul(strpbrk(path, "0123456789"), NULL, 10));
		return true;
	default:
		return false;
	}
}

/* The status of a device: that of the tree's root, which is there, with what makes it a device. */
#define DEVICE_STATUS(call, status, number)                                                        \
	({                                                                                         \
		char root_[PATH_MAX];                                                              \
		const char *directory_ = wt_program_root(root_);                                   \
		int result_ = directory_ ? call(directory_, status) : -1;                          \
                                                                                                   \
		if (!result_) {                                                                    \
			(status)->st_mode = DEVICE_MODE;                                           \
			(status)->st_rdev = number;                                                \
			(status)->st_nlink = 1;                                                    \
			(status)->st_size = 0;                                                     \
			(status)->st_blocks = 0;                                                   \
		}                                                                                  \
		result_;                                                                           \
	})

#define DEFINE_STATUS(name, type)                                                                  \
	EXPORT int name(const char *restrict path, struct type *restrict status)                   \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
		dev_t number;                                                                      \
                                                                                                   \
		if (is_device(path, &number))                                                      \
			return DEVICE_STATUS(NEXT(name), status, number);                          \
		return NEXT(name)(wt_program_path(path, buffer), status);                          \
	}
DEFINE_STATUS(stat, stat)
DEFINE_STATUS(stat64, stat64)
DEFINE_STATUS(lstat, stat)
DEFINE_STATUS(lstat64, stat64)

/* Programs that were linked with a C library before 2.33 call these in place of stat(). */
#define DEFINE_OLD_STATUS(name, function, type)                                                    \
	int name(int version, const char *path, struct type *status);                              \
	EXPORT int name(int version, const char *path, struct type *status)                        \
	{                                                                                          \
		(void)version;                                                                     \
		return function(path, status);                                                     \
	}
DEFINE_OLD_STATUS(__xstat, stat, stat)
DEFINE_OLD_STATUS(__xstat64, stat64, stat64)
DEFINE_OLD_STATUS(__lxstat, lstat, stat)
DEFINE_OLD_STATUS(__lxstat64, lstat64, stat64)

#define DEFINE_STATUS_AT(name, function, type)                                                     \
	EXPORT int name(int directory, const char *restrict path, struct type *restrict status,    \
			int flags)                                                                 \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
		dev_t number;                                                                      \
                                                                                                   \
		if (is_device(path, &number))                                                      \
			return function(path, status);                                             \
		return NEXT(name)(directory, wt_program_path(path, buffer), status, flags);        \
	}
DEFINE_STATUS_AT(fstatat, stat, stat)
DEFINE_STATUS_AT(fstatat64, stat64, stat64)

EXPORT int statx(int directory, const char *restrict path, int flags, unsigned int mask,
		 struct statx *restrict status)
{
	char buffer[PATH_MAX], root[PATH_MAX];
	const char *there;
	dev_t number;
	int result;

	if (!is_device(path, &number))
		return NEXT(statx)(directory, wt_program_path(path, buffer), flags, mask, status);
	there = wt_program_root(root);
	result = there ? NEXT(statx)(AT_FDCWD, there, flags, mask, status) : -1;
	if (result)
		return result;
	status->stx_mode = DEVICE_MODE;
	status->stx_nlink = 1;
	status->stx_size = status->stx_blocks = 0;
	status->stx_rdev_major = major(number);
	status->stx_rdev_minor = minor(number);
	return 0;
}

EXPORT int access(const char *path, int mode)
{
	char buffer[PATH_MAX];
	dev_t number;

	if (is_device(path, &number))
		return 0;
	return NEXT(access)(wt_program_path(path, buffer), mode);
}

EXPORT int faccessat(int directory, const char *path, int mode, int flags)
{
	char buffer[PATH_MAX];
	dev_t number;

	if (is_device(path, &number))
		return 0;
	return NEXT(faccessat)(directory, wt_program_path(path, buffer), mode, flags);
}

#define DEFINE_ACCESS(name)                                                                        \
	EXPORT int name(const char *path, int mode)                                                \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
		dev_t number;                                                                      \
                                                                                                   \
		if (is_device(path, &number))                                                      \
			return 0;                                                                  \
		return NEXT(name)(wt_program_path(path, buffer), mode);                            \
	}
DEFINE_ACCESS(eaccess)
DEFINE_ACCESS(euidaccess)

/* ---- Directories ---- */

EXPORT DIR *opendir(const char *path)
{
	char buffer[PATH_MAX];

	return NEXT(opendir)(wt_program_path(path, buffer));
}

EXPORT int chdir(const char *path)
{
	char buffer[PATH_MAX];

	return NEXT(chdir)(wt_program_path(path, buffer));
}

#define DEFINE_SCAN(name, type)                                                                    \
	EXPORT int name(const char *restrict path, struct type ***restrict names,                  \
			int (*filter)(const struct type *),                                        \
			int (*compare)(const struct type **, const struct type **))                \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
                                                                                                   \
		return NEXT(name)(wt_program_path(path, buffer), names, filter, compare);          \
	}
DEFINE_SCAN(scandir, dirent)
DEFINE_SCAN(scandir64, dirent64)

/* ---- Links ---- */

EXPORT ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{
	char buffer[PATH_MAX];

	return NEXT(readlink)(wt_program_path(path, buffer), target, size);
}

EXPORT ssize_t readlinkat(int directory, const char *restrict path, char *restrict target,
			  size_t size)
{
	char buffer[PATH_MAX];

	return NEXT(readlinkat)(directory, wt_program_path(path, buffer), target, size);
}

/* Programs that are compiled with _FORTIFY_SOURCE call these in their place. */
void __chk_fail(void) __attribute__((noreturn));
ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room);
ssize_t __readlinkat_chk(int directory, const char *path, char *target, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

EXPORT ssize_t __readlink_chk(const char *path, char *target, size_t size, size_t room)
{
	if (size > room)
		__chk_fail();
	return readlink(path, target, size);
}

EXPORT ssize_t __readlinkat_chk(int directory, const char *path, char *target, size_t size,
				size_t room)
{
	if (size > room)
		__chk_fail();
	return readlinkat(directory, path, target, size);
}

/* The path of the system that a path in the session's directory stands for; @path itself if it stands for none. */
static const char *system_path(const char *path)
{
	char root[PATH_MAX], real[PATH_MAX];
	const char *found;
	size_t length;

	if (!wt_program_root(root))
		return path;
	found = NEXT(realpath)(root, real);
	if (!found)
		return path;
	length = strlen(real);
	return !strncmp(path, real, length) && path[length] == '/' ? path + length : path;
}

EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
	char buffer[PATH_MAX], real[PATH_MAX];
	const char *there = path ? wt_program_path(path, buffer) : NULL, *name = path;
	bool device;
	dev_t number;

	device = path && is_device(path, &number);
	if (!device && there == path)
		return NEXT(realpath)(path, resolved);
	if (!device) {
		name = NEXT(realpath)(there, real);
		if (!name)
			return NULL;
		name = system_path(real);
	}
	return resolved ? strcpy(resolved, name) : strdup(name);
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
	if (room < PATH_MAX)
		__chk_fail();
	return realpath(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

/* ---- Attributes, which `ls -l` asks for ---- */

#define DEFINE_ATTRIBUTE(name)                                                                     \
	EXPORT ssize_t name(const char *path, const char *attribute, void *value, size_t size)     \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
                                                                                                   \
		return NEXT(name)(wt_program_path(path, buffer), attribute, value, size);          \
	}
DEFINE_ATTRIBUTE(getxattr)
DEFINE_ATTRIBUTE(lgetxattr)

#define DEFINE_ATTRIBUTES(name)                                                                    \
	EXPORT ssize_t name(const char *path, char *list, size_t size)                             \
	{                                                                                          \
		char buffer[PATH_MAX];                                                             \
                                                                                                   \
		return NEXT(name)(wt_program_path(path, buffer), list, size);                      \
	}
DEFINE_ATTRIBUTES(listxattr)
DEFINE_ATTRIBUTES(llistxattr)
