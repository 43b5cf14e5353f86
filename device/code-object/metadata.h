/* SPDX-License-Identifier: MIT */
/*
 * The metadata of a code object, which describes its kernels: the MessagePack document in its note
 * NT_AMDGPU_METADATA (LLVM: AMDGPUUsage, "Code Object Metadata", versions 3 to 5).
 */
#ifndef WT_DEVICE_CODE_OBJECT_METADATA_H
#define WT_DEVICE_CODE_OBJECT_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/buffer.h"

/*
 * Read MessagePack from untrusted bytes, value by value. Nothing is allocated, so that a wrong count in
 * the input does no harm. Each function returns false if the next value is of another type or the bytes
 * end too early; the caller must then reject the whole document.
 */

/** A string in the input, not terminated. */
struct wt_msgpack_string {
	const char *text;
	size_t length;
};

/** Read the head of a map or array: @count_ret pairs of key and value, or values, follow. */
bool wt_msgpack_map(struct wt_cursor *cursor, uint32_t *count_ret);
bool wt_msgpack_array(struct wt_cursor *cursor, uint32_t *count_ret);

bool wt_msgpack_string(struct wt_cursor *cursor, struct wt_msgpack_string *string_ret);

/** Read a whole number that is not negative, or a boolean as 0 or 1. */
bool wt_msgpack_unsigned(struct wt_cursor *cursor, uint64_t *value_ret);

/** Skip one value of any type with everything inside it. */
bool wt_msgpack_skip(struct wt_cursor *cursor);

bool wt_msgpack_equals(struct wt_msgpack_string string, const char *text);

/* Kinds of kernel arguments. The workload gives explicit ones; hidden ones follow from the dispatch. */
enum wt_kernel_value {
	WT_VALUE_BY_VALUE,
	WT_VALUE_GLOBAL_BUFFER,
	WT_VALUE_OTHER, /* explicit, but not supported: `kind` has its name */
	WT_VALUE_HIDDEN_NONE,
	WT_VALUE_HIDDEN_BLOCK_COUNT_X,
	WT_VALUE_HIDDEN_BLOCK_COUNT_Y,
	WT_VALUE_HIDDEN_BLOCK_COUNT_Z,
	WT_VALUE_HIDDEN_GROUP_SIZE_X,
	WT_VALUE_HIDDEN_GROUP_SIZE_Y,
	WT_VALUE_HIDDEN_GROUP_SIZE_Z,
	WT_VALUE_HIDDEN_REMAINDER_X,
	WT_VALUE_HIDDEN_REMAINDER_Y,
	WT_VALUE_HIDDEN_REMAINDER_Z,
	WT_VALUE_HIDDEN_GRID_DIMS,
	WT_VALUE_HIDDEN_DYNAMIC_LDS_SIZE,
	WT_VALUE_HIDDEN_PRIVATE_BASE,
	WT_VALUE_HIDDEN_SHARED_BASE,
	WT_VALUE_HIDDEN_QUEUE_PTR,
	WT_VALUE_HIDDEN_OTHER, /* not supported */
};

struct wt_kernel_argument {
	char *name; /* NULL if it has none */
	char *kind; /* its name in the metadata: "by_value" */
	enum wt_kernel_value value;
	uint32_t offset, size;
};

struct wt_kernel_metadata {
	char *name;   /* "vecadd" */
	char *symbol; /* "vecadd.kd" */
	uint32_t kernarg_size, kernarg_align;
	uint32_t max_workgroup_size;
	uint32_t required_workgroup[3]; /* 0, 0, 0 if any size is allowed */
	bool uniform_workgroups;	/* the grid must be a multiple of the workgroup size */
	bool dynamic_stack;
	struct wt_kernel_argument *arguments;
	size_t argument_count;
};

struct wt_metadata {
	char *target; /* "amdgcn-amd-amdhsa--gfx942"; NULL if the metadata does not have it */
	struct wt_kernel_metadata *kernels;
	size_t kernel_count;
};

/**
 * Parse the contents of the note.
 *
 * @metadata_ret: for the caller to wt_metadata_deinit() after success.
 *
 * Errors: WT_ERROR_INPUT, which names the kernel and the field.
 */
struct wt_error *wt_metadata_parse(const uint8_t *data, size_t size,
				   struct wt_metadata *metadata_ret);
void wt_metadata_deinit(struct wt_metadata *metadata);

/** Whether an argument is explicit: its value comes from the workload. */
static inline bool wt_kernel_argument_explicit(const struct wt_kernel_argument *argument)
{
	return argument->value <= WT_VALUE_OTHER;
}

#endif /* WT_DEVICE_CODE_OBJECT_METADATA_H */
