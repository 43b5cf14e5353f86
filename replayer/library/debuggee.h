/* SPDX-License-Identifier: MIT */
/*
 * The host program (wavetape-host) that a debugger runs in place of the recorded process. The library writes the recorded
 * global memory of the present moment into the host's memory, at the recorded addresses. So the debugger sees the same
 * whether it reads the host itself or asks this library.
 *
 * Other clients have no host. For them, memory is what was recorded, with the overlay of what the client wrote.
 */
#ifndef WT_REPLAYER_LIBRARY_DEBUGGEE_H
#define WT_REPLAYER_LIBRARY_DEBUGGEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <amd-dbgapi/amd-dbgapi.h>

#include "replayer/recorded/wave-memory.h"

struct wt_replay_process;
struct wt_timeline_event;

/** The handle of the breakpoint at the ready function of a process's host; recorded ones are counted from 1. */
uint64_t wt_debuggee_breakpoint(const struct wt_replay_process *process);

/**
 * Part of process_attach: find out if the process is a host. If so, ask the client for a breakpoint at the ready function.
 */
void wt_debuggee_open(struct wt_replay_process *process);

/** Part of detaching: have the client remove the breakpoint. */
void wt_debuggee_close(struct wt_replay_process *process);

/**
 * The client asks for events. If the host is about to exit, have the client remove the breakpoint: it cannot do so while the
 * host runs to its exit.
 */
void wt_debuggee_pump(struct wt_replay_process *process);

/**
 * The client gets an event (NULL: none). If it shows something that was not recorded, log that once.
 */
void wt_debuggee_reported(struct wt_replay_process *process, const struct wt_timeline_event *event);

/** The replay goes to another stop: the host is not to exit, even if the client let it run. */
void wt_debuggee_stay(struct wt_replay_process *process);

/** The timeline is at another stop and has no event for it: write the memory of that stop, and log if waves ran there. */
void wt_debuggee_arrived(struct wt_replay_process *process);

/** The client has processed an event of this kind. */
void wt_debuggee_processed(struct wt_replay_process *process, amd_dbgapi_event_kind_t kind);

/** Write the memory of the present moment into the host, unless it is there. */
void wt_debuggee_sync(struct wt_replay_process *process);

/**
 * The client is about to let the process run. If code objects were loaded or unloaded, tell the host to call the ready
 * function, so that the client looks at them. If the recording has no event for what the client resumed: if a wave was to make
 * a single step, or the client holds other waves, stop the waves where they were; else tell the host to exit.
 */
void wt_debuggee_run(struct wt_replay_process *process);

/** The list of code objects before the host has its memory: empty. */
amd_dbgapi_status_t wt_debuggee_no_code(size_t *count, void *array, amd_dbgapi_changed_t *changed);

/**
 * A pc for a wave that this client stopped while the recorded client let it run. Its registers were not recorded then, but a
 * debugger needs some pc: the one that was recorded last, or the start of the kernel if the wave was never recorded stopped.
 * @wave: recorded handle.
 * Return: false if there is no host, or neither address is known.
 */
bool wt_debuggee_pc(const struct wt_replay_process *process, uint64_t wave, uint64_t *pc_ret);

/**
 * Read or write global memory: in the host where the moment has the address or it is the host's own; elsewhere like
 * wt_access_read() and wt_access_write().
 */
size_t wt_debuggee_read(struct wt_replay_process *process, const struct wt_access *access,
			uint64_t address, void *data, size_t size);
size_t wt_debuggee_write(struct wt_replay_process *process, const struct wt_access *access,
			 uint64_t address, const void *data, size_t size);

/** Copy @size bytes from the host's memory to @read_to, or from @write_from to it. Return: how many were copied. */
size_t wt_debuggee_move(const struct wt_replay_process *process, uint64_t address, void *read_to,
			const void *write_from, size_t size);

#endif /* WT_REPLAYER_LIBRARY_DEBUGGEE_H */
