/* SPDX-License-Identifier: MIT */
/*
 * Memory that the runtime has handed out to the program, and memory that it took back lately. Functions that allocate note it here, in any thread;
 * when a trace is written the agent's own thread looks.
 *
 * Entries lie in shards by their address, each with a lock that is held for some instructions. There is room for so many; what comes
 * beyond that is counted, and it is known from then on that not all is known.
 */
#ifndef WT_TOOL_HELD_MEMORY_H
#define WT_TOOL_HELD_MEMORY_H

#include "recorder/host/allocations.h"
#include "tool/call-stack.h"

/* Addresses of one kind do not stand in the way of those of another. */
enum wt_held_as { WT_HELD_MEMORY, WT_HELD_RESERVED, WT_HELD_PINNED, WT_HELD_ATTRIBUTES };

/* One of them, in 72 bytes. */
struct wt_held {
	uint64_t key; /* by which it is given back */
	uint64_t address, size;
	uint64_t time;
	const char *function,
		*agent; /* they stay; `agent`: whose it is, NULL if that is not known */
	uint32_t thread, stack;
	uint8_t as, kind;
	bool closed;
	uint16_t next; /* in its list, from 1 */
};

struct wt_allocations;

/**
 * Begin to note: create an empty one, or forget what was noted in one that is there. It is never destroyed, for other threads may be in
 * it. NULL if there is no memory.
 *
 * @source_ret: by which who writes a trace looks at it: `each`, `stack` and `opaque` are filled in.
 */
struct wt_allocations *wt_allocations_begin(struct wt_allocations *before,
					    struct wt_allocation_source *source_ret);

/**
 * Note what a function has allocated. @frame: of the function that the program has called: __builtin_frame_address(0).
 *
 * @held: all but time, thread and stack; or what wt_allocations_remove() gave, if it was not given back after all.
 */
void wt_allocations_add(struct wt_allocations *allocations, struct wt_held held, const void *frame);

/**
 * Note that it is about to be given back: before it is, for somebody else may get it at once.
 *
 * @held_ret: the entry that it was, for wt_allocations_add().
 * Return: false if it is not known.
 */
bool wt_allocations_remove(struct wt_allocations *allocations, enum wt_held_as as, uint64_t key,
			   const char *function, const void *frame, struct wt_held *held_ret);

/** GPUs were given access to it. */
void wt_allocations_open(struct wt_allocations *allocations, uint64_t address, uint64_t size);

#endif /* WT_TOOL_HELD_MEMORY_H */
