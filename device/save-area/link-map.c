/* SPDX-License-Identifier: MIT */
#include "device/save-area/link-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECTS 65536u
#define MAX_NAME 65536u
#define NAME_STEP 256u

/* Offsets in r_debug and in a link map. */
#define R_DEBUG_MAP 8
#define R_DEBUG_STATE 24
#define R_DEBUG_BYTES 40
#define MAP_NAME 8
#define MAP_NEXT 24
#define MAP_BYTES 40

static struct wt_error *bad(enum wt_error_code code, uint64_t address, const char *why)
{
	char where[48];

	snprintf(where, sizeof(where), "link map at 0x%" PRIx64, address);
	return wt_error_create(code, "cannot read the list of code objects", where, "%s", why);
}

/* A string that ends within a limit, read in steps that do not go far past its end. */
static struct wt_error *read_name(const struct wt_core_memory *memory, uint64_t address,
				  char **name_ret)
{
	size_t size = 0, done = NAME_STEP, length = 0;
	char *name = NULL;

	while (done == NAME_STEP && size < MAX_NAME) {
		char *grown = realloc(name, size + NAME_STEP);

		if (!grown) {
			free(name);
			return &wt_error_no_memory;
		}
		name = grown;
		done = memory->read(memory->opaque, address + size, name + size, NAME_STEP);
		length = size + strnlen(name + size, done);
		size += done;
		if (length < size) {
			*name_ret = name;
			return NULL;
		}
	}
	free(name);
	return bad(size < MAX_NAME ? WT_ERROR_NOT_FOUND : WT_ERROR_LIMIT, address,
		   size < MAX_NAME ? "its name is not in the core" : "its name has no end");
}

static struct wt_error *read_map(const struct wt_core_memory *memory, uint64_t address,
				 struct wt_core_object *object, uint64_t *next_ret)
{
	uint64_t name;

	if (!wt_core_read_u64(memory, address, &object->load_address) ||
	    !wt_core_read_u64(memory, address + MAP_NAME, &name) ||
	    !wt_core_read_u64(memory, address + MAP_NEXT, next_ret))
		return bad(WT_ERROR_NOT_FOUND, address, "it is not in the core");
	return read_name(memory, name, &object->uri);
}

static struct wt_error *read_chain(const struct wt_core_memory *memory, uint64_t address,
				   struct wt_core_objects *objects)
{
	struct wt_error *error = NULL;
	size_t capacity = 0;

	while (address && !error) {
		if (objects->count == MAX_OBJECTS)
			return bad(WT_ERROR_LIMIT, address, "the list has no end");
		if (objects->count == capacity) {
			struct wt_core_object *grown;

			capacity = capacity ? 2 * capacity : 16;
			grown = reallocarray(objects->objects, capacity, sizeof(*grown));
			if (!grown)
				return &wt_error_no_memory;
			objects->objects = grown;
		}
		error = read_map(memory, address, &objects->objects[objects->count], &address);
		objects->count += !error;
	}
	return error;
}

struct wt_error *wt_core_objects_read(const struct wt_core_memory *memory, uint64_t address,
				      struct wt_core_objects *objects_ret)
{
	struct wt_core_objects objects = {0};
	struct wt_error *error;
	uint32_t state;
	uint64_t map;

	*objects_ret = objects;
	if (!wt_core_read_u32(memory, address, &objects.version) ||
	    !wt_core_read_u64(memory, address + R_DEBUG_MAP, &map) ||
	    !wt_core_read_u32(memory, address + R_DEBUG_STATE, &state))
		return bad(WT_ERROR_NOT_FOUND, address, "r_debug is not in the core");
	objects_ret->version = objects.version;
	if (objects.version < WT_CORE_R_DEBUG_MIN || objects.version > WT_CORE_R_DEBUG_MAX)
		return bad(WT_ERROR_UNSUPPORTED, address,
			   "r_debug has a version that is not known");
	error = state ? NULL : read_chain(memory, map, &objects);
	if (error)
		wt_core_objects_deinit(&objects);
	else
		*objects_ret = objects;
	return error;
}

void wt_core_objects_deinit(struct wt_core_objects *objects)
{
	for (size_t i = 0; i < objects->count; i++)
		free(objects->objects[i].uri);
	free(objects->objects);
	objects->objects = NULL;
	objects->count = 0;
}

void wt_core_objects_build(const struct wt_core_objects *objects, uint64_t address,
			   struct wt_buffer *buffer)
{
	uint64_t maps = address + R_DEBUG_BYTES, names = maps + objects->count * MAP_BYTES;

	wt_buffer_append_u64(buffer, objects->version);
	wt_buffer_append_u64(buffer, objects->count ? maps : 0);
	for (int i = 0; i < 3; i++) /* no breakpoint, consistent, no base */
		wt_buffer_append_u64(buffer, 0);
	for (size_t i = 0; i < objects->count; i++) {
		uint64_t map = maps + i * MAP_BYTES;

		wt_buffer_append_u64(buffer, objects->objects[i].load_address);
		wt_buffer_append_u64(buffer, names);
		wt_buffer_append_u64(buffer, 0);
		wt_buffer_append_u64(buffer, i + 1 < objects->count ? map + MAP_BYTES : 0);
		wt_buffer_append_u64(buffer, i ? map - MAP_BYTES : 0);
		names += strlen(objects->objects[i].uri) + 1;
	}
	for (size_t i = 0; i < objects->count; i++)
		wt_buffer_append(buffer, objects->objects[i].uri,
				 strlen(objects->objects[i].uri) + 1);
}
