/* SPDX-License-Identifier: MIT */
#include "recorder/host/regions.h"

#include <dirent.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/compare.h"

#define FILE_LIMIT ((size_t)16 << 20)
#define FILES_MOST 8u

static const uint8_t file_head[8] = {'H', 'R', 'R', 'R', 1, 0, 0, 0};

/* A batch: its head, two numbers, and records. Offsets and sizes. */
enum {
	BATCH_TYPE = 0,
	BATCH_LENGTH = 26,
	BATCH_COUNT = 32,
	BATCH_SIZE = 40,
	RECORD_OPERATION = 0,
	RECORD_KIND = 1,
	RECORD_BASE = 8,
	RECORD_BYTES = 16,
	RECORD_TIME = 24,
	RECORD_SIZE = 32,
};
#define TYPE_REGIONS 0xfffd
#define OPERATION_ADD 0
#define KIND_BLOCK 0

static uint64_t load_number(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, at, size);
	return le64toh(value);
}

static bool regions_add(struct wt_regions *regions, const uint8_t *record)
{
	struct wt_region *region;

	if (record[RECORD_KIND] != KIND_BLOCK)
		return true;
	if (regions->count == regions->capacity) {
		size_t wanted = regions->capacity ? regions->capacity * 2 : 256;
		struct wt_region *grown =
			reallocarray(regions->list, wanted, sizeof(*regions->list));

		if (!grown)
			return false;
		regions->list = grown;
		regions->capacity = wanted;
	}
	region = &regions->list[regions->count];
	*region = (struct wt_region){
		.base = load_number(record + RECORD_BASE, 8),
		.size = load_number(record + RECORD_BYTES, 8),
		.time = (int64_t)load_number(record + RECORD_TIME, 8),
		.freed = record[RECORD_OPERATION] != OPERATION_ADD,
		.order = regions->count,
	};
	region->freed_time = region->freed ? region->time : 0;
	regions->count++;
	return true;
}

static int region_compare(const void *a, const void *b)
{
	const struct wt_region *first = a, *second = b;

	if (first->base != second->base)
		return wt_compare_u64(&first->base, &second->base);
	if (first->time != second->time)
		return first->time < second->time ? -1 : 1;
	return first->order < second->order ? -1 : first->order > second->order;
}

/* Keep what was written last of each address; what was freed has the size and time of when it was there. */
static void regions_settle(struct wt_regions *regions)
{
	size_t kept = 0;

	if (regions->count)
		qsort(regions->list, regions->count, sizeof(*regions->list), region_compare);
	for (size_t i = 0; i < regions->count; i++) {
		struct wt_region region = regions->list[i];

		if (kept && regions->list[kept - 1].base == region.base) {
			const struct wt_region *before = &regions->list[--kept];

			if (region.freed) {
				region.size = before->size;
				region.time = before->time;
			}
			/* Asked to be freed, and then freed. */
			if (region.freed && before->freed)
				region.freed_time = before->freed_time;
		}
		regions->list[kept++] = region;
	}
	regions->count = kept;
}

bool wt_regions_parse(const uint8_t *data, size_t size, struct wt_regions *regions_ret)
{
	struct wt_regions regions = {.count = 0};
	size_t at = sizeof(file_head);

	if (size < sizeof(file_head) || memcmp(data, file_head, sizeof(file_head)) != 0)
		return false;
	while (size - at >= BATCH_SIZE) {
		uint64_t count = load_number(data + at + BATCH_COUNT, 4);

		if (load_number(data + at + BATCH_TYPE, 2) != TYPE_REGIONS ||
		    count > (size - at - BATCH_SIZE) / RECORD_SIZE ||
		    load_number(data + at + BATCH_LENGTH, 4) != BATCH_SIZE + count * RECORD_SIZE)
			break;
		for (uint64_t i = 0; i < count; i++)
			if (!regions_add(&regions,
					 data + at + BATCH_SIZE + (size_t)i * RECORD_SIZE)) {
				wt_regions_deinit(&regions);
				return false;
			}
		at += BATCH_SIZE + (size_t)count * RECORD_SIZE;
	}
	regions_settle(&regions);
	*regions_ret = regions;
	return true;
}

void wt_regions_deinit(struct wt_regions *regions)
{
	free(regions->list);
	*regions = (struct wt_regions){.count = 0};
}

/* ---- Those of the program ---- */

static void region_keep(struct wt_gathering *gathering, const struct wt_region *region,
			const char *producer, uint64_t start_time)
{
	struct wt_host_allocation *added = WT_HOST_ADD(gathering->host, allocations);

	gathering->no_memory |= !added;
	if (!added)
		return;
	added->address = region->base;
	added->size = region->size;
	added->kind = WT_ALLOCATION_BLOCK;
	added->agent = wt_gathering_text(gathering, "", 0);
	added->made = (struct wt_host_allocating){
		.function = wt_gathering_text(gathering, producer, SIZE_MAX),
		.time = region->time - (int64_t)start_time,
	};
	added->freed = (struct wt_host_allocating){
		.function = wt_gathering_text(gathering, region->freed ? producer : "", SIZE_MAX),
		.time = region->freed ? region->freed_time - (int64_t)start_time : 0,
	};
}

/* The nearest first, and of those that are gone the last. */
struct ranked {
	const struct wt_region *region;
	uint64_t rank;
};

static int ranked_compare(const void *a, const void *b)
{
	const struct ranked *first = a, *second = b;

	return wt_compare_u64(&first->rank, &second->rank);
}

static void regions_keep(struct wt_gathering *gathering, const struct wt_regions *regions,
			 const char *producer, const struct wt_near *near, uint64_t start_time)
{
	wt_cleanup_free struct ranked *ranked = calloc(regions->count + 1, sizeof(*ranked));
	size_t there = 0, gone = 0;

	gathering->no_memory |= !ranked;
	if (!ranked)
		return;
	for (size_t i = 0; i < regions->count; i++) {
		const struct wt_region *region = &regions->list[i];

		ranked[i].region = region;
		ranked[i].rank = region->freed ? UINT64_MAX - (uint64_t)region->freed_time
					       : wt_near_distance(near, region->base, region->size);
	}
	qsort(ranked, regions->count, sizeof(*ranked), ranked_compare);
	for (size_t i = 0; i < regions->count; i++) {
		bool freed = ranked[i].region->freed;

		if ((freed ? gone++ : there++) < (freed ? WT_REGIONS_FREED : WT_REGIONS_KEPT))
			region_keep(gathering, ranked[i].region, producer, start_time);
	}
}

static void file_gather(struct wt_gathering *gathering, const char *path, const char *name,
			const struct wt_near *near, uint64_t start_time)
{
	wt_cleanup_buffer struct wt_buffer bytes = {0};
	struct wt_regions regions;
	char producer[64];

	snprintf(producer, sizeof(producer), "%.*s", (int)(strlen(name) - strlen(".hrrr")), name);
	if (!wt_gathering_read_file(path, FILE_LIMIT, &bytes) || bytes.size > FILE_LIMIT) {
		wt_gathering_missing(gathering,
				     "blocks of %s: the file is too long, or cannot be read",
				     producer);
		return;
	}
	/* The text ends with a NUL that is ours. */
	if (!wt_regions_parse(bytes.data, bytes.size - 1, &regions)) {
		wt_gathering_missing(gathering, "blocks of %s: the file is of another form",
				     producer);
		return;
	}
	regions_keep(gathering, &regions, producer, near, start_time);
	wt_regions_deinit(&regions);
}

static void directory_gather(struct wt_gathering *gathering, const char *directory,
			     const struct wt_near *near, uint64_t start_time)
{
	DIR *files = opendir(directory);
	const struct dirent *entry;
	size_t count = 0;

	while (files && (entry = readdir(files)) && count < FILES_MOST &&
	       !wt_gathering_is_over(gathering)) {
		size_t length = strlen(entry->d_name);
		char path[WT_HOST_TEXT + 512];

		if (length <= 5 || strcmp(entry->d_name + length - 5, ".hrrr") != 0)
			continue;
		count++;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		file_gather(gathering, path, entry->d_name, near, start_time);
	}
	if (files)
		closedir(files);
}

void wt_gather_regions(struct wt_gathering *gathering, const struct wt_near *near,
		       uint64_t start_time)
{
	static const char name[] = "HIP_HRR_CAPTURE_OUTPUT=";
	wt_cleanup_buffer struct wt_buffer environment = {0};
	char directory[WT_HOST_TEXT];

	if (!wt_gathering_read(gathering, "environ", (size_t)1 << 20, &environment))
		return;
	for (size_t at = 0; at + 1 < environment.size;) {
		const char *entry = (const char *)environment.data + at;

		at += strlen(entry) + 1;
		if (strncmp(entry, name, sizeof(name) - 1) != 0)
			continue;
		/* The program's own view counts; a name that is relative is so to where the program is. */
		entry += sizeof(name) - 1;
		snprintf(directory, sizeof(directory), "/proc/%llu/%s%s/pid-%llu/regions",
			 (unsigned long long)gathering->process, *entry == '/' ? "root" : "cwd/",
			 entry, (unsigned long long)gathering->process);
		directory_gather(gathering, directory, near, start_time);
		return;
	}
}
