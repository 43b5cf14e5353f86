/* SPDX-License-Identifier: MIT */
/* Does a program hang? It does where packets wait in a queue and no queue has taken one for some time. */
#ifndef WT_TOOL_HANG_H
#define WT_TOOL_HANG_H

#include <stdbool.h>
#include <stdint.h>

#include "dbgapi/table/api.h"

struct wt_tool_hang {
	uint64_t after_ms; /* 0: not looked for */
	uint64_t since_ms; /* when a queue moved last, or nothing waited */
	uint64_t next_ms;  /* when to look again */
	uint64_t moved;	   /* of all queues and their read indices */
	bool told;	   /* of this hang */
	/* Looks at the queues where no library does: whether any has packets, and a number that changes as they are taken. */
	bool (*look)(uint64_t *moved_ret);
};

/** Start, with what is there now. */
struct wt_tool_hang wt_tool_hang_start(uint64_t after_ms, uint64_t now_ms);

/** Milliseconds until wt_tool_hang_check() is to be called; -1: never. */
int wt_tool_hang_wait(const struct wt_tool_hang *hang, uint64_t now_ms);

/**
 * Look at the queues if it is time to.
 *
 * @api: a library that allocates what it answers with malloc(); NULL: there is none.
 *
 * Return: whether the program hangs; once for each time that it begins to.
 */
bool wt_tool_hang_check(struct wt_tool_hang *hang, const struct wt_api *api,
			amd_dbgapi_process_id_t process, uint64_t now_ms);

/** The rule alone: @moved and @waits as the queues have them at @now_ms. */
bool wt_tool_hang_note(struct wt_tool_hang *hang, uint64_t moved, bool waits, uint64_t now_ms);

#endif /* WT_TOOL_HANG_H */
