/* SPDX-License-Identifier: MIT */
/*
 * The simulated GPU behind wt_simulated_create(): its agents, queues and what runs on them.
 *
 * Everything is allocated when it is created, so that a run cannot fail: a queue has room for
 * WT_QUEUE_GROUPS workgroups, each with slots for the waves of its largest workgroup, register
 * files of its hungriest kernel, and private memory. An object's number is new each time, its slot
 * is used again.
 *
 * The schedule depends on nothing but the workload and what the client asks for. A run is made of
 * rounds. In each round every queue in turn
 *   - begins the packet at its read index, if none is being worked on (all packets have the barrier
 *     bit, so one follows the other),
 *   - creates workgroups, x before y before z, until WT_QUEUE_GROUPS are resident or all exist;
 * and then every queue in turn
 *   - lets each wave of each resident workgroup, oldest first, execute up to WT_WAVE_QUANTUM
 *     instructions; a wave that stops, waits at a barrier or ends gives up the rest of its turn,
 *   - removes workgroups whose waves have all ended and, with the last one, the dispatch: its
 *     completion signal is decremented and the read index moves on.
 * Turns are short, so that the waves of a dispatch are found at about the same place when one of
 * them stops. The budget of a run is looked at between rounds, so that it has no influence on who
 * runs when. Packets are there to be read: a debugger that edits one does not change what is
 * executed.
 */
#ifndef WT_DEVICE_MACHINE_H
#define WT_DEVICE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dbgapi/device.h"
#include "dbgapi/device/loader.h"
#include "dbgapi/device/memory.h"
#include "dbgapi/device/workload.h"
#include "gfx/wave.h"

#define WT_QUEUE_GROUPS 4
#define WT_WAVE_QUANTUM 8
#define WT_WAVE_LANES 64
#define WT_GROUP_MAX_BYTES 65536u

struct wt_group;

struct wt_wave {
	struct wt_device_wave wave; /* first: the API's pointers are converted back */
	struct gfx_wave gfx;
	struct wt_group *group;
	bool live;	     /* created and not ended */
	bool waiting;	     /* at a barrier */
	uint32_t *registers; /* vector registers, then accumulation registers */
	uint8_t *scratch;
	uint64_t scratch_address;
};

struct wt_group {
	struct wt_device_workgroup workgroup;
	bool resident;
	uint8_t *lds;
	struct wt_wave *waves;
	uint32_t slot_count;				/* of `waves` */
	uint32_t wave_count, live_count, waiting_count; /* of the workgroup that is here */
};

/* A dispatch of the workload, ready to be put into a packet. */
struct wt_plan {
	const struct wt_workload_dispatch *workload;
	const struct wt_kernel *kernel;
	struct gfx_wave_resources resources;
	uint64_t arguments_address, signal_address;
	uint32_t group_bytes, private_bytes; /* of a workgroup, of a work-item */
};

struct wt_agent {
	struct wt_device_agent agent;
	struct gfx_memory memory; /* with this agent's apertures */
};

struct wt_queue {
	struct wt_device_queue queue; /* first */
	const struct wt_agent *agent;
	struct wt_machine *machine;
	uint64_t structure_address; /* of what a program calls amd_queue_t */
	struct wt_plan *plans;	    /* packet i is plan i */
	size_t plan_count;
	bool active; /* the packet at the read index is being worked on */
	struct wt_device_dispatch dispatch;
	const struct wt_plan *plan;
	uint32_t next_group[3];
	bool all_groups_exist;
	struct wt_group groups[WT_QUEUE_GROUPS];
	struct wt_group *resident[WT_QUEUE_GROUPS]; /* oldest first */
	size_t resident_count;
};

struct wt_machine {
	struct wt_device device; /* first */
	struct wt_device_listener listener;
	struct wt_workload *workload;
	struct wt_memory memory;
	uint64_t *buffer_addresses;
	struct wt_agent *agents;
	struct wt_queue *queues;
	struct wt_code_object **code_objects;
	size_t code_object_count;
	uint32_t next_dispatch, next_workgroup, next_wave;
	uint32_t stops; /* waves stopped with a reason in this run */
};

/*
 * queue.c: rings, packets, slots.
 */
/**
 * Set up queue @index of the workload: plans for its dispatches, ring, packets, slots for waves.
 * Errors name the place in the workload.
 */
struct wt_error *wt_queue_init(struct wt_machine *machine, size_t index);
void wt_queue_deinit(struct wt_queue *queue);

/** Write the packets that the ring has room for, as a producer does, and move the write index. */
void wt_queue_produce(struct wt_queue *queue);

/** The packet at the read index is done: mark it so, and move the index. */
void wt_queue_consume(struct wt_queue *queue);

/** Leave no packet: what is in the ring is dropped, nothing more will be written. */
void wt_queue_drop(struct wt_queue *queue);

/*
 * plan.c: from the workload to a kernel with its arguments.
 */
/** Plan dispatch @index of the workload, for @queue; @plan_ret->signal_address is left alone. */
struct wt_error *wt_plan_init(struct wt_machine *machine, const struct wt_queue *queue,
			      size_t index, struct wt_plan *plan_ret);

/*
 * schedule.c and execute.c: what runs.
 */
enum wt_device_progress wt_machine_run(struct wt_machine *machine, uint64_t budget);

/** Set up a wave slot's registers and tell the listener. */
void wt_wave_create(struct wt_queue *queue, struct wt_group *group, uint32_t number_in_group,
		    const uint32_t group_size[3]);

/** Let a wave execute up to @quantum instructions. Return: how many it did. */
uint64_t wt_wave_run(struct wt_queue *queue, struct wt_wave *wave, uint64_t quantum);

/** A wave is over: by its program's end, or because its queue failed. */
void wt_wave_end(struct wt_machine *machine, struct wt_wave *wave);

void wt_wave_resume(struct wt_wave *wave, bool step);
void wt_wave_halt(struct wt_wave *wave);
void wt_queue_abort(struct wt_queue *queue);

/** Tell the listener, if it wants to know. */
__attribute__((format(printf, 3, 4))) void
wt_machine_message(const struct wt_machine *machine, bool warning, const char *format, ...);

#endif /* WT_DEVICE_MACHINE_H */
