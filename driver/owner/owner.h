/* SPDX-License-Identifier: MIT */
/*
 * The process that owns the simulated device. It answers the driver calls of every program of a session, as AMD's kernel driver
 * does, and executes the packets in their queues.
 *
 *     server.c                 the loop: connections, calls, and when engines run
 *     driver-call.c, render.c  ioctls of /dev/kfd and of the render node
 *     driver-process.c, program-queue.c, signal-event.c, debug-call.c  what a process has: memory, queues, events, its debugger
 *     tree.c                   the files of /sys and /proc that programs read
 *
 * The room knows the driver's interface (Linux' kfd_ioctl.h, its sysfs tree, the ioctls of a render node that libdrm makes).
 * It must not know the debugger API. Of a program it trusts only what the kernel says about the peer of its socket.
 */
#ifndef WT_DRIVER_OWNER_OWNER_H
#define WT_DRIVER_OWNER_OWNER_H

#include <stdint.h>

#include "base/error.h"
#include "driver/engine/local.h"

struct wt_owner;

struct wt_owner_options {
	const char *directory; /* of the session: exists, is empty, and has mode 0700 */
	/* "gfx90a": its row has a product with a kernel driver; or a list of such names with commas between: the agents have them in turn */
	const char *architecture;
	/* 1 to WT_OWNER_AGENTS_MAX, and not fewer than architectures; WT_OWNER_AGENTS_AS_NAMED: as many as these */
	uint32_t agents;
	uint32_t compute_units; /* of each, a multiple of its product's step; 0: that step */
	uint64_t seed; /* of the order in which waves get their turns; 0: the default order */
	/* Is told what the device cannot do that a program wants of it: one line, without its end. NULL: nobody. */
	void (*complain)(const char *text);
	enum wt_engine_local local; /* when a wave may not leave its local memory */
	const char *log;	    /* file that gets a line for each call and event; NULL: none */
};

#define WT_OWNER_AGENTS_MAX 8u
#define WT_OWNER_AGENTS_AS_NAMED UINT32_MAX
#define WT_OWNER_UNITS_MAX 304u

/**
 * Make a device and everything through which programs reach it: memory files, the socket, the tree of files in the directory.
 *
 * Errors: USAGE for an unknown architecture or an invalid number; IO.
 */
struct wt_error *wt_owner_create(const struct wt_owner_options *options,
				 struct wt_owner **owner_ret);

/** Serve until SIGTERM, which is blocked from here on. Errors: IO, of the loop itself. */
struct wt_error *wt_owner_run(struct wt_owner *owner);

/** After fork(), in the process that does not serve: close everything. The files in the directory stay. */
void wt_owner_release(struct wt_owner *owner);

/** Close everything, and remove what was made in the directory, but not the directory. */
void wt_owner_destroy(struct wt_owner *owner);

#endif /* WT_DRIVER_OWNER_OWNER_H */
