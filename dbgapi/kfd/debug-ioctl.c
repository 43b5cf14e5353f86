/* SPDX-License-Identifier: MIT */
#include "dbgapi/kfd/debug-ioctl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char device_path[] = "/dev/kfd";

int wt_kfd_calls_open(struct wt_kfd_calls *calls, uint32_t process)
{
	calls->process = process;
	calls->file = open(device_path, O_RDWR | O_CLOEXEC);
	return calls->file < 0 ? -errno : 0;
}

void wt_kfd_calls_close(struct wt_kfd_calls *calls)
{
	if (calls->file >= 0)
		close(calls->file);
	calls->file = -1;
}

static int kfd_call(const struct wt_kfd_calls *calls, unsigned long request, void *args)
{
	int result;

	do
		result = ioctl(calls->file, request, args);
	while (result < 0 && errno == EINTR);
	return result < 0 ? -errno : result;
}

int wt_kfd_calls_version(const struct wt_kfd_calls *calls, struct kfd_get_version *version_ret)
{
	return kfd_call(calls, _IOR(KFD_IOCTL_BASE, KFD_GET_VERSION, struct kfd_get_version),
			version_ret);
}

int wt_kfd_call(const struct wt_kfd_calls *calls, enum kfd_debug_operation operation,
		struct kfd_debug_trap *args)
{
	args->pid = calls->process;
	args->operation = operation;
	return kfd_call(calls, _IOWR(KFD_IOCTL_BASE, KFD_DEBUG, struct kfd_debug_trap), args);
}

const char *wt_kfd_operation_name(enum kfd_debug_operation operation)
{
	static const char *const names[KFD_DEBUG_OPERATIONS] = {
		"enable",
		"disable",
		"send a runtime event",
		"set exceptions",
		"set the launch override",
		"set the launch mode",
		"suspend queues",
		"resume queues",
		"set an address watch",
		"clear an address watch",
		"set flags",
		"query an event",
		"query an exception",
		"take a snapshot of queues",
		"take a snapshot of devices",
	};

	return operation < KFD_DEBUG_OPERATIONS ? names[operation] : "unknown";
}
