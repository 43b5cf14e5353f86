/* SPDX-License-Identifier: MIT */
/* A read that a loop waits for, and which value of it would end the loop. */
#ifndef WT_REPLAYER_VIEW_LOOP_UNTIL_H
#define WT_REPLAYER_VIEW_LOOP_UNTIL_H

#include "base/error.h"
#include "gfx/wave/memory-access.h"

struct wt_loop_run;

/* An instruction that reads memory which others can change. */
struct wt_loop_read {
	uint64_t pc;
	uint64_t wave; /* that reads; of a group the first of those that read this address */
	enum gfx_access_space space; /* global, or local */
	uint64_t lanes;
	uint64_t address; /* of the first lane */
	uint64_t
		call; /* the instruction that called the function in which that is; 0: none, or not known */
	uint32_t size; /* bytes of it, up to 8 */
	uint64_t value;
	size_t addresses; /* how many different ones its lanes have */
	bool moves;	  /* later in the round others are read there */
	size_t turns; /* how many different ones the first lane reads in a round; 0: not known */
	/* A value ends the loop if it has this relation ("==", "!=", "<", "<=", ">", ">=") to @limit; NULL if that is not certain. */
	const char *until;
	uint64_t mask; /* these bits of the value alone have it; 0: all of it */
	int64_t limit;
	bool is_unsigned; /* so both are compared, and neither is above INT64_MAX */
	bool is_float;	  /* so both are compared: 32 bits of IEEE 754 each, finite */
};

/**
 * Find which value of a read ends the loop, and put it into @read: all of its lanes are to read one place.
 *
 * @run: at the beginning of a round after which it is the same, remembered. It is lost.
 */
void wt_loop_follow_read(struct wt_loop_run *run, struct wt_loop_read *read);

/**
 * The same for a read that is not the loop's only one, or whose lanes read different places or take turns at an atomic: then each lane is followed
 * alone, and the same has to end the loop for all.
 *
 * @run: of the loop. It is not changed.
 *
 * Errors: memory.
 */
struct wt_error *wt_loop_follow_apart(const struct wt_loop_run *run, struct wt_loop_read *read);

#endif /* WT_REPLAYER_VIEW_LOOP_UNTIL_H */
