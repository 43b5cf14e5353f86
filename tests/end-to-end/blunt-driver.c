/* SPDX-License-Identifier: MIT */
/*
 * Preloaded in front of the driver of the simulated GPU, it makes that driver one that can less:
 *
 *   WT_BLUNT  imprecise    memory violations cannot be made exact
 *             firmware     the firmware is too old to be debugged
 *             unstoppable  no queue can be suspended
 *             debugged     another debugger has the process
 *             refused      nobody may debug it
 *             closed       nobody may open the driver
 *             hasty        the agent's first question for a violation, once the program goes on, is answered when a wave has stopped, as if
 *                          the program had been that fast
 *             late         a thread that waits for several events at once comes back from the call late, as on a busy machine
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "device/kfd-debug.h"
#include "driver/owner/kfd.h"

#define EXPORTED __attribute__((visibility("default")))

#define WAIT_EVENTS 0x0c
/* Whoever waits for a kernel does so by then, and a violation has been told. */
#define LATE_SECONDS 5
/* How often it is looked whether a wave has stopped, and how many times at most: a minute. */
#define HASTY_MS 10
#define HASTY_LOOKS 6000
#define HASTY_QUEUES 16
/* Questions of the agent's while the program waits for it. */
#define HASTY_BEFORE 1

#define CAPABILITY_PRECISE_MEMORY (1u << 18)
#define CAPABILITY_FIRMWARE (1u << 29)

static bool blunt_is(const char *what)
{
	const char *blunt = getenv("WT_BLUNT");

	return blunt && !strcmp(blunt, what);
}

static void entries_take(const struct kfd_debug_trap *args, uint32_t capability)
{
	char *entry = (char *)(uintptr_t)args->snapshot.buffer;

	for (uint32_t i = 0; i < args->snapshot.count; i++, entry += args->snapshot.entry_size)
		((struct kfd_device_entry *)(void *)entry)->capability &= ~capability;
}

static int queues_refuse(const struct kfd_debug_trap *args)
{
	uint32_t *queues = (uint32_t *)(uintptr_t)args->suspend.queues;

	for (uint32_t i = 0; i < args->suspend.count; i++)
		queues[i] |= KFD_QUEUE_ERROR;
	return 0;
}

static int fail(int errnum)
{
	errno = errnum;
	return -1;
}

typedef int next_ioctl(int, unsigned long, void *);

static bool queues_have_stop(next_ioctl *next, int file, uint32_t process)
{
	struct kfd_queue_entry entries[HASTY_QUEUES] = {0};
	struct kfd_debug_trap args = {
		.pid = process,
		.operation = KFD_DEBUG_QUEUE_SNAPSHOT,
		.snapshot = {0, (uintptr_t)entries, HASTY_QUEUES, sizeof(*entries)}};

	if (next(file, _IOWR(KFD_IOCTL_BASE, KFD_DEBUG, struct kfd_debug_trap), &args))
		return false;
	for (uint32_t i = 0; i < HASTY_QUEUES && i < args.snapshot.count; i++)
		if (entries[i].exceptions & (KFD_EXCEPTION(KFD_EXCEPTION_WAVE_ABORT) |
					     KFD_EXCEPTION(KFD_EXCEPTION_WAVE_TRAP)))
			return true;
	return false;
}

static void program_hurry(next_ioctl *next, int file, const struct kfd_debug_trap *args)
{
	const struct timespec pause = {.tv_nsec = HASTY_MS * 1000000};
	static int questions;

	if (args->operation != KFD_DEBUG_QUERY_EXCEPTION || !blunt_is("hasty") ||
	    questions++ != HASTY_BEFORE)
		return;
	for (int i = 0; i < HASTY_LOOKS && !queues_have_stop(next, file, args->pid); i++)
		nanosleep(&pause, NULL);
}

static void listener_delay(unsigned long request, const struct kfd_wait_events *wait)
{
	const struct timespec late = {.tv_sec = LATE_SECONDS};

	if (_IOC_TYPE(request) == KFD_IOCTL_BASE && _IOC_NR(request) == WAIT_EVENTS &&
	    wait->count > 1 && blunt_is("late"))
		nanosleep(&late, NULL);
}

EXPORTED int ioctl(int file, unsigned long request, ...)
{
	next_ioctl *next = (next_ioctl *)dlsym(RTLD_NEXT, "ioctl");
	bool debugs = _IOC_TYPE(request) == KFD_IOCTL_BASE && _IOC_NR(request) == KFD_DEBUG;
	const struct kfd_debug_trap *args;
	va_list list;
	int result;

	va_start(list, request);
	args = va_arg(list, void *);
	va_end(list);
	if (debugs && args->operation == KFD_DEBUG_ENABLE && blunt_is("refused"))
		return fail(EPERM);
	if (debugs && args->operation == KFD_DEBUG_ENABLE && blunt_is("debugged"))
		return fail(EALREADY);
	if (debugs && args->operation == KFD_DEBUG_SUSPEND_QUEUES && blunt_is("unstoppable"))
		return queues_refuse(args);
	if (debugs)
		program_hurry(next, file, args);
	result = next(file, request, (void *)(uintptr_t)args);
	if (debugs && !result && args->operation == KFD_DEBUG_DEVICE_SNAPSHOT) {
		if (blunt_is("imprecise"))
			entries_take(args, CAPABILITY_PRECISE_MEMORY);
		if (blunt_is("firmware"))
			entries_take(args, CAPABILITY_FIRMWARE);
	}
	listener_delay(request, (const void *)args);
	return result;
}

#define OPEN(name)                                                                                 \
	EXPORTED int name(const char *path, int flags, ...)                                        \
	{                                                                                          \
		int (*next)(const char *, int, mode_t) =                                           \
			(int (*)(const char *, int, mode_t))dlsym(RTLD_NEXT, #name);               \
		va_list list;                                                                      \
		mode_t mode;                                                                       \
                                                                                                   \
		va_start(list, flags);                                                             \
		mode = va_arg(list, mode_t);                                                       \
		va_end(list);                                                                      \
		if (blunt_is("closed") && !strcmp(path, "/dev/kfd"))                               \
			return fail(EACCES);                                                       \
		return next(path, flags, mode);                                                    \
	}

OPEN(open)
OPEN(open64)
