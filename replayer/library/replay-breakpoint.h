/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints that the recorded library had its client insert into the host program. The replay asks this client to insert
 * them at the same moments, and answers reports of their hits as recorded. The recorded program is not there, so that they
 * have no other effect.
 *
 * Not for a debugger of wavetape-host: that process has other memory at those addresses, and a breakpoint of its own
 * (debuggee.h).
 */
#ifndef WT_REPLAYER_LIBRARY_REPLAY_BREAKPOINT_H
#define WT_REPLAYER_LIBRARY_REPLAY_BREAKPOINT_H

#include "replayer/library/internal.h"

/** Have the client insert and remove breakpoints as at the present moment. Call it when the moment may have changed. */
void wt_replay_breakpoints_sync(struct wt_replay_process *process);

/** Have the client remove all breakpoints. Call it when it detaches. */
void wt_replay_breakpoints_withdraw(struct wt_replay_process *process);

/** In a repeated call: the client inserted a breakpoint (@there) or removed it; or it reported a hit. */
void wt_replay_breakpoint_follow(struct wt_replay_process *process, uint64_t handle, bool there);
void wt_replay_breakpoint_was_hit(struct wt_replay_process *process, uint64_t handle);

/** In a repeated call: the client has all breakpoints of the present moment. */
void wt_replay_breakpoints_followed(struct wt_replay_process *process);

/**
 * The client reports a hit. The caller has checked the arguments.
 *
 * Return: SUCCESS with the recorded action; the error status that was recorded for a hit at this moment; NOT_IMPLEMENTED if
 * no hit was recorded.
 */
amd_dbgapi_status_t wt_replay_breakpoint_hit(struct wt_replay_process *process, uint64_t handle,
					     amd_dbgapi_breakpoint_action_t *action_ret);

/** Note a client thread that reported a hit. A trace numbers them in order of appearance. */
void wt_replay_note_thread(amd_dbgapi_client_thread_id_t thread);
/** The client thread with this number in the trace; false if the client has not named that many. */
bool wt_replay_thread(uint64_t ordinal, amd_dbgapi_client_thread_id_t *thread_ret);

#endif /* WT_REPLAYER_LIBRARY_REPLAY_BREAKPOINT_H */
