/* SPDX-License-Identifier: MIT */
/*
 * Addresses that a program has only reserved: private mappings without a name that nobody may access. A debugger reads them all
 * the same, as zeros. Runtimes keep such ranges beside the memory that they hand out, and where they let a GPU see the program's
 * own memory at other addresses: that the program has nothing there does not say that the GPU has nothing. Of a device, too, there
 * are mappings that the program may not access: those have a name, and memory that can be read.
 */
#ifndef WT_RECORDER_HOST_RESERVED_H
#define WT_RECORDER_HOST_RESERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wt_reserved {
	struct wt_reserved_range {
		uint64_t start, end;
	} * ranges; /* from low to high */
	size_t count;
};

/**
 * Reads what a process has reserved now.
 *
 * @process: its id. @reserved_ret: for wt_reserved_deinit(); nothing is reserved where it cannot be read.
 */
void wt_reserved_read(uint64_t process, struct wt_reserved *reserved_ret);
void wt_reserved_deinit(struct wt_reserved *reserved);

/** Is an address in one of the ranges? */
bool wt_reserved_has(const struct wt_reserved *reserved, uint64_t address);

#endif /* WT_RECORDER_HOST_RESERVED_H */
