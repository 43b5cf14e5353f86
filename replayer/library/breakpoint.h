/* SPDX-License-Identifier: MIT */
/*
 * The recorded library's own breakpoints in the host program. The client is asked to insert them where it was asked
 * then, and told of their hits what it was told then: a client that acts as the recorded one did gets the same. Nothing
 * else comes of them, for the program that would hit them is not there.
 *
 * None of it for a debugger of wavetape-host: that process has other memory at those addresses, and a breakpoint of its
 * own (debuggee.h).
 */
#ifndef WT_REPLAYER_LIBRARY_BREAKPOINT_H
#define WT_REPLAYER_LIBRARY_BREAKPOINT_H

#include "replayer/library/internal.h"

/** The moment may be another: have those inserted and removed that were, on the way to it. */
void wt_replay_breakpoints_sync(void);

/** The client detaches: those that the recorded process still had are removed. */
void wt_replay_breakpoints_withdraw(void);

/**
 * What became of a breakpoint in a recorded call that was told again: the client inserted it, or has it no more; and of
 * a hit of one.
 */
void wt_replay_breakpoint_follow(uint64_t handle, bool there);
void wt_replay_breakpoint_was_hit(uint64_t handle);

/** The client was asked for all that there is at the present moment. */
void wt_replay_breakpoints_followed(void);

/**
 * A hit that the client reports, all checks of its arguments done.
 *
 * Return: SUCCESS, with the recorded answer; what the library refused a hit with at this moment; NOT_IMPLEMENTED if none
 * was reported.
 */
amd_dbgapi_status_t wt_replay_breakpoint_hit(uint64_t handle,
					     amd_dbgapi_breakpoint_action_t *action_ret);

/** A thread of the client's that it reports a hit of: the trace counts them in order of appearance. */
void wt_replay_note_thread(amd_dbgapi_client_thread_id_t thread);
/** The thread that a trace calls by that number; false if the client has not named so many. */
bool wt_replay_thread(uint64_t ordinal, amd_dbgapi_client_thread_id_t *thread_ret);

#endif /* WT_REPLAYER_LIBRARY_BREAKPOINT_H */
