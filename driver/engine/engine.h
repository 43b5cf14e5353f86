/* SPDX-License-Identifier: MIT */
/*
 * What the device does for one process: it takes packets from the queues that the program has made, lets the machine
 * (device/machine/) execute kernels, copies as a DMA engine does, and tells the program what became of its packets.
 *
 * The room knows AQL and SDMA packets, the queue structure and the signals that the ROCm runtime lays out in memory. It must
 * not know how a program calls the driver.
 */
#ifndef WT_DRIVER_ENGINE_ENGINE_H
#define WT_DRIVER_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/memory/space.h"
#include "gfx/architecture/architecture.h"

struct wt_engine;

enum wt_engine_queue_kind { WT_ENGINE_AQL, WT_ENGINE_SDMA };

struct wt_engine_queue_options {
	enum wt_engine_queue_kind kind;
	uint32_t agent;
	uint64_t ring_address, ring_size; /* bytes */
	uint64_t write_pointer_address, read_pointer_address;
	uint64_t save_address, save_size;  /* of the context save area; 0: none */
	const volatile uint64_t *doorbell; /* for as long as the queue lives */
};

/* An access that no agent may make: the address, and what is wrong with it. */
struct wt_engine_fault {
	uint64_t address;
	uint32_t agent;
	bool write, execute, mapped; /* mapped: it is there, but not for such an access */
};

/* What a debugger has asked for. */
struct wt_engine_debug {
	bool attached;
	bool imprecise; /* faults stop a wave behind the instruction */
	bool halt,
		step; /* new waves: halted before their first instruction, or stopped behind each one */
	uint32_t
		traps; /* exceptions that new waves have enabled: arithmetic ones, then address watch */
};

#define WT_ENGINE_TRAPS_MODE 0xffu /* of `traps`: those that a wave's mode register has */

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

/* How many shader engines the waves of a queue are spread over. */
#define WT_ENGINE_SHADER_ENGINES 8u

/* Who is told what happens. */
struct wt_engine_host {
	void *opaque;
	void (*signal)(void *opaque, uint32_t event);
	void (*fault)(void *opaque, const struct wt_engine_fault *fault);
	/* Exceptions of a queue, by the driver's bits. Return: whether a debugger takes them, and the program is not told. */
	bool (*exception)(void *opaque, uint32_t queue, uint64_t exceptions);
	/* A line for the log. */
	void (*message)(void *opaque, const char *text);
};

/**
 * Make the engine of a process.
 *
 * @space: what lies where, for as long as the engine lives.
 * @architectures: of @agents agents.
 * @seed: of the order in which waves have their turns; 0: the usual one.
 *
 * Return: NULL without memory.
 */
struct wt_engine *wt_engine_create(struct wt_space *space,
				   const struct gfx_architecture *const *architectures,
				   uint32_t agents, uint64_t seed,
				   const struct wt_engine_host *host);
void wt_engine_destroy(struct wt_engine *engine);

/**
 * Queues. @id is the owner's choice, and no other queue's.
 *
 * Return: 0; -EINVAL for a queue that there is not, or options that cannot be; -ENOMEM.
 */
int wt_engine_queue_create(struct wt_engine *engine, uint32_t id,
			   const struct wt_engine_queue_options *options);
/** It does nothing any more: waves that it has are gone when this returns. */
int wt_engine_queue_destroy(struct wt_engine *engine, uint32_t id);
/** Let it run, or stop it between two instructions, and tell where its ring is; 0: where it was. */
int wt_engine_queue_update(struct wt_engine *engine, uint32_t id, bool runs, uint64_t ring_address,
			   uint64_t ring_size);

/** Write exceptions to where the queue's runtime looks for them, and wake it. Return: 0, or -EINVAL. */
int wt_engine_tell_runtime(struct wt_engine *engine, uint32_t id, uint64_t exceptions);

/**
 * Let a queue stand still, with its waves in its save area; and go on with what is there then.
 *
 * Return: 0, also if it stands or goes already; -EINVAL for a queue that there is not; -ENOSPC or -EFAULT if the waves
 * cannot be saved, and the queue goes on.
 */
int wt_engine_queue_suspend(struct wt_engine *engine, uint32_t id);
int wt_engine_queue_resume(struct wt_engine *engine, uint32_t id);

/**
 * A debugger has gone without a word: waves that only it has stopped go on, and of those that cannot the runtime is told.
 */
void wt_engine_release_waves(struct wt_engine *engine);

void wt_engine_set_debug(struct wt_engine *engine, const struct wt_engine_debug *debug);
/** Set an address watch register; NULL: it watches nothing. */
void wt_engine_watch(struct wt_engine *engine, uint32_t index, const struct wt_engine_watch *watch);

/** Ticks of the device's own clock, of 100 MHz. */
uint64_t wt_engine_ticks(void);

/** How many queues it has: without one there is nothing to look for. */
uint32_t wt_engine_queue_count(const struct wt_engine *engine);

/**
 * Look at the queues and do what there is to do, up to about @budget instructions.
 *
 * Return: whether anything was done.
 */
bool wt_engine_run(struct wt_engine *engine, uint64_t budget);

#endif /* WT_DRIVER_ENGINE_ENGINE_H */
