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
 *
 * The host side of the program is in program.c: it loads and unloads code objects between
 * dispatches, when the workload says so, and a dispatch is put into its ring only when the code
 * object of its kernel is loaded. The memory of every code object is there from the start.
 */
#ifndef WT_DEVICE_MACHINE_MACHINE_H
#define WT_DEVICE_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "device/code-object/loader.h"
#include "device/memory.h"
#include "device/workload/workload.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/run.h"
#include "gfx/wave/wave.h"

#define WT_QUEUE_GROUPS 4
#define WT_WAVE_QUANTUM 8
#define WT_WAVE_LANES 64
#define WT_DECODED_COUNT 4096
#define WT_GROUP_MAX_BYTES 65536u
#define WT_DEBUG_BUFFERS 16	 /* of a queue, for the debugger's instructions */
#define WT_DEBUG_BUFFER_BYTES 32 /* of each */

struct wt_group;

struct wt_wave {
	struct wt_device_wave wave; /* first: the API's pointers are converted back */
	struct gfx_wave gfx;
	struct wt_group *group;
	bool live;	     /* created and not ended */
	bool waiting;	     /* at a barrier */
	uint32_t *registers; /* vector registers, then accumulation registers */
	uint64_t
		register_count; /* words that there is room for, where wt_queue_reserve() made it */
	uint8_t *scratch;
	uint64_t scratch_address;
	struct gfx_instruction override; /* what it executes next, if override_set */
	bool override_set;
	/* A failed access of imprecise memory: instructions until it stops the wave (0: there is
	 * none), and what it will say then. */
	uint32_t late_left, late_trapsts, late_reasons;
	struct gfx_fault late_fault;
};

struct wt_group {
	struct wt_device_workgroup workgroup;
	bool resident;
	uint8_t *lds;
	struct wt_wave *waves;
	uint32_t slot_count;				/* of `waves` */
	uint32_t wave_count, live_count, waiting_count; /* of the workgroup that is here */
};

/* What a dispatch is to the waves that do it, wherever it comes from. */
struct wt_task {
	uint32_t grid[3], workgroup[3]; /* in work-items */
	struct gfx_kernel_descriptor descriptor;
	struct gfx_wave_resources resources;
	uint64_t entry; /* of the first instruction */
	uint64_t arguments_address;
	uint32_t group_bytes, private_bytes; /* of a workgroup, of a work-item */
	const char *name;		     /* of the kernel, for messages */
};

/* A dispatch of the workload, ready to be put into a packet. */
struct wt_plan {
	struct wt_task task;
	const struct wt_kernel *kernel;
	size_t code_object; /* index, of the kernel */
	size_t dispatch;    /* index in the workload */
	uint64_t signal_address;
};

/* Instructions that the waves of an agent have executed, while the code is what it was. */
struct wt_code {
	struct gfx_code code;
	uint64_t code_changes; /* of the memory, when they were decoded */
	struct gfx_decoded entries[WT_DECODED_COUNT];
};

struct wt_agent {
	struct wt_device_agent agent;
	struct wt_code *code;
	struct gfx_memory memory;  /* with this agent's apertures */
	struct gfx_memory watched; /* the same, noting what address watch registers match */
};

struct wt_queue;

/* Where a queue's dispatches come from, and who is told that they are done. */
struct wt_queue_operations {
	/**
	 * Take the next packet: set the task, and of the dispatch its packet. Return: false if there is none that
	 * can begin now.
	 */
	bool (*begin)(struct wt_queue *queue);
	/** The task has run to its end. */
	void (*complete)(struct wt_queue *queue);
	/** Is there, or may there come, anything to begin without somebody else's doing? */
	bool (*is_empty)(const struct wt_queue *queue);
};

struct wt_queue {
	struct wt_device_queue queue; /* first */
	const struct wt_agent *agent;
	struct wt_machine *machine;
	uint64_t structure_address;		/* of what a program calls amd_queue_t */
	uint64_t scratch_address, scratch_size; /* private memory of all its waves */
	const struct wt_queue_operations *operations;
	struct wt_plan *plans; /* packet i is plan i */
	size_t plan_count;
	bool active; /* the packet at the read index is being worked on */
	struct wt_device_dispatch dispatch;
	const struct wt_task *task; /* of the dispatch */
	uint32_t next_group[3];
	bool all_groups_exist;
	struct wt_group groups[WT_QUEUE_GROUPS];
	struct wt_group *resident[WT_QUEUE_GROUPS]; /* oldest first */
	size_t resident_limit;			    /* groups that may be resident; 0: all */
	size_t resident_count;
	uint64_t save_address, save_size; /* of the context save area, once one was needed */
	uint64_t buffers_address;	  /* of WT_DEBUG_BUFFERS, once one was needed */
	bool buffer_used[WT_DEBUG_BUFFERS];
};

/* An address watch register. */
struct wt_watch {
	struct wt_device_watchpoint range;
	bool set;
	bool read, written; /* by the instruction that is being executed */
};

/* The program's own side, as far as it concerns the GPU. */
struct wt_program {
	bool *completed; /* of every dispatch of the workload */
	bool *unloaded;	 /* of every code object: it will not be loaded again */
	bool changes;	 /* code objects come and go */
	uint64_t breakpoint_address;
	bool stops, stopped; /* it is to stop at its breakpoint; it stands there */
	bool ended;
};

/* The memory of a machine as the machine itself uses it; `opaque` is the first argument. */
struct wt_machine_memory {
	void *opaque;
	/* Bytes done, from the address on. */
	size_t (*peek)(void *opaque, uint64_t address, void *data, size_t size);
	size_t (*poke)(void *opaque, uint64_t address, const void *data, size_t size);
	/* Counts what could change an instruction. */
	uint64_t (*code_changes)(void *opaque);
};

struct wt_machine {
	struct wt_device device; /* first */
	struct wt_device_listener listener;
	struct wt_workload *workload;
	struct wt_machine_memory bytes;
	struct wt_memory memory;
	uint64_t *buffer_addresses;
	struct wt_agent *agents;
	struct wt_queue **queues;
	size_t queue_count;
	struct wt_code_object **code_objects;
	size_t code_object_count;
	uint32_t next_dispatch, next_workgroup, next_wave;
	uint32_t stops; /* waves stopped with a reason in this run */
	struct wt_watch watches[WT_DEVICE_WATCHPOINTS];
	bool watching, imprecise;
	struct wt_program program;
	uint64_t r_debug_address, r_debug_size; /* the list of code objects, once one was needed */
};

/* The machine's own accesses. Return: bytes done. */
static inline size_t wt_machine_peek(const struct wt_machine *machine, uint64_t address, void *data,
				     size_t size)
{
	return machine->bytes.peek(machine->bytes.opaque, address, data, size);
}

static inline size_t wt_machine_poke(const struct wt_machine *machine, uint64_t address,
				     const void *data, size_t size)
{
	return machine->bytes.poke(machine->bytes.opaque, address, data, size);
}

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

/** How many waves a full workgroup of a task has. */
uint32_t wt_task_waves(const struct wt_task *task);

/**
 * slots.c: make room for a task in each of the queue's groups; nothing of the queue is resident. Private memory is not
 * its part. Return: false without memory.
 */
bool wt_queue_reserve(struct wt_queue *queue, const struct wt_task *task);

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

/**
 * One round. Return: how many instructions it executed.
 *
 * @begun_ret: whether a dispatch or a workgroup was begun.
 */
uint64_t wt_machine_round(struct wt_machine *machine, bool *begun_ret);

/** Room for decoded instructions, for an agent. Return: the caller's, to free(); NULL without memory. */
struct wt_code *wt_code_create(void);

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

/*
 * debug.c: what is there for a debugger alone.
 */
void wt_watch_set(struct wt_machine *machine, uint32_t index,
		  const struct wt_device_watchpoint *watchpoint);
/** The memory of an agent as waves see it while something is watched. */
struct gfx_memory wt_watch_memory(struct wt_machine *machine, const struct gfx_memory *memory);
/** Forget what the last instruction touched. */
void wt_watch_begin(struct wt_machine *machine);
/** The bits of trapsts for what it touched. */
uint32_t wt_watch_hits(const struct wt_machine *machine);

void wt_wave_override(struct wt_wave *wave, const uint32_t *words, size_t count);
uint64_t wt_buffer_allocate(struct wt_queue *queue, const void *instruction, size_t size);
void wt_buffer_free(struct wt_queue *queue, uint64_t address);

/*
 * program.c: the host side.
 */
struct wt_error *wt_program_init(struct wt_machine *machine);
void wt_program_deinit(struct wt_machine *machine);
/** Let it do what it can after dispatches have completed: change code objects, end. */
void wt_program_run(struct wt_machine *machine);
/** Whether it is time to load or unload something; and doing so. */
bool wt_program_is_due(const struct wt_machine *machine);
void wt_program_change(struct wt_machine *machine);
void wt_program_continue(struct wt_machine *machine);

/*
 * save.c: waves and code objects as a core dump has them.
 */
struct wt_error *wt_machine_save(struct wt_machine *machine, uint64_t os_id,
				 struct wt_buffer *note);

/** Tell the listener, if it wants to know. */
__attribute__((format(printf, 3, 4))) void
wt_machine_message(const struct wt_machine *machine, bool warning, const char *format, ...);

#endif /* WT_DEVICE_MACHINE_MACHINE_H */
