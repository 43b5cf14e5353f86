/* SPDX-License-Identifier: MIT */
/* A process that a client debugs, as the system shows it: its memory, and whether it runs. */
#ifndef WT_DBGAPI_HOST_DEBUGGED_PROCESS_H
#define WT_DBGAPI_HOST_DEBUGGED_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "dbgapi/host/host.h"

/** The memory of a process, to be read and written; a file that the caller closes, or -1. */
int wt_host_open(pid_t process);

/**
 * Move bytes between the memory of a process and @read_to, or @write_from if that is NULL.
 *
 * @memory: of wt_host_open().
 *
 * Return: how many bytes were moved, fewer than @size where memory ends.
 */
size_t wt_host_move(int memory, uint64_t address, void *read_to, const void *write_from,
		    size_t size);

/** Whether the thread of a process can run: no debugger has stopped it, and it has not ended. */
bool wt_host_runs(pid_t process);

#endif /* WT_DBGAPI_HOST_DEBUGGED_PROCESS_H */
