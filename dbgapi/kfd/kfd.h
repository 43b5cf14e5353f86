/* SPDX-License-Identifier: MIT */
/*
 * A process that AMD's kernel driver serves, as a device (device/device.h). It runs by itself: what the library asks for is
 * asked of the driver, by its debug calls, and read from the memory of the process.
 *
 * Its waves can be seen while their queues are suspended: then the hardware has saved them to memory, where they look as in
 * a GPU core dump and are read by the same functions (dbgapi/core/). What a debugger changes is written there before the queues
 * go on. Registers of a wave that is stopped do not change, so they are kept while it is.
 *
 *     debug-ioctl.c   the driver's calls
 *     live-device.c   attaching, detaching, the operations of the seam; waves: stopped, resumed, stepped
 *     live-program.c  the runtime and its code objects
 *     live-events.c   what the driver tells
 *     live-waves.c    queues: found, suspended, resumed; waves: found in their save areas, written back
 *     settings.c      watchpoints, precise memory, waves that are halted at their launch
 *     tell.c          what the listener is told
 *
 * The room `kfd` must not know clients or handles.
 */
#ifndef WT_DBGAPI_KFD_KFD_H
#define WT_DBGAPI_KFD_KFD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/device.h"
#include "device/memory-view.h"

struct wt_kfd_target {
	uint32_t process; /* its id */
	int notifier; /* the end of a pipe: the driver writes a byte there when it has something to tell */
	/* The client is asked here for memory of the process to which the kernel gives no access. Copied. */
	struct wt_memory_view memory;
};

/** Whether there is a driver on this machine that can be opened. */
bool wt_kfd_is_there(void);

/**
 * Attach to a process. Nothing is told before its operation `start`. A process that has exited, or exits meanwhile, is a device
 * without anything. Destroying the device detaches.
 *
 * Errors: WT_ERROR_NOT_FOUND if there is no driver; WT_ERROR_UNSUPPORTED if it has a version that is not known, or if another
 * debugger is attached; WT_ERROR_IO if it answers something that nobody can expect; no memory.
 */
struct wt_error *wt_kfd_attach(const struct wt_kfd_target *target, struct wt_device **device_ret);

#endif /* WT_DBGAPI_KFD_KFD_H */
