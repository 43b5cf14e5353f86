/* SPDX-License-Identifier: MIT */
/*
 * A recorded stop as a GPU core dump, for debuggers that know no traces: the same agents, queues, waves, registers and memory.
 *
 *     pieces.c        the memory of the core, and room in it for what a core needs
 *     dumped-wave.c   recorded registers as a saved wave
 *     core.c          the queues: which waves can be saved, and where their private memory is; the note, and the whole
 *
 * The room `core` writes what was recorded. What was not is left out and counted, never made up. It must not know the format
 * of the file, which is that of dbgapi/core/dump-write.h.
 */
#ifndef WT_REPLAYER_CORE_CORE_H
#define WT_REPLAYER_CORE_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "replayer/view/view.h"

/* The counts of what a core has, and of what it lacks of the stop. */
struct wt_core_export {
	size_t waves, queues, code_objects;
	uint64_t memory;	  /* bytes */
	size_t without_registers; /* waves of which registers were not recorded, as of those that ran */
	size_t without_dispatch; /* waves of which the dispatch or the place in it is not known */
	size_t without_local;	 /* workgroups whose local memory was not recorded in full */
	size_t without_private;	 /* waves whose private memory was recorded, but has no place */
	size_t dispatches;	 /* that have no wave in the core: a core has only what has waves */
	size_t code_files;	 /* code objects whose bytes were not recorded */
	size_t reasons;		 /* waves that stopped for a reason that a core cannot say, */
	uint32_t reasons_lost;	 /* and these reasons: amd_dbgapi_wave_stop_reasons_t */
};

/**
 * Write the core of a stop.
 *
 * @fd: of an empty file that can be written at any place. @path: its name, for errors.
 *
 * Errors: WT_ERROR_UNSUPPORTED for a stop of an architecture of which save areas cannot be written; those of writing.
 */
struct wt_error *wt_core_export(struct wt_view *view, int fd, const char *path,
				struct wt_core_export *export_ret);

#endif /* WT_REPLAYER_CORE_CORE_H */
