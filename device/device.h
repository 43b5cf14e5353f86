/* SPDX-License-Identifier: MIT */
/*
 * The interface between a debugger library and a device. A device is the GPU side of one debugged process: its agents,
 * queues, code objects, waves and memory. The simulated GPU (device/machine/) is one implementation, a GPU core dump
 * (dbgapi/core/) another, and a process that AMD's kernel driver serves (dbgapi/kfd/) the third. A debugger library uses
 * nothing else of them.
 *
 * The folder `device` holds the simulated GPU and what GPU state looks like in memory. It must not know who uses it:
 * nothing of the debugger API is included here.
 *
 * Objects of a kind are numbered from 0 in order of creation. A number is never used again. Pointers to waves,
 * workgroups and dispatches are valid until the listener is told of their end, other pointers until the device is
 * destroyed. A device runs only inside its operation `run`; between calls nothing changes. One that is live runs by itself:
 * what has happened is noticed in any operation, and told in `run` and those that say so.
 *
 * A stopped wave is in the state in which a trap handler leaves it. status has halt (bit 13). ttmp6 has stopped (bit
 * 30), the program's own halt (bit 29) and the trap id (bits 25 to 28). trapsts has the reason: mem_viol (8) and
 * xnack_error (28) for a memory violation, mem_viol alone for an address error, illegal_inst (11), addr_watch (7, 12, 13,
 * 14) for watchpoints 0 to 3, trap_after_inst (25) after a single step. Resuming the wave clears the reasons.
 *
 * The pc is after the s_trap for a breakpoint or debug trap. It is after the instruction, which is complete, for a
 * single step, a watchpoint or an arithmetic exception. For every other reason it is at the instruction, which had no
 * effect. A single step of a debug trap stops for both reasons. A single step of a breakpoint stops for the breakpoint
 * alone, since the instruction under it was not executed.
 *
 * A wave's id, which is its number + 1, is in ttmp4 and ttmp5. mode has debug_en (11) during a single step and
 * excp_en.addr_watch (19) while there are watchpoints.
 *
 * A listener may call wave_halt, wave_resume and the memory operations, and no others.
 */
#ifndef WT_DEVICE_DEVICE_H
#define WT_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"
#include "gfx/wave/wave.h"

/* Why a wave stopped, as bits. dbgapi/simulated/ asserts that these numbers are those of the API. */
enum wt_stop_reason {
	WT_STOP_NONE,
	WT_STOP_BREAKPOINT = 1 << 0,
	WT_STOP_WATCHPOINT = 1 << 1,
	WT_STOP_SINGLE_STEP = 1 << 2,
	WT_STOP_FP_INPUT_DENORMAL = 1 << 3,
	WT_STOP_FP_DIVIDE_BY_0 = 1 << 4,
	WT_STOP_FP_OVERFLOW = 1 << 5,
	WT_STOP_FP_UNDERFLOW = 1 << 6,
	WT_STOP_FP_INEXACT = 1 << 7,
	WT_STOP_FP_INVALID_OPERATION = 1 << 8,
	WT_STOP_INT_DIVIDE_BY_0 = 1 << 9,
	WT_STOP_DEBUG_TRAP = 1 << 10,
	WT_STOP_ASSERT_TRAP = 1 << 11,
	WT_STOP_TRAP = 1 << 12,
	WT_STOP_MEMORY_VIOLATION = 1 << 13,
	WT_STOP_ADDRESS_ERROR = 1 << 14,
	WT_STOP_ILLEGAL_INSTRUCTION = 1 << 15,
};

/* Which accesses a watchpoint matches, with the numbers of the API. */
enum wt_watch_kind {
	WT_WATCH_LOAD = 1,
	WT_WATCH_STORE_AND_RMW = 2,
	WT_WATCH_RMW = 3,
	WT_WATCH_ALL = 4,
};

/* Whether processes share address watch registers, with the numbers of the API. */
enum wt_watch_sharing {
	WT_WATCH_UNSUPPORTED = 0,
	WT_WATCH_UNSHARED = 1,
	WT_WATCH_SHARED = 2,
};

/* The packet format of a queue, with the numbers of the API. */
enum wt_queue_type {
	WT_QUEUE_UNKNOWN = 0,
	WT_QUEUE_AQL = 1,
	WT_QUEUE_PM4 = 0x101,
	WT_QUEUE_SDMA = 0x201,
	WT_QUEUE_SDMA_XGMI = 0x202,
};

/* The last address of global memory that any agent reaches. */
#define WT_DEVICE_LAST_ADDRESS UINT64_C(0x7fffffffffff)

struct wt_device_agent {
	uint32_t number;
	const struct gfx_architecture *architecture;
	const char *name;
	uint64_t os_id;
	uint32_t pci_slot, pci_vendor, pci_vendor_subsystem, pci_device, pci_device_subsystem;
	uint32_t execution_unit_count, max_waves_per_execution_unit;
	/* Whether it can be debugged. Agents that cannot have no queues here. Their architecture is NULL if
	 * it is unknown. */
	bool supported;
	/* Address watch registers: how many, and whether processes share them. */
	uint32_t watchpoint_count;
	enum wt_watch_sharing watch_sharing;
	/* The first and last bit of an address that their masks have; 0 and 0 if only the architecture says so. */
	uint32_t watch_first_bit, watch_last_bit;
	bool precise_memory, precise_alu_exceptions; /* whether they can be requested */
	uint64_t local_base, private_base; /* apertures of generic addresses, 4 GiB each */
};

struct wt_device_code_object {
	uint32_t number;
	const char *uri;      /* as base/uri.h describes */
	int64_t load_address; /* difference of loaded addresses to those in the ELF file */
	const uint8_t *image; /* the ELF file's bytes */
	size_t image_size;
	uint64_t image_address; /* of these bytes in global memory; 0 if `uri` is a file */
	bool loaded; /* at present: a program may load and unload code objects at any time */
};

/* The range of an address watch register. It matches accesses of vector memory instructions to global
 * memory, which includes private memory by its global addresses. */
struct wt_device_watchpoint {
	uint64_t address; /* a multiple of `size` */
	uint64_t size;	  /* bytes, a power of two */
	uint32_t kind;	  /* enum wt_watch_kind */
};

#define WT_DEVICE_WATCHPOINTS 4

struct wt_device_queue {
	uint32_t number;
	const struct wt_device_agent *agent;
	uint64_t os_id;
	uint64_t ring_address; /* global address of the AQL ring, packets of 64 bytes */
	uint64_t ring_size;    /* bytes */
	uint64_t read_packet_id, write_packet_id;
	uint32_t type; /* of enum wt_queue_type; packets of AQL queues only can be read */
};

struct wt_device_dispatch {
	uint32_t number;
	const struct wt_device_queue *queue;
	uint64_t packet_id;
	uint64_t packet_address;
	uint8_t packet[64];    /* the AQL packet as it was when the dispatch began */
	uint64_t kernel_entry; /* address of the first instruction */
	/* Stands for the dispatches of waves that do not tell theirs; they have no coordinates either.
	 * Only `number` and `queue` are valid then. */
	bool unknown;
};

struct wt_device_workgroup {
	uint32_t number;
	const struct wt_device_dispatch *dispatch;
	uint32_t coordinates[3];
	uint8_t *lds;
	uint32_t lds_size;
};

enum wt_wave_run_state {
	WT_WAVE_RUNNING,
	WT_WAVE_STEPPING, /* runs one instruction, then stops */
	WT_WAVE_STOPPED,
};

struct wt_device_wave {
	uint32_t number;
	const struct wt_device_workgroup *workgroup;
	uint32_t number_in_group;
	enum wt_wave_run_state state;
	uint32_t stop_reasons;	  /* of enum wt_stop_reason, while stopped */
	struct gfx_fault fault;	  /* details of the last fault, for logs */
	struct gfx_wave *gfx;	  /* registers, LDS and scratch: read and write while stopped */
	uint64_t scratch_address; /* of its private memory if gfx->scratch is NULL */
	bool halted_at_launch;	  /* while wave creation is stopped: the client does not see it */
	bool changed;		  /* the client has written registers of it */
	void *client;		  /* for the debugger library */
};

/* Reports what happens in the device, in a deterministic order. Called during the operation `run`, and
 * during others that say so. A function may be NULL unless the device is a core. */
struct wt_device_listener {
	void *opaque;
	void (*dispatch_created)(void *opaque, struct wt_device_dispatch *dispatch);
	void (*workgroup_created)(void *opaque, struct wt_device_workgroup *workgroup);
	void (*wave_created)(void *opaque, struct wt_device_wave *wave);
	/* The wave has stopped. The reason is WT_STOP_NONE for a wave of a core that was saved running. */
	void (*wave_stopped)(void *opaque, struct wt_device_wave *wave);
	/*
	 * The instruction at the wave's pc accesses local memory past what the dispatch asked for; wave->fault has lanes and
	 * address. Return: true to let it do what it does on hardware, where DS instructions read 0 there and write nothing;
	 * then the wave goes on. False, and if this is NULL: it stops the wave, as an access that is not possible.
	 */
	bool (*wave_left_local)(void *opaque, struct wt_device_wave *wave);
	/* The object is about to be freed. @stepping: the wave has not completed its single step. */
	void (*wave_terminated)(void *opaque, struct wt_device_wave *wave, bool stepping);
	void (*workgroup_ended)(void *opaque, struct wt_device_workgroup *workgroup);
	void (*dispatch_ended)(void *opaque, struct wt_device_dispatch *dispatch);
	/* The program has loaded a code object, or has unloaded it. */
	void (*code_object_changed)(void *opaque, const struct wt_device_code_object *object);
	/* The program has unloaded its runtime or, if @exited, has ended. */
	void (*program_ended)(void *opaque, bool exited);
	/* A message for the client's log. */
	void (*message)(void *opaque, bool warning, const char *text);
	/* An instruction that the device does not know, which may be illegal: the same text for the same one. A message tells of the wave. */
	void (*not_implemented)(void *opaque, const char *text);

	/* A live device tells of its queues, which come and go as the program makes and destroys them. */
	void (*queue_created)(void *opaque, struct wt_device_queue *queue);
	void (*queue_ended)(void *opaque, struct wt_device_queue *queue);
	/*
	 * The program has loaded its runtime. @restricted: it cannot be debugged, and has no queues, waves and code objects
	 * here. Return: false if the client cannot insert the breakpoint; then it is restricted, too.
	 */
	bool (*runtime_loaded)(void *opaque, bool restricted);
};

/* Why a run of the device ended. */
enum wt_device_progress {
	WT_DEVICE_IDLE,	   /* every queue is empty and there are no waves */
	WT_DEVICE_BLOCKED, /* every wave is stopped or waits for a stopped one */
	WT_DEVICE_RUNNING, /* the budget was used up */
	WT_DEVICE_EVENT,   /* one or more waves stopped */
};

struct wt_device;
struct wt_buffer;

/*
 * Operations that a live device offers: its process runs by itself, whatever its debugger does. Any of it may find that
 * the driver fails in a way that nobody can expect: then wt_device.failed is set, which the debugger library clears. A
 * process that has exited is no failure.
 */
struct wt_live_operations {
	/** Tell the listener what is there: the runtime, if it is loaded, queues, code objects, waves. */
	void (*start)(struct wt_device *device);
	/** Bring queues up to date, and waves if @waves, and tell the listener what has changed. */
	void (*look)(struct wt_device *device, bool waves);
	/** Nothing needs to go on: what has to stand still to be looked at stays so, until this is taken back. */
	void (*keep)(struct wt_device *device, bool keep);
	/** Keep the waves of a wave's queue where they are, until they are let go as often as they were held. */
	void (*hold)(struct wt_device *device, const struct wt_device_wave *wave);
	void (*let_go)(struct wt_device *device);
	/** The client has processed the event that tells that the runtime was loaded or unloaded: it may go on. */
	void (*answer_runtime)(struct wt_device *device);
	/** New waves are to stand at their first instruction, or no longer. Those that stand there are resumed by wave_resume. */
	void (*halt_launches)(struct wt_device *device, bool halt);
	/** Let exceptions of arithmetic stop a wave at the instruction that raises them, or some instructions later. */
	void (*set_precise_alu)(struct wt_device *device, bool precise);
	/**
	 * Resume a stopped wave, but for one that stays where it is, and report exceptions of it to the program's runtime.
	 *
	 * @exceptions: bits with the numbers of the API.
	 */
	void (*wave_deliver)(struct wt_device *device, struct wt_device_wave *wave, bool step,
			     uint32_t exceptions);
	/** The client has written registers of a stopped wave, or moved its pc. */
	void (*wave_written)(struct wt_device *device, struct wt_device_wave *wave);
	/** Read the LDS of a workgroup into its `lds` as it is now; false if it cannot be read. */
	bool (*load_group)(struct wt_device *device, struct wt_device_workgroup *group);
	/** Write the LDS of a workgroup back; false if it cannot be written. */
	bool (*store_group)(struct wt_device *device, struct wt_device_workgroup *group);
	/** Read where the ring of a queue is read and written; false if that cannot be read. */
	bool (*read_queue)(struct wt_device *device, const struct wt_device_queue *queue);
	/** The indices of the watchpoints that a wave has hit, as bits. */
	uint32_t (*watchpoints_hit)(struct wt_device *device, const struct wt_device_wave *wave);
};

struct wt_device_operations {
	void (*destroy)(struct wt_device *device);
	void (*set_listener)(struct wt_device *device, const struct wt_device_listener *listener);

	size_t (*agent_count)(const struct wt_device *device);
	const struct wt_device_agent *(*agent)(const struct wt_device *device, size_t index);
	size_t (*queue_count)(const struct wt_device *device);
	const struct wt_device_queue *(*queue)(const struct wt_device *device, size_t index);
	size_t (*code_object_count)(const struct wt_device *device);
	const struct wt_device_code_object *(*code_object)(const struct wt_device *device,
							   size_t index);

	/**
	 * Begin what there is to do: create the dispatches, workgroups and waves of the next scheduling round, which
	 * execute nothing before it. May be NULL.
	 */
	void (*begin)(struct wt_device *device);

	/**
	 * Run until a wave stops, no wave can execute, or @budget instructions have been executed. A
	 * scheduling round that has begun is completed, so several waves may stop.
	 */
	enum wt_device_progress (*run)(struct wt_device *device, uint64_t budget);

	/** Resume a stopped wave, for one instruction if @step. Clears its stop reasons. */
	void (*wave_resume)(struct wt_device *device, struct wt_device_wave *wave, bool step);
	/**
	 * Stop a running wave at once, between two instructions. Does not call wave_stopped. Return: false if the wave of a
	 * live device has stopped or ended by itself, which is told with what else has happened.
	 */
	bool (*wave_halt)(struct wt_device *device, struct wt_device_wave *wave);
	/** Put the queue into an error state: end its waves, which the listener is told, and drop its packets. */
	void (*queue_abort)(struct wt_device *device, const struct wt_device_queue *queue);

	/**
	 * Set address watch register @index of every agent; a NULL @watchpoint clears it. Return: false if others use all
	 * registers of an agent.
	 */
	bool (*set_watchpoint)(struct wt_device *device, uint32_t index,
			       const struct wt_device_watchpoint *watchpoint);

	/**
	 * Make @words the next instruction of a stopped wave, instead of the one in memory at its pc. It
	 * is executed as if it were at that address. With @count 0 the one in memory is executed again.
	 */
	void (*wave_override)(struct wt_device *device, struct wt_device_wave *wave,
			      const uint32_t *words, size_t count);
	/**
	 * Copy an instruction of up to 8 bytes to executable memory that the queue reserves for the
	 * debugger. An assert trap follows it. Return: its address; 0 if the memory is in use.
	 */
	uint64_t (*buffer_allocate)(struct wt_device *device, const struct wt_device_queue *queue,
				    const void *instruction, size_t size);
	void (*buffer_free)(struct wt_device *device, const struct wt_device_queue *queue,
			    uint64_t address);

	/**
	 * The address of the function that the program calls when it loads or unloads code objects; 0
	 * if it never does. @stop: the program is to stop there before it changes them, until
	 * program_continue; otherwise it does not stop.
	 */
	uint64_t (*program_breakpoint)(struct wt_device *device, bool stop);
	/** Whether the program is stopped at its breakpoint. */
	bool (*program_is_stopped)(const struct wt_device *device);
	/** Let a program that is stopped there change its code objects. The listener is told. Return: whether they changed. */
	bool (*program_change)(struct wt_device *device);
	/** Let a program that has changed them continue. */
	void (*program_continue)(struct wt_device *device);

	/**
	 * Set precise memory: a wave stops right behind the instruction whose access fails. Otherwise it
	 * executes a few more instructions first. A load leaves its destination alone. As long as nobody has
	 * set either, a wave stops at the instruction.
	 */
	void (*set_precise_memory)(struct wt_device *device, bool precise);

	/**
	 * Access global memory. Return: how many bytes were transferred from @address on, fewer than
	 * @size at the end of what is mapped.
	 */
	size_t (*read_memory)(struct wt_device *device, uint64_t address, void *data, size_t size);
	size_t (*write_memory)(struct wt_device *device, uint64_t address, const void *data,
			       size_t size);

	/**
	 * Load all registers of a stopped wave, its LDS and the address of its private memory. They stay
	 * loaded until another wave is loaded. False if they cannot be read; then only pc, exec, m0,
	 * status, mode, trapsts, xnack_mask and the trap temporaries are valid. The operation is NULL if
	 * waves are always loaded.
	 */
	bool (*load_wave)(struct wt_device *device, struct wt_device_wave *wave);

	/**
	 * Save every wave to context save areas in memory, as the hardware does, and append to @note a
	 * core-state note with their addresses. The operation is NULL if the device cannot.
	 *
	 * @os_id: the process id, for the URIs of code objects in its memory.
	 */
	struct wt_error *(*save)(struct wt_device *device, uint64_t os_id, struct wt_buffer *note);

	/**
	 * The ranges of global memory in order of addresses; false if there are not so many. The operation
	 * is NULL if the device does not know its ranges.
	 */
	bool (*memory_range)(const struct wt_device *device, size_t index, uint64_t *address_ret,
			     uint64_t *size_ret);
};

struct wt_device {
	const struct wt_device_operations *operations;
	/* A GPU core dump: all its objects exist from the first run on, and its waves never execute. */
	bool core;
	const struct wt_live_operations *live; /* NULL unless it is live */
	bool failed;			       /* of one that is live: see there */
};

/**
 * Make the simulated GPU for a workload file and load its code objects, buffers and packets. There are no waves before
 * the first run.
 *
 * Errors name the file and the place in it.
 */
struct wt_error *wt_simulated_create(const char *workload_path, struct wt_device **device_ret);

/**
 * The same, with the device's memory in a file that another process may map, and write to while the device does not run.
 *
 * @file: to be read and written, as device/memory.h says; the caller closes it after the device. -1: none.
 */
struct wt_error *wt_simulated_create_shared(const char *workload_path, int file,
					    struct wt_device **device_ret);

/** The address and size in bytes of a buffer of the workload, by name; false if there is none. */
bool wt_simulated_buffer(struct wt_device *device, const char *name, uint64_t *address_ret,
			 uint64_t *size_ret);

/**
 * The files that a workload names: its code objects, then those that fill buffers, as paths to open. NULL if @index is
 * too high. Valid as long as the device.
 */
const char *wt_simulated_file(struct wt_device *device, size_t index);

#endif /* WT_DEVICE_DEVICE_H */
