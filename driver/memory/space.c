/* SPDX-License-Identifier: MIT */
#include "driver/memory/space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CANNOT_MAKE "cannot make the device's memory"
#define ALLOCATIONS_MAX (UINT32_C(1) << 20) /* of a process */

struct wt_error *wt_store_init(struct wt_store *store, const char *name)
{
	*store = (struct wt_store){.fd = memfd_create(name, MFD_CLOEXEC)};
	if (store->fd < 0)
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	if (ftruncate(store->fd, (off_t)WT_STORE_BYTES))
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	store->data = mmap(NULL, WT_STORE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
			   store->fd, 0);
	if (store->data == MAP_FAILED) {
		store->data = NULL;
		return wt_error_errno(errno, CANNOT_MAKE, NULL);
	}
	store->gaps = malloc(sizeof(*store->gaps));
	if (!store->gaps)
		return &wt_error_no_memory;
	/* No offset is 0: a program takes that for none. */
	store->gaps[0] = (struct wt_gap){.offset = 1 << 20, .size = WT_STORE_BYTES - (1 << 20)};
	store->count = store->capacity = 1;
	return NULL;
}

void wt_store_deinit(struct wt_store *store)
{
	if (store->data)
		munmap(store->data, WT_STORE_BYTES);
	if (store->fd >= 0)
		close(store->fd);
	free(store->gaps);
	*store = (struct wt_store){.fd = -1};
}

static bool array_grow(void **array, size_t *capacity, size_t count, size_t size)
{
	size_t more = *capacity ? 2 * *capacity : 16;
	void *grown;

	if (count < *capacity)
		return true;
	grown = reallocarray(*array, more, size);
	if (!grown)
		return false;
	*array = grown;
	*capacity = more;
	return true;
}

static uint64_t *store_taken(struct wt_store *store, enum wt_kind kind)
{
	return kind == WT_KIND_VRAM ? &store->vram : &store->gtt;
}

/* The first gap that is large enough. */
static int store_take(struct wt_store *store, enum wt_kind kind, uint64_t size,
		      uint64_t *offset_ret)
{
	uint64_t limit = kind == WT_KIND_VRAM ? WT_VRAM_BYTES : WT_GTT_BYTES;

	if (size > limit - *store_taken(store, kind))
		return -ENOMEM;
	for (size_t i = 0; i < store->count; i++) {
		struct wt_gap *gap = &store->gaps[i];

		if (gap->size < size)
			continue;
		*offset_ret = gap->offset;
		gap->offset += size;
		gap->size -= size;
		if (!gap->size)
			memmove(gap, gap + 1, (--store->count - i) * sizeof(*gap));
		*store_taken(store, kind) += size;
		return 0;
	}
	return -ENOMEM;
}

/* Give the pages to the system and the addresses to the gaps; without memory for a gap they stay unused. */
static void store_give_back(struct wt_store *store, enum wt_kind kind, uint64_t offset,
			    uint64_t size)
{
	size_t i = 0;

	fallocate(store->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset,
		  (off_t)size);
	*store_taken(store, kind) -= size;
	while (i < store->count && store->gaps[i].offset < offset)
		i++;
	if (i && store->gaps[i - 1].offset + store->gaps[i - 1].size == offset) {
		i--;
		store->gaps[i].size += size;
	} else {
		if (!array_grow((void **)&store->gaps, &store->capacity, store->count,
				sizeof(*store->gaps)))
			return;
		memmove(&store->gaps[i + 1], &store->gaps[i],
			(store->count++ - i) * sizeof(*store->gaps));
		store->gaps[i] = (struct wt_gap){.offset = offset, .size = size};
	}
	if (i + 1 < store->count &&
	    store->gaps[i].offset + store->gaps[i].size == store->gaps[i + 1].offset) {
		store->gaps[i].size += store->gaps[i + 1].size;
		memmove(&store->gaps[i + 1], &store->gaps[i + 2],
			(--store->count - i - 1) * sizeof(*store->gaps));
	}
}

/* Return: 0, or -ENOMEM. */
static int store_make_buffer(struct wt_store *store, const struct wt_allocation *allocation,
			     struct wt_extent **buffer_ret)
{
	struct wt_extent *buffer = malloc(sizeof(*buffer));
	int error;

	if (!buffer)
		return -ENOMEM;
	*buffer = (struct wt_extent){
		.kind = allocation->kind,
		.size = allocation->size,
		.references = 1,
		.gpu_id = allocation->gpu_id,
		.flags = allocation->flags,
		.file = -1,
	};
	error = store_take(store, buffer->kind, buffer->size, &buffer->offset);
	if (error) {
		free(buffer);
		return error;
	}
	*buffer_ret = buffer;
	return 0;
}

void wt_extent_release(struct wt_store *store, struct wt_extent *buffer)
{
	struct wt_extent **link = &store->exported;

	if (--buffer->references)
		return;
	if (buffer->file >= 0) {
		while (*link != buffer)
			link = &(*link)->next;
		*link = buffer->next;
		close(buffer->file);
	}
	store_give_back(store, buffer->kind, buffer->offset, buffer->size);
	free(buffer);
}

void wt_space_init(struct wt_space *space, pid_t pid, struct wt_store *store)
{
	*space = (struct wt_space){.pid = pid, .store = store};
}

static bool allocation_is_stored(const struct wt_allocation *allocation)
{
	return allocation->kind == WT_KIND_VRAM || allocation->kind == WT_KIND_GTT;
}

void wt_space_deinit(struct wt_space *space)
{
	for (size_t i = 0; i < space->count; i++)
		if (allocation_is_stored(&space->allocations[i]))
			wt_extent_release(space->store, space->allocations[i].buffer);
	free(space->allocations);
	free(space->order);
	*space = (struct wt_space){0};
}

int wt_space_allocate(struct wt_space *space, struct wt_allocation *allocation,
		      uint64_t *handle_ret)
{
	size_t index = 0;
	int error;

	if (!allocation->size || allocation->size % WT_PAGE || allocation->address % WT_PAGE ||
	    allocation->address + allocation->size < allocation->address)
		return -EINVAL;
	while (index < space->count && space->allocations[index].kind != WT_KIND_FREE)
		index++;
	if (index >= ALLOCATIONS_MAX || !array_grow((void **)&space->allocations, &space->capacity,
						    index, sizeof(*space->allocations)))
		return -ENOMEM;
	if (allocation->buffer) {
		allocation->buffer->references++;
	} else if (allocation_is_stored(allocation)) {
		error = store_make_buffer(space->store, allocation, &allocation->buffer);
		if (error)
			return error;
		allocation->offset = allocation->buffer->offset;
	}
	space->allocations[index] = *allocation;
	space->allocations[index].mapped = 0;
	if (index == space->count)
		space->count++;
	*handle_ret = index + 1;
	return 0;
}

static struct wt_allocation *space_find_any(struct wt_space *space, uint64_t handle)
{
	if (!handle || handle > space->count || space->allocations[handle - 1].kind == WT_KIND_FREE)
		return NULL;
	return &space->allocations[handle - 1];
}

struct wt_allocation *wt_space_find(struct wt_space *space, uint64_t handle)
{
	struct wt_allocation *allocation = space_find_any(space, handle);

	return allocation && !allocation->by_address ? allocation : NULL;
}

/* The first place in the order whose allocation ends behind @address. */
static size_t space_place(const struct wt_space *space, uint64_t address)
{
	size_t low = 0, high = space->ordered;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct wt_allocation *at = &space->allocations[space->order[middle]];

		if (at->address + at->size - 1 < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int wt_space_map(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents)
{
	size_t place = space_place(space, allocation->address);
	uint32_t index = (uint32_t)(allocation - space->allocations);
	uint32_t *grown;

	if (!allocation->mapped) {
		const struct wt_allocation *next =
			place < space->ordered ? &space->allocations[space->order[place]] : NULL;

		if (next && next->address - allocation->address < allocation->size)
			return -EINVAL;
		if (next && next->address < allocation->address)
			return -EINVAL;
		grown = reallocarray(space->order, space->ordered + 1, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		space->order = grown;
		memmove(&grown[place + 1], &grown[place],
			(space->ordered++ - place) * sizeof(*grown));
		grown[place] = index;
	}
	allocation->mapped |= agents;
	space->changes++;
	return 0;
}

int wt_space_unmap(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents)
{
	uint32_t index = (uint32_t)(allocation - space->allocations);
	bool was = allocation->mapped;

	allocation->mapped &= ~agents;
	space->changes++;
	if (!was || allocation->mapped)
		return 0;
	for (size_t i = 0; i < space->ordered; i++) {
		if (space->order[i] != index)
			continue;
		memmove(&space->order[i], &space->order[i + 1],
			(--space->ordered - i) * sizeof(*space->order));
		break;
	}
	return 0;
}

int wt_space_free(struct wt_space *space, uint64_t handle)
{
	struct wt_allocation *allocation = space_find_any(space, handle);

	if (!allocation)
		return -EINVAL;
	wt_space_unmap(space, allocation, UINT32_MAX);
	if (allocation_is_stored(allocation))
		wt_extent_release(space->store, allocation->buffer);
	*allocation = (struct wt_allocation){.kind = WT_KIND_FREE};
	return 0;
}

const struct wt_allocation *wt_space_at(const struct wt_space *space, uint32_t agent,
					uint64_t address, uint64_t *size_ret)
{
	size_t place = space_place(space, address);
	const struct wt_allocation *allocation;

	if (place >= space->ordered)
		return NULL;
	allocation = &space->allocations[space->order[place]];
	if (address < allocation->address || !(allocation->mapped >> agent & 1))
		return NULL;
	*size_ret = allocation->size - (address - allocation->address);
	return allocation;
}
