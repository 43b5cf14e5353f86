/* SPDX-License-Identifier: MIT */
/*
 * The memory that the driver hands out: one sparse file for all (the store), and for each process what lies where in its
 * address space (the space). Device and program see the same bytes, at the same addresses.
 */
#ifndef WT_DRIVER_MEMORY_SPACE_H
#define WT_DRIVER_MEMORY_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

#define WT_PAGE UINT64_C(4096)
#define WT_STORE_BYTES (UINT64_C(1) << 40) /* of addresses; pages come with their first use */
#define WT_VRAM_BYTES (UINT64_C(8) << 30)
#define WT_GTT_BYTES (UINT64_C(8) << 30)

/* A part of the store that is free. */
struct wt_gap {
	uint64_t offset, size;
};

struct wt_store {
	int fd;
	uint8_t *data; /* all of it, mapped */
	struct wt_gap *gaps;
	size_t count, capacity;
	uint64_t vram, gtt; /* bytes that are taken of each kind */
};

struct wt_error *wt_store_init(struct wt_store *store);
void wt_store_deinit(struct wt_store *store);

enum wt_kind {
	WT_KIND_FREE,
	WT_KIND_VRAM,
	WT_KIND_GTT,
	WT_KIND_USER,	  /* memory of the program's own, perhaps at another address */
	WT_KIND_DOORBELL, /* pages of the file that stands for /dev/kfd */
	WT_KIND_MMIO,
};

struct wt_allocation {
	enum wt_kind kind;
	uint64_t address, size;
	uint64_t offset;	/* in the store; of WT_KIND_USER: the address in the program */
	uint32_t gpu_id, flags; /* as the program gave them */
	uint32_t mapped;	/* bit N: agent N may access it */
};

/* The allocations of a process: by handle, and in order of their addresses. */
struct wt_space {
	pid_t pid;
	struct wt_store *store;
	struct wt_allocation *allocations; /* the handle is the index and 1 */
	size_t count, capacity;
	uint32_t *order; /* indices of those that any agent may access, by address */
	size_t ordered;
	uint64_t changes; /* counts what could change what is at an address */
};

void wt_space_init(struct wt_space *space, pid_t pid, struct wt_store *store);
void wt_space_deinit(struct wt_space *space);

/**
 * Allocate.
 *
 * @allocation: all but `mapped`; for memory of the driver's kinds the offset is chosen and filled in.
 * @handle_ret: more than 0.
 *
 * Return: 0; -EINVAL for an address or a size that is not of whole pages, or overlaps; -ENOMEM.
 */
int wt_space_allocate(struct wt_space *space, struct wt_allocation *allocation,
		      uint64_t *handle_ret);

/** Return: 0, or -EINVAL for a handle that there is not. */
int wt_space_free(struct wt_space *space, uint64_t handle);

/** The allocation of a handle; NULL if there is none. */
struct wt_allocation *wt_space_find(struct wt_space *space, uint64_t handle);

/** Let agents access it, or not any more. Return: 0, or -ENOMEM. */
int wt_space_map(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents);
int wt_space_unmap(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents);

/**
 * What an agent finds at an address.
 *
 * @size_ret: how many bytes of the allocation are there from the address on.
 *
 * Return: the allocation, or NULL if the agent may not access the address.
 */
const struct wt_allocation *wt_space_at(const struct wt_space *space, uint32_t agent,
					uint64_t address, uint64_t *size_ret);

/** The bytes of an allocation of the driver's own kinds at @address of it; NULL for other kinds. */
static inline uint8_t *wt_space_data(const struct wt_space *space,
				     const struct wt_allocation *allocation, uint64_t address)
{
	if (allocation->kind != WT_KIND_VRAM && allocation->kind != WT_KIND_GTT)
		return NULL;
	return space->store->data + allocation->offset + (address - allocation->address);
}

#endif /* WT_DRIVER_MEMORY_SPACE_H */
