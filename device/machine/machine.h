/* SPDX-License-Identifier: MIT */
/*
 * The simulated GPU that wt_simulated_create() makes: its agents and queues, and how they execute a workload.
 *
 * A queue has slots for WT_QUEUE_GROUPS workgroups, each with the register files and the private memory that its most demanding
 * kernel needs. They are allocated when the device is created, so that a run without further slots cannot fail. Slots are
 * reused, numbers of objects are not.
 *
 * Workgroups may wait for each other, and then all of them have to be resident. Whether they do cannot be seen: who waits executes
 * instructions. So a dispatch begins with WT_QUEUE_GROUPS slots; each time that none of its workgroups has ended within
 * WT_PATIENCE instructions while others wait for slots, it gets twice as many, as far as the compute units have room for them
 * (room.h) and there is memory; each queue has that room for itself. If there is none left, and still no workgroup ends, the
 * listener is told.
 *
 * The schedule depends only on the workload and the requests of the debugger. A run consists of rounds. In a round, first
 * each queue in turn
 *   - begins the packet at its read index, unless a dispatch is active (all packets have the barrier bit, so dispatches
 *     of a queue do not overlap),
 *   - creates workgroups, x before y before z, until as many are resident as there are slots or all have been created;
 * then each queue in turn
 *   - lets each wave of each resident workgroup, oldest first, execute up to WT_WAVE_QUANTUM instructions; a wave that
 *     stops, waits at a barrier or ends does not use the rest of its turn,
 *   - removes workgroups whose waves have all ended. With the last one the dispatch ends: its completion signal is
 *     decremented and the read index is incremented.
 * With a seed, the first workgroup and wave of a round and the lengths of turns are drawn, for each dispatch from the seed, the
 * queue and the packet alone.
 * Turns are short, so that the waves of a dispatch are at similar places when one of them stops. The budget of a run is
 * checked between rounds and therefore does not change the order of execution. A debugger can read packets; changing one
 * has no effect.
 *
 * machine.c has the host side of the program, too. It loads and unloads code objects between dispatches as the workload says. A
 * packet is written only while the code object of its kernel is loaded. The memory of every code object is mapped from
 * the start.
 *
 * The files of this room use each other in a circle, because they are parts of one machine: a wave that ends frees its
 * workgroup, the schedule then begins the next packet, for which the program may first load a code object; and a debugger's
 * request (machine.c) changes how each of them goes on.
 *
 * The room `machine` executes dispatches, of a workload or of a program on the driver. It must not know the debugger API.
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
#include "gfx/architecture/local.h"
#include "gfx/isa/decode.h"
#include "gfx/isa/run.h"
#include "gfx/wave/wave.h"

#define WT_QUEUE_GROUPS 4
#define WT_PATIENCE (1u << 20) /* instructions of a queue */
#define WT_WAVE_QUANTUM 8
#define WT_WAVE_LANES 64
#define WT_DECODED_COUNT 4096
#define WT_DEBUG_BUFFERS 16	 /* of a queue, for the debugger's instructions */
#define WT_DEBUG_BUFFER_BYTES 32 /* of each */

/* The mode decides where a wave stands when an access of it has failed. */
enum wt_memory_mode {
	WT_MEMORY_AT,	   /* at the access, of which nothing was done */
	WT_MEMORY_PRECISE, /* right behind it, as GPUs whose accesses are not repeated (XNACK is off) */
	WT_MEMORY_LATE, /* further on, where the failure is reported */
};

struct wt_group;

struct wt_wave {
	struct wt_device_wave wave; /* first: pointers to it are converted back */
	struct gfx_wave gfx;
	struct wt_group *group;
	bool live;		 /* created and not ended */
	bool waiting;		 /* at a barrier */
	bool arrived;		 /* there, too, or, on gfx12, the others know that it has come */
	bool sync_waiting;	 /* at global wave sync: gfx.sync */
	uint32_t *registers;	 /* vector registers, then accumulation registers */
	uint64_t register_count; /* capacity in words */
	uint8_t *scratch;
	uint64_t scratch_address;
	struct gfx_instruction override; /* executed next, if override_set */
	bool override_set;
	/* A failed access that is reported late, since memory is imprecise: how many instructions the
	 * wave still executes (0: no access has failed), and what is reported then. */
	uint32_t late_left, late_trapsts, late_reasons;
	struct gfx_fault late_fault;
};

struct wt_group {
	struct wt_device_workgroup workgroup;
	bool resident;
	uint8_t *lds;
	uint32_t lds_capacity; /* bytes */
	struct wt_wave *waves;
	uint32_t slot_count;				/* of `waves` */
	uint32_t wave_count, live_count, arrived_count; /* of the resident workgroup */
};

/* A dispatch as its waves need to know it, of a workload or of a program. */
struct wt_task {
	uint32_t grid[3], workgroup[3]; /* in work-items */
	struct gfx_kernel_descriptor descriptor;
	struct gfx_wave_resources resources;
	uint64_t entry; /* of the first instruction */
	uint64_t arguments_address;
	uint32_t group_bytes, private_bytes; /* LDS of a workgroup, private memory of a work-item */
	const char *name;		     /* of the kernel, for messages */
};

/* A dispatch of the workload with all that its packet needs. */
struct wt_plan {
	struct wt_task task;
	const struct wt_kernel *kernel;
	size_t code_object; /* index of the kernel's */
	size_t dispatch;    /* index in the workload */
	uint64_t signal_address;
};

/* Decoded instructions of an agent's waves. They are dropped when code may have changed. */
struct wt_code {
	struct gfx_code code;
	uint64_t code_changes; /* wt_memory.code_changes when they were decoded */
	struct gfx_decoded entries[WT_DECODED_COUNT];
};

struct wt_agent {
	struct wt_device_agent agent;
	struct wt_code *code;
	struct gfx_memory memory;  /* global memory with this agent's apertures */
	struct gfx_memory watched; /* the same, and it checks the address watch registers */
	struct wt_machine *machine;
};

struct wt_queue;
struct wt_save_area_layout;
struct wt_saved_wave;

/* The source of a queue's dispatches. */
struct wt_queue_operations {
	/**
	 * Take the next packet: set the task, and the packet of the dispatch. Return: false if no packet can
	 * begin now.
	 */
	bool (*begin)(struct wt_queue *queue);
	/** Called when all waves of the task have ended. */
	void (*complete)(struct wt_queue *queue);
	/** Make private memory for the task's workgroups in slots. Return: of how many, at most @groups, there is. */
	size_t (*provide)(struct wt_queue *queue, size_t groups);
	/** Set where the private memory of the waves of slot @index is. */
	void (*place)(struct wt_queue *queue, struct wt_group *group, size_t index);
	/** Whether there is no packet, so that the machine is idle if no wave is left. */
	bool (*is_empty)(const struct wt_queue *queue);
};

struct wt_queue {
	struct wt_device_queue queue; /* first */
	const struct wt_agent *agent;
	struct wt_machine *machine;
	uint64_t structure_address;		/* of the queue's amd_queue_t */
	uint64_t scratch_address, scratch_size; /* private memory of all its waves */
	uint64_t scratch_wave, scratch_group;	/* bytes of a wave, and of a workgroup's slot */
	/*
	 * For a workload's queue: private memory of the slots behind the first WT_QUEUE_GROUPS, and their number; 0:
	 * none yet.
	 */
	uint64_t more_scratch;
	size_t more_groups;
	const struct wt_queue_operations *operations;
	struct wt_plan *plans; /* packet i is plan i */
	size_t plan_count;
	uint64_t
		random; /* where the turns of the dispatch's waves have come to; 0: they are in order */
	/* Global wave sync: whether the queue has it, and how many waves each resource still waits for. */
	bool has_sync;
	uint32_t sync_counts[GFX_SYNC_RESOURCES];
	bool held;   /* nothing of it runs, and no packet begins */
	bool active; /* `dispatch` is the one of the packet at the read index */
	struct wt_device_dispatch dispatch;
	const struct wt_task *task; /* of the dispatch */
	uint32_t next_group[3];
	bool all_groups_exist;
	struct wt_group **groups; /* slots */
	size_t group_count;
	struct wt_group **resident; /* oldest first */
	size_t resident_count;
	size_t resident_limit; /* of the dispatch, so far */
	uint64_t waited;       /* instructions since a workgroup has ended or the limit has grown */
	bool full, reported;   /* the limit cannot grow; that has been said */
	uint64_t save_address, save_size; /* of the context save area; 0 before the first save */
	uint64_t buffers_address;	  /* of WT_DEBUG_BUFFERS; 0 before the first use */
	bool buffer_used[WT_DEBUG_BUFFERS];
};

/* An address watch register. */
struct wt_watch {
	struct wt_device_watchpoint range;
	bool set;
	bool read, written; /* by the current instruction */
};

/* The host side of the program. */
struct wt_program {
	bool *completed; /* for each dispatch of the workload */
	bool *unloaded;	 /* for each code object: it will not be loaded again */
	bool changes;	 /* it loads or unloads code objects while it runs */
	uint64_t breakpoint_address;
	bool stops, stopped; /* a debugger wants it to stop at its breakpoint; it has */
	bool ended;
};

/* The global memory that the machine itself accesses. `opaque` is passed to the functions. */
struct wt_machine_memory {
	void *opaque;
	/* Both return how many bytes were transferred from the address on. */
	size_t (*peek)(void *opaque, uint64_t address, void *data, size_t size);
	size_t (*poke)(void *opaque, uint64_t address, const void *data, size_t size);
	/* How often bytes that may be executed have changed. */
	uint64_t (*code_changes)(void *opaque);
};

struct wt_machine {
	struct wt_device device; /* first */
	struct wt_device_listener listener;
	/* NULL on the driver. It is kept because packets are made from it while they run (queue.c, machine.c). */
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
	bool watching;
	enum wt_memory_mode memory_mode;
	/* Instructions that have left local memory and went on, of which the log has been told; the oldest is forgotten. */
	uint64_t left_local[8];
	uint32_t left_local_next;
	uint64_t seed; /* of the order of waves' turns; 0: the order in machine.h */
	struct wt_program program;
	uint64_t r_debug_address, r_debug_size; /* list of code objects; 0 before the first save */
};

/* Accesses of the machine itself. Return: bytes transferred. */
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
 * Rings, packets and slots (queue.c).
 */
/**
 * Set up queue @index of the workload: plans for its dispatches, ring, packets, slots for waves.
 * Errors name the place in the workload.
 */
struct wt_error *wt_queue_init(struct wt_machine *machine, size_t index);
void wt_queue_deinit(struct wt_queue *queue);

/** Write packets while the ring has room and the program may dispatch, and update the write index. */
void wt_queue_produce(struct wt_queue *queue);

/** How many waves a full workgroup of a task has. */
uint32_t wt_task_waves(const struct wt_task *task);

/*
 * Slots of workgroups (slots.c).
 */
/**
 * Make the first slots for a task of a queue that has no resident workgroup: WT_QUEUE_GROUPS, or @groups if that is more. Does not
 * allocate private memory. Return: false if there is no memory.
 */
bool wt_queue_reserve(struct wt_queue *queue, const struct wt_task *task, size_t groups);
void wt_queue_free_slots(struct wt_queue *queue);

/** A dispatch has begun: set how many workgroups may be resident. */
void wt_queue_begin_slots(struct wt_queue *queue);

/** Workgroups wait for slots, and none has ended while @done instructions were executed: make more slots if it is time. */
void wt_queue_note_wait(struct wt_queue *queue, uint64_t done);

/** Drop the packets in the ring, and those that are not written yet. */
void wt_queue_drop(struct wt_queue *queue);

/** How many waves of a queue have not ended. */
size_t wt_queue_live_waves(const struct wt_queue *queue);

/**
 * These waves as a save area has them, workgroup after workgroup (save.c).
 *
 * @saved: room for all of them. The places in scratch memory are left to the caller.
 *
 * Return: how many.
 */
size_t wt_queue_describe_waves(const struct wt_queue *queue, struct wt_saved_wave *saved);

/** Make a save area of waves that wt_queue_describe_waves() has described, be they stopped or not: wt_save_area_build(). */
struct wt_error *wt_waves_save(const struct wt_save_area_layout *layout,
			       const struct wt_saved_wave *saved, size_t count,
			       struct wt_buffer *area);

/** The wave that a state of registers is in. */
static inline struct wt_wave *wt_wave_of(const struct gfx_wave *gfx)
{
	return (struct wt_wave *)((uintptr_t)gfx - offsetof(struct wt_wave, gfx));
}

/*
 * Execution (schedule.c, execute.c).
 */
/** The operation `begin` of wt_device_operations. Return: whether a dispatch or a workgroup has begun. */
bool wt_machine_begin(struct wt_machine *machine);
/** The operation `run` of wt_device_operations. */
enum wt_device_progress wt_machine_run(struct wt_machine *machine, uint64_t budget);

/**
 * Execute one round. Return: how many instructions were executed.
 *
 * @begun_ret: whether a dispatch or a workgroup has begun.
 */
uint64_t wt_machine_round(struct wt_machine *machine, bool *begun_ret);

/** Begin the dispatch of the queue's next packet, without workgroups yet. Return: false if there is none. */
bool wt_queue_begin(struct wt_queue *queue);

/** Create a workgroup of the dispatch in a free slot, and its waves as they are launched. */
void wt_queue_create_group(struct wt_queue *queue, struct wt_group *group,
			   const uint32_t coordinates[3]);

/** Make a cache of decoded instructions for an agent. Return: the caller frees it; NULL if there is no memory. */
struct wt_code *wt_code_create(void);

/** Set up the registers of a wave in its slot and tell the listener. */
void wt_wave_create(struct wt_queue *queue, struct wt_group *group, uint32_t number_in_group,
		    const uint32_t group_size[3]);

/** Let a wave execute up to @quantum instructions. Return: how many it has executed. */
uint64_t wt_wave_run(struct wt_queue *queue, struct wt_wave *wave, uint64_t quantum);

/** End a wave and tell the listener. */
void wt_wave_end(struct wt_machine *machine, struct wt_wave *wave);

void wt_wave_resume(struct wt_wave *wave, bool step);
void wt_wave_halt(struct wt_wave *wave);
void wt_queue_abort(struct wt_queue *queue);

/** The memory through which waves access @memory while there are watchpoints. */
struct gfx_memory wt_watch_memory(struct wt_agent *agent);
/** Forget the accesses of the previous instruction. */
void wt_watch_begin(struct wt_machine *machine);
/** The bits of trapsts for the watchpoints that the current instruction has hit. */
uint32_t wt_watch_hits(const struct wt_machine *machine);

/*
 * The host side (machine.c).
 */
/** Let the program load and unload code objects that are due, and end. To be called after each round. */
void wt_program_run(struct wt_machine *machine);
/** A dispatch has completed: free the buffers that the program needs no longer. */
void wt_program_free(struct wt_machine *machine, size_t dispatch);

/*
 * Saving waves and code objects for a core dump (save.c).
 */
/** The operation `save` of wt_device_operations. */
struct wt_error *wt_machine_save(struct wt_machine *machine, uint64_t os_id,
				 struct wt_buffer *note);

/** Send a message to the listener. */
__attribute__((format(printf, 3, 4))) void
wt_machine_message(const struct wt_machine *machine, bool warning, const char *format, ...);

#endif /* WT_DEVICE_MACHINE_MACHINE_H */
