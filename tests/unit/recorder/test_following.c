/* SPDX-License-Identifier: MIT */
/* An agent lets the process go where the library is gone, by a driver that is made up here. */
/* The two forms of open() are one function each here. */
#undef _FILE_OFFSET_BITS
#include "recorder/agent/follow-events.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include <cmocka.h>

#include "device/kfd-debug.h"

#define EXPORT __attribute__((visibility("default")))

/* The C library's function of a name that is defined here, too. */
#define NEXT(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* The driver answers with this errno; 0: it does what it is asked. */
static int driver_error;

EXPORT int open64(const char *path, int flags, ...)
{
	return NEXT(open64)(strcmp(path, "/dev/kfd") ? path : "/dev/null", flags, 0600);
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (_IOC_TYPE(request) != KFD_IOCTL_BASE)
		return NEXT(ioctl)(fd, request, argument);
	errno = driver_error;
	return driver_error ? -1 : 0;
}

/* Does the driver hold the process still, when it answers so? */
static bool is_held(bool attached, int error)
{
	struct wt_agent_follow follow = {
		.client = {.over = true, .left = true, .attached = attached}};

	driver_error = error;
	assert_null(wt_agent_deliver(&follow));
	assert_false(follow.unheard);
	return follow.held;
}

static void test_who_is_held(void **state)
{
	(void)state;
	for (int attached = 0; attached < 2; attached++) {
		assert_false(is_held(attached, 0));
		assert_true(is_held(attached, EIO));
		assert_true(is_held(attached, EBUSY));
		/* Nobody debugs it. */
		assert_false(is_held(attached, EINVAL));
		/* A driver that debugs nothing says that of the library's attach, too. */
		assert_int_equal(is_held(attached, ENOTTY), attached);
		assert_int_equal(is_held(attached, EPERM), attached);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_is_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
