/* SPDX-License-Identifier: MIT */
/* The debug calls of AMD's kernel driver, as a debugger makes them. */
#ifndef WT_DBGAPI_KFD_DEBUG_IOCTL_H
#define WT_DBGAPI_KFD_DEBUG_IOCTL_H

#include <stdbool.h>
#include <stdint.h>

#include "device/kfd-debug.h"

/* The driver, and the process that is debugged. */
struct wt_kfd_calls {
	int file; /* -1: closed */
	uint32_t process;
};

/** Open the driver. Return: 0, or -errno. */
int wt_kfd_calls_open(struct wt_kfd_calls *calls, uint32_t process);
void wt_kfd_calls_close(struct wt_kfd_calls *calls);

/** Ask for its version. Return: 0, or -errno. */
int wt_kfd_calls_version(const struct wt_kfd_calls *calls, struct kfd_get_version *version_ret);

/**
 * Make a debug call on the process.
 *
 * @args: what the operation has; the answer is in it after success.
 *
 * Return: the call's result, which is 0 or a count; or -errno.
 */
int wt_kfd_call(const struct wt_kfd_calls *calls, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args);

/** The name of an operation, for messages. */
const char *wt_kfd_operation_name(enum kfd_debug_operation operation);

#endif /* WT_DBGAPI_KFD_DEBUG_IOCTL_H */
