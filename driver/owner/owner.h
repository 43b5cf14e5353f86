/* SPDX-License-Identifier: MIT */
/*
 * The process that owns the simulated device: it serves the calls of every program of a session, as AMD's kernel driver
 * does, and executes what they put into queues.
 *
 * The room knows the driver's interface (Linux' kfd_ioctl.h, its sysfs tree, the ioctls of a render node that libdrm asks for)
 * and must not know the debugger API, nor who its programs are. All it believes of a program is what the kernel says of
 * the other end of a socket.
 */
#ifndef WT_DRIVER_OWNER_OWNER_H
#define WT_DRIVER_OWNER_OWNER_H

#include <stdint.h>

#include "base/error.h"

struct wt_owner;

struct wt_owner_options {
	const char *directory;	  /* of the session: it exists, is empty, and is the user's alone */
	const char *architecture; /* "gfx90a" or "gfx942" */
	uint32_t agents;	  /* how many of them, 1 to WT_OWNER_AGENTS_MAX */
	uint32_t compute_units;	  /* of each, a multiple of 8 */
	uint64_t seed;	 /* of the order in which waves have their turns; 0: the usual one */
	const char *log; /* file for a line for each call and event; NULL: none */
};

#define WT_OWNER_AGENTS_MAX 8u
#define WT_OWNER_UNITS_MAX 304u

/**
 * Make a device and all that programs find of it: memory files, the socket, the tree of files below the directory.
 *
 * Errors: USAGE for an architecture or a number that there is not; IO.
 */
struct wt_error *wt_owner_create(const struct wt_owner_options *options,
				 struct wt_owner **owner_ret);

/** Serve until SIGTERM, which is blocked from here on. Errors: IO, that of the loop itself. */
struct wt_error *wt_owner_run(struct wt_owner *owner);

/** After fork(), in the process that does not serve: let go of it. What stands in the directory stays. */
void wt_owner_release(struct wt_owner *owner);

/** Close everything, and remove what was made in the directory, but not the directory. */
void wt_owner_destroy(struct wt_owner *owner);

#endif /* WT_DRIVER_OWNER_OWNER_H */
