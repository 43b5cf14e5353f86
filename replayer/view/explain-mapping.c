/* SPDX-License-Identifier: MIT */
#include "replayer/view/explain-mapping.h"

#include <stdlib.h>
#include <string.h>

#include "trace-format/state/host-facts.h"

/* How many moments before a stop what is known of the program's mappings is looked for. */
#define MOMENTS_BACK 8u

#define BELOW_BYTES (UINT64_C(1) << 20)

/* One mapping, in the order of addresses. */
struct mapped {
	const struct wt_host_map *map;
	enum wt_mapping_kind kind;
	size_t driver; /* how many there are up to the last one of the driver, up to here */
};

struct wt_mappings {
	const struct wt_view *view;
	struct wt_host *host; /* NULL: nothing is known */
	bool whole;
	struct mapped *mapped;
	size_t mapped_count;
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
static bool mappings_have_driver(const struct wt_mappings *mappings)
{
	return mappings->mapped_count && mappings->mapped[mappings->mapped_count - 1].driver;
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

static enum wt_mapping_kind kind_of(const struct wt_host_map *map)
{
	if (is_of_driver(map->path))
		return WT_MAPPING_DEVICE;
	return !*map->path && !strncmp(map->access, "---", 3) ? WT_MAPPING_RESERVED
							      : WT_MAPPING_HOST;
}

static int mapped_compare(const void *left, const void *right)
{
	const struct mapped *one = left, *other = right;

	return (one->map->start > other->map->start) - (one->map->start < other->map->start);
}

/* A kernel lists them in the order of addresses, but a trace may have anything. */
static bool mappings_sort(struct wt_mappings *mappings)
{
	const struct wt_host *host = mappings->host;
	size_t driver = 0;

	mappings->mapped = calloc(host->maps_count + 1, sizeof(*mappings->mapped));
	if (!mappings->mapped)
		return false;
	for (size_t i = 0; i < host->maps_count; i++)
		if (host->maps[i].path && host->maps[i].start < host->maps[i].end)
			mappings->mapped[mappings->mapped_count++] = (struct mapped){
				.map = &host->maps[i], .kind = kind_of(&host->maps[i])};
	qsort(mappings->mapped, mappings->mapped_count, sizeof(*mappings->mapped), mapped_compare);
	for (size_t i = 0; i < mappings->mapped_count; i++) {
		if (mappings->mapped[i].kind == WT_MAPPING_DEVICE)
			driver = i + 1;
		mappings->mapped[i].driver = driver;
	}
	return true;
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
	if (is && !mappings_sort(mappings)) {
		wt_mappings_destroy(mappings);
		return &wt_error_no_memory;
	}
	mappings->whole = is && mappings_have_driver(mappings);
	/* The list itself is read at once: where the time was over, builds of the files and stacks are missing. */
	for (size_t i = 0; is && i < mappings->host->missing_count; i++)
		mappings->whole &= strncmp(mappings->host->missing[i], "maps", 4) != 0;
	*mappings_ret = mappings;
	return NULL;
}

void wt_mappings_destroy(struct wt_mappings *mappings)
{
	if (!mappings)
		return;
	wt_host_destroy(mappings->host);
	free(mappings->mapped);
	free(mappings);
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

/* How many mappings begin at an address or below. */
static size_t mappings_count_up_to(const struct wt_mappings *mappings, uint64_t address)
{
	size_t low = 0, high = mappings->mapped_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (mappings->mapped[middle].map->start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* No mapping has an address: @at of them are below. */
static void mapping_find_below(const struct wt_mappings *mappings, size_t at, uint64_t address,
			       struct wt_mapping *mapping)
{
	const struct wt_host_map *map;

	if (!at || !mappings->mapped[at - 1].driver)
		return;
	map = mappings->mapped[mappings->mapped[at - 1].driver - 1].map;
	if (map->end > address || address - map->end > BELOW_BYTES)
		return;
	mapping->start = map->start;
	mapping->end = map->end;
}

struct wt_mapping wt_mapping_at(const struct wt_mappings *mappings, uint64_t process,
				uint64_t address)
{
	struct wt_mapping mapping = {
		.kind = WT_MAPPING_UNKNOWN, .alike = {0, UINT64_MAX}, .name = ""};
	const struct mapped *mapped;
	size_t at;

	if (!wt_mappings_host(mappings, process))
		return mapping;
	at = mappings_count_up_to(mappings, address);
	mapped = &mappings->mapped[at];
	if (at < mappings->mapped_count)
		wt_span_narrow(&mapping.alike, address, mapped->map->start, UINT64_MAX);
	if (at) {
		mapped--;
		wt_span_narrow(&mapping.alike, address, mapped->map->start, mapped->map->end);
	}
	if (at && address < mapped->map->end) {
		mapping.kind = mapped->kind;
		mapping.start = mapped->map->start;
		mapping.end = mapped->map->end;
		mapping.offset = mapped->map->offset;
		mapping.executable = strchr(mapped->map->access, 'x');
		mapping.name = mapped->map->path;
		return mapping;
	}
	mapping.kind = mappings->whole ? WT_MAPPING_NONE : WT_MAPPING_UNKNOWN;
	if (mappings->whole)
		mapping_find_below(mappings, at, address, &mapping);
	return mapping;
}
