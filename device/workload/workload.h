/* SPDX-License-Identifier: MIT */
/*
 * A workload: what the simulated GPU is to run, as a JSON file.
 *
 *   architecture   name of the agents' architecture, unless an agent has its own
 *   code_objects   files; loaded in this order, once each, for all agents. In place of a name, an
 *                  object { file, load_after, unload_after }: the program loads it when the dispatch
 *                  of that number (from 0) has completed, and not at its start; it unloads it when
 *                  that dispatch and all that use the code object have completed. A dispatch waits
 *                  for the code object of its kernel
 *   end            optional: what the program does when all is done: "stay" (if absent), "unload"
 *                  its runtime, or "exit"
 *   code_objects_from  optional: "file" (if absent) or "memory": where they are said to have been loaded
 *                  from; for "memory", the files' bytes are in the device's memory, too
 *   buffers        object of NAME: { bytes, fill }; fill is absent (zeros), or one of
 *                  { "constant": { type, value } }, { "iota": { type, start, step } },
 *                  { "file": PATH }
 *   agents         optional, array of { architecture }; one agent if absent
 *   queues         optional, array of { agent, packets }; agent 0 and 64 packets if a field is
 *                  absent, and one such queue for each agent if the array is
 *   dispatches     array of { kernel, grid, workgroup, dynamic_group_bytes, arguments, agent,
 *                  queue }; agent and queue are numbers, counted from 0; without a queue, the
 *                  agent's first
 *
 * Paths are relative to the workload. An argument is an object of one kind: { "buffer": NAME } with
 * an optional "offset"; i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 with a number; "bytes" with
 * hex digits. Whole numbers above 2^63 - 1 are given to u64 as a string, "0x...".
 *
 * Element i of an iota is start + i * step, modulo two to the width for whole numbers; for f32 and
 * f64 computed as double and then rounded.
 */
#ifndef WT_DEVICE_WORKLOAD_WORKLOAD_H
#define WT_DEVICE_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gfx/architecture/architecture.h"

#define WT_WORKLOAD_MAX_CODE_OBJECTS 256
#define WT_WORKLOAD_MAX_BUFFERS 4096
#define WT_WORKLOAD_MAX_BUFFER_BYTES (UINT64_C(1) << 30) /* all buffers together */
#define WT_WORKLOAD_MAX_AGENTS 16
#define WT_WORKLOAD_MAX_QUEUES 64
#define WT_WORKLOAD_MAX_PACKETS 65536 /* of one ring */
#define WT_WORKLOAD_MAX_DISPATCHES 65536
#define WT_WORKLOAD_MAX_ARGUMENTS 512
#define WT_WORKLOAD_MAX_ARGUMENT_BYTES 4096
#define WT_WORKLOAD_MAX_WORKGROUP 1024 /* work-items */

enum wt_fill_kind {
	WT_FILL_ZEROS,
	WT_FILL_ELEMENTS, /* constant or iota */
	WT_FILL_FILE,
};

struct wt_scalar_type {
	const char *name;
	uint32_t size; /* bytes */
	bool real, is_signed;
};

struct wt_fill {
	enum wt_fill_kind kind;
	const struct wt_scalar_type *type;
	uint64_t start, step;	      /* whole numbers */
	double real_start, real_step; /* f32 and f64 */
	char *path;		      /* of the file, not relative to the workload any more */
};

struct wt_workload_buffer {
	char *name;
	uint64_t size;
	struct wt_fill fill;
};

struct wt_workload_argument {
	const char *kind; /* "buffer", "u32", ..., "bytes": static text */
	bool is_buffer;
	size_t buffer; /* index */
	uint64_t offset;
	uint8_t *data; /* of the other kinds, little endian */
	size_t size;
};

struct wt_workload_code_object {
	char *path; /* not relative to the workload any more */
	bool has_load_after, has_unload_after;
	size_t load_after, unload_after; /* dispatches */
};

enum wt_workload_end {
	WT_WORKLOAD_STAYS,
	WT_WORKLOAD_UNLOADS,
	WT_WORKLOAD_EXITS,
};

struct wt_workload_agent {
	const struct gfx_architecture *architecture;
};

struct wt_workload_queue {
	size_t agent;
	uint32_t packets; /* a power of two */
};

struct wt_workload_dispatch {
	char *kernel;
	uint32_t grid[3], workgroup[3]; /* in work-items */
	uint32_t dynamic_group_bytes;
	size_t queue;
	struct wt_workload_argument *arguments;
	size_t argument_count;
};

struct wt_workload {
	char *path;
	struct wt_workload_code_object *code_objects;
	size_t code_object_count;
	enum wt_workload_end end;
	bool code_objects_in_memory;
	struct wt_workload_buffer *buffers;
	size_t buffer_count;
	struct wt_workload_agent *agents;
	size_t agent_count;
	struct wt_workload_queue *queues;
	size_t queue_count;
	struct wt_workload_dispatch *dispatches;
	size_t dispatch_count;
};

/**
 * Read a workload file. Nothing that it names is opened.
 *
 * Errors name the file and the place in it; a kernel's name and arguments are checked when the code
 * objects are loaded.
 */
struct wt_error *wt_workload_create(const char *path, struct wt_workload **workload_ret);
void wt_workload_destroy(struct wt_workload *workload);

/**
 * Write a buffer's initial contents.
 *
 * @data: `size` bytes of the buffer, zeros.
 *
 * Errors: a file that cannot be read or is not as long as the buffer.
 */
struct wt_error *wt_workload_fill(const struct wt_workload *workload, size_t buffer, uint8_t *data);

#endif /* WT_DEVICE_WORKLOAD_WORKLOAD_H */
