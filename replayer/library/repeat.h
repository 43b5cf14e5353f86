/* SPDX-License-Identifier: MIT */
/*
 * A recorded call, told again: the callbacks that the recorded library made in it are made of this client, in
 * their order, and the outputs are the recorded ones, in memory that this client's callbacks gave.
 *
 * Two things are not told again. Memory of the process is read and written through callbacks only where that is a
 * core: any other process is not here, and what stands for it has other memory at the recorded addresses. And what
 * names something of the recorded process only, as its notifier, is the caller's to answer.
 */
#ifndef WT_REPLAYER_LIBRARY_REPEAT_H
#define WT_REPLAYER_LIBRARY_REPEAT_H

#include "replayer/journal/match.h"

/* More allocations, breakpoints and texts than any call needs. */
#define WT_REPEAT_BLOCKS 32

struct wt_repeat_block {
	void *memory;
	size_t size;
};

struct wt_repeat_breakpoint {
	uint64_t handle;
	bool there; /* inserted, and the client took it; else removed */
};

struct wt_repeat {
	const struct wt_whole_call *call;
	const struct wt_argument *arguments;
	const struct wt_identities *identities;
	const amd_dbgapi_callbacks_t *callbacks; /* the client's; NULL: none are made */
	amd_dbgapi_log_level_t log_level;
	bool core; /* the process is one */
	/* What came of the callbacks: */
	struct wt_repeat_block blocks[WT_REPEAT_BLOCKS]; /* the client's memory, for outputs */
	size_t block_count;
	void *lent[WT_REPEAT_BLOCKS]; /* the client's memory, to be given back */
	size_t lent_count;
	bool asked_os_id, has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	struct wt_repeat_breakpoint breakpoints[WT_REPEAT_BLOCKS];
	size_t breakpoint_count;
};

/** Does the trace have all of the answer? Not so in a redacted one, say, or where it is damaged. */
bool wt_repeat_is_whole(const struct wt_whole_call *call);

/**
 * Make the callbacks.
 *
 * Return: false if this client's answered otherwise than the recorded one's, so that the recorded answer is
 * not the one to give. What it gave is given back.
 */
bool wt_repeat_callbacks(struct wt_repeat *repeat);

/**
 * Write the outputs.
 *
 * @text_ret: of functions that return a string; may be NULL for others.
 * Return: false if there is no memory for a text that the client is to keep.
 */
bool wt_repeat_outputs(struct wt_repeat *repeat, const char **text_ret);

#endif /* WT_REPLAYER_LIBRARY_REPEAT_H */
