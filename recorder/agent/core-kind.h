/* SPDX-License-Identifier: MIT */
/*
 * How a GPU core dump was written. AMD's runtime leaves memory of data out if it is told to write a lightweight one, and since June 2026
 * asks nothing of the driver's interface for debuggers: then no exception stands in the dump's note.
 */
#ifndef WT_RECORDER_AGENT_CORE_KIND_H
#define WT_RECORDER_AGENT_CORE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "device/save-area/note.h"
#include "recorder/agent/core-file.h"

struct wt_core_kind {
	uint32_t driver_major, driver_minor; /* of the driver's interface, by the note */
	/* The note names no exception, though the driver is one of which such are written without debugging. */
	bool without_debugger;
	/* Bytes of pieces of memory that have nothing of queues, saved waves, private memory and code in them. */
	uint64_t data_bytes;
};

/** Find of which kind a core is, which a note is of. Memory of the program's own core does not count. */
struct wt_core_kind wt_core_kind_find(struct wt_core_file *file, const struct wt_core_note *note);

#endif /* WT_RECORDER_AGENT_CORE_KIND_H */
