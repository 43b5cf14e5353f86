/* SPDX-License-Identifier: MIT */
/* The dispatches of a workload. */
#include "device/workload/dispatch.h"

#include <string.h>

#include "device/workload/json.h"
#include "device/workload/typed-value.h"

static struct wt_error *find_buffer(const struct wt_workload *workload,
				    const struct wt_place *place, json_t *value, size_t *buffer_ret)
{
	struct wt_error *error;
	const char *name;

	error = wt_json_string(place, value, &name);
	if (error)
		return error;
	for (size_t i = 0; i < workload->buffer_count; i++) {
		if (strcmp(workload->buffers[i].name, name) == 0) {
			*buffer_ret = i;
			return NULL;
		}
	}
	return wt_place_error(WT_ERROR_NOT_FOUND, place, "no buffer \"%s\" in \"buffers\"", name);
}

static struct wt_error *parse_pointer(const struct wt_workload *workload,
				      const struct wt_place *place, json_t *value,
				      struct wt_workload_argument *argument_ret)
{
	static const char *const fields[] = {"buffer", "offset", NULL};
	const struct wt_place buffer_place = wt_place_field(place, "buffer");
	const struct wt_place offset_place = wt_place_field(place, "offset");
	json_t *offset = json_object_get(value, "offset");
	struct wt_error *error;
	int64_t number = 0;

	error = wt_json_check_object(place, value, fields);
	if (!error)
		error = find_buffer(workload, &buffer_place, json_object_get(value, "buffer"),
				    &argument_ret->buffer);
	if (!error && offset)
		error = wt_json_integer(&offset_place, offset, 0,
					(int64_t)workload->buffers[argument_ret->buffer].size,
					&number);
	argument_ret->kind = "buffer";
	argument_ret->is_buffer = true;
	argument_ret->offset = (uint64_t)number;
	return error;
}

static struct wt_error *workload_argument_parse(const struct wt_workload *workload,
						const struct wt_place *place, json_t *value,
						struct wt_workload_argument *argument_ret)
{
	const char *kind = json_object_iter_key(json_object_iter(value));
	const struct wt_place field = wt_place_field(place, kind ? kind : "");
	const struct wt_scalar_type *type = kind ? wt_scalar_type_by_name(kind) : NULL;
	json_t *content = kind ? json_object_get(value, kind) : NULL;
	struct wt_error *error;

	if (!json_is_object(value))
		return wt_place_error(WT_ERROR_INPUT, place,
				      "expected an object such as {\"u32\": 1}, found %s",
				      wt_json_kind(value));
	if (json_object_get(value, "buffer"))
		return parse_pointer(workload, place, value, argument_ret);
	if (json_object_size(value) != 1)
		return wt_place_error(WT_ERROR_INPUT, place,
				      "%zu fields; an argument has its kind and nothing else",
				      json_object_size(value));
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): an object of one field has a kind */
	if (strcmp(kind, "bytes") == 0) {
		argument_ret->kind = "bytes";
		return wt_hex_parse(&field, content, &argument_ret->data, &argument_ret->size);
	}
	if (strcmp(kind, "address") == 0) {
		argument_ret->is_address = true;
		type = wt_scalar_type_by_name("u64");
	}
	if (!type)
		return wt_place_error(
			WT_ERROR_INPUT, &field,
			"unknown kind of argument; known: buffer, address, i8, u8, i16, u16, i32, "
			"u32, i64, u64, f32, f64 and bytes");
	error = wt_json_allocate(1, 8, &argument_ret->data);
	if (error)
		return error;
	argument_ret->kind = argument_ret->is_address ? "address" : type->name;
	argument_ret->size = type->size;
	return wt_scalar_parse(&field, content, type, argument_ret->data);
}

static struct wt_error *workload_arguments_parse(const struct wt_workload *workload,
						 const struct wt_place *parent, json_t *object,
						 struct wt_workload_dispatch *dispatch)
{
	const struct wt_place place = wt_place_field(parent, "arguments");
	struct wt_error *error;
	json_t *array, *value;
	size_t index;

	error = wt_json_field(parent, object, "arguments", &array);
	if (!error)
		error = wt_json_check_array(&place, array, 0, WT_WORKLOAD_MAX_ARGUMENTS);
	if (!error)
		error = wt_json_allocate(json_array_size(array), sizeof(*dispatch->arguments),
					 &dispatch->arguments);
	if (error)
		return error;
	dispatch->argument_count = json_array_size(array);
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		error = workload_argument_parse(workload, &element, value,
						&dispatch->arguments[index]);
		if (error)
			return error;
	}
	return NULL;
}

/* Three numbers of 1 to @maximum. */
static struct wt_error *parse_sizes(const struct wt_place *parent, json_t *object, const char *name,
				    int64_t maximum, uint32_t sizes_ret[3])
{
	const struct wt_place place = wt_place_field(parent, name);
	struct wt_error *error;
	json_t *array, *value;
	int64_t number = 0;
	size_t index;

	error = wt_json_field(parent, object, name, &array);
	if (!error)
		error = wt_json_check_array(&place, array, 3, 3);
	if (error)
		return error;
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		error = wt_json_integer(&element, value, 1, maximum, &number);
		if (error)
			return error;
		sizes_ret[index] = (uint32_t)number;
	}
	return NULL;
}

static struct wt_error *parse_geometry(const struct wt_place *place, json_t *object,
				       struct wt_workload_dispatch *dispatch)
{
	const struct wt_place workgroup_place = wt_place_field(place, "workgroup");
	const struct wt_place group_bytes_place = wt_place_field(place, "dynamic_group_bytes");
	json_t *group_bytes = json_object_get(object, "dynamic_group_bytes");
	const uint32_t *workgroup = dispatch->workgroup;
	struct wt_error *error;
	int64_t number = 0;

	error = parse_sizes(place, object, "grid", UINT32_MAX, dispatch->grid);
	if (!error)
		error = parse_sizes(place, object, "workgroup", WT_WORKLOAD_MAX_WORKGROUP,
				    dispatch->workgroup);
	if (!error && group_bytes)
		error = wt_json_integer(&group_bytes_place, group_bytes, 0, UINT32_MAX, &number);
	if (error)
		return error;
	dispatch->dynamic_group_bytes = (uint32_t)number;
	if ((uint64_t)workgroup[0] * workgroup[1] * workgroup[2] > WT_WORKLOAD_MAX_WORKGROUP)
		return wt_place_error(WT_ERROR_LIMIT, &workgroup_place,
				      "%u x %u x %u work-items; a workgroup has at most %d",
				      workgroup[0], workgroup[1], workgroup[2],
				      WT_WORKLOAD_MAX_WORKGROUP);
	return NULL;
}

/* The queue that "queue" and "agent" mean. */
static struct wt_error *dispatch_target_parse(const struct wt_workload *workload,
					      const struct wt_place *place, json_t *object,
					      struct wt_workload_dispatch *dispatch)
{
	const struct wt_place agent_place = wt_place_field(place, "agent");
	bool has_agent, has_queue;
	struct wt_error *error;
	size_t agent = 0;

	error = wt_json_index(place, object, "queue", workload->queue_count, &has_queue,
			      &dispatch->queue);
	if (!error)
		error = wt_json_index(place, object, "agent", workload->agent_count, &has_agent,
				      &agent);
	if (error || (has_queue && !has_agent))
		return error;
	if (has_queue && workload->queues[dispatch->queue].agent != agent)
		return wt_place_error(WT_ERROR_INPUT, &agent_place,
				      "queue %zu belongs to agent %zu, not to agent %zu",
				      dispatch->queue, workload->queues[dispatch->queue].agent,
				      agent);
	if (has_queue)
		return NULL;
	for (size_t i = 0; i < workload->queue_count; i++) {
		if (workload->queues[i].agent == agent) {
			dispatch->queue = i;
			return NULL;
		}
	}
	return wt_place_error(WT_ERROR_INPUT, has_agent ? &agent_place : place,
			      "agent %zu has no queue in \"queues\"", agent);
}

static struct wt_error *parse_dispatch(const struct wt_workload *workload,
				       const struct wt_place *place, json_t *value,
				       struct wt_workload_dispatch *dispatch)
{
	static const char *const fields[] = {
		"kernel",    "grid",  "workgroup", "dynamic_group_bytes",
		"arguments", "agent", "queue",	   NULL};
	const struct wt_place kernel_place = wt_place_field(place, "kernel");
	struct wt_error *error;
	const char *name;
	json_t *kernel;

	error = wt_json_check_object(place, value, fields);
	if (!error)
		error = wt_json_field(place, value, "kernel", &kernel);
	if (!error)
		error = wt_json_string(&kernel_place, kernel, &name);
	if (error)
		return error;
	dispatch->kernel = strdup(name);
	if (!dispatch->kernel)
		return &wt_error_no_memory;
	error = parse_geometry(place, value, dispatch);
	if (!error)
		error = dispatch_target_parse(workload, place, value, dispatch);
	if (!error)
		error = workload_arguments_parse(workload, place, value, dispatch);
	return error;
}

struct wt_error *wt_workload_parse_dispatches(struct wt_workload *workload, json_t *root)
{
	const struct wt_place place = wt_place_field(NULL, "dispatches");
	struct wt_error *error;
	json_t *array, *value;
	size_t index;

	error = wt_json_field(NULL, root, "dispatches", &array);
	if (!error)
		error = wt_json_check_array(&place, array, 1, WT_WORKLOAD_MAX_DISPATCHES);
	if (!error)
		error = wt_json_allocate(json_array_size(array), sizeof(*workload->dispatches),
					 &workload->dispatches);
	if (error)
		return error;
	workload->dispatch_count = json_array_size(array);
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		error = parse_dispatch(workload, &element, value, &workload->dispatches[index]);
		if (error)
			return error;
	}
	return NULL;
}
