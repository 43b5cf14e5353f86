/* SPDX-License-Identifier: MIT */
#include "device/code-object/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/code-object/msgpack.h"

#define WHAT "cannot read the code object's metadata"
#define MAX_METADATA_BYTES ((size_t)16 << 20)
#define MAX_KERNARG_BYTES (1u << 20)

static const struct {
	const char *kind;
	enum wt_kernel_value value;
} value_kinds[] = {
	{"by_value", WT_VALUE_BY_VALUE},
	{"global_buffer", WT_VALUE_GLOBAL_BUFFER},
	{"hidden_none", WT_VALUE_HIDDEN_NONE},
	{"hidden_block_count_x", WT_VALUE_HIDDEN_BLOCK_COUNT_X},
	{"hidden_block_count_y", WT_VALUE_HIDDEN_BLOCK_COUNT_Y},
	{"hidden_block_count_z", WT_VALUE_HIDDEN_BLOCK_COUNT_Z},
	{"hidden_group_size_x", WT_VALUE_HIDDEN_GROUP_SIZE_X},
	{"hidden_group_size_y", WT_VALUE_HIDDEN_GROUP_SIZE_Y},
	{"hidden_group_size_z", WT_VALUE_HIDDEN_GROUP_SIZE_Z},
	{"hidden_remainder_x", WT_VALUE_HIDDEN_REMAINDER_X},
	{"hidden_remainder_y", WT_VALUE_HIDDEN_REMAINDER_Y},
	{"hidden_remainder_z", WT_VALUE_HIDDEN_REMAINDER_Z},
	{"hidden_grid_dims", WT_VALUE_HIDDEN_GRID_DIMS},
	{"hidden_dynamic_lds_size", WT_VALUE_HIDDEN_DYNAMIC_LDS_SIZE},
	{"hidden_private_base", WT_VALUE_HIDDEN_PRIVATE_BASE},
	{"hidden_shared_base", WT_VALUE_HIDDEN_SHARED_BASE},
	{"hidden_queue_ptr", WT_VALUE_HIDDEN_QUEUE_PTR},
	/* There is no host program behind a simulated dispatch to serve these: they stay zero,
	 * which is what a runtime passes where it offers nothing. Global offsets are always 0. */
	{"hidden_global_offset_x", WT_VALUE_HIDDEN_NONE},
	{"hidden_global_offset_y", WT_VALUE_HIDDEN_NONE},
	{"hidden_global_offset_z", WT_VALUE_HIDDEN_NONE},
	{"hidden_printf_buffer", WT_VALUE_HIDDEN_NONE},
	{"hidden_hostcall_buffer", WT_VALUE_HIDDEN_NONE},
	{"hidden_default_queue", WT_VALUE_HIDDEN_NONE},
	{"hidden_completion_action", WT_VALUE_HIDDEN_NONE},
	{"hidden_multigrid_sync_arg", WT_VALUE_HIDDEN_NONE},
	{"hidden_heap_v1", WT_VALUE_HIDDEN_NONE},
};

static enum wt_kernel_value argument_value_of(const char *kind)
{
	for (size_t i = 0; i < sizeof(value_kinds) / sizeof(value_kinds[0]); i++)
		if (strcmp(value_kinds[i].kind, kind) == 0)
			return value_kinds[i].value;
	return strncmp(kind, "hidden_", 7) == 0 ? WT_VALUE_HIDDEN_OTHER : WT_VALUE_OTHER;
}

static void argument_deinit(struct wt_kernel_argument *argument)
{
	free(argument->name);
	free(argument->kind);
}

static void kernel_deinit(struct wt_kernel_metadata *kernel)
{
	for (size_t i = 0; i < kernel->argument_count; i++)
		argument_deinit(&kernel->arguments[i]);
	free(kernel->arguments);
	free(kernel->name);
	free(kernel->symbol);
}

void wt_metadata_deinit(struct wt_metadata *metadata)
{
	for (size_t i = 0; i < metadata->kernel_count; i++)
		kernel_deinit(&metadata->kernels[i]);
	free(metadata->kernels);
	free(metadata->target);
	memset(metadata, 0, sizeof(*metadata));
}

static struct wt_error *metadata_malformed(const struct wt_cursor *cursor, const char *what)
{
	return wt_error_create(WT_ERROR_INPUT, WHAT, "NT_AMDGPU_METADATA",
			       "%s, with %zu bytes of the note left", what, cursor->remaining);
}

/* A string as one of ours. A zero byte within would hide what follows: refused. */
static struct wt_error *metadata_text_take(struct wt_cursor *cursor, char **text_ret)
{
	struct wt_msgpack_string string;
	char *text;

	if (!wt_msgpack_string(cursor, &string) || memchr(string.text, 0, string.length))
		return metadata_malformed(cursor, "no string where one must be");
	text = strndup(string.text, string.length);
	if (!text)
		return &wt_error_no_memory;
	free(*text_ret);
	*text_ret = text;
	return NULL;
}

static struct wt_error *take_u32(struct wt_cursor *cursor, uint32_t *value_ret)
{
	uint64_t value;

	if (!wt_msgpack_unsigned(cursor, &value) || value > UINT32_MAX)
		return metadata_malformed(cursor, "no number below 2^32 where one must be");
	*value_ret = (uint32_t)value;
	return NULL;
}

static struct wt_error *take_flag(struct wt_cursor *cursor, bool *flag_ret)
{
	struct wt_error *error;
	uint32_t value = 0;

	error = take_u32(cursor, &value);
	if (!error)
		*flag_ret = value != 0;
	return error;
}

static struct wt_error *metadata_value_skip(struct wt_cursor *cursor)
{
	return wt_msgpack_skip(cursor) ? NULL : metadata_malformed(cursor, "a value is malformed");
}

/* Parses the values of a map: one call for each key. */
typedef struct wt_error *(*field_parser)(struct wt_cursor *cursor, struct wt_msgpack_string key,
					 void *object);

static struct wt_error *parse_map(struct wt_cursor *cursor, field_parser parse, void *object)
{
	struct wt_error *error = NULL;
	struct wt_msgpack_string key;
	uint32_t count;

	if (!wt_msgpack_map(cursor, &count))
		return metadata_malformed(cursor, "no map where one must be");
	for (uint32_t i = 0; i < count && !error; i++) {
		if (!wt_msgpack_string(cursor, &key))
			return metadata_malformed(cursor, "a key is no string");
		error = parse(cursor, key, object);
	}
	return error;
}

static struct wt_error *parse_argument_field(struct wt_cursor *cursor, struct wt_msgpack_string key,
					     void *object)
{
	struct wt_kernel_argument *argument = object;

	if (wt_msgpack_equals(key, ".name"))
		return metadata_text_take(cursor, &argument->name);
	if (wt_msgpack_equals(key, ".value_kind"))
		return metadata_text_take(cursor, &argument->kind);
	if (wt_msgpack_equals(key, ".offset"))
		return take_u32(cursor, &argument->offset);
	if (wt_msgpack_equals(key, ".size"))
		return take_u32(cursor, &argument->size);
	return metadata_value_skip(cursor);
}

/* Add an element of zeros to an array whose room doubles whenever it is full. */
static void *metadata_array_append(void *array_pointer, size_t *count, size_t size)
{
	void **array = array_pointer;
	uint8_t *grown;

	if ((*count & (*count - 1)) == 0) {
		grown = reallocarray(*array, *count ? 2 * *count : 1, size);
		if (!grown)
			return NULL;
		*array = grown;
	}
	return memset((uint8_t *)*array + (*count)++ * size, 0, size);
}

static struct wt_error *kernel_arguments_parse(struct wt_cursor *cursor,
					       struct wt_kernel_metadata *kernel)
{
	struct wt_error *error = NULL;
	uint32_t count;

	if (!wt_msgpack_array(cursor, &count))
		return metadata_malformed(cursor, "a kernel's arguments are no array");
	for (uint32_t i = 0; i < count && !error; i++) {
		struct wt_kernel_argument *argument = metadata_array_append(
			&kernel->arguments, &kernel->argument_count, sizeof(*argument));

		if (!argument)
			return &wt_error_no_memory;
		error = parse_map(cursor, parse_argument_field, argument);
	}
	return error;
}

static struct wt_error *parse_required(struct wt_cursor *cursor, struct wt_kernel_metadata *kernel)
{
	struct wt_error *error = NULL;
	uint32_t count;

	if (!wt_msgpack_array(cursor, &count) || count != 3)
		return metadata_malformed(cursor, "a required workgroup size is no array of three");
	for (size_t i = 0; i < 3 && !error; i++)
		error = take_u32(cursor, &kernel->required_workgroup[i]);
	return error;
}

static struct wt_error *parse_kernel_field(struct wt_cursor *cursor, struct wt_msgpack_string key,
					   void *object)
{
	struct wt_kernel_metadata *kernel = object;

	if (wt_msgpack_equals(key, ".name"))
		return metadata_text_take(cursor, &kernel->name);
	if (wt_msgpack_equals(key, ".symbol"))
		return metadata_text_take(cursor, &kernel->symbol);
	if (wt_msgpack_equals(key, ".args") && !kernel->arguments)
		return kernel_arguments_parse(cursor, kernel);
	if (wt_msgpack_equals(key, ".kernarg_segment_size"))
		return take_u32(cursor, &kernel->kernarg_size);
	if (wt_msgpack_equals(key, ".kernarg_segment_align"))
		return take_u32(cursor, &kernel->kernarg_align);
	if (wt_msgpack_equals(key, ".max_flat_workgroup_size"))
		return take_u32(cursor, &kernel->max_workgroup_size);
	if (wt_msgpack_equals(key, ".reqd_workgroup_size"))
		return parse_required(cursor, kernel);
	if (wt_msgpack_equals(key, ".uniform_work_group_size"))
		return take_flag(cursor, &kernel->uniform_workgroups);
	if (wt_msgpack_equals(key, ".uses_dynamic_stack"))
		return take_flag(cursor, &kernel->dynamic_stack);
	return metadata_value_skip(cursor);
}

static struct wt_error *check_argument(const struct wt_kernel_metadata *kernel, size_t index)
{
	struct wt_kernel_argument *argument = &kernel->arguments[index];

	if (!argument->kind)
		return wt_error_create(WT_ERROR_INPUT, WHAT, "NT_AMDGPU_METADATA",
				       "kernel %s: argument %zu has no .value_kind", kernel->name,
				       index);
	argument->value = argument_value_of(argument->kind);
	if (argument->offset > kernel->kernarg_size ||
	    argument->size > kernel->kernarg_size - argument->offset)
		return wt_error_create(
			WT_ERROR_INPUT, WHAT, "NT_AMDGPU_METADATA",
			"kernel %s: argument %zu, %u bytes at %u, is not within the %u "
			"bytes of its arguments",
			kernel->name, index, argument->size, argument->offset,
			kernel->kernarg_size);
	return NULL;
}

static struct wt_error *check_kernel(const struct wt_kernel_metadata *kernel)
{
	struct wt_error *error = NULL;

	if (!kernel->name || !kernel->symbol)
		return wt_error_create(WT_ERROR_INPUT, WHAT, "NT_AMDGPU_METADATA",
				       "a kernel has no .name or no .symbol");
	if (kernel->kernarg_size > MAX_KERNARG_BYTES)
		return wt_error_create(WT_ERROR_LIMIT, WHAT, "NT_AMDGPU_METADATA",
				       "kernel %s: %u bytes of arguments; at most %u are accepted",
				       kernel->name, kernel->kernarg_size, MAX_KERNARG_BYTES);
	for (size_t i = 0; i < kernel->argument_count && !error; i++)
		error = check_argument(kernel, i);
	return error;
}

static struct wt_error *parse_root_field(struct wt_cursor *cursor, struct wt_msgpack_string key,
					 void *object)
{
	struct wt_metadata *metadata = object;
	struct wt_error *error = NULL;
	uint32_t count;

	if (wt_msgpack_equals(key, "amdhsa.target"))
		return metadata_text_take(cursor, &metadata->target);
	if (!wt_msgpack_equals(key, "amdhsa.kernels"))
		return metadata_value_skip(cursor);
	if (!wt_msgpack_array(cursor, &count))
		return metadata_malformed(cursor, "amdhsa.kernels is no array");
	for (uint32_t i = 0; i < count && !error; i++) {
		struct wt_kernel_metadata *kernel = metadata_array_append(
			&metadata->kernels, &metadata->kernel_count, sizeof(*kernel));

		if (!kernel)
			return &wt_error_no_memory;
		error = parse_map(cursor, parse_kernel_field, kernel);
		if (!error)
			error = check_kernel(kernel);
	}
	return error;
}

struct wt_error *wt_metadata_parse(const uint8_t *data, size_t size,
				   struct wt_metadata *metadata_ret)
{
	wt_cleanup(wt_metadata_deinit) struct wt_metadata metadata = {0};
	struct wt_cursor cursor = wt_cursor_init(data, size);
	struct wt_error *error;

	if (size > MAX_METADATA_BYTES)
		return wt_error_create(WT_ERROR_LIMIT, WHAT, "NT_AMDGPU_METADATA",
				       "the note has %zu bytes; at most %zu are accepted", size,
				       MAX_METADATA_BYTES);
	error = parse_map(&cursor, parse_root_field, &metadata);
	if (error)
		return error;
	*metadata_ret = metadata;
	memset(&metadata, 0, sizeof(metadata));
	return NULL;
}
