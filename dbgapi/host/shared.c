/* SPDX-License-Identifier: MIT */
#include "dbgapi/host/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "device/memory.h"

_Static_assert(sizeof(struct wt_host_file) + WT_HOST_RANGES * sizeof(struct wt_host_range) <=
		       WT_MEMORY_FILE_HEAD,
	       "the ranges are in front of the bytes");

static const char what[] = "cannot share the memory of the simulated GPU";
static const char name[] = "wavetape-memory";

struct wt_error *wt_host_shared_init(struct wt_host_shared *shared)
{
	*shared = (struct wt_host_shared){.file = memfd_create(name, MFD_CLOEXEC)};
	return shared->file < 0 ? wt_error_errno(errno, what, name) : NULL;
}

void wt_host_shared_deinit(struct wt_host_shared *shared)
{
	if (shared->file >= 0)
		close(shared->file);
	free(shared->ranges);
	*shared = (struct wt_host_shared){.file = -1};
}

static int range_by_address(const void *a, const void *b)
{
	const struct wt_host_range *one = a, *other = b;

	return one->address < other->address ? -1 : one->address > other->address;
}

static struct wt_error *shared_add(struct wt_host_shared *shared, uint64_t address, uint64_t size)
{
	struct wt_host_range *ranges = shared->ranges;
	size_t capacity = shared->capacity ? 2 * shared->capacity : 64;

	if (shared->count == WT_HOST_RANGES)
		return wt_error_create(WT_ERROR_LIMIT, what, name,
				       "the workload has more than %u ranges of memory",
				       WT_HOST_RANGES);
	if (shared->count == shared->capacity) {
		ranges = reallocarray(ranges, capacity, sizeof(*ranges));
		if (!ranges)
			return &wt_error_no_memory;
		shared->ranges = ranges;
		shared->capacity = capacity;
	}
	ranges[shared->count++] = (struct wt_host_range){
		.address = address, .size = size, .offset = wt_memory_offset(address)};
	return NULL;
}

/* Whether the file had a range before. */
static bool had(const struct wt_host_shared *shared, size_t before, uint64_t address)
{
	const struct wt_host_range wanted = {.address = address};

	return before && bsearch(&wanted, shared->ranges, before, sizeof(wanted), range_by_address);
}

/* The ranges as whole pages; a page that two of them have is the first one's. */
static struct wt_error *add_new(struct wt_host_shared *shared, const struct wt_device *device,
				size_t *seen_ret)
{
	const uint64_t mask = WT_HOST_PAGE - 1;
	const size_t before = shared->count;
	uint64_t address, size, last = 0;
	struct wt_error *error = NULL;
	size_t i;

	for (i = 0; !error && device->operations->memory_range(device, i, &address, &size); i++) {
		uint64_t start = address & ~mask, end = (address + size + mask) & ~mask;

		if (start < last)
			start = last;
		if (start < end && !had(shared, before, start))
			error = shared_add(shared, start, end - start);
		last = end;
	}
	*seen_ret = i;
	return error;
}

struct wt_error *wt_host_shared_update(struct wt_host_shared *shared,
				       const struct wt_device *device)
{
	struct wt_host_file header = {.magic = WT_HOST_SHARED_MAGIC};
	uint64_t address, size;
	struct wt_error *error;
	size_t before = shared->count, seen;

	/* Ranges only come. */
	if (shared->seen &&
	    !device->operations->memory_range(device, shared->seen, &address, &size))
		return NULL;
	error = add_new(shared, device, &seen);
	if (error)
		return error;
	shared->seen = seen;
	header.range_count = shared->count;
	error = wt_file_write_at(shared->file, sizeof(header) + before * sizeof(*shared->ranges),
				 shared->ranges + before,
				 (shared->count - before) * sizeof(*shared->ranges), what, name);
	if (!error)
		error = wt_file_write_at(shared->file, 0, &header, sizeof(header), what, name);
	if (shared->count)
		qsort(shared->ranges, shared->count, sizeof(*shared->ranges), range_by_address);
	return error;
}
