/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of the owner share. debug-call.c and driver-process.c use each other: a process that ends takes its debug
 * sessions with it, and a debugger that attaches makes its program known as a process.
 */
#ifndef WT_DRIVER_OWNER_INTERNAL_H
#define WT_DRIVER_OWNER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "driver/owner/kfd.h"

#include "driver/debug/debugger-session.h"
#include "driver/engine/engine.h"
#include "driver/memory/space.h"
#include "driver/owner/owner.h"
#include "driver/wire/wire.h"
#include "gfx/architecture/architecture.h"

#define WT_EVENTS_MAX KFD_SIGNAL_EVENTS
#define WT_QUEUES_MAX 1024u /* doorbells of a page of 8 KiB */

#define WT_OWNER_MISSING_MAX 32u

/* Offsets of doorbells in the file that stands for /dev/kfd: in the high half, as the thunk's CREATE_QUEUE needs it. */
#define WT_DOORBELL_OFFSET (UINT64_C(1) << 32)
#define WT_DOORBELL_BYTES 8192u
#define WT_MMIO_OFFSET UINT64_C(0x10000)
#define WT_KFD_FILE_BYTES (UINT64_C(1) << 34)

/* Addresses of global memory in the generic address space, as the driver has them for gfx9. */
#define WT_GPUVM_BASE UINT64_C(0x4000)
#define WT_GPUVM_LIMIT UINT64_C(0x7fffffffffff)

/* Bits of `capability`: watch points, four of them; a debugger is possible, also by the firmware. */
#define WT_CAPABILITY_DEBUG (1u << 7 | 2u << 8 | 1u << 15 | 1u << 29)

/* One device as programs see it. */
struct wt_owner_agent {
	const struct gfx_architecture *architecture;
	uint32_t gpu_id, node, minor, units;
};

enum wt_event_state { WT_EVENT_FREE, WT_EVENT_QUIET, WT_EVENT_SIGNALLED };

struct wt_owner_event {
	enum wt_event_state state;
	uint32_t type;
	bool auto_reset;
	bool taken;	/* a wait has returned it since it was signalled */
	bool by_device; /* it was signalled by the device, and not by a call of the program alone; valid while it is signalled */
	union {
		struct kfd_memory_exception memory;	/* of KFD_EVENT_MEMORY */
		struct kfd_hardware_exception hardware; /* of KFD_EVENT_HW_EXCEPTION */
	};
};

struct wt_connection;

/* A buffer that a process has on a render node. */
struct wt_owner_object {
	struct wt_extent *buffer; /* NULL: the handle is free */
	uint32_t agent;		  /* its index */
};

/* A process that has the driver open. */
struct wt_owner_process {
	struct wt_owner_process *next;
	struct wt_owner *owner;
	pid_t pid;
	uint32_t connections;
	bool anchored; /* the process has opened the device itself; false: only its debugger has */
	struct wt_space space;
	struct wt_owner_object *objects; /* handle - 1 is the index */
	size_t object_count;
	struct wt_owner_event events[WT_EVENTS_MAX]; /* by id; 0 is none */
	uint64_t event_page;			     /* handle of its memory; 0: none yet */
	uint32_t event_count;			     /* highest id that was created, plus one */
	struct wt_engine *engine;
	bool acquired[WT_OWNER_AGENTS_MAX];
	bool has_runtime,
		set_up; /* it has said that it is there; it has made an agent ready for work */
	bool queues[WT_QUEUES_MAX]; /* by id */
	struct wt_debug_session debug;
	pid_t debugger; /* valid while one is attached */
	/* By agent, the first memory violation since the debugger took the last one back. */
	struct wt_engine_fault faults[WT_OWNER_AGENTS_MAX];
	bool untold;		  /* a debugger knows of one, and the program does not yet */
	bool held[WT_QUEUES_MAX]; /* queues whose memory violation is held back, by id */
	bool holds;		  /* there is one */
	uint64_t held_until;	  /* nanoseconds, CLOCK_MONOTONIC */
	uint64_t
		unheard; /* the last time when the program need not have heard of its violation, or hang: since when it has not; 0: it has */
	bool unheard_hang;	  /* it is that the device hangs */
	uint64_t unheard_address; /* otherwise of the violation */
	/*
	 * The thread that waits for memory violations, too, whether it is in its call or will come back to it; NULL: there is none. And since when
	 * somebody has wanted to wake it; 0: nobody.
	 */
	struct wt_connection *listener;
	uint64_t woken; /* nanoseconds, CLOCK_MONOTONIC */
};

/* Why a call waits. */
enum wt_wait_kind {
	WT_WAIT_EVENTS,
	WT_WAIT_RUNTIME, /* until the debugger has handled the runtime's event */
	WT_WAIT_DESTROY, /* until the debugger resumes the queue */
};

struct wt_wait {
	enum wt_wait_kind kind;
	uint32_t queue_id; /* for WT_WAIT_DESTROY */
	uint64_t events;   /* address of struct kfd_event_data, in the process */
	uint32_t *ids;	   /* of these events, as the call had them. The wait owns them */
	uint32_t count;
	bool all;
	bool forever;
	bool listens;	   /* for memory violations, too */
	uint64_t deadline; /* nanoseconds, CLOCK_MONOTONIC */
};

struct wt_connection {
	struct wt_connection *next;
	struct wt_owner_process *process; /* NULL before the first message */
	int fd;
	bool anchor, waiting, closed;
	struct wt_wait wait;
	struct wt_wire_answer answer; /* of the call that is served, or waits */
	int file; /* goes along with the answer; -1: none does. It is not the connection's */
};

struct wt_owner {
	char *directory;
	FILE *log;
	void (*complain)(const char *text); /* NULL: nobody listens */
	int listener, poll, signals, files[WT_WIRE_FILES];
	uint8_t *doorbells; /* of all processes: a page for each */
	struct wt_store store;
	struct wt_owner_agent agents[WT_OWNER_AGENTS_MAX];
	uint32_t agent_count;
	uint64_t seed;
	enum wt_engine_local local;
	uint8_t queues[WT_QUEUES_MAX]; /* which queue ids, and so doorbells, are in use */
	/* Names of things that programs have asked for and the device does not have, each once; and how much more there was. */
	char *missing[WT_OWNER_MISSING_MAX];
	size_t missing_count, missing_more;
	bool unused_reported; /* that a runtime has set up no GPU */
	uint64_t busy;	      /* when an engine last did something: CLOCK_MONOTONIC, nanoseconds */
	struct wt_owner_process *processes;
	struct wt_connection *connections;
};

/** Write a line to the log, if there is one. */
__attribute__((format(printf, 2, 3))) void wt_owner_log(const struct wt_owner *owner,
							const char *format, ...);

/** Write a line to the log, and tell whoever runs the device. */
__attribute__((format(printf, 2, 3))) void wt_owner_complain(const struct wt_owner *owner,
							     const char *format, ...);

/** Note what the device does not have and a program wants: whoever runs the device is told at its end, once of each. */
__attribute__((format(printf, 2, 3))) void wt_owner_miss(struct wt_owner *owner, const char *format,
							 ...);

/** The time of a system clock, in nanoseconds. */
uint64_t wt_owner_clock(clockid_t clock);

/** The agent with this id; NULL if there is none. */
struct wt_owner_agent *wt_owner_agent_of(struct wt_owner *owner, uint32_t gpu_id);

/*
 * driver-call.c, render.c: ioctls of /dev/kfd and of the render node. @argument is input and output.
 * Return: the result; a negative errno; WT_CALL_WAITS if the call waits.
 */
#define WT_CALL_WAITS (1 << 30) /* more than any call answers */
int wt_owner_kfd(struct wt_connection *connection, uint32_t request, void *argument);
int wt_owner_render(struct wt_connection *connection, uint32_t minor, uint32_t request,
		    void *argument);

/** Answer a call that has waited. */
void wt_owner_answer(struct wt_connection *connection, int result);

/* driver-process.c */
struct wt_owner_process *wt_owner_process_find(struct wt_owner *owner, pid_t pid);
struct wt_owner_process *wt_owner_process_create(struct wt_owner *owner, pid_t pid);
/** Release everything that the process has. */
void wt_owner_process_destroy(struct wt_owner_process *process);
/** Copy from or to the memory of a process. Return: 0; -EFAULT if not all bytes could be copied. */
int wt_owner_copy_in(const struct wt_owner_process *process, void *to, uint64_t from, size_t size);
int wt_owner_copy_out(const struct wt_owner_process *process, uint64_t to, const void *from,
		      size_t size);

/* signal-event.c */
int wt_event_create(struct wt_owner_process *process, struct kfd_create_event *args);
int wt_event_destroy(struct wt_owner_process *process, uint32_t id);
int wt_event_set(struct wt_owner_process *process, uint32_t id);
/** Signals an event as the device does. */
void wt_event_signal(struct wt_owner_process *process, uint32_t id);
/** Signals an event as a program's call does: it does not wake the listener at once. Return: 0; a negative errno. */
int wt_event_set_by(struct wt_connection *connection, uint32_t id);
/** The device has nothing to do for the process: wake its listener, if it is to be woken. */
void wt_event_wake_idle(struct wt_owner_process *process);
int wt_event_reset(struct wt_owner_process *process, uint32_t id);
/** Return: 0 with the arguments changed, WT_CALL_WAITS, or a negative errno. */
int wt_event_wait(struct wt_connection *connection, struct kfd_wait_events *args);
/** Signal the events to whose mailbox the device has written. */
void wt_event_collect(struct wt_owner_process *process);
/** Signal the events for memory violations. */
void wt_event_fault(struct wt_owner_process *process, const struct wt_engine_fault *fault);
/** Hold back a queue's memory violation until the program has heard of the memory. Return: false if it does not listen for it. */
bool wt_event_hold(struct wt_owner_process *process, uint32_t queue);
/** Report what has been held back long enough, and end programs whose runtime never hears of it. */
void wt_event_release(struct wt_owner *owner);
/** Signal the events for an agent that hangs; those for memory violations, if the runtime knows no others. */
void wt_event_hang(struct wt_owner_process *process, uint32_t agent);
/** Answer the waiting calls whose condition now holds. */
void wt_event_answer(struct wt_owner *owner);
/** Milliseconds until the next waiting call times out; -1: none does. */
int wt_event_patience(const struct wt_owner *owner);

/* program-queue.c */
int wt_owner_queue_create(struct wt_owner_process *process, struct kfd_create_queue *args);
int wt_owner_queue_destroy(struct wt_owner_process *process, uint32_t id);
/** Destroy all queues of a process that ends. */
void wt_owner_queues_forget(struct wt_owner_process *process);

/* shared-buffer.c: memory that is handed on as a file, and mapped at addresses of its own. */
/**
 * A call on /dev/kfd or on a render node, whose minor number matters there. The argument has room for the longest one, and what the
 * caller has not given of it is zero.
 *
 * Return: the call's result; -ENOTTY if it is none of these.
 */
int wt_owner_shared_call(struct wt_connection *connection, uint32_t minor, uint32_t request,
			 void *argument);

/* debug-call.c */
int wt_owner_debug(struct wt_connection *connection, struct kfd_debug_trap *args);
/** The runtime was enabled, or with state 0 disabled. Return: 0, WT_CALL_WAITS, or a negative errno. */
int wt_owner_runtime(struct wt_connection *connection, const struct kfd_runtime_info *info);
int wt_owner_destroy_queue(struct wt_connection *connection, uint32_t id);
int wt_owner_try_again(struct wt_connection *connection);
void wt_owner_debug_init(struct wt_owner_process *process);
/** Does somebody hold the process's threads, as a debugger of the host's code? */
bool wt_owner_is_stopped(pid_t pid);
/** A debugger has exited: end its sessions. */
void wt_owner_debugger_gone(struct wt_owner *owner, pid_t pid);

/* tree.c: copies of the system's files, with the device in them, in the session's directory. */
struct wt_error *wt_tree_create(const struct wt_owner *owner);
void wt_tree_destroy(const struct wt_owner *owner);

#endif /* WT_DRIVER_OWNER_INTERNAL_H */
