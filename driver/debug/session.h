/* SPDX-License-Identifier: MIT */
/*
 * What a debugger has asked of a process's device, and what it is to be told: exceptions, queues and devices as they are
 * found, suspended queues, halts at launch, address watch registers. It answers the debug calls of the driver.
 *
 * The room knows the calls' layouts (interface.h). It must not know who the debugger is, how a call arrives, or what a wave
 * is: that is the owner's and the engine's.
 */
#ifndef WT_DRIVER_DEBUG_SESSION_H
#define WT_DRIVER_DEBUG_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/debug/interface.h"
#include "driver/engine/engine.h"

#define WT_DEBUG_DEVICES 8u

/* A queue as debuggers see it; `entry.exceptions` is what has happened to it. */
struct wt_debug_queue {
	struct wt_debug_queue *next; /* by creation */
	struct kfd_queue_entry entry;
	bool suspended;
};

struct wt_debug_watch {
	bool set;
	uint64_t address;
	uint32_t mode, mask;
};

/* Calls that the session makes. Those of memory are of the caller's: all or nothing, 0 or -EFAULT. */
struct wt_debug_host {
	void *opaque;
	/* Write to the program's own runtime that these exceptions of a queue have happened. Return: 0 or -errno. */
	int (*tell_runtime)(void *opaque, uint32_t queue_id, uint64_t exceptions);
	/* The runtime's event of memory violations. */
	void (*tell_memory)(void *opaque, uint32_t device);
};

struct wt_debug_caller {
	void *opaque;
	int (*copy_in)(void *opaque, void *to, uint64_t from, size_t size);
	int (*copy_out)(void *opaque, uint64_t to, const void *from, size_t size);
};

struct wt_debug_session {
	struct wt_engine *engine;
	struct wt_debug_host host;
	bool attached;
	int notifier;	     /* written to when there is something to ask for; -1: none */
	uint64_t subscribed; /* exceptions that the debugger wants to hear of */
	struct kfd_runtime_info runtime;
	uint64_t exceptions; /* of the process */
	struct kfd_device_entry devices[WT_DEBUG_DEVICES];
	struct kfd_device_memory_exception violations[WT_DEBUG_DEVICES];
	uint32_t device_count;
	struct wt_debug_queue *queues;
	uint32_t launch_mode, launch_traps, flags;
	struct wt_debug_watch watches[WT_DEBUG_DEVICES][WT_ENGINE_WATCHES];
	bool runtime_waits; /* for the debugger to say that it has seen the runtime's change */
};

/**
 * Set a session up.
 *
 * @devices: what debuggers are told of each of @count devices.
 */
void wt_debug_init(struct wt_debug_session *session, struct wt_engine *engine,
		   const struct wt_debug_host *host, const struct kfd_device_entry *devices,
		   uint32_t count);
/** Give back what it has; the program and its debugger are gone. */
void wt_debug_deinit(struct wt_debug_session *session);

/** Queues come and go. Return: false without memory. */
bool wt_debug_add_queue(struct wt_debug_session *session, const struct kfd_queue_entry *entry);
void wt_debug_remove_queue(struct wt_debug_session *session, uint32_t id);
struct wt_debug_queue *wt_debug_find_queue(struct wt_debug_session *session, uint32_t id);

/**
 * The runtime comes or goes.
 *
 * @info: with its address 0 it goes.
 *
 * Return: 0; 1 if the caller has to wait until runtime_waits is false; -EBUSY, -EEXIST.
 */
int wt_debug_runtime(struct wt_debug_session *session, const struct kfd_runtime_info *info);

/**
 * Something has happened to a queue or a device. It is kept while a debugger is attached.
 *
 * Return: whether the debugger is told, and the runtime is not.
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
/** Let go of everything, as if nobody had been there. What stands on an exception stays as it is. */
void wt_debug_disable(struct wt_debug_session *session);

/**
 * The other operations, of an attached debugger.
 *
 * @args: changed as the operation says.
 *
 * Return: 0, or a number of queues; a negative errno.
 */
int wt_debug_operate(struct wt_debug_session *session, const struct wt_debug_caller *caller,
		     struct kfd_debug_trap *args);

#endif /* WT_DRIVER_DEBUG_SESSION_H */
