/* SPDX-License-Identifier: MIT */
/*
 * Workgroups on several cores of the host, with the same result as one after the other.
 *
 * Rounds are short (machine.h), so workgroups cannot meet at the end of each. Instead each workgroup is executed ahead, by
 * itself and for many rounds, while other threads do the same with the others: a window of rounds. The rounds then pass one by
 * one as always; a workgroup that is ahead does not execute in its turn, and the listener hears what it did there. A workgroup
 * that begins within the window catches up with its end. So the order in which things are created, end and are heard of is
 * that of the rounds, and so is the count of instructions.
 *
 * That is right if no workgroup accesses what another has written in the window (claims.h), and if none comes to something
 * that a debugger is to hear of. If one does, or if anybody wants to look at waves while some are ahead, all of them are put
 * back: their registers and memory are made what they were before, and they execute the rounds that have passed. What follows
 * is executed one after the other, for a while that is longer each time.
 */
#ifndef WT_DEVICE_MACHINE_WINDOWS_H
#define WT_DEVICE_MACHINE_WINDOWS_H

#include "device/machine/claims.h"
#include "device/machine/crew.h"
#include "device/machine/machine.h"

#define WT_WINDOW_ROUNDS 4096u /* of a window at most */

/* The end of a wave that the listener has not heard of yet, or has. */
struct wt_window_end {
	uint32_t round, wave;
};

/* What a workgroup was before it was executed ahead, and what it did there. */
struct wt_window_part {
	struct wt_claimant claimant;
	struct gfx_memory memory;
	uint8_t *before; /* its waves, their registers and private memory, and local memory */
	size_t before_capacity;
	uint32_t live_count, waiting_count; /* as they were */
	uint16_t counts[WT_WINDOW_ROUNDS];  /* instructions in each round */
	uint32_t round;			    /* that comes next, or has begun */
	uint32_t turns;			    /* of waves in it, so far */
	struct wt_window_end *ends;	    /* in order */
	size_t end_count, end_capacity, ends_heard;
};

struct wt_windows {
	struct wt_machine *machine;
	struct wt_claims claims;
	struct wt_crew crew;
	unsigned int cores;
	struct wt_code *codes[WT_CREW_MAX]; /* of each thread, for the agent of the same place */
	const struct wt_agent *agents[WT_CREW_MAX];
	struct wt_window_part parts[WT_QUEUE_GROUPS]; /* as those of the queue */
	struct wt_queue *queue;			      /* of the window; NULL: there is none */
	uint32_t left;				      /* rounds until its end */
	uint64_t budget;			      /* instructions until the run returns */
	uint32_t length;			      /* rounds of the next window */
	uint32_t pause;				      /* rounds until one may begin */
	uint32_t failures; /* of windows, since the last that was worth it */
	uint32_t began;	   /* workgroups that have begun within this one */
	uint64_t
		executed; /* instructions in turns of workgroups that were ahead, within this one */
	bool eager;	  /* windows may be short, for tests */
	uint64_t kept, lost; /* windows, for tests and benches */
};

/** Execute workgroups of a machine on up to @cores threads. NULL if there is no memory. */
struct wt_windows *wt_windows_create(struct wt_machine *machine, unsigned int cores);
void wt_windows_destroy(struct wt_windows *windows);

/** Before the turns of a queue's workgroups in a round: execute some of them ahead where that is possible. */
void wt_windows_look(struct wt_queue *queue);

/** The turn of a workgroup with `ahead` > 0. Return: how many instructions it has executed in it. */
uint64_t wt_windows_turn(struct wt_machine *machine, struct wt_group *group);

/** Put everything where it is by the rounds that have passed. Legal at any time. */
void wt_windows_settle(struct wt_machine *machine);

/** The run returns: wt_windows_settle(), and end the threads. */
void wt_windows_leave(struct wt_machine *machine);

/*
 * One workgroup (window-part.c).
 */
/** Bytes that are kept of a workgroup. */
size_t wt_window_part_size(const struct wt_group *group);

/** Make room for what is kept. False if there is no memory. */
bool wt_window_part_prepare(struct wt_window_part *part, const struct wt_group *group);

/**
 * Execute a workgroup for @rounds rounds, fewer if its last wave ends before. It is ahead then, in whatever state.
 *
 * @stop: become true, it is no use to go on; set if something went wrong. All workgroups that are ahead must then be put back.
 */
void wt_window_part_execute(struct wt_window_part *part, struct wt_group *group,
			    struct gfx_code *code, uint32_t rounds, atomic_bool *stop);

/**
 * Put back a workgroup and execute the rounds and turns that have passed, in the memory as others see it. What workgroups that are ahead
 * have written to memory must have been undone, of all of them.
 */
void wt_window_part_restore(struct wt_window_part *part, struct wt_group *group,
			    const struct gfx_memory *memory, struct gfx_code *code);

#endif /* WT_DEVICE_MACHINE_WINDOWS_H */
