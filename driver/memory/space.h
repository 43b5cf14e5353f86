/* SPDX-License-Identifier: MIT */
/*
 * Memory that programs allocate from the driver. The store is one sparse file for all processes. The space of a process maps
 * its addresses to parts of the store. Device and program see the same bytes at the same addresses.
 */
#ifndef WT_DRIVER_MEMORY_SPACE_H
#define WT_DRIVER_MEMORY_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

#define WT_PAGE UINT64_C(4096)
#define WT_STORE_BYTES                                                                             \
	(UINT64_C(1) << 40) /* of the sparse file; pages are allocated at their first use */
#define WT_VRAM_BYTES (UINT64_C(8) << 30)
#define WT_GTT_BYTES (UINT64_C(8) << 30)

/* A free range of the store. */
struct wt_gap {
	uint64_t offset, size;
};

enum wt_kind {
	WT_KIND_FREE,
	WT_KIND_VRAM,
	WT_KIND_GTT,
	WT_KIND_USER,	  /* memory of the program itself (userptr), possibly at another address */
	WT_KIND_DOORBELL, /* doorbell pages of /dev/kfd */
	WT_KIND_MMIO,
};

/* A part of the store: it is there as long as anybody refers to it, whichever process that is. */
struct wt_extent {
	enum wt_kind kind; /* VRAM or GTT */
	uint64_t offset, size;
	uint32_t references;
	uint32_t gpu_id, flags; /* as the program passed them that allocated it */
	struct wt_extent *next; /* in the store's list of those that were exported */
	int file; /* the file that stands for it where it is handed on; -1: it was not exported */
	uint64_t inode; /* of that file */
};

struct wt_store {
	int fd;
	uint8_t *data; /* all of it, mapped */
	struct wt_gap *gaps;
	size_t count, capacity;
	uint64_t vram, gtt; /* allocated bytes of each kind */
	struct wt_extent *exported;
};

/** @name: of the memory file. */
struct wt_error *wt_store_init(struct wt_store *store, const char *name);
void wt_store_deinit(struct wt_store *store);

/** One that refers to a buffer is gone: the last one gives its memory back. */
void wt_extent_release(struct wt_store *store, struct wt_extent *buffer);

struct wt_allocation {
	enum wt_kind kind;
	uint64_t address, size;
	uint64_t offset;	  /* in the store; for WT_KIND_USER: the address in the program */
	uint32_t gpu_id, flags;	  /* as the program passed them */
	uint32_t mapped;	  /* bit N: agent N may access it */
	struct wt_extent *buffer; /* of VRAM and GTT */
	bool by_address; /* a mapping of the render node's: it has no handle for programs */
};

/* The allocations of a process, by handle and by address. */
struct wt_space {
	pid_t pid;
	struct wt_store *store;
	struct wt_allocation *allocations; /* handle - 1 is the index */
	size_t count, capacity;
	uint32_t *order; /* indices of those that an agent may access, sorted by address */
	size_t ordered;
	uint64_t changes; /* incremented when the mapping of any address may have changed */
};

void wt_space_init(struct wt_space *space, pid_t pid, struct wt_store *store);
void wt_space_deinit(struct wt_space *space);

/**
 * Allocate.
 *
 * @allocation: all fields but `mapped`. For VRAM and GTT without a buffer one is made here, and offset and buffer are filled in;
 *	with one, the range refers to it, from the offset in the store on.
 * @handle_ret: greater than 0.
 *
 * Return: 0; -EINVAL if address or size are not whole pages, or the range overlaps another; -ENOMEM.
 */
int wt_space_allocate(struct wt_space *space, struct wt_allocation *allocation,
		      uint64_t *handle_ret);

/** Free an allocation. Return: 0; -EINVAL if there is no such handle. */
int wt_space_free(struct wt_space *space, uint64_t handle);

/** The allocation of a program's handle; NULL if there is none. */
struct wt_allocation *wt_space_find(struct wt_space *space, uint64_t handle);

/** Map an allocation for agents (bit N: agent N), or unmap it. Return: 0, or -ENOMEM. */
int wt_space_map(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents);
int wt_space_unmap(struct wt_space *space, struct wt_allocation *allocation, uint32_t agents);

/**
 * Find the allocation at an address, as an agent accesses it.
 *
 * @size_ret: bytes from the address to the end of the allocation.
 *
 * Return: the allocation, or NULL if the agent may not access the address.
 */
const struct wt_allocation *wt_space_at(const struct wt_space *space, uint32_t agent,
					uint64_t address, uint64_t *size_ret);

/** A pointer to the bytes at @address of a VRAM or GTT allocation; NULL for other kinds. */
static inline uint8_t *wt_space_data(const struct wt_space *space,
				     const struct wt_allocation *allocation, uint64_t address)
{
	if (allocation->kind != WT_KIND_VRAM && allocation->kind != WT_KIND_GTT)
		return NULL;
	return space->store->data + allocation->offset + (address - allocation->address);
}

#endif /* WT_DRIVER_MEMORY_SPACE_H */
