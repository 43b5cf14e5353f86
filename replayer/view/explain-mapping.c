/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-mapping.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/state/host-facts.h"

/* How many moments before a stop what is known of the program's mappings is looked for. */
#define MOMENTS_BACK 8u

#define BELOW_BYTES (UINT64_C(1) << 20)

struct wt_mappings {
	const struct wt_view *view;
	struct wt_host *host; /* NULL: nothing is known */
	bool whole;
};

/* The last are those of the simulated GPU's driver. */
static bool is_of_driver(const char *path)
{
	static const char *const names[] = {"/dev/dri/", "/dev/kfd", "/dev/dxg", "/memfd:wavetape"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(path, names[i], strlen(names[i])))
			return true;
	return false;
}

/* A program without mappings of the driver runs on something that they do not show: a GPU that is simulated within it, say. */
static bool has_driver(const struct wt_host *host)
{
	for (size_t i = 0; i < host->maps_count; i++)
		if (host->maps[i].path && is_of_driver(host->maps[i].path))
			return true;
	return false;
}

/* Was a wave that stands at a fault there already at another moment? Then what has happened to it was before both. */
static bool has_same_fault(const struct wt_view *view, const struct wt_view *other)
{
	const uint64_t *waves;
	size_t count = wt_view_objects(view, WT_OBJECT_WAVE, &waves);

	for (size_t i = 0; i < count; i++)
		if (wt_view_wave_has_fault(view, waves[i]) &&
		    wt_view_wave_has_fault(other, waves[i]))
			return true;
	return false;
}

/* Had a moment not begun when it was read? */
static struct wt_error *is_before(struct wt_reader *reader, const struct wt_host *host,
				  uint32_t number, bool *is_ret)
{
	const struct wt_moment *moment;
	struct wt_error *error = wt_reader_moment(reader, number, &moment);

	*is_ret = !error && host->time < moment->time;
	return error;
}

/*
 * A recorder reads it at the first stop with a fault, and other waves stop after that: what was read at an earlier moment holds
 * where a wave has the same fault.
 */
static struct wt_error *is_of_earlier(const struct wt_view *view, const struct wt_host *host,
				      bool *is_ret)
{
	struct wt_reader *reader = wt_view_reader(view);
	uint32_t number = wt_view_moment(view)->number, least;
	struct wt_error *error = NULL;
	struct wt_view *other;
	bool before = true;

	least = number > MOMENTS_BACK ? number - MOMENTS_BACK : 0;
	while (!error && before && number > least)
		error = is_before(reader, host, --number, &before);
	if (error || before)
		return error;
	error = wt_view_open(reader, number, &other);
	if (error)
		return error;
	*is_ret = has_same_fault(view, other);
	wt_view_close(other);
	return NULL;
}

/* Mappings that were read when the next moment had begun are of another time. */
static struct wt_error *is_of_moment(const struct wt_view *view, const struct wt_host *host,
				     bool *is_ret)
{
	struct wt_reader *reader = wt_view_reader(view);
	const struct wt_moment *moment = wt_view_moment(view);
	struct wt_error *error;
	uint32_t number;
	bool before;

	*is_ret = false;
	if (!moment)
		return NULL;
	if (host->time < moment->time)
		return is_of_earlier(view, host, is_ret);
	*is_ret = true;
	number = wt_reader_next_moment(reader, moment->number + 1);
	if (number >= wt_reader_moment_count(reader))
		return NULL;
	error = is_before(reader, host, number, &before);
	if (!error)
		*is_ret = before;
	return error;
}

struct wt_error *wt_mappings_create(const struct wt_view *view, struct wt_mappings **mappings_ret)
{
	struct wt_mappings *mappings = calloc(1, sizeof(*mappings));
	struct wt_error *error;
	bool is = false;

	if (!mappings)
		return &wt_error_no_memory;
	mappings->view = view;
	error = wt_reader_host(wt_view_reader(view), &mappings->host);
	if (!error && mappings->host)
		error = is_of_moment(view, mappings->host, &is);
	if (error && error->code == WT_ERROR_MEMORY) {
		wt_mappings_destroy(mappings);
		return error;
	}
	wt_error_destroy(error);
	if (!is) {
		wt_host_destroy(mappings->host);
		mappings->host = NULL;
	}
	mappings->whole = is && has_driver(mappings->host);
	for (size_t i = 0; is && i < mappings->host->missing_count; i++)
		mappings->whole &= strncmp(mappings->host->missing[i], "maps", 4) != 0 &&
				   strncmp(mappings->host->missing[i], "what comes after", 16) != 0;
	*mappings_ret = mappings;
	return NULL;
}

void wt_mappings_destroy(struct wt_mappings *mappings)
{
	if (!mappings)
		return;
	wt_host_destroy(mappings->host);
	free(mappings);
}

static enum wt_mapping_kind kind_of(const struct wt_host_map *map)
{
	if (is_of_driver(map->path))
		return WT_MAPPING_DEVICE;
	return !*map->path && !strncmp(map->access, "---", 3) ? WT_MAPPING_RESERVED
							      : WT_MAPPING_HOST;
}

const struct wt_host *wt_mappings_host(const struct wt_mappings *mappings, uint64_t process)
{
	const struct wt_host *host = mappings->host;

	return host && wt_view_number_or(mappings->view, WT_OBJECT_PROCESS, process,
					 AMD_DBGAPI_PROCESS_INFO_OS_ID,
					 host->process_id) == host->process_id
		       ? host
		       : NULL;
}

static void find_below_mapping(const struct wt_host *host, uint64_t address,
			       struct wt_mapping *mapping)
{

	/* They are in the order of addresses. */
	for (size_t i = 0; i < host->maps_count; i++) {
		const struct wt_host_map *map = &host->maps[i];

		if (!map->path || !is_of_driver(map->path) || map->end > address ||
		    address - map->end > BELOW_BYTES)
			continue;
		mapping->start = map->start;
		mapping->end = map->end;
	}
}

bool wt_mappings_device_fault(const struct wt_mappings *mappings, uint64_t process,
			      uint64_t address, uint64_t *page_ret)
{
	const struct wt_host *host = wt_mappings_host(mappings, process);
	bool found = false;

	for (size_t i = 0; host && i < host->device_faults_count; i++) {
		uint64_t page = host->device_faults[i].address & ~(WT_DRIVER_PAGE - 1);

		if (found && page != (address & ~(WT_DRIVER_PAGE - 1)))
			continue;
		*page_ret = page;
		found = true;
	}
	return found;
}

struct wt_mapping wt_mapping_at(const struct wt_mappings *mappings, uint64_t process,
				uint64_t address)
{
	const struct wt_host *host = wt_mappings_host(mappings, process);
	struct wt_mapping mapping = {.kind = WT_MAPPING_UNKNOWN, .name = ""};

	if (!host)
		return mapping;
	for (size_t i = 0; i < host->maps_count; i++) {
		const struct wt_host_map *map = &host->maps[i];

		if (address < map->start || address >= map->end || !map->path)
			continue;
		return (struct wt_mapping){.kind = kind_of(map),
					   .start = map->start,
					   .end = map->end,
					   .offset = map->offset,
					   .executable = strchr(map->access, 'x'),
					   .name = map->path};
	}
	mapping.kind = mappings->whole ? WT_MAPPING_NONE : WT_MAPPING_UNKNOWN;
	if (mappings->whole)
		find_below_mapping(host, address, &mapping);
	return mapping;
}
