/* SPDX-License-Identifier: MIT */
/*
 * A workload: what the simulated GPU is to run, as a JSON file.
 *
 *   architecture   name of the agents' architecture, unless an agent has its own
 *   code_objects   files; loaded in this order, once each, for all agents. In place of a name, an
 *                  object { file, load_after, unload_after }: the program loads it when the dispatch
 *                  of that number (from 0) has completed, and not at its start; it unloads it when
 *                  that dispatch and all that use the code object have completed. A dispatch waits
 *                  for the code object of its kernel
 *   end            optional: what the program does when all is done: "stay" (if absent), "unload"
 *                  its runtime, or "exit"
 *   code_objects_from  optional: "file" (if absent) or "memory": where they are said to have been loaded
 *                  from; for "memory", the files' bytes are in the device's memory, too
 *   buffers        object of NAME: { bytes, fill }; fill is absent (zeros), or one of
 *                  { "constant": { type, value } }, { "iota": { type, start, step } },
 *                  { "file": PATH }
 *   agents         optional, array of { architecture }; one agent if absent
 *   queues         optional, array of { agent, packets }; agent 0 and 64 packets if a field is
 *                  absent, and one such queue for each agent if the array is
 *   dispatches     array of { kernel, grid, workgroup, dynamic_group_bytes, arguments, agent,
 *                  queue }; agent and queue are numbers, counted from 0; without a queue, the
 *                  agent's first
 *
 * Paths are relative to the workload. An argument is an object of one kind: { "buffer": NAME } with
 * an optional "offset"; i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 with a number; "bytes" with
 * hex digits. Whole numbers above 2^63 - 1 are given to u64 as a string, "0x...".
 *
 * Element i of an iota is start + i * step, modulo two to the width for whole numbers; for f32 and
 * f64 computed as double and then rounded.
 */
#ifndef WT_DEVICE_WORKLOAD_WORKLOAD_H
#define WT_DEVICE_WORKLOAD_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/workload/description.h"

/**
 * Read a workload file. Nothing that it names is opened.
 *
 * Errors name the file and the place in it; a kernel's name and arguments are checked when the code
 * objects are loaded.
 */
struct wt_error *wt_workload_create(const char *path, struct wt_workload **workload_ret);
void wt_workload_destroy(struct wt_workload *workload);

/**
 * Write a buffer's initial contents.
 *
 * @data: `size` bytes of the buffer, zeros.
 *
 * Errors: a file that cannot be read or is not as long as the buffer.
 */
struct wt_error *wt_workload_fill(const struct wt_workload *workload, size_t buffer, uint8_t *data);

#endif /* WT_DEVICE_WORKLOAD_WORKLOAD_H */
