/* SPDX-License-Identifier: MIT */
/*
 * Executes what one process submits to its queues: reads packets, lets the machine (device/machine/) execute kernels, copies
 * as an SDMA engine does, and signals completion and exceptions.
 *
 *     aql.c, sdma.c             packets of queues, and which one runs when
 *     signal.c, agent-memory.c  signals; memory as an agent sees it
 *     exception.c               waves that stop for an exception, queues that fail
 *     suspend.c                 waves in the context save area of a suspended queue
 *
 * The files use each other in a circle: a packet starts waves, a wave's exception stops its queue, and a resumed queue starts
 * waves and packets again.
 *
 * The room knows AQL and SDMA packets, and the queue structure and the signals that the ROCm runtime lays out in memory. It
 * must not know how a program calls the driver.
 */
#ifndef WT_DRIVER_ENGINE_ENGINE_H
#define WT_DRIVER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/engine/local.h"
#include "driver/memory/space.h"
#include "gfx/architecture/architecture.h"

struct wt_engine;

/* Local and private memory in the generic address space, as the driver has them for gfx9: first and last address. */
#define WT_LDS_BASE UINT64_C(0x1000000000000)
#define WT_LDS_LIMIT (WT_LDS_BASE + UINT32_MAX)
#define WT_SCRATCH_BASE UINT64_C(0x2000000000000)
#define WT_SCRATCH_LIMIT (WT_SCRATCH_BASE + UINT32_MAX)

enum wt_engine_queue_kind { WT_ENGINE_AQL, WT_ENGINE_SDMA };

struct wt_engine_queue_options {
	enum wt_engine_queue_kind kind;
	uint32_t agent;
	uint64_t ring_address, ring_size; /* bytes */
	uint64_t write_pointer_address, read_pointer_address;
	uint64_t save_address, save_size;  /* of the context save area; 0: none */
	const volatile uint64_t *doorbell; /* valid as long as the queue exists */
};

/* A memory violation: an access that the agent may not make. */
struct wt_engine_fault {
	uint64_t address;
	uint32_t agent;
	bool write, execute, mapped; /* mapped: the page exists, but does not allow this access */
};

/* Controls that a debugger has set. */
struct wt_engine_debug {
	bool attached;
	bool imprecise; /* a memory violation stops the wave after the instruction that caused it */
	bool halt,
		step; /* new waves: halted before their first instruction, or stopped behind each one */
	uint32_t
		traps; /* exceptions that are enabled in new waves: arithmetic ones, then address watch */
	uint32_t
		r_debug_version; /* the runtime's, which tells what its trap handler does; 0: not known */
};

#define WT_ENGINE_TRAPS_MODE 0xffu /* the bits of `traps` that are in a wave's MODE register */

#define WT_ENGINE_WATCHES 4u
enum wt_engine_watch_kind {
	WT_ENGINE_WATCH_READ,
	WT_ENGINE_WATCH_NONREAD,
	WT_ENGINE_WATCH_ATOMIC,
	WT_ENGINE_WATCH_ALL,
};
struct wt_engine_watch {
	uint64_t address, size;
	enum wt_engine_watch_kind kind;
};

/** How many waves of a queue have room on the control stack of its save area, on a device of @units compute units. */
uint32_t wt_engine_stack_waves(const struct gfx_product *product, uint32_t units);

/* Functions of the owner that the engine calls. */
struct wt_engine_host {
	void *opaque;
	void (*signal)(void *opaque, uint32_t event);
	void (*fault)(void *opaque, const struct wt_engine_fault *fault);
	/* The agent cannot go on, for a reason that the program must be told, and its user. */
	void (*hang)(void *opaque, uint32_t agent, const char *why);
	/* Exceptions of a queue, as bits of the driver's. Return: true if the program must not be told: a debugger is, or the program is
	 * to hear of the memory first. */
	bool (*exception)(void *opaque, uint32_t queue, uint64_t exceptions);
	/* A line for the log. */
	void (*message)(void *opaque, const char *text);
	/* Something of the hardware that the device does not have: the same text for the same thing. */
	void (*missing)(void *opaque, const char *text);
};

/**
 * Make the engine of a process.
 *
 * @space: the process's allocations. It must stay valid as long as the engine.
 * @architectures: of @agents agents.
 * @units: compute units of each agent: they say how many workgroups are resident.
 * @seed: of the order in which waves get their turns; 0: the default order.
 * @local: when a wave may not leave its local memory.
 *
 * Return: NULL if there is no memory.
 */
struct wt_engine *wt_engine_create(struct wt_space *space,
				   const struct gfx_architecture *const *architectures,
				   uint32_t agents, uint32_t units, uint64_t seed,
				   enum wt_engine_local local, const struct wt_engine_host *host);
void wt_engine_destroy(struct wt_engine *engine);

/**
 * Create a queue. @id is chosen by the owner and unique.
 *
 * Return: 0; -EINVAL if there is no such queue, or for invalid options; -ENOMEM. The same for the functions below.
 */
int wt_engine_queue_create(struct wt_engine *engine, uint32_t id,
			   const struct wt_engine_queue_options *options);
/** Destroy a queue and its waves. */
int wt_engine_queue_destroy(struct wt_engine *engine, uint32_t id);
/** Let a queue run, or stop it between two instructions, and set its ring. @ring_address 0: no change. */
int wt_engine_queue_update(struct wt_engine *engine, uint32_t id, bool runs, uint64_t ring_address,
			   uint64_t ring_size);

/**
 * Give a queue its agent's global wave sync, or take it away. From then on as many workgroups of a dispatch are resident as there is room for.
 *
 * Return: 0; -EINVAL if there is no such queue, or if it has none to be taken away; -EBUSY if a queue has it.
 */
int wt_engine_queue_set_sync(struct wt_engine *engine, uint32_t id, bool has);

/** Report exceptions of a queue to the program's runtime: write them where it reads them, and wake it. */
int wt_engine_tell_runtime(struct wt_engine *engine, uint32_t id, uint64_t exceptions);

/** Report a memory violation of a queue that the owner has held back. */
void wt_engine_tell_violation(struct wt_engine *engine, uint32_t id);

/**
 * Suspend a queue: write its waves into its context save area. Resume it: read them back, with what a debugger changed.
 *
 * Return: 0, also if the queue is suspended or runs already; -EINVAL if there is no such queue; -ENOSPC or -EFAULT if the
 * waves cannot be saved: the queue then continues.
 */
int wt_engine_queue_suspend(struct wt_engine *engine, uint32_t id);
int wt_engine_queue_resume(struct wt_engine *engine, uint32_t id);

/**
 * The debugger has exited without detaching: continue the waves that only it had stopped, and report the exceptions of the
 * others to the runtime.
 */
void wt_engine_release_waves(struct wt_engine *engine);

void wt_engine_set_debug(struct wt_engine *engine, const struct wt_engine_debug *debug);
/** Set an address watch register; NULL: it watches nothing. */
void wt_engine_watch(struct wt_engine *engine, uint32_t index, const struct wt_engine_watch *watch);

/** Ticks of the device's clock, which has 100 MHz. */
uint64_t wt_engine_ticks(void);

/** The number of queues. */
uint32_t wt_engine_queue_count(const struct wt_engine *engine);

/**
 * Process packets and execute waves, up to about @budget instructions.
 *
 * Return: true if anything was done.
 */
bool wt_engine_run(struct wt_engine *engine, uint64_t budget);

#endif /* WT_DRIVER_ENGINE_ENGINE_H */
