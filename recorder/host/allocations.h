/* SPDX-License-Identifier: MIT */
/*
 * Whose memory an address is one of: what a runtime has handed out to the program, as somebody has kept it who is inside of the
 * program. A trace gets the buffers that are near to what was looked at at a stop, and those that were taken back lately, with the
 * names and source lines of the callers. These are looked up when the trace is written: keeping them costs the program nothing more
 * than addresses.
 */
#ifndef WT_RECORDER_HOST_ALLOCATIONS_H
#define WT_RECORDER_HOST_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/host/gathering.h"
#include "recorder/host/near.h"

/* Which of them a trace gets, at most: the nearest that are there, and the newest of those that are gone. */
#define WT_ALLOCATIONS_KEPT 1024u
#define WT_ALLOCATIONS_FREED 512u

struct wt_allocation_call {
	const char *function; /* of the runtime; NULL: there was no such call */
	uint64_t time;	      /* on CLOCK_MONOTONIC, nanoseconds */
	uint64_t thread;
	uint32_t stack; /* for `stack` below; 0: not known */
};

struct wt_allocation {
	uint64_t address, size;
	uint64_t host_address;
	enum wt_allocation_kind kind;
	bool closed; /* no GPU was given access to it yet */
	char agent[64];
	struct wt_allocation_call made, freed;
};

typedef void (*wt_allocation_take)(void *context, const struct wt_allocation *allocation);

/* Who has kept them. All functions may be called by any thread while the program goes on. */
struct wt_allocation_source {
	void *opaque;
	/** Each that is known, in any order. Return: whether none that is still there is missing. */
	bool (*each)(void *opaque, wt_allocation_take take, void *context);
	/** Places to which the calls of a stack return, innermost first. @addresses_ret: they stay. Return: how many. */
	size_t (*stack)(void *opaque, uint32_t stack, const uint64_t **addresses_ret);
	/** Ask the runtime in whose buffers addresses are. Gives up after a while. Takes one for each that is in one. */
	void (*ask)(void *opaque, const uint64_t *addresses, size_t count, wt_allocation_take take,
		    void *context);
	/** May GPUs access the program's memory only where the runtime was told of it? False if that is not known. */
	bool (*closed)(void *opaque);
};

/**
 * Gather what the recorder's source has kept, if it has one, and what allocators of the program have written down.
 *
 * @process: handle. @state: of the stop; NULL if there is none.
 */
void wt_gather_allocations(struct wt_recorder *recorder, struct wt_gathering *gathering,
			   uint64_t process, const struct wt_state *state);

#endif /* WT_RECORDER_HOST_ALLOCATIONS_H */
