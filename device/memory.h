/* SPDX-License-Identifier: MIT */
/*
 * The global memory of the simulated GPU: ranges of bytes at fixed addresses.
 *
 * A range begins at a multiple of 64 KiB and is followed by at least 64 KiB that are not mapped, so that an access past
 * its last byte fails. Each kind of range has a region, which is filled upwards:
 *
 *   0x2000_0000_0000  code objects: a range for each loaded segment, and ELF images
 *   0x2100_0000_0000  buffers
 *   0x2200_0000_0000  kernel arguments
 *   0x2300_0000_0000  queues: amd_queue_t, the ring, completion signals
 *   0x2400_0000_0000  private memory of waves
 *   0x2500_0000_0000  context save areas and the list of code objects, once the process was frozen
 *
 * So an address depends on the workload alone. On Linux for x86-64 the regions overlap neither programs, libraries and
 * stacks nor the shadow memory of a sanitizer, so that another process can map them at the same addresses.
 */
#ifndef WT_DEVICE_MEMORY_H
#define WT_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum wt_memory_region {
	WT_MEMORY_CODE,
	WT_MEMORY_BUFFERS,
	WT_MEMORY_ARGUMENTS,
	WT_MEMORY_QUEUES,
	WT_MEMORY_SCRATCH,
	WT_MEMORY_SAVED,
	WT_MEMORY_REGION_COUNT,
};

#define WT_MEMORY_ALIGNMENT UINT64_C(0x10000)
#define WT_MEMORY_FIRST UINT64_C(0x200000000000) /* the lowest address of a range */
#define WT_MEMORY_REGION_SIZE UINT64_C(0x10000000000)

/* The accesses of waves that a range allows. A debugger may read and write all ranges. */
enum wt_memory_access {
	WT_MEMORY_READ = 1,
	WT_MEMORY_WRITE = 2,
	WT_MEMORY_EXECUTE = 4,
};

struct wt_memory_range {
	uint64_t address, size;
	uint8_t *data;
	uint32_t access; /* of enum wt_memory_access */
};

/* In a file with the bytes: what is before those of WT_MEMORY_FIRST is left to whoever made it. */
#define WT_MEMORY_FILE_HEAD UINT64_C(0x200000)

struct wt_memory {
	struct wt_memory_range *ranges; /* in order of their addresses */
	size_t count, capacity;
	int file; /* that has the bytes, at wt_memory_offset(); -1: none */
	uint64_t next[WT_MEMORY_REGION_COUNT]; /* where the next reservation goes */
	uint64_t code_changes;		       /* how often bytes that may be executed changed */
	/* Indices of the ranges that were last accessed. The next access is mostly to the same. */
	size_t last_read, last_write, last_fetch;
};

/** Set up an empty memory. */
void wt_memory_init(struct wt_memory *memory);
void wt_memory_deinit(struct wt_memory *memory);

/**
 * Keep the bytes of all ranges in a file, so that another process that maps it has the same memory. The memory must be
 * empty. The file is sparse, and grows with each range.
 *
 * @file: to be read and written, zeros from WT_MEMORY_FILE_HEAD on. The caller closes it, after wt_memory_deinit().
 */
void wt_memory_share(struct wt_memory *memory, int file);

/** Returns where in such a file the byte of an address is. Pages of addresses are pages of the file. */
static inline uint64_t wt_memory_offset(uint64_t address)
{
	return address - WT_MEMORY_FIRST + WT_MEMORY_FILE_HEAD;
}

/** Another process may have written to a memory that is shared: decoded instructions are no longer valid. */
void wt_memory_revisit(struct wt_memory *memory);

/**
 * Reserve @size bytes of addresses in a region, for one range or for several that belong together.
 *
 * Return: the address, or 0 if the region is full.
 */
uint64_t wt_memory_reserve(struct wt_memory *memory, enum wt_memory_region region, uint64_t size);

/**
 * Map zeros at a reserved address.
 *
 * @size: in bytes, more than 0.
 * @data_ret: the bytes, owned by the memory, valid as long as it. May be NULL.
 *
 * Errors: no memory; WT_ERROR_INPUT if a part of the range is mapped already.
 */
struct wt_error *wt_memory_map(struct wt_memory *memory, uint64_t address, uint64_t size,
			       uint32_t access, uint8_t **data_ret);

/** Take away the range that begins at an address; its addresses are not used again. Legal where there is none. */
void wt_memory_unmap(struct wt_memory *memory, uint64_t address);

/** wt_memory_reserve() and wt_memory_map() of one range. */
struct wt_error *wt_memory_allocate(struct wt_memory *memory, enum wt_memory_region region,
				    uint64_t size, uint32_t access, uint64_t *address_ret,
				    uint8_t **data_ret);

/** The bytes at an address; NULL unless all @size bytes (for 0: one byte) are in one range. */
uint8_t *wt_memory_at(const struct wt_memory *memory, uint64_t address, uint64_t size);

/**
 * Accesses of waves. False, and nothing is transferred, if a byte is not mapped or the range does not permit the access,
 * or if the bytes are in two ranges (only segments of a code object can be adjacent).
 */
bool wt_memory_read(struct wt_memory *memory, uint64_t address, void *data, size_t size);
bool wt_memory_write(struct wt_memory *memory, uint64_t address, const void *data, size_t size);
bool wt_memory_fetch(struct wt_memory *memory, uint64_t address, void *data, size_t size);

/** The bytes of such an access in place, until the next one; NULL if it would fail, or if it would write to code. */
uint8_t *wt_memory_in_place(struct wt_memory *memory, uint64_t address, uint64_t size, bool write);

/** Whether an access of a wave, one of enum wt_memory_access, would succeed. */
bool wt_memory_may(struct wt_memory *memory, uint64_t address, size_t size, uint32_t access);

/** Accesses of a debugger. Return: bytes transferred, fewer than @size at the end of what is mapped. */
size_t wt_memory_peek(const struct wt_memory *memory, uint64_t address, void *data, size_t size);
size_t wt_memory_poke(struct wt_memory *memory, uint64_t address, const void *data, size_t size);

#endif /* WT_DEVICE_MEMORY_H */
