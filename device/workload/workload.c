/* SPDX-License-Identifier: MIT */
#include "device/workload/workload.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "device/whole-file.h"
#include "device/workload/description.h"
#include "device/workload/json.h"
#include "device/workload/typed-value.h"

/* Text of a workload; its data is in other files. */
#define MAX_WORKLOAD_BYTES ((size_t)16 << 20)
#define DEFAULT_PACKETS 64

/* The dispatches of a workload. */

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

/* Parse the field "dispatches". The agents, queues and buffers must have been parsed before. */
static struct wt_error *workload_parse_dispatches(struct wt_workload *workload, json_t *root)
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

static void json_cleanup(json_t **value)
{
	json_decref(*value);
}

/* @path as the system needs it: relative ones start at the workload's folder. NULL: no memory. */
static char *resolve_path(const struct wt_workload *workload, const char *path)
{
	const char *slash = strrchr(workload->path, '/');
	char *resolved;

	if (path[0] == '/' || !slash)
		return strdup(path);
	if (asprintf(&resolved, "%.*s/%s", (int)(slash - workload->path), workload->path, path) < 0)
		return NULL;
	return resolved;
}

/* When it is loaded and unloaded. The dispatches are not parsed yet, but they can be counted. */
static struct wt_error *parse_times(json_t *root, const struct wt_place *place, json_t *value,
				    struct wt_workload_code_object *object)
{
	const struct wt_place unload_place = wt_place_field(place, "unload_after");
	size_t dispatches = json_array_size(json_object_get(root, "dispatches"));
	struct wt_error *error;

	error = wt_json_index(place, value, "load_after", dispatches, &object->has_load_after,
			      &object->load_after);
	if (!error)
		error = wt_json_index(place, value, "unload_after", dispatches,
				      &object->has_unload_after, &object->unload_after);
	if (!error && object->has_load_after && object->has_unload_after &&
	    object->unload_after <= object->load_after)
		error = wt_place_error(WT_ERROR_INPUT, &unload_place,
				       "it is loaded after dispatch %zu, so it cannot be unloaded "
				       "after dispatch %zu",
				       object->load_after, object->unload_after);
	return error;
}

static struct wt_error *parse_code_object(const struct wt_workload *workload, json_t *root,
					  const struct wt_place *place, json_t *value,
					  struct wt_workload_code_object *object_ret)
{
	static const char *const fields[] = {"file", "load_after", "unload_after", NULL};
	const struct wt_place file_place = wt_place_field(place, "file");
	struct wt_error *error = NULL;
	json_t *file = value;
	const char *path;

	if (json_is_object(value)) {
		error = wt_json_check_object(place, value, fields);
		if (!error)
			error = wt_json_field(place, value, "file", &file);
		if (!error)
			error = parse_times(root, place, value, object_ret);
		place = &file_place;
	}
	if (!error)
		error = wt_json_string(place, file, &path);
	if (error)
		return error;
	object_ret->path = resolve_path(workload, path);
	return object_ret->path ? NULL : &wt_error_no_memory;
}

static struct wt_error *parse_code_objects(struct wt_workload *workload, json_t *root)
{
	const struct wt_place place = wt_place_field(NULL, "code_objects");
	struct wt_error *error;
	json_t *array, *value;
	size_t index;

	error = wt_json_field(NULL, root, "code_objects", &array);
	if (!error)
		error = wt_json_check_array(&place, array, 1, WT_WORKLOAD_MAX_CODE_OBJECTS);
	if (!error)
		error = wt_json_allocate(json_array_size(array), sizeof(*workload->code_objects),
					 &workload->code_objects);
	if (error)
		return error;
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		error = parse_code_object(workload, root, &element, value,
					  &workload->code_objects[index]);
		workload->code_object_count++;
		if (error)
			return error;
	}
	return NULL;
}

static struct wt_error *parse_buffer(struct wt_workload *workload, json_t *root,
				     const struct wt_place *place, json_t *value,
				     struct wt_workload_buffer *buffer_ret)
{
	static const char *const fields[] = {"bytes", "fill", "free_after", NULL};
	const struct wt_place bytes_place = wt_place_field(place, "bytes");
	const struct wt_place fill_place = wt_place_field(place, "fill");
	json_t *bytes, *fill = json_object_get(value, "fill");
	struct wt_error *error;
	int64_t size;

	error = wt_json_check_object(place, value, fields);
	if (!error)
		error = wt_json_field(place, value, "bytes", &bytes);
	if (!error)
		error = wt_json_integer(&bytes_place, bytes, 1,
					(int64_t)WT_WORKLOAD_MAX_BUFFER_BYTES, &size);
	if (!error)
		error = wt_json_index(place, value, "free_after",
				      json_array_size(json_object_get(root, "dispatches")),
				      &buffer_ret->has_free_after, &buffer_ret->free_after);
	if (error)
		return error;
	buffer_ret->size = (uint64_t)size;
	if (!fill)
		return NULL;
	error = wt_fill_parse(&fill_place, fill, buffer_ret->size, &buffer_ret->fill);
	if (!error && buffer_ret->fill.path) {
		wt_cleanup_free char *name = buffer_ret->fill.path;

		buffer_ret->fill.path = resolve_path(workload, name);
		if (!buffer_ret->fill.path)
			return &wt_error_no_memory;
	}
	return error;
}

static struct wt_error *parse_buffers(struct wt_workload *workload, json_t *root)
{
	const struct wt_place place = wt_place_field(NULL, "buffers");
	json_t *object = json_object_get(root, "buffers"), *value;
	struct wt_error *error = NULL;
	uint64_t total = 0;
	const char *name;

	if (!object)
		return NULL;
	if (!json_is_object(object))
		return wt_place_error(WT_ERROR_INPUT, &place, "expected an object, found %s",
				      wt_json_kind(object));
	if (json_object_size(object) > WT_WORKLOAD_MAX_BUFFERS)
		return wt_place_error(WT_ERROR_LIMIT, &place,
				      "%zu buffers; at most %d are accepted",
				      json_object_size(object), WT_WORKLOAD_MAX_BUFFERS);
	error = wt_json_allocate(json_object_size(object), sizeof(*workload->buffers),
				 &workload->buffers);
	if (error)
		return error;
	json_object_foreach(object, name, value)
	{
		struct wt_workload_buffer *buffer = &workload->buffers[workload->buffer_count++];
		const struct wt_place field = wt_place_field(&place, name);

		buffer->name = strdup(name);
		if (!buffer->name)
			return &wt_error_no_memory;
		error = parse_buffer(workload, root, &field, value, buffer);
		if (error)
			return error;
		total += buffer->size;
		if (total > WT_WORKLOAD_MAX_BUFFER_BYTES)
			return wt_place_error(WT_ERROR_LIMIT, &field,
					      "with this one the buffers have more than %llu bytes",
					      (unsigned long long)WT_WORKLOAD_MAX_BUFFER_BYTES);
	}
	return NULL;
}

static bool is_simulated(const struct gfx_architecture *architecture)
{
	return architecture && architecture->product;
}

static struct wt_error *parse_architecture(const struct wt_place *parent, json_t *object,
					   const struct gfx_architecture **architecture_ret)
{
	const struct wt_place place = wt_place_field(parent, "architecture");
	const struct gfx_architecture *architecture;
	struct wt_error *error;
	char simulated[512];
	const char *name;
	json_t *value;

	error = wt_json_field(parent, object, "architecture", &value);
	if (!error)
		error = wt_json_string(&place, value, &name);
	if (error)
		return error;
	architecture = gfx_architecture_by_name(name);
	if (is_simulated(architecture)) {
		*architecture_ret = architecture;
		return NULL;
	}
	gfx_list_architectures(is_simulated, simulated, sizeof(simulated));
	return architecture
		       ? wt_place_error(WT_ERROR_UNSUPPORTED, &place,
					"%s cannot be simulated; these can: %s", name, simulated)
		       : wt_place_error(WT_ERROR_INPUT, &place,
					"unknown architecture \"%s\"; these can be simulated: %s",
					name, simulated);
}

static struct wt_error *parse_agents(struct wt_workload *workload, json_t *root)
{
	static const char *const fields[] = {"architecture", NULL};
	const struct wt_place place = wt_place_field(NULL, "agents");
	json_t *array = json_object_get(root, "agents"), *value;
	const struct gfx_architecture *architecture;
	struct wt_error *error;
	size_t index;

	error = parse_architecture(NULL, root, &architecture);
	if (!error && array)
		error = wt_json_check_array(&place, array, 1, WT_WORKLOAD_MAX_AGENTS);
	if (error)
		return error;
	workload->agent_count = array ? json_array_size(array) : 1;
	error = wt_json_allocate(workload->agent_count, sizeof(*workload->agents),
				 &workload->agents);
	if (error)
		return error;
	workload->agents[0].architecture = architecture;
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		workload->agents[index].architecture = architecture;
		error = wt_json_check_object(&element, value, fields);
		if (!error && json_object_size(value))
			error = parse_architecture(&element, value,
						   &workload->agents[index].architecture);
		if (error)
			return error;
	}
	return NULL;
}

static struct wt_error *parse_queue(struct wt_workload *workload, const struct wt_place *place,
				    json_t *value, struct wt_workload_queue *queue_ret)
{
	static const char *const fields[] = {"agent", "packets", NULL};
	const struct wt_place packets_place = wt_place_field(place, "packets");
	json_t *packets = json_object_get(value, "packets");
	int64_t count = DEFAULT_PACKETS;
	struct wt_error *error;
	bool present;

	error = wt_json_check_object(place, value, fields);
	if (!error)
		error = wt_json_index(place, value, "agent", workload->agent_count, &present,
				      &queue_ret->agent);
	if (!error && packets)
		error = wt_json_integer(&packets_place, packets, 1, WT_WORKLOAD_MAX_PACKETS,
					&count);
	if (error)
		return error;
	if (count & (count - 1))
		return wt_place_error(WT_ERROR_INPUT, &packets_place,
				      "%lld is no power of two, as a ring's size must be",
				      (long long)count);
	queue_ret->packets = (uint32_t)count;
	return NULL;
}

static struct wt_error *parse_queues(struct wt_workload *workload, json_t *root)
{
	const struct wt_place place = wt_place_field(NULL, "queues");
	json_t *array = json_object_get(root, "queues"), *value;
	struct wt_error *error = NULL;
	size_t index;

	if (array)
		error = wt_json_check_array(&place, array, 1, WT_WORKLOAD_MAX_QUEUES);
	if (error)
		return error;
	workload->queue_count = array ? json_array_size(array) : workload->agent_count;
	error = wt_json_allocate(workload->queue_count, sizeof(*workload->queues),
				 &workload->queues);
	if (error)
		return error;
	for (size_t i = 0; !array && i < workload->queue_count; i++)
		workload->queues[i] = (struct wt_workload_queue){i, DEFAULT_PACKETS};
	json_array_foreach(array, index, value)
	{
		const struct wt_place element = wt_place_element(&place, index);

		error = parse_queue(workload, &element, value, &workload->queues[index]);
		if (error)
			return error;
	}
	return NULL;
}

static struct wt_error *parse_code_objects_from(struct wt_workload *workload, json_t *root)
{
	const struct wt_place place = wt_place_field(NULL, "code_objects_from");
	json_t *value = json_object_get(root, "code_objects_from");
	struct wt_error *error;
	const char *from;

	if (!value)
		return NULL;
	error = wt_json_string(&place, value, &from);
	if (error)
		return error;
	workload->code_objects_in_memory = !strcmp(from, "memory");
	if (!workload->code_objects_in_memory && strcmp(from, "file"))
		return wt_place_error(WT_ERROR_INPUT, &place,
				      "it is \"file\" or \"memory\", not \"%s\"", from);
	return NULL;
}

static struct wt_error *workload_end_parse(struct wt_workload *workload, json_t *root)
{
	static const char *const ends[] = {
		[WT_WORKLOAD_STAYS] = "stay",
		[WT_WORKLOAD_UNLOADS] = "unload",
		[WT_WORKLOAD_EXITS] = "exit",
	};
	const struct wt_place place = wt_place_field(NULL, "end");
	json_t *value = json_object_get(root, "end");
	struct wt_error *error;
	const char *text;

	if (!value)
		return NULL;
	error = wt_json_string(&place, value, &text);
	if (error)
		return error;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (!strcmp(text, ends[i])) {
			workload->end = (enum wt_workload_end)i;
			return NULL;
		}
	}
	return wt_place_error(WT_ERROR_INPUT, &place,
			      "it is \"stay\", \"unload\" or \"exit\", not \"%s\"", text);
}

static struct wt_error *parse_root(struct wt_workload *workload, json_t *root)
{
	static const char *const fields[] = {"architecture", "code_objects", "code_objects_from",
					     "buffers",	     "agents",	     "queues",
					     "dispatches",   "end",	     NULL};
	struct wt_error *error;

	error = wt_json_check_object(NULL, root, fields);
	if (!error)
		error = parse_agents(workload, root);
	if (!error)
		error = parse_queues(workload, root);
	if (!error)
		error = parse_code_objects(workload, root);
	if (!error)
		error = parse_code_objects_from(workload, root);
	if (!error)
		error = parse_buffers(workload, root);
	if (!error)
		error = workload_parse_dispatches(workload, root);
	if (!error)
		error = workload_end_parse(workload, root);
	return error;
}

static void workload_destroyp(struct wt_workload **workload)
{
	wt_workload_destroy(*workload);
}

static struct wt_error *load_json(const char *path, json_t **root_ret)
{
	wt_cleanup_free uint8_t *text = NULL;
	struct wt_error *error;
	json_error_t details;
	char where[64];
	size_t size;

	error = wt_device_read_file(path, MAX_WORKLOAD_BYTES, "cannot load the workload", &text,
				    &size);
	if (error)
		return error;
	*root_ret = json_loadb((const char *)text, size, JSON_REJECT_DUPLICATES, &details);
	if (*root_ret)
		return NULL;
	snprintf(where, sizeof(where), "line %d, column %d", details.line, details.column);
	error = wt_error_create(WT_ERROR_INPUT, "cannot load the workload", where,
				"this is no JSON: %s", details.text);
	return wt_error_prefix(error, path);
}

struct wt_error *wt_workload_create(const char *path, struct wt_workload **workload_ret)
{
	wt_cleanup(workload_destroyp) struct wt_workload *workload = calloc(1, sizeof(*workload));
	wt_cleanup(json_cleanup) json_t *root = NULL;
	struct wt_error *error;

	if (!workload)
		return &wt_error_no_memory;
	error = load_json(path, &root);
	if (error)
		return error;
	workload->path = strdup(path);
	if (!workload->path)
		return &wt_error_no_memory;
	error = parse_root(workload, root);
	if (error)
		return wt_error_prefix(error, path);
	*workload_ret = wt_take(workload);
	return NULL;
}

void wt_workload_destroy(struct wt_workload *workload)
{
	if (!workload)
		return;
	for (size_t i = 0; i < workload->code_object_count; i++)
		free(workload->code_objects[i].path);
	for (size_t i = 0; i < workload->buffer_count; i++) {
		free(workload->buffers[i].name);
		free(workload->buffers[i].fill.path);
	}
	for (size_t i = 0; i < workload->dispatch_count; i++) {
		struct wt_workload_dispatch *dispatch = &workload->dispatches[i];

		for (size_t a = 0; a < dispatch->argument_count; a++)
			free(dispatch->arguments[a].data);
		free(dispatch->arguments);
		free(dispatch->kernel);
	}
	free(workload->code_objects);
	free(workload->buffers);
	free(workload->agents);
	free(workload->queues);
	free(workload->dispatches);
	free(workload->path);
	free(workload);
}

struct wt_error *wt_workload_fill(const struct wt_workload *workload, size_t buffer, uint8_t *data)
{
	const struct wt_workload_buffer *description = &workload->buffers[buffer];
	const struct wt_place buffers = wt_place_field(NULL, "buffers");
	const struct wt_place place = wt_place_field(&buffers, description->name);
	const struct wt_place fill = wt_place_field(&place, "fill");
	const struct wt_place file = wt_place_field(&fill, "file");
	wt_cleanup_free uint8_t *content = NULL;
	struct wt_error *error;
	size_t size;

	if (description->fill.kind == WT_FILL_ELEMENTS)
		wt_fill_elements(&description->fill, data, description->size);
	if (description->fill.kind != WT_FILL_FILE)
		return NULL;
	error = wt_device_read_file(description->fill.path, WT_WORKLOAD_MAX_BUFFER_BYTES,
				    "cannot load the workload", &content, &size);
	if (!error && size != description->size)
		error = wt_error_create(
			WT_ERROR_INPUT, "cannot load the workload", description->fill.path,
			"the file has %zu bytes, the buffer %llu; they must be equal", size,
			(unsigned long long)description->size);
	if (error)
		return wt_error_prefix(wt_place_prefix(error, &file), workload->path);
	memcpy(data, content, size);
	return NULL;
}
