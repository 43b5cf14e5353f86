/* SPDX-License-Identifier: MIT */
/*
 * Answers a call as it was recorded: makes the recorded callbacks to this client, in the recorded order, and returns the
 * recorded outputs. Memory that an output needs comes from this client's allocate_memory callback.
 *
 * Two things are not repeated:
 * - Callbacks that read or write memory of the process, unless the process is a core. Any other recorded process no longer
 *   exists, and the process in its place has other memory at the recorded addresses.
 * - Answers that mean something in the recorded process only, such as its notifier. The caller answers these.
 */
#ifndef WT_REPLAYER_LIBRARY_REPEAT_H
#define WT_REPLAYER_LIBRARY_REPEAT_H

#include "replayer/journal/cursor.h"

/* Limit for the callbacks of one kind in a call. No call needs that many. */
#define WT_REPEAT_BLOCKS 32

struct wt_replay_process;

struct wt_repeat_block {
	void *memory;
	size_t size;
};

struct wt_repeat_breakpoint {
	uint64_t handle;
	bool there; /* true: inserted, and the client accepted it; false: removed */
};

struct wt_repeat {
	struct wt_replay_process *process; /* that the call is about; wt_follow() needs it */
	const struct wt_whole_call *call;
	const struct wt_argument *arguments;
	const struct wt_identities *identities;
	const amd_dbgapi_callbacks_t *callbacks; /* the client's; NULL: make none */
	amd_dbgapi_log_level_t log_level;
	bool core; /* the call attaches to a core dump */
	/* Is a process of the client's a core dump that it is attached to? */
	bool (*is_core)(amd_dbgapi_client_process_id_t client);
	/* Results of the callbacks: */
	struct wt_repeat_block blocks[WT_REPEAT_BLOCKS]; /* the client's memory, for outputs */
	size_t block_count;
	void *lent[WT_REPEAT_BLOCKS]; /* memory that the client lent, to be given back */
	size_t lent_count;
	bool asked_os_id, has_os_id;
	amd_dbgapi_os_process_id_t os_id;
	struct wt_repeat_breakpoint breakpoints[WT_REPEAT_BLOCKS];
	size_t breakpoint_count;
};

/** Does the trace have the whole answer? A redacted or damaged one may not. */
bool wt_repeat_is_whole(const struct wt_whole_call *call);

/**
 * Make the callbacks.
 *
 * Return: false if this client's callbacks returned something else than the recorded client's. The recorded answer is then
 * wrong here. Memory that this client gave has been given back.
 */
bool wt_repeat_callbacks(struct wt_repeat *repeat);

/**
 * Write the outputs.
 *
 * @text_ret: the returned string, for functions that return one; may be NULL for others.
 * Return: false if there is no memory for a string that the client may keep.
 */
bool wt_repeat_outputs(struct wt_repeat *repeat, const char **text_ret);

#endif /* WT_REPLAYER_LIBRARY_REPEAT_H */
