/* SPDX-License-Identifier: MIT */
/* Stands before the C library in a test's Python: the library's calls on /dev/kfd come to the test, which answers as the driver does. */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "device/kfd-debug.h"

#define EXPORT __attribute__((visibility("default")))

/* The C library's function of a name that is defined here, too. */
#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* The test sets these. Return of a call: its result, or a negative errno. NULL: nobody answers. */
EXPORT extern int (*interposed_call)(unsigned long request, void *argument);
EXPORT extern bool interposed_absent;
int (*interposed_call)(unsigned long request, void *argument);
bool interposed_absent;

/* The two forms of open() are one function each here. */
EXPORT int open64(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (!interposed_call || strcmp(path, "/dev/kfd") != 0)
		return NEXT(open64)(path, flags, mode);
	if (interposed_absent) {
		errno = ENOENT;
		return -1;
	}
	return NEXT(open64)("/dev/null", O_RDWR | O_CLOEXEC);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!interposed_call || _IOC_TYPE(request) != KFD_IOCTL_BASE)
		return NEXT(ioctl)(fd, request, argument);
	result = interposed_call(request, argument);
	if (result >= 0)
		return result;
	errno = -result;
	return -1;
}
