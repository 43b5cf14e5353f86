/* SPDX-License-Identifier: MIT */
#include "device/code-object/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/* First bytes of values; below 0x80 and from 0xe0 on they are numbers themselves. */
enum {
	FIXMAP = 0x80,
	FIXARRAY = 0x90,
	FIXSTR = 0xa0,
	NIL = 0xc0,
	UNUSED = 0xc1,
	FALSE = 0xc2,
	TRUE = 0xc3,
	BIN8 = 0xc4,
	BIN32 = 0xc6,
	EXT8 = 0xc7,
	EXT32 = 0xc9,
	FLOAT32 = 0xca,
	FLOAT64 = 0xcb,
	UINT8 = 0xcc,
	UINT64 = 0xcf,
	INT8 = 0xd0,
	INT64 = 0xd3,
	FIXEXT1 = 0xd4,
	FIXEXT16 = 0xd8,
	STR8 = 0xd9,
	STR32 = 0xdb,
	ARRAY16 = 0xdc,
	ARRAY32 = 0xdd,
	MAP16 = 0xde,
	MAP32 = 0xdf,
	NEGATIVE = 0xe0,
};

static bool take_byte(struct wt_cursor *cursor, uint8_t *byte_ret)
{
	const uint8_t *data;

	if (!wt_cursor_take(cursor, 1, &data))
		return false;
	*byte_ret = *data;
	return true;
}

/* A number of 1, 2, 4 or 8 bytes, most significant first. */
static bool msgpack_number_take(struct wt_cursor *cursor, size_t size, uint64_t *value_ret)
{
	const uint8_t *data;
	uint64_t value = 0;

	if (!wt_cursor_take(cursor, size, &data))
		return false;
	for (size_t i = 0; i < size; i++)
		value = value << 8 | data[i];
	*value_ret = value;
	return true;
}

/* A count or length of the value that starts with @first, whose short form is @fixed with @mask. */
static bool take_count(struct wt_cursor *cursor, uint8_t first, uint8_t fixed, uint8_t mask,
		       uint8_t smallest, size_t smallest_size, uint32_t *count_ret)
{
	uint64_t count;

	if ((first & ~mask) == fixed) {
		*count_ret = first & mask;
		return true;
	}
	if (first < smallest || (smallest_size << (first - smallest)) > 4)
		return false;
	if (!msgpack_number_take(cursor, smallest_size << (first - smallest), &count))
		return false;
	*count_ret = (uint32_t)count;
	return true;
}

bool wt_msgpack_map(struct wt_cursor *cursor, uint32_t *count_ret)
{
	uint8_t first;

	return take_byte(cursor, &first) &&
	       ((first & 0xf0) == FIXMAP || first == MAP16 || first == MAP32) &&
	       take_count(cursor, first, FIXMAP, 0x0f, MAP16, 2, count_ret);
}

bool wt_msgpack_array(struct wt_cursor *cursor, uint32_t *count_ret)
{
	uint8_t first;

	return take_byte(cursor, &first) &&
	       ((first & 0xf0) == FIXARRAY || first == ARRAY16 || first == ARRAY32) &&
	       take_count(cursor, first, FIXARRAY, 0x0f, ARRAY16, 2, count_ret);
}

bool wt_msgpack_string(struct wt_cursor *cursor, struct wt_msgpack_string *string_ret)
{
	const uint8_t *data;
	uint32_t length;
	uint8_t first;

	if (!take_byte(cursor, &first) ||
	    ((first & 0xe0) != FIXSTR && (first < STR8 || first > STR32)) ||
	    !take_count(cursor, first, FIXSTR, 0x1f, STR8, 1, &length) ||
	    !wt_cursor_take(cursor, length, &data))
		return false;
	*string_ret = (struct wt_msgpack_string){(const char *)data, length};
	return true;
}

bool wt_msgpack_unsigned(struct wt_cursor *cursor, uint64_t *value_ret)
{
	uint64_t value;
	uint8_t first;

	if (!take_byte(cursor, &first))
		return false;
	if (first < FIXMAP) {
		value = first;
	} else if (first == FALSE || first == TRUE) {
		value = first == TRUE;
	} else if (first >= UINT8 && first <= UINT64) {
		if (!msgpack_number_take(cursor, (size_t)1 << (first - UINT8), &value))
			return false;
	} else if (first >= INT8 && first <= INT64) {
		size_t size = (size_t)1 << (first - INT8);

		if (!msgpack_number_take(cursor, size, &value) || value >> (8 * size - 1))
			return false;
	} else {
		return false;
	}
	*value_ret = value;
	return true;
}

/* Bytes behind the first one of a number, a string, or binary data; values within it for the
 * others. */
static bool skip_extent(struct wt_cursor *cursor, uint8_t first, uint64_t *bytes_ret,
			uint64_t *values_ret)
{
	uint32_t count = 0;
	bool legal = true;

	*bytes_ret = *values_ret = 0;
	if (first < FIXMAP || first >= NEGATIVE || first == NIL || first == FALSE || first == TRUE)
		return true;
	if ((first & 0xf0) == FIXMAP || first == MAP16 || first == MAP32) {
		legal = take_count(cursor, first, FIXMAP, 0x0f, MAP16, 2, &count);
		*values_ret = 2 * (uint64_t)count;
	} else if ((first & 0xf0) == FIXARRAY || first == ARRAY16 || first == ARRAY32) {
		legal = take_count(cursor, first, FIXARRAY, 0x0f, ARRAY16, 2, &count);
		*values_ret = count;
	} else if ((first & 0xe0) == FIXSTR || (first >= STR8 && first <= STR32)) {
		legal = take_count(cursor, first, FIXSTR, 0x1f, STR8, 1, &count);
		*bytes_ret = count;
	} else if (first >= BIN8 && first <= BIN32) {
		legal = take_count(cursor, first, UNUSED, 0, BIN8, 1, &count);
		*bytes_ret = count;
	} else if (first >= EXT8 && first <= EXT32) {
		legal = take_count(cursor, first, UNUSED, 0, EXT8, 1, &count);
		*bytes_ret = (uint64_t)count + 1;
	} else if (first >= FLOAT32 && first <= FLOAT64) {
		*bytes_ret = first == FLOAT32 ? 4 : 8;
	} else if (first >= UINT8 && first <= INT64) {
		*bytes_ret = (uint64_t)1 << ((first - UINT8) & 3);
	} else if (first >= FIXEXT1 && first <= FIXEXT16) {
		*bytes_ret = ((uint64_t)1 << (first - FIXEXT1)) + 1;
	} else {
		legal = false;
	}
	return legal;
}

bool wt_msgpack_skip(struct wt_cursor *cursor)
{
	uint64_t left = 1;

	/* Counted, not nested: depth in the input costs no stack here. */
	while (left) {
		uint64_t bytes, values;
		const uint8_t *data;
		uint8_t first;

		if (!take_byte(cursor, &first) || !skip_extent(cursor, first, &bytes, &values) ||
		    !wt_cursor_take(cursor, bytes, &data))
			return false;
		left--;
		/* Each value takes a byte or more: more of them than bytes cannot be. */
		if (values > cursor->remaining || left > cursor->remaining - values)
			return false;
		left += values;
	}
	return true;
}

bool wt_msgpack_equals(struct wt_msgpack_string string, const char *text)
{
	return string.length == strlen(text) && memcmp(string.text, text, string.length) == 0;
}

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
