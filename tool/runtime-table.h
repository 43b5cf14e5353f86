/* SPDX-License-Identifier: MIT */
/*
 * The table of functions through which everybody calls the HSA runtime: those that allocate and free memory are replaced by ours,
 * which note what was allocated and call what was there; so are those that read code objects, which give it the
 * copies of tool/trapping.h where exceptions are to trap, and those that make and destroy queues. The runtime tells the program of a
 * queue that it gives up by the callback that the program gave when it made the queue, and in which HIP ends the program. There may be
 * no wave to stop for it: a packet, a code object or a request for registers that cannot be. So a callback of ours comes first. No
 * function that launches anything is touched.
 *
 * The runtime says in the head of each table how long it is and of which version: AMD's extensions have two layouts in the runtimes
 * from 5.0 to 7.2, of which the later one grows at its end. Where neither fits nothing is replaced.
 */
#ifndef WT_TOOL_RUNTIME_TABLE_H
#define WT_TOOL_RUNTIME_TABLE_H

#include "recorder/host/allocations.h"
#include "tool/held-memory.h"

/* Queues that are made from now on. */
struct wt_runtime_queues {
	/* Called on the runtime's thread for one that it gives up, before the program's callback; with the runtime's words, for the call. */
	void (*told)(const struct wt_host_queue_error *error);
	/* Filled in; NULL: they are not noted. Returns whether any has packets; and a number that changes as they are taken. */
	bool (*look)(uint64_t *moved_ret);
};

/**
 * Replace functions of the table that OnLoad is given, and note from now on what they allocate. They stay replaced; called again, it is
 * begun anew.
 *
 * @table: of the runtime: read as far as it says how long it is.
 * @wanted: who wants to know of them; NULL: nobody.
 * @source_ret: by which who writes a trace gets it.
 * Return: false if the table is of no kind that is known: then nothing that allocates was replaced.
 */
bool wt_runtime_table_take(void *table, struct wt_runtime_queues *wanted,
			   struct wt_allocation_source *source_ret);

/** Note nothing any more: at the end, and in a child after fork(). */
void wt_runtime_table_forget(void);

#endif /* WT_TOOL_RUNTIME_TABLE_H */
