/* SPDX-License-Identifier: MIT */
/*
 * Who accesses which bytes of memory while workgroups are executed side by side (windows.h): what shows that none of them
 * has met another, and what the bytes were before.
 *
 * Memory is claimed in lines of WT_CLAIM_LINE bytes. Any number of workgroups may read a line, and one that writes it must be
 * the only one that accesses it. An access that would break this fails, and so the instruction that makes it: the
 * workgroups then have met, and are executed one after the other from where they began.
 */
#ifndef WT_DEVICE_MACHINE_CLAIMS_H
#define WT_DEVICE_MACHINE_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/memory.h"
#include "gfx/wave/wave.h"

#define WT_CLAIM_LINE 32u
#define WT_CLAIM_OWNERS 24u

/* The lines of a memory. They hold for one window of time: wt_claims_renew() begins the next. */
struct wt_claims {
	struct wt_memory *memory;
	uint64_t window;
	uint32_t owners; /* how many there have been in this window */
	uint64_t
		settled; /* bit N: owner N has ended before all that run now began, and is in no one's way */
};

/* A line as it was before its owner wrote to it. */
struct wt_claim_line {
	uint8_t *place;
	uint32_t size;
	uint8_t bytes[WT_CLAIM_LINE];
};

/* A workgroup that accesses memory beside others. Only one thread may use it at a time. */
struct wt_claimant {
	const struct wt_claims *claims;
	uint64_t owner;	 /* a bit */
	uint64_t others; /* bits of those that it must not meet */
	bool failed;	 /* it has met another one, or cannot go on for want of memory */
	size_t last_read, last_write, last_fetch; /* as those of wt_memory */
	struct wt_claim_line *lines;		  /* that it has written */
	size_t line_count, line_capacity;
};

/**
 * Begin a window of time: nobody claims anything. False if there is no memory for the claims of all ranges that waves
 * may write.
 */
bool wt_claims_renew(struct wt_claims *claims);

/** Free the claims of all ranges. Others of the same memory begin at the first window again. */
void wt_claims_deinit(struct wt_claims *claims);

/** A workgroup begins now. False if there have been WT_CLAIM_OWNERS of them in this window. */
bool wt_claimant_begin(struct wt_claimant *claimant, struct wt_claims *claims);

/** The workgroup has ended before any other begins: what it has written stays. */
void wt_claimant_settle(const struct wt_claimant *claimant, struct wt_claims *claims);

/** Write back what was in memory before. */
void wt_claimant_undo(struct wt_claimant *claimant);

/** What the waves of a workgroup access. @memory: theirs otherwise, for its apertures. */
struct gfx_memory wt_claimant_memory(struct wt_claimant *claimant, const struct gfx_memory *memory);

void wt_claimant_deinit(struct wt_claimant *claimant);

#endif /* WT_DEVICE_MACHINE_CLAIMS_H */
