/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose arithmetic exceptions stop a wave. A kernel descriptor says which do (compute_pgm_rsrc2, ENABLE_EXCEPTION_*, bits 24 to
 * 30: LLVM, AMDGPUUsage, "Code Object V3 Kernel Descriptor"); compilers leave all of them off. So the runtime is given a copy of each
 * code object in which they are on: nothing is added to a launch.
 *
 * Copies stay for the life of the process, since the address of the one that was loaded is in the code object's URI, where debuggers
 * read it. The same code object that is loaded again gets the same copy.
 */
#ifndef WT_TOOL_TRAPPING_H
#define WT_TOOL_TRAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/agent/debugger-client.h"
#include "recorder/agent/tool-options.h"

/**
 * Turn exceptions on in a code object.
 *
 * @image: an ELF file of @size bytes, of which nothing is trusted.
 * @exceptions: enum wt_trapped.
 * Return: how many kernels were changed; 0 also if it is no code object with kernel descriptors.
 */
size_t wt_trapping_set(uint8_t *image, size_t size, uint32_t exceptions);

/** From now on code objects get them turned on; 0: none does. Any thread may call it. */
void wt_trapping_arm(uint32_t exceptions);

/**
 * Find what the runtime is to be given in place of a code object.
 *
 * Return: a copy that belongs to this file; NULL if there is nothing to change, or no memory.
 */
const void *wt_trapping_copy(const void *image, size_t size);

/**
 * Turn exceptions off: code objects get none any more, and they are off in the descriptors of kernels that are loaded, and for all waves
 * that are stopped. What cannot be changed stays as it is.
 */
void wt_trapping_forget(const struct wt_agent_client *client);

#endif /* WT_TOOL_TRAPPING_H */
