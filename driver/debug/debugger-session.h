/* SPDX-License-Identifier: MIT */
/*
 * The debug session of one process: what the kernel driver keeps while a debugger is attached. It answers the debug calls
 * (AMDKFD_IOC_DBG_TRAP): exceptions and their notifier, snapshots of queues and devices, suspended queues, the launch mode,
 * address watch registers.
 *
 *     debugger-session.c  attaching, exceptions, the runtime's events; launch mode and override, watch registers, flags;
 *                         suspend and resume queues; snapshots
 *
 * The room knows the layouts of the calls (device/kfd-debug.h). It must not know who the debugger is, how a call arrives, or what a
 * wave is: the owner and the engine do.
 */
#ifndef WT_DRIVER_DEBUG_DEBUGGER_SESSION_H
#define WT_DRIVER_DEBUG_DEBUGGER_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/kfd-debug.h"
#include "driver/engine/engine.h"

#define WT_DEBUG_DEVICES 8u

/* A queue as debuggers see it. `entry.exceptions` are those that are pending. */
struct wt_debug_queue {
	struct wt_debug_queue *next; /* in the order of creation */
	struct kfd_queue_entry entry;
	bool suspended;
};

struct wt_debug_watch {
	bool set;
	uint64_t address;
	uint32_t mode, mask;
};

/* The session needs this of the process. */
struct wt_debug_host {
	void *opaque;
	/* Report exceptions of a queue to the program's own runtime. Return: 0 or -errno. */
	int (*tell_runtime)(void *opaque, uint32_t queue_id, uint64_t exceptions);
	/* Signal the runtime's event for memory violations of a device. */
	void (*tell_memory)(void *opaque, uint32_t device);
};

/* The memory of the process that makes a call. Both functions copy all bytes and return 0, or return -EFAULT. */
struct wt_debug_caller {
	void *opaque;
	int (*copy_in)(void *opaque, void *to, uint64_t from, size_t size);
	int (*copy_out)(void *opaque, uint64_t to, const void *from, size_t size);
};

struct wt_debug_session {
	struct wt_engine *engine;
	struct wt_debug_host host;
	bool attached;
	int notifier;	     /* written to when an exception is pending; -1: none */
	uint64_t subscribed; /* exceptions that the debugger asked for */
	struct kfd_runtime_info runtime;
	uint32_t r_debug_version; /* of that */
	uint64_t exceptions;	  /* of the process */
	struct kfd_device_entry devices[WT_DEBUG_DEVICES];
	struct kfd_device_memory_exception violations[WT_DEBUG_DEVICES];
	bool has_violation[WT_DEBUG_DEVICES];
	uint32_t device_count;
	struct wt_debug_queue *queues;
	uint32_t launch_mode, launch_traps, flags;
	struct wt_debug_watch watches[WT_DEBUG_DEVICES][WT_ENGINE_WATCHES];
	bool runtime_waits; /* the runtime waits until the debugger has handled its event */
};

/**
 * Initialize a session. No debugger is attached.
 *
 * @devices: what a snapshot has of each of the @count devices.
 */
void wt_debug_init(struct wt_debug_session *session, struct wt_engine *engine,
		   const struct wt_debug_host *host, const struct kfd_device_entry *devices,
		   uint32_t count);
/** Release the session. The program and its debugger are gone. */
void wt_debug_deinit(struct wt_debug_session *session);

/** A queue was created or destroyed. Return: false if there is no memory. */
bool wt_debug_add_queue(struct wt_debug_session *session, const struct kfd_queue_entry *entry);
void wt_debug_remove_queue(struct wt_debug_session *session, uint32_t id);
struct wt_debug_queue *wt_debug_find_queue(struct wt_debug_session *session, uint32_t id);

/**
 * The runtime was enabled or disabled in the program (AMDKFD_IOC_RUNTIME_ENABLE).
 *
 * @info: address 0: disabled.
 *
 * @r_debug_version: what the runtime has there; 0: not known.
 * Return: 0; 1 if the caller has to wait until runtime_waits is false; -EBUSY, -EEXIST.
 */
int wt_debug_runtime(struct wt_debug_session *session, const struct kfd_runtime_info *info,
		     uint32_t r_debug_version);

/**
 * Raise exceptions of a queue, or a memory violation of a device. They are pending while a debugger is attached.
 *
 * Return: true if the debugger is notified, so that the runtime must not be.
 */
bool wt_debug_raise_queue(struct wt_debug_session *session, uint32_t id, uint64_t exceptions);
bool wt_debug_raise_memory(struct wt_debug_session *session, uint32_t device, uint64_t address);

/**
 * Attach a debugger.
 *
 * @notifier: taken over on success.
 *
 * Return: 0; -EALREADY, -EFAULT.
 */
int wt_debug_enable(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		    struct kfd_debug_trap *args, int notifier);
/** Detach the debugger: resume queues and reset all controls. Waves that are stopped at an exception stay stopped. */
void wt_debug_disable(struct wt_debug_session *session);

/**
 * All other operations of the debug call, for an attached debugger.
 *
 * @args: input and output of the operation.
 *
 * Return: 0, or a number of queues; a negative errno.
 */
int wt_debug_operate(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		     struct kfd_debug_trap *args);

#endif /* WT_DRIVER_DEBUG_DEBUGGER_SESSION_H */
