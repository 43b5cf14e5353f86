/* SPDX-License-Identifier: MIT */
#include "device/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)

static const uint64_t region_bases[WT_MEMORY_REGION_COUNT] = {
	[WT_MEMORY_CODE] = WT_MEMORY_FIRST,
	[WT_MEMORY_BUFFERS] = UINT64_C(0x210000000000),
	[WT_MEMORY_ARGUMENTS] = UINT64_C(0x220000000000),
	[WT_MEMORY_QUEUES] = UINT64_C(0x230000000000),
	[WT_MEMORY_SCRATCH] = UINT64_C(0x240000000000),
	[WT_MEMORY_SAVED] = UINT64_C(0x250000000000),
};

void wt_memory_init(struct wt_memory *memory)
{
	memset(memory, 0, sizeof(*memory));
	memcpy(memory->next, region_bases, sizeof(region_bases));
	memory->file = -1;
}

/* ---- The bytes of a range: of the file, or of our own ---- */

/* Make a file as long as that; like memory of our own, its pages come when they are touched. */
static bool reach(int file, off_t end)
{
	struct stat status;

	return !fstat(file, &status) && (status.st_size >= end || !ftruncate(file, end));
}

static uint8_t *allocate_bytes(const struct wt_memory *memory, uint64_t address, uint64_t size)
{
	uint64_t within = address % PAGE, last = address + size - 1;
	off_t offset = (off_t)wt_memory_offset(address - within);
	void *mapped;

	if (memory->file < 0)
		return calloc(1, size);
	if (!reach(memory->file, (off_t)(wt_memory_offset(last - last % PAGE) + PAGE)))
		return NULL;
	mapped =
		mmap(NULL, within + size, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, offset);
	return mapped == MAP_FAILED ? NULL : (uint8_t *)mapped + within;
}

static void range_bytes_free(const struct wt_memory *memory, uint64_t address, uint64_t size,
			     uint8_t *data)
{
	uint64_t within = address % PAGE;

	if (memory->file < 0)
		free(data);
	else if (data)
		munmap(data - within, within + size);
}

void wt_memory_share(struct wt_memory *memory, int file)
{
	memory->file = file;
}

void wt_memory_revisit(struct wt_memory *memory)
{
	if (memory->file >= 0)
		memory->code_changes++;
}

void wt_memory_deinit(struct wt_memory *memory)
{
	for (size_t i = 0; i < memory->count; i++)
		range_bytes_free(memory, memory->ranges[i].address, memory->ranges[i].size,
				 memory->ranges[i].data);
	free(memory->ranges);
	memset(memory, 0, sizeof(*memory));
}

uint64_t wt_memory_reserve(struct wt_memory *memory, enum wt_memory_region region, uint64_t size)
{
	uint64_t end = region_bases[region] + WT_MEMORY_REGION_SIZE;
	uint64_t address = memory->next[region];
	uint64_t room = end - address;

	/* The last alignment's worth stays free, before the next region. */
	if (room < 2 * WT_MEMORY_ALIGNMENT || size > room - 2 * WT_MEMORY_ALIGNMENT)
		return 0;
	memory->next[region] = (address + size + WT_MEMORY_ALIGNMENT - 1) / WT_MEMORY_ALIGNMENT *
				       WT_MEMORY_ALIGNMENT +
			       WT_MEMORY_ALIGNMENT;
	return address;
}

/* Index of the first range that ends behind @address: the only one that may contain it. */
static size_t memory_range_find(const struct wt_memory *memory, uint64_t address)
{
	size_t low = 0, high = memory->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wt_memory_range *range = &memory->ranges[middle];

		if (address - range->address < range->size || address < range->address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Make room for one more range. */
static bool memory_grow(struct wt_memory *memory)
{
	size_t capacity = memory->capacity ? 2 * memory->capacity : 64;
	struct wt_memory_range *ranges;

	if (memory->count < memory->capacity)
		return true;
	ranges = reallocarray(memory->ranges, capacity, sizeof(*ranges));
	if (!ranges)
		return false;
	memory->ranges = ranges;
	memory->capacity = capacity;
	return true;
}

struct wt_error *wt_memory_map(struct wt_memory *memory, uint64_t address, uint64_t size,
			       uint32_t access, uint8_t **data_ret)
{
	size_t at = memory_range_find(memory, address);
	struct wt_memory_range *range;
	uint8_t *data;

	if (at < memory->count && memory->ranges[at].address - address < size)
		goto out_overlap;
	if (at < memory->count && memory->ranges[at].address < address)
		goto out_overlap;
	data = allocate_bytes(memory, address, size);
	if (!data || !memory_grow(memory)) {
		range_bytes_free(memory, address, size, data);
		return &wt_error_no_memory;
	}
	range = &memory->ranges[at];
	memmove(range + 1, range, (memory->count - at) * sizeof(*range));
	*range = (struct wt_memory_range){
		.address = address, .size = size, .data = data, .access = access};
	memory->code_changes++;
	memory->count++;
	if (data_ret)
		*data_ret = data;
	return NULL;

out_overlap:
	return wt_error_create(WT_ERROR_INPUT, "cannot map device memory", NULL,
			       "%llu bytes at %#llx overlap what is mapped at %#llx",
			       (unsigned long long)size, (unsigned long long)address,
			       (unsigned long long)memory->ranges[at].address);
}

void wt_memory_unmap(struct wt_memory *memory, uint64_t address)
{
	size_t at = memory_range_find(memory, address);
	struct wt_memory_range *range = &memory->ranges[at];

	if (at == memory->count || range->address != address)
		return;
	range_bytes_free(memory, range->address, range->size, range->data);
	memory->count--;
	memmove(range, range + 1, (memory->count - at) * sizeof(*range));
	memory->last_read = memory->last_write = memory->last_fetch = 0;
}

struct wt_error *wt_memory_allocate(struct wt_memory *memory, enum wt_memory_region region,
				    uint64_t size, uint32_t access, uint64_t *address_ret,
				    uint8_t **data_ret)
{
	uint64_t address = wt_memory_reserve(memory, region, size);
	struct wt_error *error;

	if (!address)
		return wt_error_create(WT_ERROR_LIMIT, "cannot map device memory", NULL,
				       "no %llu bytes of addresses are left in the region",
				       (unsigned long long)size);
	error = wt_memory_map(memory, address, size, access, data_ret);
	if (!error)
		*address_ret = address;
	return error;
}

/* Whether all of an access is within a range. */
static inline bool range_contains(const struct wt_memory_range *range, uint64_t address,
				  uint64_t size)
{
	uint64_t offset = address - range->address;

	return offset < range->size && size <= range->size - offset;
}

uint8_t *wt_memory_at(const struct wt_memory *memory, uint64_t address, uint64_t size)
{
	size_t at = memory_range_find(memory, address);

	if (at == memory->count || !range_contains(&memory->ranges[at], address, size ? size : 1))
		return NULL;
	return memory->ranges[at].data + (address - memory->ranges[at].address);
}

/* Most accesses are of one word; a copy of a known size needs no call. */
static inline void word_or_bytes_copy(void *to, const void *from, size_t size)
{
	if (size == 4)
		memcpy(to, from, 4);
	else
		memcpy(to, from, size);
}

/* The range of a program's access, looked for first where the one before was; NULL if it may not
 * be. */
static inline const struct wt_memory_range *lookup(const struct wt_memory *memory, uint64_t address,
						   uint64_t size, uint32_t access, size_t *last)
{
	size_t at = *last;

	if (at >= memory->count || !range_contains(&memory->ranges[at], address, size)) {
		at = memory_range_find(memory, address);
		if (at == memory->count || !range_contains(&memory->ranges[at], address, size))
			return NULL;
		*last = at;
	}
	return memory->ranges[at].access & access ? &memory->ranges[at] : NULL;
}

uint8_t *wt_memory_in_place(struct wt_memory *memory, uint64_t address, uint64_t size, bool write)
{
	const struct wt_memory_range *range =
		lookup(memory, address, size, write ? WT_MEMORY_WRITE : WT_MEMORY_READ,
		       write ? &memory->last_write : &memory->last_read);

	if (!range || (write && range->access & WT_MEMORY_EXECUTE))
		return NULL;
	return range->data + (address - range->address);
}

bool wt_memory_may(struct wt_memory *memory, uint64_t address, size_t size, uint32_t access)
{
	size_t *last = access == WT_MEMORY_WRITE ? &memory->last_write : &memory->last_read;

	return lookup(memory, address, size, access, last);
}

bool wt_memory_read(struct wt_memory *memory, uint64_t address, void *data, size_t size)
{
	const struct wt_memory_range *range =
		lookup(memory, address, size, WT_MEMORY_READ, &memory->last_read);

	if (!range)
		return false;
	word_or_bytes_copy(data, range->data + (address - range->address), size);
	return true;
}

bool wt_memory_write(struct wt_memory *memory, uint64_t address, const void *data, size_t size)
{
	const struct wt_memory_range *range =
		lookup(memory, address, size, WT_MEMORY_WRITE, &memory->last_write);

	if (!range)
		return false;
	if (range->access & WT_MEMORY_EXECUTE)
		memory->code_changes++;
	word_or_bytes_copy(range->data + (address - range->address), data, size);
	return true;
}

bool wt_memory_fetch(struct wt_memory *memory, uint64_t address, void *data, size_t size)
{
	const struct wt_memory_range *range =
		lookup(memory, address, size, WT_MEMORY_EXECUTE, &memory->last_fetch);

	if (!range)
		return false;
	word_or_bytes_copy(data, range->data + (address - range->address), size);
	return true;
}

/* The mapped bytes at an address, up to @size, or NULL. Ranges may touch, hence in pieces. */
static uint8_t *piece(const struct wt_memory *memory, uint64_t address, size_t size,
		      size_t *length_ret)
{
	size_t at = memory_range_find(memory, address);
	const struct wt_memory_range *range;
	uint64_t offset, left;

	if (!size || at == memory->count || !range_contains(&memory->ranges[at], address, 1))
		return NULL;
	range = &memory->ranges[at];
	offset = address - range->address;
	left = range->size - offset;
	*length_ret = left < size ? (size_t)left : size;
	return range->data + offset;
}

size_t wt_memory_peek(const struct wt_memory *memory, uint64_t address, void *data, size_t size)
{
	const uint8_t *from;
	size_t done = 0, length;

	while ((from = piece(memory, address + done, size - done, &length))) {
		memcpy((uint8_t *)data + done, from, length);
		done += length;
	}
	return done;
}

size_t wt_memory_poke(struct wt_memory *memory, uint64_t address, const void *data, size_t size)
{
	size_t done = 0, length;
	uint8_t *to;

	while ((to = piece(memory, address + done, size - done, &length))) {
		if (memory->ranges[memory_range_find(memory, address + done)].access &
		    WT_MEMORY_EXECUTE)
			memory->code_changes++;
		memcpy(to, (const uint8_t *)data + done, length);
		done += length;
	}
	return done;
}
