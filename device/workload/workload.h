/* SPDX-License-Identifier: MIT */
/*
 * Read a workload: a JSON file that says what the simulated GPU is to run.
 *
 *   architecture   name of the agents' architecture, unless an agent has its own
 *   code_objects   array of file names, each loaded once for all agents, in this order. Instead of a name,
 *                  an object { file, load_after, unload_after }: the program loads it not at its start
 *                  but when dispatch number load_after (from 0) has completed, and unloads it when
 *                  dispatch number unload_after and all dispatches that use it have completed. A
 *                  dispatch waits until the code object of its kernel is loaded
 *   end            optional: what the program does when all dispatches have completed: "stay" (the
 *                  default), "unload" its runtime, or "exit"
 *   code_objects_from  optional: "file" (the default) or "memory". URIs of code objects name files, or
 *                  copies of the files in the device's memory
 *   buffers        object of NAME: { bytes, fill, free_after }; the program frees it when dispatch
 *                  number free_after has completed; fill is absent (zeros), or one of
 *                  { "constant": { type, value } }, { "iota": { type, start, step } },
 *                  { "file": PATH }
 *   agents         optional: array of { architecture }; the default is one agent
 *   queues         optional: array of { agent, packets }, by default agent 0 and 64 packets; without
 *                  the array each agent has one queue of 64 packets
 *   dispatches     array of { kernel, grid, workgroup, dynamic_group_bytes, arguments, agent,
 *                  queue }; agent and queue are indices from 0; the default is the agent's first queue
 *
 * Paths are relative to the workload. An argument is an object of one kind: { "buffer": NAME } with
 * an optional "offset"; { "address": NUMBER } for a pointer to anywhere; i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 with a number; "bytes" with
 * hex digits. A u64 above 2^63 - 1 is a string, "0x...".
 *
 * Element i of an iota is start + i * step. Whole numbers wrap around at their width; f32 and f64 are
 * computed as double and then rounded.
 *
 * The room `workload` reads these files and fills buffers. It must not know how a workload is executed.
 */
#ifndef WT_DEVICE_WORKLOAD_WORKLOAD_H
#define WT_DEVICE_WORKLOAD_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "device/workload/description.h"

/**
 * Read a workload file. The files that it names are not opened.
 *
 * Errors name the file and the place in it. Names of kernels and their arguments are not checked, since
 * that needs the code objects.
 */
struct wt_error *wt_workload_create(const char *path, struct wt_workload **workload_ret);
void wt_workload_destroy(struct wt_workload *workload);

/**
 * Write the initial contents of a buffer.
 *
 * @data: as many zero bytes as the buffer has, which are filled in.
 *
 * Errors: a file that cannot be read or does not have the size of the buffer.
 */
struct wt_error *wt_workload_fill(const struct wt_workload *workload, size_t buffer, uint8_t *data);

#endif /* WT_DEVICE_WORKLOAD_WORKLOAD_H */
