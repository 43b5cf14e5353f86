/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the engine share. */
#ifndef WT_DRIVER_ENGINE_INTERNAL_H
#define WT_DRIVER_ENGINE_INTERNAL_H

#include "device/machine/machine.h"
#include "driver/engine/engine.h"

#define WT_REMOTE_PAGES 16u /* of the program's own memory */

/* A copy of a page of the program's own memory, kept until a dispatch begins or the run is over. */
struct wt_remote_page {
	uint64_t address; /* in the program; 0: none */
	uint8_t data[WT_PAGE];
};

/* Memory as one agent accesses it. */
struct wt_sight {
	struct wt_engine *engine;
	uint32_t agent;
	/* A cache of one entry: the range of the driver's own memory that was accessed last. */
	uint64_t first, size, changes;
	uint8_t *data;
	uint32_t flags;
	struct wt_engine_fault fault; /* of the last access that failed */
};

struct wt_engine_queue {
	struct wt_queue queue; /* first: the machine's pointers are converted back */
	uint32_t id;
	struct wt_engine_queue_options options;
	struct wt_sight *view;
	uint64_t structure;	  /* address of what the runtime calls amd_queue_t */
	bool runs, failed, taken; /* taken: removed from the machine's list, to be freed */
	/* Scratch memory: requested from the runtime; returned to it, and not yet accepted. */
	bool scratch_asked, scratch_given;
	size_t scratch_groups; /* workgroups of the dispatch that it is enough for */
	struct wt_task task;
	uint64_t signal,
		start;	    /* of the dispatch: its completion signal, and the tick it began at */
	uint64_t sdma_read; /* bytes, of the ring */
	struct wt_wave **
		saved; /* while it is suspended: the waves in its save area, in their order there */
	size_t saved_count;
};

struct wt_engine {
	struct wt_machine machine;
	struct wt_space *space;
	struct wt_engine_host host;
	struct wt_sight *views; /* of each agent */
	uint32_t agents;
	struct wt_engine_queue **sdma;
	size_t sdma_count;
	struct wt_remote_page *remote;
	uint64_t code_changes; /* packets that say that code has changed */
	uint64_t packets;      /* done since the run began */
	struct wt_engine_debug debug;
	enum wt_engine_local local;
};

static inline struct wt_engine_queue *wt_engine_queue_of(struct wt_queue *queue)
{
	return (struct wt_engine_queue *)queue;
}

/** The queue with this id; NULL if there is none. */
struct wt_engine_queue *wt_engine_find(struct wt_engine *engine, uint32_t id);

/** A line for the log. */
__attribute__((format(printf, 2, 3))) void wt_engine_message(const struct wt_engine *engine,
							     const char *format, ...);

/*
 * agent-memory.c: memory. Each function accesses all bytes and returns true, or returns false and sets the view's `fault`.
 */
enum wt_sight_access { WT_SIGHT_READ, WT_SIGHT_WRITE, WT_SIGHT_EXECUTE };
bool wt_sight_read(struct wt_sight *view, uint64_t address, void *data, size_t size);
bool wt_sight_write(struct wt_sight *view, uint64_t address, const void *data, size_t size);
/** Copy any number of bytes. Of ranges that overlap, the target gets what the source had where both lie in one allocation. */
bool wt_sight_copy(struct wt_sight *view, uint64_t to, uint64_t from, uint64_t size);
/** A pointer to the bytes, if all of them are in the driver's own memory; else NULL. */
uint8_t *wt_sight_bytes(struct wt_sight *view, uint64_t address, size_t size);
/** Add to a 64-bit word; atomically in the driver's own memory. */
bool wt_sight_add(struct wt_sight *view, uint64_t address, int64_t value);
/** Store a word after all earlier stores: who reads it also reads what those stored. */
bool wt_sight_publish(struct wt_sight *view, uint64_t address, const void *data, size_t size);
struct gfx_memory wt_sight_memory(struct wt_sight *view,
				  const struct gfx_architecture *architecture);
/** Drop the copies of pages: the program may have changed its memory. */
void wt_remote_forget(struct wt_engine *engine);

/* aql.c: packets of AQL queues. */
extern const struct wt_queue_operations wt_aql_operations;

/* signal.c: signals, for which programs and packets wait. */

/** A signal's value; false if it cannot be read. */
bool wt_signal_read(const struct wt_engine_queue *queue, uint64_t signal, int64_t *value_ret);
/** Decrement a completion signal and wake its waiters. @signal 0: none. @start: the tick at which the work began. */
void wt_signal_complete(struct wt_engine_queue *queue, uint64_t signal, uint64_t start);
/** Set a signal's value and wake its waiters. */
void wt_signal_set(struct wt_engine_queue *queue, uint64_t signal, int64_t value);

/* exception.c: waves that stop, queues that fail. */
void wt_engine_wave_stopped(void *opaque, struct wt_device_wave *wave);
/** Whether a wave goes on that accesses local memory which its dispatch has not asked for. */
bool wt_engine_wave_left_local(void *opaque, struct wt_device_wave *wave);
/** Report the exception of a stopped wave to the debugger, or to the runtime if there is none. */
void wt_engine_tell_stop(const struct wt_device_wave *wave);
/**
 * Put a queue into the error state.
 *
 * @exceptions: bits of the driver's exception codes. @inactive: value for the queue's inactive signal. @why: for the log.
 */
void wt_queue_fail(struct wt_engine_queue *queue, uint64_t exceptions, int64_t inactive,
		   const char *why);

/* suspend.c: waves as a debugger finds them in the save area. */
void wt_engine_wave_created(void *opaque, struct wt_device_wave *wave);
void wt_engine_enter_handler(struct gfx_wave *gfx);

/* sdma.c: some copies of an SDMA queue. Return: true if anything was done. */
bool wt_sdma_run(struct wt_engine_queue *queue);

#endif /* WT_DRIVER_ENGINE_INTERNAL_H */
