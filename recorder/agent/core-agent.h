/* SPDX-License-Identifier: MIT */
/*
 * Our own client of the debugger API for a GPU core dump: it gives the library the core's note and
 * memory, lets it tell all it has to tell, and detaches. On top of the recording library that becomes
 * a trace of one stop.
 */
#ifndef WT_RECORDER_AGENT_CORE_AGENT_H
#define WT_RECORDER_AGENT_CORE_AGENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "dbgapi/table/api.h"
#include "recorder/agent/core-file.h"

/* Growth: the size says which fields the caller knows. */
struct wt_core_agent_options {
	size_t size; /* of this structure */
	/* Called for each event; may be NULL. */
	void (*progress)(void *opaque, uint64_t events);
	/* Takes what the library logs; may be NULL. */
	void (*log)(void *opaque, amd_dbgapi_log_level_t level, const char *text);
	/* The path of each code object's file that is not there; may be NULL. */
	void (*missing_file)(void *opaque, const char *path);
	void *opaque; /* of all */
};

struct wt_core_summary {
	uint64_t agents, queues, dispatches, waves, code_objects;
	uint64_t stopped_waves; /* with a reason */
	uint32_t reasons;	/* of all of them, amd_dbgapi_wave_stop_reasons_t */
	uint64_t missing_files;
	uint64_t warnings; /* of the library: usually something that is not in the core */
};

/**
 * Let a library read a core.
 *
 * One agent at a time in a process: the API's callbacks have no context.
 *
 * @options: NULL for none.
 *
 * Errors: WT_ERROR_INTERNAL with the function and status that failed, and what the library logged last;
 * WT_ERROR_INPUT if it finds nothing in the core.
 */
struct wt_error *wt_core_agent_run(const struct wt_api *api, struct wt_core_file *file,
				   const struct wt_core_agent_options *options,
				   struct wt_core_summary *summary_ret);

#endif /* WT_RECORDER_AGENT_CORE_AGENT_H */
