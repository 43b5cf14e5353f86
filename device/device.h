/* SPDX-License-Identifier: MIT */
/*
 * The seam between a debugger and a device: what the GPU side of one debugged process offers. The simulated GPU
 * (device/machine/) is one device behind it, a GPU core dump (dbgapi/core/) another. Who asks uses nothing else of it.
 *
 * In this folder live the simulated GPU as a machine and the layout of saved waves. It must not know who asks: nothing
 * of the debugger API is included here.
 *
 * Objects are numbered from 0 per kind in order of creation, over the life of the device; a number
 * is never used again. Pointers to objects are valid until the object is gone (waves, workgroups,
 * dispatches) or the device is destroyed (the rest). A device runs only inside wt_device_run():
 * between calls nothing moves.
 *
 * A stopped wave is as a trap handler leaves it: status.halt (bit 13) is set and ttmp6 has bit 30
 * (stopped), the program's own halt bit in bit 29, and the number of the trap in bits 25 to 28.
 * trapsts says why: mem_viol (8) and xnack_error (28) for a memory violation, mem_viol alone for an
 * address error, illegal_inst (11), addr_watch (7, 12, 13, 14) for watchpoints 0 to 3,
 * trap_after_inst (25) after a single step. Resuming clears those that were reasons of the stop.
 * The pc is behind the s_trap after a breakpoint or debug trap, and behind the instruction after a
 * step, a watchpoint or an arithmetic exception, which it has completed; for every other reason, at
 * the instruction that did it, which had no effect. A step that ends in a debug trap has both
 * reasons; one that meets a breakpoint has not been done and has one. Waves keep their id, number +
 * 1, in ttmp4 and ttmp5. While a wave steps, mode has debug_en (11); while there are watchpoints,
 * excp_en.addr_watch (19).
 *
 * From the listener's calls only wave_halt, wave_resume and the memory operations may be called.
 */
#ifndef WT_DEVICE_DEVICE_H
#define WT_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"
#include "gfx/wave/wave.h"

/* Why a wave stopped, as bits. dbgapi/simulated/ asserts that the API's numbers are the same. */
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

/* Which accesses a watchpoint is about; also the API's numbers. */
enum wt_watch_kind {
	WT_WATCH_LOAD = 1,
	WT_WATCH_STORE_AND_RMW = 2,
	WT_WATCH_RMW = 3,
	WT_WATCH_ALL = 4,
};

/* What the packets of a queue are; also the API's numbers. */
enum wt_queue_type {
	WT_QUEUE_UNKNOWN = 0,
	WT_QUEUE_AQL = 1,
	WT_QUEUE_PM4 = 0x101,
	WT_QUEUE_SDMA = 0x201,
	WT_QUEUE_SDMA_XGMI = 0x202,
};

struct wt_device_agent {
	uint32_t number;
	const struct gfx_architecture *architecture;
	const char *name;
	uint64_t os_id;
	uint32_t pci_slot, pci_vendor, pci_vendor_subsystem, pci_device, pci_device_subsystem;
	uint32_t execution_unit_count, max_waves_per_execution_unit;
	uint64_t local_base, private_base; /* generic apertures, 4 GiB each */
};

struct wt_device_code_object {
	uint32_t number;
	const char *uri;      /* file:// by the documented grammar */
	int64_t load_address; /* loaded address minus address in the ELF */
	const uint8_t *image; /* the ELF file's bytes */
	size_t image_size;
	uint64_t
		image_address; /* of these bytes in global memory, or 0: then `uri` is where they are from */
	bool loaded;	       /* now: a program may load some later, and unload them */
};

/* What an address watch register matches. Only vector memory instructions are watched, in global
 * memory. */
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
	uint32_t type; /* enum wt_queue_type; only AQL queues have packets that can be read */
};

struct wt_device_dispatch {
	uint32_t number;
	const struct wt_device_queue *queue;
	uint64_t packet_id;
	uint64_t packet_address;
	uint8_t packet[64];    /* the AQL packet as it was when the dispatch began */
	uint64_t kernel_entry; /* address of the first instruction */
	/* Of waves that do not know where they come from: no dispatch, and no place in one. */
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
	uint32_t stop_reasons;	  /* enum wt_stop_reason, while stopped */
	struct gfx_fault fault;	  /* details of the last fault, for logs */
	struct gfx_wave *gfx;	  /* registers, LDS and scratch: read and write while stopped */
	uint64_t scratch_address; /* of its private memory, for one whose gfx->scratch is NULL */
	bool halted_at_launch;	  /* by the client's wish, and not seen by it */
	bool changed;		  /* its registers were written by the client */
	void *client;		  /* the API's own data */
};

/* What happened while the device ran, in a deterministic order; called from wt_device_run() only, but
 * for what its operations say. */
struct wt_device_listener {
	void *opaque;
	void (*dispatch_created)(void *opaque, struct wt_device_dispatch *dispatch);
	void (*workgroup_created)(void *opaque, struct wt_device_workgroup *workgroup);
	void (*wave_created)(void *opaque, struct wt_device_wave *wave);
	/* The wave is stopped with a reason (NONE after a requested stop). */
	void (*wave_stopped)(void *opaque, struct wt_device_wave *wave);
	/* The object is about to go; `stepping` if the wave was told to step or stop. */
	void (*wave_terminated)(void *opaque, struct wt_device_wave *wave, bool stepping);
	void (*workgroup_ended)(void *opaque, struct wt_device_workgroup *workgroup);
	void (*dispatch_ended)(void *opaque, struct wt_device_dispatch *dispatch);
	/* The program has loaded a code object, or has unloaded it. */
	void (*code_object_changed)(void *opaque, const struct wt_device_code_object *object);
	/* The program is done with its GPU: it has unloaded its runtime, or is gone itself. */
	void (*program_ended)(void *opaque, bool exited);
	/* Something worth a line in the client's log. */
	void (*message)(void *opaque, bool warning, const char *text);
};

/* Whether a device can still do something. */
enum wt_device_progress {
	WT_DEVICE_IDLE,	   /* every queue is empty and no wave is left */
	WT_DEVICE_BLOCKED, /* waves are left, all of them stopped or waiting for a stopped one */
	WT_DEVICE_RUNNING, /* the budget ran out first */
	WT_DEVICE_EVENT,   /* one or more waves stopped */
};

struct wt_device;
struct wt_buffer;

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
	 * Let the waves run until one stops (the others of the same scheduling round still finish
	 * theirs), nothing can move, or @budget instructions were executed.
	 */
	enum wt_device_progress (*run)(struct wt_device *device, uint64_t budget);

	/** A stopped wave goes on, for one instruction if @step. Its stop reasons are cleared. */
	void (*wave_resume)(struct wt_device *device, struct wt_device_wave *wave, bool step);
	/** A running wave stops, at once, between two instructions; wave_stopped is NOT called. */
	void (*wave_halt)(struct wt_device *device, struct wt_device_wave *wave);
	/**
	 * The queue fails: its waves are killed (terminated events follow), its packets dropped.
	 */
	void (*queue_abort)(struct wt_device *device, const struct wt_device_queue *queue);

	/** Set address watch register @index of every agent; NULL clears it. */
	void (*set_watchpoint)(struct wt_device *device, uint32_t index,
			       const struct wt_device_watchpoint *watchpoint);

	/**
	 * A stopped wave's next instruction is this one, in place of what stands at its pc; it is
	 * executed as if it stood there. @count 0 takes it back.
	 */
	void (*wave_override)(struct wt_device *device, struct wt_device_wave *wave,
			      const uint32_t *words, size_t count);
	/**
	 * Put an instruction of up to 8 bytes into executable memory of the queue that is kept for
	 * the debugger; an assert trap stands behind it. Return: its address; 0 if all is in use.
	 */
	uint64_t (*buffer_allocate)(struct wt_device *device, const struct wt_device_queue *queue,
				    const void *instruction, size_t size);
	void (*buffer_free)(struct wt_device *device, const struct wt_device_queue *queue,
			    uint64_t address);

	/**
	 * The address where the program calls its debugger before and after its code objects
	 * change; 0 if they never do. With @stop it waits there, with the change still to come,
	 * until program_continue; else it goes by.
	 */
	uint64_t (*program_breakpoint)(struct wt_device *device, bool stop);
	/** Whether the program stands at its breakpoint. */
	bool (*program_is_stopped)(const struct wt_device *device);
	/** It does: let it change its code objects. The listener is called. */
	void (*program_change)(struct wt_device *device);
	/** It has changed them: let it go on. */
	void (*program_continue)(struct wt_device *device);

	/**
	 * Precise memory: a wave stops at an access that fails. Without it, it goes on for a few
	 * instructions, as if a load had left its destination alone; @precise is so at first.
	 */
	void (*set_precise_memory)(struct wt_device *device, bool precise);

	/**
	 * Global memory. Bytes done, from @address on: fewer than @size at the end of what is
	 * mapped.
	 */
	size_t (*read_memory)(struct wt_device *device, uint64_t address, void *data, size_t size);
	size_t (*write_memory)(struct wt_device *device, uint64_t address, const void *data,
			       size_t size);

	/**
	 * Have all registers of a stopped wave, its LDS and where its private memory is at hand: they
	 * may be asked for now, and until another wave is. False if they cannot be had; then only
	 * pc, exec, m0, status, mode, trapsts, xnack_mask and the trap temporaries are known. NULL if
	 * they always are.
	 */
	bool (*load_wave)(struct wt_device *device, struct wt_device_wave *wave);

	/**
	 * Save every wave to memory as the hardware does, and append a core-state note that tells
	 * where. NULL if the device cannot.
	 *
	 * @os_id: the process's, for the names of code objects that are in its memory.
	 */
	struct wt_error *(*save)(struct wt_device *device, uint64_t os_id, struct wt_buffer *note);

	/**
	 * Global memory, range by range in order of addresses: false if there is no such range. NULL
	 * if the device does not know.
	 */
	bool (*memory_range)(const struct wt_device *device, size_t index, uint64_t *address_ret,
			     uint64_t *size_ret);
};

struct wt_device {
	const struct wt_device_operations *operations;
	/* A GPU core dump: what there is exists from the first run on and never moves. */
	bool core;
};

/**
 * Make the simulated GPU for a workload file and load everything: code objects, buffers, packets.
 * No wave exists before the first run. Errors name the file and the place in it.
 */
struct wt_error *wt_simulated_create(const char *workload_path, struct wt_device **device_ret);

/** A buffer of the workload by name: its address and size in bytes; false if there is none. */
bool wt_simulated_buffer(struct wt_device *device, const char *name, uint64_t *address_ret,
			 uint64_t *size_ret);

/**
 * The files beside its own that a workload was made of, as they are opened: code objects, then what buffers are filled
 * with. NULL behind the last one; valid as long as the device.
 */
const char *wt_simulated_file(struct wt_device *device, size_t index);

#endif /* WT_DEVICE_DEVICE_H */
