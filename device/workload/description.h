/* SPDX-License-Identifier: MIT */
/* A workload as data, and the limits that its reader enforces. workload.h explains the fields. */
#ifndef WT_DEVICE_WORKLOAD_DESCRIPTION_H
#define WT_DEVICE_WORKLOAD_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gfx/architecture/architecture.h"

#define WT_WORKLOAD_MAX_CODE_OBJECTS 256
#define WT_WORKLOAD_MAX_BUFFERS 4096
#define WT_WORKLOAD_MAX_BUFFER_BYTES (UINT64_C(1) << 30) /* all buffers together */
#define WT_WORKLOAD_MAX_AGENTS 16
#define WT_WORKLOAD_MAX_QUEUES 1024
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
	uint64_t start, step;	      /* of whole numbers */
	double real_start, real_step; /* of f32 and f64 */
	char *path;		      /* to open: relative to the current directory, or absolute */
};

struct wt_workload_buffer {
	char *name;
	uint64_t size;
	struct wt_fill fill;
	bool has_free_after;
	size_t free_after; /* index of a dispatch */
};

struct wt_workload_argument {
	const char *kind; /* "buffer", "address", "u32", ..., "bytes": static text */
	bool is_buffer, is_address;
	size_t buffer; /* index */
	uint64_t offset;
	uint8_t *data; /* the value of other kinds, little endian */
	size_t size;
};

struct wt_workload_code_object {
	char *path; /* to open: relative to the current directory, or absolute */
	bool has_load_after, has_unload_after;
	size_t load_after, unload_after; /* indices of dispatches */
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

#endif /* WT_DEVICE_WORKLOAD_DESCRIPTION_H */
