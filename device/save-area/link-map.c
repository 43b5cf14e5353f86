/* SPDX-License-Identifier: MIT */
#include "device/save-area/link-map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTRIES 65536u
#define MAX_NAME 65536u
#define NAME_STEP 256u

/* Offsets in r_debug and in a link map. */
#define R_DEBUG_MAP 8
#define R_DEBUG_BREAKPOINT 16
#define R_DEBUG_STATE 24
#define R_DEBUG_BYTES 40
#define MAP_NAME 8
#define MAP_NEXT 24
#define MAP_BYTES 40

static struct wt_error *link_map_bad(enum wt_error_code code, uint64_t address, const char *why)
{
	char where[48];

	snprintf(where, sizeof(where), "link map at 0x%" PRIx64, address);
	return wt_error_create(code, "cannot read the list of code objects", where, "%s", why);
}

/* A string that ends within a limit, read in steps that do not go far past its end. */
static struct wt_error *read_name(const struct wt_memory_view *memory, uint64_t address,
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
	return link_map_bad(size < MAX_NAME ? WT_ERROR_NOT_FOUND : WT_ERROR_LIMIT, address,
			    size < MAX_NAME ? "its name cannot be read" : "its name has no end");
}

static struct wt_error *read_map(const struct wt_memory_view *memory, uint64_t address,
				 struct wt_link_map_entry *entry, uint64_t *next_ret)
{
	uint64_t name;

	if (!wt_memory_view_read_u64(memory, address, &entry->load_address) ||
	    !wt_memory_view_read_u64(memory, address + MAP_NAME, &name) ||
	    !wt_memory_view_read_u64(memory, address + MAP_NEXT, next_ret))
		return link_map_bad(WT_ERROR_NOT_FOUND, address, "it cannot be read");
	return read_name(memory, name, &entry->uri);
}

static struct wt_error *read_chain(const struct wt_memory_view *memory, uint64_t address,
				   struct wt_link_map *map)
{
	struct wt_error *error = NULL;
	size_t capacity = 0;

	while (address && !error) {
		if (map->count == MAX_ENTRIES)
			return link_map_bad(WT_ERROR_LIMIT, address, "the list has no end");
		if (map->count == capacity) {
			struct wt_link_map_entry *grown;

			capacity = capacity ? 2 * capacity : 16;
			grown = reallocarray(map->entries, capacity, sizeof(*grown));
			if (!grown)
				return &wt_error_no_memory;
			map->entries = grown;
		}
		error = read_map(memory, address, &map->entries[map->count], &address);
		map->count += !error;
	}
	return error;
}

struct wt_error *wt_link_map_read(const struct wt_memory_view *memory, uint64_t address,
				  struct wt_r_debug_versions known, struct wt_link_map *map_ret)
{
	struct wt_link_map map = {0};
	struct wt_error *error;
	uint32_t state;
	uint64_t chain;

	*map_ret = map;
	if (!wt_memory_view_read_u32(memory, address, &map.version) ||
	    !wt_memory_view_read_u64(memory, address + R_DEBUG_MAP, &chain) ||
	    !wt_memory_view_read_u64(memory, address + R_DEBUG_BREAKPOINT, &map.breakpoint) ||
	    !wt_memory_view_read_u32(memory, address + R_DEBUG_STATE, &state))
		return link_map_bad(WT_ERROR_NOT_FOUND, address, "r_debug cannot be read");
	map_ret->version = map.version;
	if (map.version < known.first || map.version > known.last)
		return link_map_bad(WT_ERROR_UNSUPPORTED, address,
				    "r_debug has a version that is not known");
	map.changing = state;
	error = state ? NULL : read_chain(memory, chain, &map);
	if (error)
		wt_link_map_deinit(&map);
	else
		*map_ret = map;
	return error;
}

void wt_link_map_deinit(struct wt_link_map *map)
{
	for (size_t i = 0; i < map->count; i++)
		free(map->entries[i].uri);
	free(map->entries);
	map->entries = NULL;
	map->count = 0;
}

void wt_link_map_build(const struct wt_link_map *map, uint64_t address, struct wt_buffer *buffer)
{
	uint64_t maps = address + R_DEBUG_BYTES, names = maps + map->count * MAP_BYTES;

	wt_buffer_append_u64(buffer, map->version);
	wt_buffer_append_u64(buffer, map->count ? maps : 0);
	for (int i = 0; i < 3; i++) /* no breakpoint, consistent, no base */
		wt_buffer_append_u64(buffer, 0);
	for (size_t i = 0; i < map->count; i++) {
		uint64_t entry = maps + i * MAP_BYTES;

		wt_buffer_append_u64(buffer, map->entries[i].load_address);
		wt_buffer_append_u64(buffer, names);
		wt_buffer_append_u64(buffer, 0);
		wt_buffer_append_u64(buffer, i + 1 < map->count ? entry + MAP_BYTES : 0);
		wt_buffer_append_u64(buffer, i ? entry - MAP_BYTES : 0);
		names += strlen(map->entries[i].uri) + 1;
	}
	for (size_t i = 0; i < map->count; i++)
		wt_buffer_append(buffer, map->entries[i].uri, strlen(map->entries[i].uri) + 1);
}
