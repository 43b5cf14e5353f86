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
	uint64_t save_address;		   /* 0: none */
	const volatile uint64_t *doorbell; /* for as long as the queue lives */
};

/* An access that no agent may make: the address, and what is wrong with it. */
struct wt_engine_fault {
	uint64_t address;
	uint32_t agent;
	bool write, execute, mapped; /* mapped: it is there, but not for such an access */
};

/* Who is told what happens. */
struct wt_engine_host {
	void *opaque;
	void (*signal)(void *opaque, uint32_t event);
	void (*fault)(void *opaque, const struct wt_engine_fault *fault);
	/* A line for the log. */
	void (*message)(void *opaque, const char *text);
};

/**
 * Make the engine of a process.
 *
 * @space: what lies where, for as long as the engine lives.
 * @architectures: of @agents agents.
 *
 * Return: NULL without memory.
 */
struct wt_engine *wt_engine_create(struct wt_space *space,
				   const struct gfx_architecture *const *architectures,
				   uint32_t agents, const struct wt_engine_host *host);
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

/** How many queues it has: without one there is nothing to look for. */
uint32_t wt_engine_queue_count(const struct wt_engine *engine);

/**
 * Look at the queues and do what there is to do, up to about @budget instructions.
 *
 * Return: whether anything was done.
 */
bool wt_engine_run(struct wt_engine *engine, uint64_t budget);

#endif /* WT_DRIVER_ENGINE_ENGINE_H */
