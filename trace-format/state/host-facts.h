/* SPDX-License-Identifier: MIT */
/*
 * Facts of the host in a recording: the machine, and the program whose GPU code was recorded (trace.proto, message
 * Host). A struct wt_host owns its strings and arrays: wt_host_destroy() frees them.
 */
#ifndef WT_TRACE_FORMAT_STATE_HOST_FACTS_H
#define WT_TRACE_FORMAT_STATE_HOST_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_host_version {
	char *of, *text;
};

struct wt_host_map {
	uint64_t start, end, offset;
	char access[8];
	char *path;	      /* "" for memory without a name */
	uint8_t build_id[32]; /* only its first bytes if it is longer */
	size_t build_id_size; /* 0 if there is none */
};

struct wt_host_frame {
	uint64_t address, symbol_offset;
	char *symbol, *path; /* "" where there is none */
	char *file;	     /* of the source; "" where it is not known */
	uint32_t line;	     /* 0 where it is not known */
};

struct wt_host_thread {
	uint64_t id;
	char *name, *state, *waiting;
	struct wt_host_frame *frames;
	size_t frame_count;
};

/* The numbers of trace.proto. */
enum wt_allocation_kind {
	WT_ALLOCATION_UNKNOWN,
	WT_ALLOCATION_DEVICE,
	WT_ALLOCATION_FINE,
	WT_ALLOCATION_COARSE,
	WT_ALLOCATION_PINNED,
	WT_ALLOCATION_RESERVED,
	WT_ALLOCATION_MAPPED,
	WT_ALLOCATION_SHARED,
	WT_ALLOCATION_MANAGED,
	WT_ALLOCATION_BLOCK,
	WT_ALLOCATION_KINDS
};

/* A call of the runtime that has made a buffer, or taken it back. */
struct wt_host_allocating {
	char *function; /* "" if it is not known, or there was none */
	int64_t time;	/* nanoseconds since the trace began */
	uint64_t thread;
	uint32_t stack; /* number of one of `stacks`, from 1; 0 if it is not known */
};

struct wt_host_allocation {
	uint64_t address, size;
	uint64_t host_address; /* where the program has it, if that is elsewhere; else 0 */
	uint32_t kind;	       /* enum wt_allocation_kind, or one of a later version */
	bool closed;	       /* of MAPPED: no GPU had been given access */
	char *agent;	       /* "" if it is not known */
	struct wt_host_allocating made, freed;
};

/* The page in which a GPU's access failed, as the kernel's driver tells it. */
struct wt_host_device_fault {
	uint32_t gpu_id;
	uint64_t address;
};

/* A line of the kernel's log. */
struct wt_host_kernel_line {
	int64_t time; /* nanoseconds since the trace began */
	char *text;
};

struct wt_host_stack {
	struct wt_host_frame *frames;
	size_t frame_count;
};

struct wt_host_variable {
	char *name, *value; /* value: NULL if it was left out */
};

/* A queue that the runtime has given up, and what it told the program of that. */
struct wt_host_queue_error {
	uint64_t ring_address; /* of the queue's packets */
	int64_t status;	       /* hsa_status_t */
	char *text;	       /* the runtime's words; "" for none */
};

/* A growing array: wt_host_add() makes room. */
#define WT_HOST_LIST(type, name)                                                                   \
	type *name;                                                                                \
	size_t name##_count, name##_capacity

struct wt_host {
	uint64_t process_id, time;
	char *executable; /* NULL if not known */
	WT_HOST_LIST(struct wt_host_version, versions);
	WT_HOST_LIST(char *, command_line);
	WT_HOST_LIST(struct wt_host_map, maps);
	WT_HOST_LIST(struct wt_host_thread, threads);
	WT_HOST_LIST(struct wt_host_variable, environment);
	WT_HOST_LIST(char *, missing);
	WT_HOST_LIST(struct wt_host_allocation, allocations);
	WT_HOST_LIST(struct wt_host_stack, stacks);
	WT_HOST_LIST(struct wt_host_device_fault, device_faults);
	WT_HOST_LIST(struct wt_host_kernel_line, kernel_lines);
	WT_HOST_LIST(char *, device_dumps);
	bool allocations_known; /* all that are near what was looked at are there */
	bool memory_closed; /* GPUs have no access to memory of the program but to that of `allocations` */
	struct wt_host_queue_error *queue_error; /* NULL if there was none */
};

/** Create an empty one; NULL if there is no memory. */
struct wt_host *wt_host_create(void);
void wt_host_destroy(struct wt_host *host);

/** Is that a variable by which AMD's runtimes are told how to run (HSA_, HIP_, ROCR_, AMD_)? It decides what can fail. */
bool wt_host_is_of_runtime(const char *variable);

/** Append a zeroed element to a list and return it; NULL if there is no memory. Used as WT_HOST_ADD(host, maps). */
void *wt_host_add(void **list, size_t *count, size_t *capacity, size_t size);
#define WT_HOST_ADD(host, list)                                                                    \
	((__typeof__((host)->list))wt_host_add((void **)&(host)->list, &(host)->list##_count,      \
					       &(host)->list##_capacity, sizeof(*(host)->list)))

#endif /* WT_TRACE_FORMAT_STATE_HOST_FACTS_H */
