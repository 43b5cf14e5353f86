/* SPDX-License-Identifier: MIT */
/*
 * The global memory of the simulated GPU: ranges of bytes at fixed addresses, and nothing between
 * them.
 *
 * A range begins at a multiple of 64 KiB and ends with its last byte: the byte behind it is not
 * mapped, nor is anything for 64 KiB after it. Each kind of range has a region of its own, filled
 * upwards:
 *
 *   0x2000_0000_0000  code objects, a range for each segment that is loaded, and images that are kept
 *   0x2100_0000_0000  buffers
 *   0x2200_0000_0000  kernel arguments
 *   0x2300_0000_0000  queues: the queue's structure, its ring, its completion signals
 *   0x2400_0000_0000  private memory of waves
 *   0x2500_0000_0000  saved waves and the list of code objects, once the process was frozen
 *
 * So an address depends on the workload alone. The regions lie where neither programs, libraries
 * and stacks of Linux on x86-64 nor the shadow memory of a sanitizer are found: a debugger's host
 * process can map them.
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
#define WT_MEMORY_REGION_SIZE UINT64_C(0x10000000000)

/* What the program may do; a debugger may read and write everything. */
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

struct wt_memory {
	struct wt_memory_range *ranges; /* in order of their addresses */
	size_t count, capacity;
	uint64_t next[WT_MEMORY_REGION_COUNT]; /* where the next reservation goes */
	uint64_t code_changes;		       /* counts what could change an instruction */
	/* Where the last access of each kind was, by index: waves of a workgroup look at one place.
	 * Where the last access of each kind was, by index: waves of a workgroup look at one place.
	 */
	size_t last_read, last_write, last_fetch;
};

/** Set up an empty memory. The structure is the caller's. */
void wt_memory_init(struct wt_memory *memory);
void wt_memory_deinit(struct wt_memory *memory);

/**
 * Take @size bytes of addresses of a region, for one range or for several that belong together.
 *
 * Return: the address, or 0 if the region is full.
 */
uint64_t wt_memory_reserve(struct wt_memory *memory, enum wt_memory_region region, uint64_t size);

/**
 * Map zeros at a reserved address.
 *
 * @size: in bytes, more than 0.
 * @data_ret: the bytes, owned by the memory and at this place for as long as it lives. May be NULL.
 *
 * Errors: no memory; WT_ERROR_INPUT if a part of the range is mapped already.
 */
struct wt_error *wt_memory_map(struct wt_memory *memory, uint64_t address, uint64_t size,
			       uint32_t access, uint8_t **data_ret);

/** wt_memory_reserve() and wt_memory_map() of one range. */
struct wt_error *wt_memory_allocate(struct wt_memory *memory, enum wt_memory_region region,
				    uint64_t size, uint32_t access, uint64_t *address_ret,
				    uint8_t **data_ret);

/** The bytes at an address, or NULL if not all @size of them are in one range; 0 asks for one. */
uint8_t *wt_memory_at(const struct wt_memory *memory, uint64_t address, uint64_t size);

/**
 * The program's accesses: false, and nothing done, if a byte is not mapped or may not be accessed
 * so. An access is within one range: two ranges never touch, but for segments of a code object.
 */
bool wt_memory_read(struct wt_memory *memory, uint64_t address, void *data, size_t size);
bool wt_memory_write(struct wt_memory *memory, uint64_t address, const void *data, size_t size);
bool wt_memory_fetch(struct wt_memory *memory, uint64_t address, void *data, size_t size);

/** Would such an access (one of enum wt_memory_access) succeed? Nothing is done. */
bool wt_memory_may(struct wt_memory *memory, uint64_t address, size_t size, uint32_t access);

/** A debugger's accesses. Return: bytes done, fewer than @size at the end of what is mapped. */
size_t wt_memory_peek(const struct wt_memory *memory, uint64_t address, void *data, size_t size);
size_t wt_memory_poke(struct wt_memory *memory, uint64_t address, const void *data, size_t size);

#endif /* WT_DEVICE_MEMORY_H */
